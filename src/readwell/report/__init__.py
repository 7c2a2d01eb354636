"""What was read: counts the records of calls, and reports them as a page, as JSON, as LCOV and in a terminal."""

from .build_report import Report, report_of
from .ledger import Ledger
from .logged_call import LoggedCall, parse_logged_call, parse_logged_calls
from .project_files import Project

__all__ = ["Ledger", "LoggedCall", "Project", "Report", "parse_logged_call", "parse_logged_calls", "report_of"]
