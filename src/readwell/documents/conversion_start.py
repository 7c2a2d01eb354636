"""`ConversionStarter`: chooses a document's converter, asks the `Worker` to run it whenever `unit_source` needs it."""

from __future__ import annotations

from ..deadline import Deadline
from ..errors import ConversionFailed, TooLarge
from ..import_guard import ImportPath
from ..named_tuple import NamedTuple
from ..source import Source
from .conversion_resources import ConversionResources
from .converters import (
    PRINTED_LINES,
    PRINTED_PDF,
    RECOGNISED_PDF,
    UNSCANNED,
    ConverterSpec,
    find_converter,
    version_of,
)
from .crash_tolerant_conversion import needs_recognition
from .worker import Conversion
from .worker.wire_frames import PAST_ALL_UNITS


class ChosenConverter(NamedTuple):
    """The converter of a document: its name among the formats, and a version that changes with what it writes."""

    name: str
    version: str


def choose_converter(
    format_name: str, printed: bool, recogniser: ConverterSpec | None, recognise_all: bool, import_path: ImportPath
) -> ChosenConverter:
    """Returns the converter of a format; of a PDF by its settings. Raises ConverterMissing.

    `printed`: a line is a printed line; `recogniser` reads scans; `recognise_all`: it reads every page.
    """
    spec, name = find_converter(format_name, {}, import_path), format_name
    if format_name == "pdf" and printed:
        spec, name = PRINTED_LINES, PRINTED_PDF
    version = version_of(spec, import_path)
    if recogniser is None:
        return ChosenConverter(name, version)
    version = f"{version}; {version_of(recogniser, import_path)} {recogniser.name}"
    return ChosenConverter(RECOGNISED_PDF if recognise_all else UNSCANNED[name][0], version)


class ConversionStarter:
    """Starts the children of one document during one read, for its `UnitSource`.

    A failure that would come again is cached under `key`, and raised instead of trying once more. `digest` is the hash
    of the content, by which the child checks what it reads.
    """

    def __init__(
        self,
        resources: ConversionResources,
        source: Source,
        converter: ChosenConverter,
        key: bytes,
        digest: bytes,
        password: str | None,
        deadline: Deadline,
    ) -> None:
        self._resources, self._source, self._converter, self._key = resources, source, converter, key
        self._digest, self._password, self._deadline = digest, password, deadline

    def convert_from(
        self,
        first: int,
        prepared: bytes,
        *,
        end: int = PAST_ALL_UNITS,
        deadline: Deadline | None = None,
        recognise: bool = False,
    ) -> Conversion:
        """Returns the running conversion from unit `first` on; `prepared` are bytes from an earlier opening."""
        source, cache = self._source, self._resources.cache
        failure = cache.recent_failure(self._key, self._deadline.clock())
        if failure:
            raise failure
        self._deadline.announce("document", source.size)
        try:
            return self._resources.worker.convert(
                source.descriptor,
                RECOGNISED_PDF if recognise else self._converter.name,
                deadline or self._deadline,
                wanted=range(first, end),
                size=source.size,
                # A copy that nobody else can write needs no check, and its hash may be that of its version.
                digest=None if source.address else self._digest.hex(),
                password=self._password,
                argument=prepared,
            )
        except (ConversionFailed, TooLarge) as error:
            if not (isinstance(error, ConversionFailed) and (error.from_outside or needs_recognition(error))):
                cache.keep_failure(self._key, self._deadline.clock(), error)
            raise
