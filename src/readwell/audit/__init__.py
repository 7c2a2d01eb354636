"""Audit log: one record for each call, without content, and a file of them."""

from .audit_file import AuditFile, open_to_append
from .record import Audit, AuditedCall, Found, Record, new_audited_call, record_of, records_of_batch

__all__ = [
    "Audit",
    "AuditFile",
    "AuditedCall",
    "Found",
    "Record",
    "new_audited_call",
    "open_to_append",
    "record_of",
    "records_of_batch",
]
