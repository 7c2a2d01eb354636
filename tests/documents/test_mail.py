"""Mail as Markdown: all texts that a mail program shows, what is attached, and messages that are attached."""

import pytest

from readwell.documents.mail import MAIL, MAX_MESSAGES

ATTACHED = 'Content-Disposition: attachment; filename="{}"\n'
PDF = "application/pdf"


def leaf(kind, text, more=""):
    return f"Content-Type: {kind}\n{more}\n{text}"


def several(kind, *parts, boundary="b"):
    inside = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary={boundary}\n\n{inside}--{boundary}--\n"


def told(message):
    return MAIL.open(f"Subject: S\n{message}".encode(), None, b"").markdown(1).removeprefix("# S\n\n")


def attached(*names):
    return "## Attachments\n\n" + "\n".join(f"- {name}" for name in names)


@pytest.mark.parametrize("kind", ["mixed", "related", "signed"])
def test_all_texts_of_a_message_are_read_in_their_order(kind):
    parts = (
        leaf("text/plain", "ONE"),
        leaf("text/plain", "TWO", 'Content-Disposition: inline; filename="two.txt"\n'),
        leaf("text/html", "<p>THREE</p>"),
        leaf(PDF, "x", ATTACHED.format("a.pdf")),
        leaf("text/html", "<b>FOUR</b>"),
        leaf("text/x-patch", "+five"),
        leaf("text/plain", "not shown", ATTACHED.format("six.txt")),
    )
    names = attached("two.txt (text/plain, 3 bytes)", f"a.pdf ({PDF}, 1 bytes)", "six.txt (text/plain, 9 bytes)")
    assert told(several(kind, *parts)) == f"ONE\n\nTWO\n\nTHREE\n\n**FOUR**\n\n+five\n\n{names}"


@pytest.mark.parametrize(
    ("plain", "shown"),
    [("plain", "plain"), (" ", "one\n\ntwo"), (several("mixed", leaf(PDF, "y"), boundary="d"), "one\n\ntwo")],
)
def test_of_alternatives_one_is_read_and_the_attachments_of_all_are_named(plain, shown):
    html = several(
        "mixed", leaf("text/html", "<p>one</p>"), leaf(PDF, "x"), leaf("text/html", "<p>two</p>"), boundary="c"
    )
    first = plain if plain.startswith("Content") else leaf("text/plain", plain)
    calendar = leaf("text/calendar", "BEGIN:VCALENDAR")
    names = [f"(no name) ({PDF}, 1 bytes)"] * (2 if first == plain else 1) + ["(no name) (text/calendar, 15 bytes)"]
    assert told(several("alternative", first, html, calendar)) == f"{shown}\n\n{attached(*names)}"


def test_attached_messages_follow_with_what_is_attached_to_them():
    inner = leaf(
        "message/rfc822",
        "Subject: Inner\nFrom: a@b.c\n" + several("mixed", leaf("text/plain", "inside"), leaf(PDF, "x"), boundary="c"),
    )
    named = leaf("message/rfc822", "To: d@e.f\n\nnamed", ATTACHED.format("n.eml"))
    assert told(several("mixed", leaf("text/plain", "body"), inner, named)) == (
        f"body\n\n{attached('Inner (message)', 'n.eml (message)')}\n\n"
        f"# Inner\n\n- From: a@b.c\n\ninside\n\n{attached(f'(no name) ({PDF}, 1 bytes)')}\n\n"
        "# (no subject)\n\n- To: d@e.f\n\nnamed"
    )  # fmt: skip


def test_messages_are_followed_three_deep():
    inner = "Subject: 5\n\ntext"
    for number in (4, 3, 2, 1):
        inner = f"Subject: {number}\n{leaf('message/rfc822', inner)}"
    shown = told(leaf("message/rfc822", inner))
    assert [f"# {number}\n" in shown for number in range(1, 6)] == [True, True, True, False, False]
    assert shown.endswith(attached("4 (message, not shown: it is nested too deep)"))


def test_messages_are_followed_up_to_a_number():
    shown = told(several("digest", *(f"\nSubject: {number}\n\ntext {number}" for number in range(MAX_MESSAGES))))
    last = MAX_MESSAGES - 1
    assert f"- {last - 1} (message)\n- {last} (message, not shown: it is one of too many)\n" in shown
    assert f"# {last - 1}\n\ntext {last - 1}" in shown and f"text {last}" not in shown


def test_the_report_of_a_failed_delivery_is_read():
    status = "Reporting-MTA: dns; a.b\n\nFinal-Recipient: rfc822; c@d.e\nStatus: 5.1.1\n"
    parts = (
        leaf("text/plain", "It failed."),
        leaf("message/delivery-status", status),
        leaf("text/rfc822-headers", "Subject: x"),
    )
    assert told(several("report", *parts)) == (
        "It failed.\n\nReporting-MTA: dns; a.b\n\nFinal-Recipient: rfc822; c@d.e\nStatus: 5.1.1\n\nSubject: x"
    )  # fmt: skip


@pytest.mark.parametrize(
    "kind", ["disposition-notification", "global-delivery-status", "global-headers", "feedback-report"]
)
def test_a_report_of_any_kind_is_read(kind):
    fields = "Reporting-UA: a.b\nDisposition: automatic\n\nFinal-Recipient: c@d.e\nbehind it"
    report = several("report", leaf("text/plain", "It was read."), leaf(f"message/{kind}", fields))
    assert told(report) == f"It was read.\n\n{fields}"


@pytest.mark.parametrize("kind", ["global", "news"])
def test_an_attached_message_of_another_kind_follows(kind):
    inner = leaf(f"message/{kind}", "Subject: Inner\n\ninside")
    shown = told(several("mixed", leaf("text/plain", "body"), inner))
    assert shown == f"body\n\n{attached('Inner (message)')}\n\n# Inner\n\ninside"


def test_a_part_that_was_parsed_as_a_message_is_named_without_a_size():
    fragment = leaf("message/partial; number=1; total=2; id=x", "Subject: Inner\n\nnot all of it")
    assert told(fragment) == attached("(no name) (message/partial)")


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Content-Type: multipart/mixed; boundary=b\n\nwithout parts", "without parts"),
        ("Content-Type: multipart/mixed\n\nwithout boundary", "without boundary"),
        (leaf("image/png", "x"), attached("(no name) (image/png, 1 bytes)")),
        (leaf("text/plain", "x", ATTACHED.format("a.txt")), attached("a.txt (text/plain, 1 bytes)")),
        (leaf("text/plain; charset=undefined", "x"), "x"),
        (leaf("text/plain; charset=nothing", "x"), "x"),
    ],
)
def test_a_message_of_one_part_loses_nothing(message, shown):
    assert told(message) == shown
