"""Images of a reply as files, for the command line."""

import os
from typing import Any, cast

from ..model import Reply
from .terminal import write_error

ENDINGS = {"image/png": (".png",), "image/jpeg": (".jpg", ".jpeg")}
HINT = "readwell: -o FILE writes the image to a file"


def write_pictures(reply: Reply, output: str | None) -> str:
    """Writes images to new files and names those; returns why that failed, or an empty string.

    Several are named by their pages: `page-3.png`, `page-4.png`. A name that ends like another format gets the
    ending of the image's own.
    """
    if output is None:
        write_error(HINT)
        return ""
    pages = [image["page"] for image in cast("list[dict[str, Any]]", reply.data.get("images", []))]
    numbers = [f"-{page}" for page in pages] if len(pages) > 1 else [""]
    for number, picture in zip(numbers, reply.pictures, strict=True):
        target = _image_path(output, picture.media_type, number)
        try:
            with open(target, "xb") as file:
                file.write(picture.content)
        except FileExistsError:
            return f"'{target}' is not written over: remove it, or choose another name with -o."
        except OSError as error:
            return f"'{target}' cannot be written: {error.strerror}."
        write_error(f"written: {target}")
    return ""


def _image_path(output: str, media_type: str, number: str) -> str:
    """Returns the name of an image's file, with an ending that fits its type."""
    stem, ending = os.path.splitext(output)
    fitting = ENDINGS.get(media_type, (ending,))
    ending = ending if ending.lower() in fitting else fitting[0]
    return f"{stem}{number}{ending}"
