"""The tests of wayword; a package, so that they can share what writes small inputs."""
