#!/usr/bin/env python3
"""How much of each file's own text, and how many of its table cells, a reader finds.

    python3 bench/formats/coverage.py FOLDER... --cmd 'recto convert {file} --to json'

The text a file holds is read here with Python's standard library alone: unzipped XML, HTML, MIME parts. Coverage is
the share of its words (with repetitions) that the items hold. Legacy binary formats have no such reader; for them the
words of the Markdown snapshot beside the file (`gt/NAME.md`) are what must be found. Where a snapshot `gt/NAME.json`
exists, items are counted by label beside it.
"""
import argparse
import collections
import csv
import email
import email.policy
import glob
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile

WORD = re.compile(r"\w+", re.UNICODE)
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
WS = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"


def words(text):
    return collections.Counter(WORD.findall(text.lower()))


def local(tag):
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def wordprocessing(data):
    """Text of paragraphs: runs join without a space; deleted and hidden text and fallbacks are not shown."""
    out = []

    def walk(node):
        name = local(node.tag)
        if name in ("Fallback", "del", "moveFrom", "instrText", "delText"):
            return
        if name == "r":
            properties = next((c for c in node if local(c.tag) == "rPr"), None)
            if properties is not None and any(local(c.tag) == "vanish" for c in properties):
                return
        if name == "t":
            out.append(node.text or "")
        elif name in ("tab", "br", "cr"):
            out.append(" ")
        for child in node:
            walk(child)
        if name in ("p", "tc", "txbxContent", "oMath", "r") and (name != "r" or node.tag.startswith("{http://schemas.openxmlformats.org/officeDocument/2006/math}")):
            out.append("\n")

    walk(ET.fromstring(data))
    return "".join(out)


