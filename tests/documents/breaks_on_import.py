"""A module that cannot be imported."""

__import__("a_library_that_nobody_has")
