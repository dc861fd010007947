"""The tests of wayword; a package, so that they can share builders of small inputs."""
