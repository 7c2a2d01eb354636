"""How a message is written down, whatever file it comes from."""

from __future__ import annotations

from collections.abc import Sequence

MAX_PARTS = 1000


def message_markdown(
    subject: str, headers: Sequence[tuple[str, str]], body: str, attached: Sequence[str], where_all_are_listed: str = ""
) -> str:
    """Returns a message: its subject as heading, who wrote to whom, the text, and the names of what is attached.

    `where_all_are_listed` ends the sentence about attachments beyond the first ones.
    """
    written = [f"# {subject or '(no subject)'}"]
    written.append("\n".join(f"- {name}: {value}" for name, value in headers if value))
    written.append(body)
    if attached:
        written.append("## Attachments\n\n" + "\n".join(f"- {each}" for each in attached[:MAX_PARTS]))
    if len(attached) > MAX_PARTS:
        written.append(f"*{len(attached) - MAX_PARTS:,} more are attached and not listed{where_all_are_listed}.*")
    return "\n\n".join(part for part in written if part)
