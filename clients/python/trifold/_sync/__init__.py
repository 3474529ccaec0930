# Generated from _async/__init__.py. Do not edit.
"""The asynchronous client."""
