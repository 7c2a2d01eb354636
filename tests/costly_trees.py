"""Trees that take long to go through, each for another reason."""

import os
import subprocess
from contextlib import contextmanager


def deepened(folder, levels, name="d"):
    """Makes folders below each other, which may be deeper than a path can be long; returns a descriptor of the last."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=here)
        deeper = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    return here


@contextmanager
def costly_trees(folder):
    """Makes them in a folder, and removes them at the end; nothing is to be written to them."""
    for name in ("chained", "deep", "ignoring", "patterns"):
        (folder / name).mkdir()
    for number in range(39):
        (folder / "chained" / f"L{number}").symlink_to(f"L{number + 1}/" + "x/" * 2040)
    (folder / "chained" / "L39").mkdir()
    os.close(deepened(folder / "deep", 700))
    os.close(deepened(folder / "ignoring", 200))
    (folder / "ignoring" / ".aiignore").write_text("a/b/c\nd/**/e\n**/d/d/d/g\n" * 300)
    (folder / "ignoring" / "a.txt").write_text("a\n")
    os.close(deepened(folder / "patterns", 20))
    lines = (f"*n{number}*a*b*.l?g{number}*" for number in range(2000))
    (folder / "patterns" / ".aiignore").write_text("\n".join(lines))
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)  # shutil does not go so deep
