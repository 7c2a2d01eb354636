"""Real documents, which do not come along with the project: `READWELL_CORPUS` names the folder that holds them."""

import os
from pathlib import Path

BESIDE = Path(__file__).parents[2] / "shared" / "corpus"


def real_corpus() -> Path:
    """Returns the folder of real documents, which need not be there; it lies beside the checkout if none is named."""
    return Path(os.environ.get("READWELL_CORPUS") or BESIDE)
