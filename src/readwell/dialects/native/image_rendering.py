"""What a model reads beside images: what they show, their sizes, and how to go on."""

from __future__ import annotations

from collections.abc import Sequence

from ...encoded_image import Picture
from ...model import WHOLE_PAGE, ImageRegion, Notice, ReadResult, ShownPart
from .budget import tokens_or_bound
from .rendering import escape_header_path
from .settings import Settings
from .shortening import shorter_forms


def picture_text(
    result: ReadResult, picture: Picture, path: str, notices: Sequence[Notice], budget: int, settings: Settings
) -> str:
    """Returns header and remarks, shortened as far as they take more than half of the budget."""
    text = ""
    for name, remarks in shorter_forms(path, notices):
        text = "\n".join([_header(result, picture, escape_header_path(name)), *remarks, _last_remark(result)])
        if tokens_or_bound(text, budget // 2, settings) <= budget // 2:
            break
    return text


def _header(result: ReadResult, picture: Picture, path: str) -> str:
    """Returns the header of an image file, or of images of pages."""
    region = _region_text(result)
    if result.part:
        part, shown = result.part, _describe_sizes(result.pictures)
        pages = f"page {part.first}" if part.first == part.last else f"pages {part.first}-{part.last}"
        total = f"{part.format}, {part.units} {part.unit}{'s' * (part.units != 1)}"
        return f"[{path} | {total} | {pages}{f', region {region}' * bool(region)} | {shown}]"
    width, height = picture.size
    kind = f"{picture.format} image, {width}x{height} pixels"
    shown = f"region {region} | {_describe_sizes([picture])}" if region else _describe_scaling(picture)
    return f"[{path} | {kind} | {shown} | rev {result.revision}]"


def _last_remark(result: ReadResult) -> str:
    """Returns the last remark: the next pages, or that there are none."""
    part = result.part
    pages = _next_pages(result, part) if part else ""
    return f"[more: pages={pages}]" if pages else "[end]"


def picture_data(result: ReadResult, picture: Picture) -> dict[str, object]:
    """Returns the facts of the images for programs."""
    region = {"region": [*result.request.region]} if _region_text(result) else {}
    if not result.part:
        (width, height), (shown_width, shown_height) = picture.size, picture.shown
        size = {"width": width, "height": height, "shown_width": shown_width, "shown_height": shown_height}
        return {"image": {**size, "format": picture.format, "media_type": picture.media_type, **region}}
    part = result.part
    images = [
        {"page": page, "width": each.shown[0], "height": each.shown[1], "media_type": each.media_type, **region}
        for page, each in enumerate(result.pictures, part.first)
    ]
    pages = {"first": part.first, "last": part.last, "total": part.units}
    following = _next_pages(result, part)
    return {"images": images, "pages": pages, "next": {"pages": following} if following else None}


def _region_text(result: ReadResult) -> str:
    """Returns the region that was asked for as text; empty for a whole page."""
    region: ImageRegion = result.request.region
    return "" if region == WHOLE_PAGE else ",".join(map(str, region))


def _next_pages(result: ReadResult, part: ShownPart) -> str:
    """Returns the pages to ask for next: the rest of those asked for, or as many again."""
    asked = result.request.pages
    wanted = part.units if asked and asked.first < 0 else asked.last if asked else part.first
    first, count = part.last + 1, max(0, wanted - part.last) or part.last - part.first + 1
    last = min(part.units, first + count - 1)
    if first > part.units:
        return ""
    return f"{first}" if first == last else f"{first}-{last}"


def _describe_sizes(pictures: Sequence[Picture]) -> str:
    """Returns how many images there are and their sizes, as the header says it."""
    sizes = [f"{width}x{height}" for width, height in (each.shown for each in pictures)]
    if len(sizes) == 1:
        return f"image {sizes[0]}"
    return f"{len(sizes)} images {sizes[0] if len(set(sizes)) == 1 else ', '.join(sizes)}"


def _describe_scaling(picture: Picture) -> str:
    """Returns how much smaller than the file an image is shown."""
    scale = max(picture.shown) / max(picture.size)
    width, height = picture.shown
    return "shown in full size" if scale == 1 else f"shown as {width}x{height}, scale {scale:.3g}"
