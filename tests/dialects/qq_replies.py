"""What the `qq` dialect must answer, as whole replies."""

START_TYPE = "Error: start_line must be a whole number."
NUM_TYPE = "Error: num_lines must be a whole number."
NUM_LOW = "Error: num_lines must be at least 1."


def page(name, lines, start=1, total=None, extra=""):
    total = start + len(lines) - 1 if total is None else total
    return (
        f"[File: {name} | Lines {start}-{start + len(lines) - 1} of {total}]\n"
        f"[Note: Output limited to 200 lines max per request.{extra}]\n" + "-" * 40 + "\n" + "\n".join(lines)
    )


def beyond(start, total):
    return f"Start line {start} is out of bounds. Total lines: {total}."


def needs_extra(name):
    return f"Error: Reading '{name}' needs an extra: pip install \"readwell[documents]\"."
