# Generated from _async/__init__.py. Do not edit.
"""The client and the parts of the API."""