def own_docx(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    names = [n for n in archive.namelist() if re.fullmatch(r"word/(document|footnotes|endnotes)\.xml", n)]
    return "\n".join(wordprocessing(archive.read(n)) for n in names)


def own_pptx(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    out = []
    for name in archive.namelist():
        if re.fullmatch(r"ppt/(slides/slide|notesSlides/notesSlide)\d+\.xml", name):
            root = ET.fromstring(archive.read(name))
            for shape in root.iter():
                # Numbers of slides and dates on notes are furniture.
                if local(shape.tag) == "fld":
                    for child in list(shape):
                        shape.remove(child)
            for paragraph in root.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}p"):
                parts = ((t.text or "") if local(t.tag) == "t" else " " for t in paragraph.iter() if local(t.tag) in ("t", "br"))
                out.append("".join(parts).replace("_x000B_", " ").replace("\x0b", " "))
    return "\n".join(out)


def own_xlsx(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    shared = []
    if "xl/sharedStrings.xml" in archive.namelist():
        for si in ET.fromstring(archive.read("xl/sharedStrings.xml")):
            shared.append("".join(t.text or "" for t in si.iter() if local(t.tag) == "t"))
    out = []
    for name in archive.namelist():
        if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name):
            for cell in ET.fromstring(archive.read(name)).iter():
                if local(cell.tag) != "c":
                    continue
                value = next((v.text for v in cell if local(v.tag) == "v"), None)
                if cell.get("t") == "s" and value is not None:
                    out.append(shared[int(value)])
                elif cell.get("t") == "inlineStr":
                    out.append("".join(t.text or "" for t in cell.iter() if local(t.tag) == "t"))
    return "\n".join(out)


class Page(html.parser.HTMLParser):
    SKIP = {"script", "style", "head", "nav", "noscript", "template", "svg", "title", "select", "button"}
    VOID = {"br", "img", "hr", "meta", "link", "input", "col", "area", "base", "embed", "source", "wbr"}
    INLINE = {"a", "b", "i", "em", "strong", "span", "u", "code", "sub", "sup", "small", "font", "abbr", "mark", "s", "bdi", "del", "ins", "kbd", "cite", "q", "var", "samp", "tt", "wbr"}

    def __init__(self):
        super().__init__()
        self.out, self.stack = [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        style = (attrs.get("style") or "").replace(" ", "").lower()
        hidden = "hidden" in attrs or attrs.get("aria-hidden") == "true" or "display:none" in style or "visibility:hidden" in style
        if tag not in self.INLINE:
            self.out.append(" ")
        if tag not in self.VOID:
            self.stack.append((tag, tag in self.SKIP or hidden))

    def handle_endtag(self, tag):
        if any(t == tag for t, _ in self.stack):
            while self.stack and self.stack.pop()[0] != tag:
                pass
        if tag not in self.INLINE:
            self.out.append(" ")

    def handle_data(self, data):
        if not any(skip for _, skip in self.stack):
            self.out.append(data)


def own_html(data):
    page = Page()
    page.feed(data if isinstance(data, str) else data.decode("utf-8", "replace"))
    return "".join(page.out)


def own_epub(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    pages = [n for n in archive.namelist() if n.endswith((".xhtml", ".html", ".htm")) and not re.search(r"nav|toc|cover", n)]
    return "\n".join(own_html(archive.read(n)) for n in pages)


def own_odf(data):
    root = ET.fromstring(zipfile.ZipFile(io.BytesIO(data)).read("content.xml"))
    body = next(n for n in root if local(n.tag) == "body")
    out = []

    def walk(node):
        name = local(node.tag)
        if name in ("tracked-changes", "annotation", "desc", "title", "forms", "page-number", "sequence-decls"):
            return
        if name in ("s", "tab", "line-break"):
            out.append(" ")
        out.append(node.text or "")
        for child in node:
            walk(child)
            out.append(child.tail or "")
        if name in ("p", "h", "table-cell", "list-item"):
            out.append("\n")

    walk(body)
    return "".join(out)


def own_mail(data):
    message = email.message_from_bytes(data, policy=email.policy.default)
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return str(message["subject"] or "")
    content = part.get_content()
    if part.get_content_subtype() == "html":
        content = own_html(content)
    return f"{message['subject'] or ''}\n{content}"


def own_csv(data):
    return data.decode("utf-8", "replace").replace('""', '"')


def own_md(data):
    text = data.decode("utf-8", "replace")
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.S)
    text = re.sub(r"&#?\w+;", " ", text)
    text = re.sub(r"\]\([^)]*\)|^\[[^\]]+\]:.*$|<[^>]+>|&\w+;|https?://\S+", " ", text, flags=re.M)
    text = re.sub(r"^(```|~~~).*$", " ", text, flags=re.M)
    text = re.sub(r"!\[[^\]]*\]", " ", text)
    return re.sub(r"[*_`\\]+", "", text)


OWN = {
    "docx": own_docx, "pptx": own_pptx, "xlsx": own_xlsx, "xlsm": own_xlsx, "html": own_html, "epub": own_epub,
    "odt": own_odf, "ods": own_odf, "odp": own_odf, "eml": own_mail, "csv": own_csv, "md": own_md,
}


def snapshot(path, suffix):
    return os.path.join(os.path.dirname(path), "gt", os.path.basename(path) + suffix)


def found_text(document):
    parts = []
    for item in document["items"]:
        if item.get("table"):
            parts += [cell["text"] for cell in item["table"]["cells"]]
        else:
            parts.append(item["text"])
    return "\n".join(parts)


def cells_missing(document, path):
    """Cells with text in the snapshot's tables that are in no table or text of ours."""
    if not os.path.exists(snapshot(path, ".json")):
        return None
    gold = json.load(open(snapshot(path, ".json")))
    squeeze = lambda text: "".join(WORD.findall(text.lower()))
    wanted = collections.Counter(
        squeeze(cell["text"]) for table in gold["tables"] if table.get("content_layer") != "furniture"
        for cell in table["data"]["table_cells"])
    wanted.pop("", None)
    ours = collections.Counter(
        squeeze(cell["text"]) for item in document["items"] if item.get("table") for cell in item["table"]["cells"])
    ours.update(squeeze(item["text"]) for item in document["items"] if not item.get("table"))
    return sum((wanted - ours).values()), sum(wanted.values())


def labels(document):
    return collections.Counter(item["label"] for item in document["items"])


def gold_labels(path):
    if not os.path.exists(snapshot(path, ".json")):
        return None
    gold = json.load(open(snapshot(path, ".json")))
    count = collections.Counter()
    for text in gold["texts"]:
        if text.get("text", "").strip():
            count[text["label"]] += 1
    count["table"] = len(gold["tables"])
    count["picture"] = len(gold["pictures"])
    return count


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folders", nargs="+")
    arguments.add_argument("--cmd", required=True, help="template; {file} is the input; JSON as `recto convert --to json` writes it")
    arguments.add_argument("--labels", action="store_true", help="items by label beside the snapshots")
    arguments.add_argument("--missing", action="store_true", help="the words that were not found")
    arguments = arguments.parse_args()
    files = sorted(
        f for folder in arguments.folders for f in glob.glob(os.path.join(folder, "**", "*"), recursive=True)
        if os.path.isfile(f) and f"{os.sep}gt{os.sep}" not in f)
    total = [0, 0]
    low = 0
    for path in files:
        run = subprocess.run(
            [path if part == "{file}" else part for part in arguments.cmd.split()], capture_output=True, text=True)
        name = os.path.basename(path)
        if run.returncode != 0:
            print(f"{name:45} {(run.stderr.strip().splitlines() or ['failed'])[0][:90]}")
            continue
        document = json.loads(run.stdout)
        extension = name.rsplit(".", 1)[-1]
        if extension in OWN:
            own = words(OWN[extension](open(path, "rb").read()))
        elif os.path.exists(snapshot(path, ".md")):
            own = words(open(snapshot(path, ".md")).read().replace("<!-- image -->", ""))
        else:
            own = collections.Counter()
        found = words(found_text(document))
        missing = own - found
        held = sum(own.values())
        hit = held - sum(missing.values())
        total[0] += hit
        total[1] += held
        coverage = hit / held if held else 1.0
        low += coverage < 0.99
        cells = cells_missing(document, path)
        cell_note = "" if cells is None else f"cells {cells[1] - cells[0]}/{cells[1]}"
        print(f"{name:45} read  {coverage:7.2%} of {held:6} words  {len(document['items']):5} items  {cell_note}")
        if arguments.missing and missing:
            print("      missing:", " ".join(f"{w}*{n}" if n > 1 else w for w, n in missing.most_common(30)))
        gold = gold_labels(path)
        if arguments.labels and gold is not None:
            ours = labels(document)
            differ = {k: (ours[k], gold[k]) for k in sorted(set(ours) | set(gold)) if ours[k] != gold[k]}
            if differ:
                print("      ours/snapshot:", ", ".join(f"{k} {a}/{b}" for k, (a, b) in differ.items()))
    print(f"{len(files)} files; {total[0] / max(total[1], 1):.3%} of {total[1]} words; {low} files under 99 %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
