"""What only the store on a server has to get right."""
