"""The command `readwell config`: placeholder."""
def run(words: list[str]) -> int:
    """Runs."""
    return 0
