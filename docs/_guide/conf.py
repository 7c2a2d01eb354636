"""How Sphinx builds the guide: which pages, in which order, and what it adds to them.

The pages are plain Markdown, as a code forge shows them. What Markdown has no words for, the tree of pages and the
reference made from docstrings, is added here when a page is read.
"""

import sys
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).parents[2]
sys.path[:0] = [str(HOUSE / "src"), str(Path(__file__).parent)]

from program import ProgramParser  # noqa: E402
from reference import plain_docstring, plain_signature, reference  # noqa: E402
from tree import TREE  # noqa: E402

from readwell import __version__  # noqa: E402

project = "readwell"
html_title = f"readwell {__version__}"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "decisions/*.md",
    "examples/**.md",
    "examples/**.py",
    "ARCHITECTURE.md",
    "MODULES.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
exclude_patterns = ["docs/_guide", "examples/project"]
default_role = "code"
smartquotes = False
myst_heading_anchors = 6
autodoc_member_order = "bysource"
maximum_signature_line_length = 80
python_display_short_literal_types = True
pygments_style = "tango"
pygments_dark_style = "github-dark"
templates_path = ["templates"]
html_theme = "furo"
html_static_path = ["guide.css", "guide.js"]
html_css_files = ["guide.css"]
html_js_files = ["guide.js"]
html_additional_pages = {"index": "redirect.html"}
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"light_css_variables": {"font-stack": "system-ui, sans-serif"}}


def complete(_app: Any, page: str, text: list[str]) -> None:
    """Adds to a page the pages below it, and the reference to the page that is for it."""
    if page == "docs/api":
        text[0] += reference()
    for caption, below in TREE.get(page, []):
        listed = "\n".join(f"/{name}" for name in below)
        text[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n\n{listed}\n```\n"


def setup(app: Any) -> None:
    """Is called by Sphinx."""
    app.add_source_suffix(".py", "program")
    app.add_source_parser(ProgramParser)
    app.connect("source-read", complete)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("autodoc-process-signature", plain_signature)
