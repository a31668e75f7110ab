#!/usr/bin/env python3
"""Writes the quarterly-report questions of the development data as a set for `recto eval`.

    sec10q.py DATA/bf_sec10q/qa.jsonl > sec10q.jsonl
    recto add DATA/bf_sec10q/docs && recto eval sec10q.jsonl --out results

Pages are kept only where they were derived with confidence ("strong"): the others name every page that shares a number
with the answer. Questions come with all the documents that answer them.
"""

import json
import sys


def case(question: dict) -> dict:
    found = {
        "id": question["id"],
        "question": question["question"],
        "documents": question["source_docs"],
        "answer": question["answer"].split("SOURCE(S)")[0].strip(),
    }
    if question.get("derived_quality") == "strong":
        found["pages"] = [
            {"document": page["doc"], "page": page["page1"]} for page in question["derived_answer_pages"]
        ]
    return found


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            print(json.dumps(case(json.loads(line)), ensure_ascii=False))


if __name__ == "__main__":
    main()
