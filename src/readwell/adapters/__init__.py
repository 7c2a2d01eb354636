"""The read tool in the form of each agent framework: `readwell.adapters.<framework>.tools(reader)`.

A framework is imported when its tools are asked for; readwell depends on none of them.
"""
