class error(Exception): ...  # noqa: N801

class Options:
    log_errors: bool
    never_capture: bool
    case_sensitive: bool
    never_nl: bool

class _Match:
    def start(self) -> int: ...
    def end(self) -> int: ...

class _Regexp:
    def search(self, text: bytes | memoryview, pos: int = ..., endpos: int = ...) -> _Match | None: ...
    def fullmatch(self, text: bytes) -> _Match | None: ...

def compile(pattern: bytes, options: Options) -> _Regexp: ...  # noqa: A001
def purge() -> None: ...
