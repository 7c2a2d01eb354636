"""The error of a configuration file that cannot be edited safely."""


class NotEditable(Exception):
    """Raised for a file whose content is not understood; the message says why, for the user."""
