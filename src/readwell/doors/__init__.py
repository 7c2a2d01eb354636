"""Thin ways in."""
