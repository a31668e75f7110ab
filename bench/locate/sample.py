#!/usr/bin/env python3
"""Draws the sentences of the `locate` benchmark: sample.py DATA_FOLDER > sentences.jsonl

Another extractor (pdftotext) reads the files, so that Recto is not asked for its own text. From each folder of the
manifest that holds digital PDFs, up to four files with a dozen sentences or more are drawn, and files with fewer only
where the folder would otherwise give less than three; then 500 sentences of 40 to 220 characters that lie within one page, spread evenly over the files. Seed 7; the list is
committed, so this runs again only when the rules change.
"""
import json
import random
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

SENTENCES, FILES_PER_FOLDER, LEAST_FILES_PER_FOLDER, GOOD_PER_FILE = 500, 4, 3, 12
# A sentence begins with a capital letter and ends with a full stop that a space or the end of the paragraph follows.
SENTENCE = re.compile(r"(?:(?<=^)|(?<=[.!?]\s))[A-Z][^.!?]*(?:\.(?!\s|$)[^.!?]*)*[.!?](?=\s|$)")


def sentences(path):
    text = subprocess.run(["pdftotext", "-q", str(path), "-"], capture_output=True, timeout=120).stdout.decode("utf-8", "replace")
    for number, page in enumerate(text.split("\f"), 1):
        for paragraph in re.split(r"\n\s*\n", page):
            flat = re.sub(r"\s+", " ", paragraph).strip()
            for match in SENTENCE.finditer(flat):
                sentence = match.group().strip()
                letters = sum(character.isalpha() for character in sentence)
                # Names and addresses in the column of a table are no sentence, though they may end in "St.".
                words = sentence.split()
                running = sum(word[0].islower() for word in words)
                # A hyphen at a line end cannot be told from one that belongs to the word once the lines are joined.
                if 40 <= len(sentence) <= 220 and letters > 0.6 * len(sentence) and running >= len(words) / 2 and "- " not in sentence:
                    yield number, sentence


def main(data):
    rng = random.Random(7)
    folders = defaultdict(list)
    for line in (data / "manifest.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["file"].lower().endswith(".pdf") and row.get("expected", {}).get("cls", "clean") == "clean":
            folders[row["file"].split("/")[0]].append(row["file"])
    chosen = {}
    for folder in sorted(folders):
        files = sorted(set(folders[folder]))
        rng.shuffle(files)
        good, poor = {}, {}
        for file in files:
            if len(good) == FILES_PER_FOLDER:
                break
            try:
                found = sorted(set(sentences(data / file)))
            except subprocess.TimeoutExpired:
                continue
            if found:
                (good if len(found) >= GOOD_PER_FILE else poor)[file] = found
        missing = max(0, LEAST_FILES_PER_FOLDER - len(good))
        chosen |= good | dict(list(poor.items())[:missing])
    order = sorted(chosen)
    quota = {file: 0 for file in order}
    left = SENTENCES
    while left:
        open_files = [file for file in order if quota[file] < len(chosen[file])]
        if not open_files:
            break
        for file in open_files[:left]:
            quota[file] += 1
        left = SENTENCES - sum(quota.values())
    for file in order:
        for number, sentence in sorted(rng.sample(chosen[file], quota[file])):
            print(json.dumps({"file": file, "page": number, "quote": sentence}, ensure_ascii=False))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
