"""Which page stands below which in the guide, in order."""

CLIENTS = [
    "claude-code",
    "claude-desktop",
    "cursor",
    "vscode",
    "codex",
    "gemini",
    "zed",
    "windsurf",
    "cline",
    "opencode",
    "goose",
    "continue",
]
FRAMEWORKS = [
    "openai",
    "openai_agents",
    "anthropic",
    "langchain",
    "llamaindex",
    "pydantic_ai",
    "smolagents",
    "agno",
    "crewai",
    "strands",
    "google_adk",
]


def docs(*names: str) -> list[str]:
    """Returns the pages of these names."""
    return [f"docs/{name}" for name in names]


TREE: dict[str, list[tuple[str, list[str]]]] = {
    "docs/index": [
        ("Start", docs("quick-start", "paging", "search", "faq")),
        ("Dialects", docs("native", "qq", "envelope", "opencode")),
        ("Ways in", docs("mcp", "http", "fleet", "adapters", "cli", "api")),
        (
            "What is read",
            docs("lines", "outline", "documents", "pdf-pages", "images", "packed", "remote", "errors", "settings"),
        ),
        (
            "Running it",
            [
                *docs("policy", "ledger", "security", "corpus", "corpus-sizing"),
                *docs("performance", "search-performance", "remote-performance"),
            ],
        ),
        ("Project", ["examples/README", "ARCHITECTURE", "MODULES", "CONTRIBUTING", "CHANGELOG", "decisions/README"]),
    ],
    "docs/mcp": [("Clients", [f"docs/clients/{name}" for name in CLIENTS])],
    "docs/adapters": [("Frameworks", [f"docs/frameworks/{name}" for name in FRAMEWORKS])],
    "examples/README": [("Programs", ["examples/*", "examples/corpus/*", "examples/frameworks/*"])],
    "decisions/README": [("Decisions", ["decisions/0*"])],
}
