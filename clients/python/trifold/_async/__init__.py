"""The client and the parts of the API."""
