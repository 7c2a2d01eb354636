"""Adapters to agent frameworks: `readwell.adapters.<framework>.tools(reader)` returns the framework's own tool objects.

`reader` is a `Reader`, a class of another dialect, or a `Tool`. A framework is imported when `tools` is called;
readwell depends on none of them.
"""
