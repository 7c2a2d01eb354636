"""`python -m readwell`."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # `-m` puts the current directory there, which may be anybody's

from .doors.cli import main

sys.exit(main())
