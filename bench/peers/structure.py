#!/usr/bin/env python3
"""Recto beside other readers of PDFs, on the development sets, with one scorer, in one run.

    python3 -m venv peers && peers/bin/pip install -r bench/peers/requirements.txt
    peers/bin/python bench/peers/structure.py run --recto 'recto convert {pdf} --to docling' --score-python PYTHON

Nothing is installed by this script; a peer that is not there is left out and named. RECTO_BENCH_DATA names the folder of
documents (default: shared/data beside the checkout), with the scorer in ../bench/structure. --score-python is a Python
that has the scorer's requirements (default: this one). Commands run one at a time, so that seconds can be compared.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

from adapters import PACKAGES, PEERS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RECTO = "Recto"

COLUMNS = {
    "icdar": [
        ("regions F1", ("regions", "f1")),
        ("adjacency by document", ("adjacency_by_document", "f1")),
        ("adjacency pooled", ("adjacency", "f1")),
        ("TEDS", ("teds",)),
        ("cell boxes", ("cell_boxes",)),
        ("s/page", ("run", "seconds_per_page")),
    ],
    "tagged": [
        ("heading F1", ("headings", "f1")),
        ("level steps", ("levels", "steps_agree")),
        ("levels exact", ("levels", "exact")),
        ("lists F1", ("lists", "f1")),
        ("tables F1", ("tables", "f1")),
        ("NID", ("nid",)),
        ("items cut right", ("texts", "matched")),
        ("boxes", ("texts", "placed_of_matched")),
        ("furniture leaked", ("furniture", "leaked")),
        ("s/page", ("run", "seconds_per_page")),
    ],
    "ocr": [
        ("word recall", ("words", "recall")),
        ("word precision", ("words", "precision")),
        ("CER in the file's order", ("cer",)),
        ("word boxes centred", ("boxes", "centred")),
        ("s/page", ("run", "seconds_per_page")),
    ],
}
TITLES = {
    "icdar": "Tables: ICDAR 2013, development half",
    "tagged": "Structure: four annual performance reports, scored against their authors' tags",
    "ocr": "Scans: eight pages of reports, printed and scanned anew",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="command")
    convert = commands.add_parser("convert", help="print one peer's reading of one file")
    convert.add_argument("peer", choices=PEERS)
    convert.add_argument("pdf", type=Path)
    run = commands.add_parser("run", help="score Recto and the peers that are installed, and write the table")
    run.add_argument("--recto", required=True, help="command that prints a DoclingDocument, with {pdf} for the file")
    run.add_argument("--recto-words", help="the same for words, for scans [default: --recto with --to words]")
    run.add_argument("--recto-version", default="", help="what the table says of the build, e.g. a commit")
    run.add_argument("--score-python", default=sys.executable)
    run.add_argument("--work", type=Path, default=Path("peers-out"), help="folder of outputs")
    run.add_argument("--results", type=Path, default=ROOT / "bench" / "results" / "structure.md")
    run.add_argument("--only", action="append", help="only these peers, by name")
    run.add_argument("--sets", nargs="+", choices=COLUMNS, default=list(COLUMNS))
    run.add_argument("--skip-teds", action="store_true")
    run.add_argument("--keep", action="store_true", help="use the peers' scores of the last run, found in --work")
    args = parser.parse_args()
    if args.command == "convert":
        sys.stdout.write(PEERS[args.peer][0](args.pdf))
        return 0
    return run_all(args)


def run_all(args) -> int:
    data = Path(os.environ.get("RECTO_BENCH_DATA") or ROOT.parent / "shared" / "data").resolve()
    scorer = data.parent / "bench" / "structure" / "score.py"
    if not scorer.is_file():
        print(f"The scorer {scorer} is missing; set RECTO_BENCH_DATA to the folder of documents.", file=sys.stderr)
        return 2
    commands = {RECTO: (args.recto, list(COLUMNS), args.recto_version)}
    absent = []
    for peer, (_, sets) in PEERS.items():
        if args.only and peer not in args.only:
            continue
        version = installed(peer)
        if version is None:
            absent.append(peer)
            continue
        script = f"'{sys.executable}' '{Path(__file__).resolve()}' convert '{peer}' {{pdf}}"
        commands[peer] = (script, sets, version)
    words = args.recto_words or args.recto.replace("--to docling", "--to words")
    scores: dict[str, dict[str, dict]] = {name: {} for name in args.sets}
    for name in args.sets:
        for reader, (command, sets, _) in commands.items():
            if name in sets:
                told = words if reader == RECTO and name == "ocr" else command
                scores[name][reader] = score(args, scorer, data, name, reader, told)
    versions = {reader: version for reader, (_, _, version) in commands.items()}
    args.results.write_text(table(scores, versions, absent), "utf-8")
    print(args.results)
    return 0


def installed(peer: str) -> str | None:
    try:
        return importlib.metadata.version(PACKAGES.get(peer, peer))
    except importlib.metadata.PackageNotFoundError:
        return None


def score(args, scorer: Path, data: Path, name: str, reader: str, command: str) -> dict:
    out = args.work / name / reader.replace(" ", "-")
    out.mkdir(parents=True, exist_ok=True)
    kept = out / "summary.json"
    if args.keep and reader != RECTO and kept.is_file():
        return json.loads(kept.read_text("utf-8"))
    folder = {"icdar": ("--pdfs", "a_tables_icdar2013"), "tagged": ("--gold", "a_struct_opm"), "ocr": ("--gold", "e_ocr_scans")}[name]
    arguments = [args.score_python, str(scorer), name, "--json", "--jobs", "1", "--out", str(out)]
    arguments += [folder[0], str(data / folder[1]), "--cmd", command]
    if args.skip_teds and name == "icdar":
        arguments.append("--skip-teds")
    print(f"{name}: {reader}", file=sys.stderr)
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return {}
    summary = json.loads(done.stdout)
    pages_per_second = summary.get("run", {}).get("pages_per_second")
    if pages_per_second:
        summary["run"]["seconds_per_page"] = 1 / pages_per_second
    kept.write_text(json.dumps(summary), "utf-8")
    return summary


def value(summary: dict, path: tuple[str, ...]) -> str:
    at = summary
    for key in path:
        at = at.get(key) if isinstance(at, dict) else None
    return "–" if at is None else f"{at:.3f}"


def table(scores: dict, versions: dict[str, str], absent: list[str]) -> str:
    lines = ["# Structure beside peers", ""]
    lines += ["Made by `bench/peers/structure.py run`, one process at a time.", ""]
    lines += [f"{platform.machine()}, {os.cpu_count()} cores. No peer downloads a model; pymupdf4llm brings one with it.", ""]
    for name, readers in scores.items():
        columns = COLUMNS[name]
        lines += [f"## {TITLES[name]}", ""]
        lines.append("| reader | " + " | ".join(title for title, _ in columns) + " |")
        lines.append("|---|" + "---|" * len(columns))
        for reader, summary in readers.items():
            cells = " | ".join(value(summary, path) for _, path in columns)
            lines.append(f"| {' '.join([reader, versions[reader]]).strip()} | {cells} |")
        problems = {r: p for r, s in readers.items() if (p := s.get("run", {}).get("problems"))}
        if problems:
            lines += ["", "Not read: " + ", ".join(f"{r} {p}" for r, p in problems.items()) + "."]
        lines.append("")
    if absent:
        lines += ["Not installed in this run: " + ", ".join(absent) + ".", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
