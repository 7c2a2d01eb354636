"""Audit log: one record for each call, without content, and a file of them."""

from .audit_file import AuditFile, open_to_append
from .record import Audit, FoundLines, Record
from .recorder import Recorder, records_of_batch

__all__ = ["Audit", "AuditFile", "FoundLines", "Record", "Recorder", "open_to_append", "records_of_batch"]
