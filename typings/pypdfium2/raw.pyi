from ctypes import _NamedFuncPointer, _Pointer
from typing import Any

Handle = _Pointer[Any]

def __getattr__(name: str) -> _NamedFuncPointer: ...
