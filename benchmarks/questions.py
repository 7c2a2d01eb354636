"""Asks 300 questions of three ways to find things: "where is X defined, raised or mentioned; show it whole".

Writes questions.json. Each half has a seed of its own; draw with a new one for questions that nobody has seen.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from console import progress
from peers import Peer, installed_environment
from question_clients import Answer, Reading, Searching, Shell, is_complete_answer
from question_set import Question, Tree, write_documents, write_log
from search_page import QUESTIONS, is_met

from readwell.tokens import o200k_counter

HERE = Path(__file__).parent
PACKAGES = (Peer("django", "django==5.2.8", "pip"), Peer("sympy", "sympy==1.14.0", "pip"))
CLIENTS = (Searching, Shell, Reading)
EACH = 10
"""Questions of each kind, tree and half; 30 of the log and of the documents."""
HALVES = ("first half", "second half")
SEEDS = (407193, 918822)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000, help="size of the log")
    parser.add_argument("--seeds", type=int, nargs=2, default=SEEDS, help="draw other questions for the halves")
    parser.add_argument("--half", choices=HALVES, help="search only, this half, and print what was missed")
    options = parser.parse_args()
    if not shutil.which("rg"):
        sys.exit("ripgrep is needed: apt install ripgrep")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        halves = questions(root, options.megabytes, dict(zip(HALVES, options.seeds, strict=True)))
        chosen = {options.half: halves[options.half]} if options.half else halves
        clients = CLIENTS[:1] if options.half else CLIENTS
        results = {client.name: _asked(client, root, chosen, bool(options.half)) for client in clients}
    if options.half:
        print(f"{sum(map(is_met, results[Searching.name]))} of {len(results[Searching.name])}")
    else:
        told = {"megabytes": options.megabytes, "seeds": list(options.seeds), "results": results}
        QUESTIONS.write_text(json.dumps(told) + "\n")


def questions(root: Path, megabytes: int, seeds: dict[str, int]) -> dict[str, list[Question]]:
    """Writes what is asked about below a folder, and returns the questions of both halves."""
    count = o200k_counter()
    trees = {"readwell": HERE.parent / "src" / "readwell"}
    for package in PACKAGES:
        found = (
            installed_environment(package) / "lib" / f"python3.{sys.version_info[1]}" / "site-packages" / package.name
        )
        trees[package.name] = found
    for name, source in trees.items():
        shutil.copytree(source, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    progress("writing the log and the documents")
    others = [write_log(root / "app.log", megabytes), write_documents(root / "documents")]
    known = [Tree(root, name, count) for name in trees]
    halves: dict[str, list[Question]] = {}
    for half, seed in seeds.items():
        rng = random.Random(seed)
        asked = [question for tree in known for question in tree.questions(rng, EACH)]
        halves[half] = asked + [question for each in others for question in rng.sample(each, 3 * EACH)]
    return halves


def _asked(client: Any, root: Path, halves: dict[str, list[Question]], tell: bool) -> list[dict[str, Any]]:
    """Returns what each question took: calls, tokens, and whether it was answered."""
    asking = client(root, o200k_counter())
    rows: list[dict[str, Any]] = []
    for half, asked in halves.items():
        for number, question in enumerate(asked, 1):
            progress(f"{client.name}: {half} {number} of {len(asked)}")
            answer = asking.ask(question)
            is_answered = is_complete_answer(question, answer)
            rows.append({**_about(question, answer), "half": half, "answered": is_answered})
            if tell and client is Searching and not is_met(rows[-1]):
                ends = question.lines[:1], question.lines[-1:]
                print(f"MISSED {rows[-1]}\n  {question[:4]} {ends} {question.mentions}")
    return rows


def _about(question: Question, answer: Answer) -> dict[str, Any]:
    return {"kind": question.kind, "place": question.place, "calls": answer.calls, "tokens": answer.tokens}


if __name__ == "__main__":
    main()
