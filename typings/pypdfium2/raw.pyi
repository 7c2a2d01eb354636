from ctypes import _NamedFuncPointer, _Pointer
from typing import Any

Handle = _Pointer[Any]

FPDF_ERR_FORMAT: int
FPDF_ERR_PASSWORD: int
FPDF_ERR_SECURITY: int
FPDF_PAGEOBJ_FORM: int
FPDF_PAGEOBJ_IMAGE: int
PDFACTION_GOTO: int
PDFACTION_URI: int

def __getattr__(name: str) -> _NamedFuncPointer: ...
