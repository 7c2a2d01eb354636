"""The scene without a framework: a loop of one's own over `Reader.reply`."""

from scenario import Model, play

from readwell import Reader


def run(reader: Reader, model: Model) -> None:
    asked = model.next()
    while not isinstance(asked, str):
        reply = reader.reply(asked)
        asked = model.next(reply.text, reply.is_error, reply.picture.content if reply.picture else b"")


async def arun(reader: Reader, model: Model) -> None:
    asked = model.next()
    while not isinstance(asked, str):
        reply = await reader.areply(asked)
        asked = model.next(reply.text, reply.is_error, reply.picture.content if reply.picture else b"")


if __name__ == "__main__":
    play(run, arun)
