class Version:
    version: str

PYPDFIUM_INFO: Version
PDFIUM_INFO: Version
