"""Peers, each as a function from a PDF to what the scorer reads: a DoclingDocument or Markdown with page marks.

Every peer runs with the settings its documentation recommends for whole documents, without models to be downloaded. Boxes
are handed on where a peer gives them. What a peer does not tell (headings, lists) is left out rather than guessed.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

Box = tuple[float, float, float, float]  # left, top, right, bottom from the top left


class Builder:
    """Collects pages, items and tables as a DoclingDocument."""

    def __init__(self) -> None:
        self.pages: dict[str, dict] = {}
        self.nodes: dict[str, list[dict]] = {"texts": [], "tables": []}
        self.children: list[dict] = []

    def page(self, number: int, width: float, height: float) -> None:
        self.pages[str(number)] = {"page_no": number, "size": {"width": width, "height": height}}

    def _add(self, kind: str, page: int, box: Box | None, node: dict) -> None:
        reference = f"#/{kind}/{len(self.nodes[kind])}"
        bbox = None if box is None else _bbox(box)
        prov = [{"page_no": page, "bbox": bbox, "charspan": [0, len(node.get("text", ""))]}]
        self.nodes[kind].append({"self_ref": reference, "prov": prov, **node})
        self.children.append({"$ref": reference})

    def text(self, page: int, label: str, text: str, box: Box | None, level: int | None = None) -> None:
        node = {"label": label, "text": text}
        if level is not None:
            node["level"] = level
        self._add("texts", page, box, node)

    def table(self, page: int, box: Box | None, cells: list[dict]) -> None:
        """`cells` hold row, column, text, and perhaps row_span, column_span and box."""
        table_cells = [
            {
                "start_row_offset_idx": cell["row"],
                "start_col_offset_idx": cell["column"],
                "row_span": cell.get("row_span", 1),
                "col_span": cell.get("column_span", 1),
                "text": " ".join((cell["text"] or "").split()),
                "bbox": _bbox(cell["box"]) if cell.get("box") else None,
            }
            for cell in cells
        ]
        rows = max((cell["row"] + cell.get("row_span", 1) for cell in cells), default=0)
        columns = max((cell["column"] + cell.get("column_span", 1) for cell in cells), default=0)
        data = {"table_cells": table_cells, "num_rows": rows, "num_cols": columns}
        self._add("tables", page, box, {"label": "table", "data": data})

    def done(self) -> str:
        body = {"self_ref": "#/body", "children": self.children}
        return json.dumps({"schema_name": "DoclingDocument", "pages": self.pages, "body": body, **self.nodes})


def _bbox(box: Box) -> dict:
    left, top, right, bottom = box
    return {"l": left, "t": top, "r": right, "b": bottom, "coord_origin": "TOPLEFT"}


def _marked(pages: list[str]) -> str:
    return "".join(f"<!-- page {number} -->\n\n{text}\n\n" for number, text in enumerate(pages, 1))


def pymupdf_tables(path: Path) -> str:
    import pymupdf

    out = Builder()
    with pymupdf.open(path) as document:
        for number, page in enumerate(document, 1):
            out.page(number, page.rect.width, page.rect.height)
            for table in page.find_tables().tables:
                out.table(number, tuple(table.bbox), _grid(table))
    return out.done()


def pdfplumber(path: Path) -> str:
    import pdfplumber as library

    out = Builder()
    with library.open(path) as document:
        for number, page in enumerate(document.pages, 1):
            out.page(number, float(page.width), float(page.height))
            for table in page.find_tables():
                out.table(number, tuple(table.bbox), _grid(table))
    return out.done()


def _grid(table) -> list[dict]:
    """Cells of the table objects that pdfplumber and pymupdf share."""
    return [
        {"row": row, "column": column, "text": text, "box": tuple(box)}
        for row, (boxes, texts) in enumerate(zip(table.rows, table.extract()))
        for column, (box, text) in enumerate(zip(boxes.cells, texts))
        if box is not None
    ]


def pymupdf4llm(path: Path) -> str:
    """With the layout model that comes in its package."""
    import pymupdf4llm as library

    out = Builder()
    for page in json.loads(library.to_json(str(path), use_ocr=False))["pages"]:
        number = page["page_number"]
        out.page(number, page["width"], page["height"])
        for part in page["boxes"]:
            box = part["x0"], part["y0"], part["x1"], part["y1"]
            kind = part["boxclass"]
            if kind == "table" and part["table"]:
                found = part["table"]
                cells = [
                    {"row": row, "column": column, "text": text, "box": cell}
                    for row, (boxes, texts) in enumerate(zip(found["cells"], found["extract"]))
                    for column, (cell, text) in enumerate(zip(boxes, texts))
                    if cell is not None
                ]
                out.table(number, tuple(found["bbox"]), cells)
                continue
            lines = ["".join(span["text"] for span in line["spans"]) for line in part["textlines"] or []]
            text = " ".join(line.strip() for line in lines)
            if kind in ("section-header", "title"):
                out.text(number, "section_header", text, box, part["header_level"] or 1)
            elif text:
                out.text(number, kind.replace("-", "_"), text, box)
    return out.done()


def camelot(path: Path) -> str:
    import camelot as library
    import pdfplumber as measure

    out = Builder()
    with measure.open(path) as document:
        heights = [float(page.height) for page in document.pages]
        for number, page in enumerate(document.pages, 1):
            out.page(number, float(page.width), float(page.height))
    for table in library.read_pdf(str(path), pages="all", flavor="hybrid", suppress_stdout=True):
        height = heights[table.page - 1]

        def upright(left: float, bottom: float, right: float, top: float) -> Box:
            return left, height - top, right, height - bottom

        cells = [
            {"row": row, "column": column, "text": cell.text, "box": upright(cell.x1, cell.y1, cell.x2, cell.y2)}
            for row, line in enumerate(table.cells)
            for column, cell in enumerate(line)
        ]
        out.table(table.page, upright(*table._bbox), cells)
    return out.done()


def tabula(path: Path) -> str:
    import pdfplumber as measure
    import tabula as library

    out = Builder()
    with measure.open(path) as document:
        sizes = [(float(page.width), float(page.height)) for page in document.pages]
    for number, size in enumerate(sizes, 1):
        out.page(number, *size)
        # Its tables do not say which page they are from.
        for table in library.read_pdf(
            str(path), output_format="json", pages=number, guess=True, stream=True, silent=True
        ):
            cells = [
                {"row": row, "column": column, "text": cell["text"], "box": _from_size(cell)}
                for row, line in enumerate(table["data"])
                for column, cell in enumerate(line)
            ]
            out.table(number, _from_size(table), cells)
    return out.done()


def _from_size(thing: dict) -> Box | None:
    if not thing["width"]:
        return None
    left, top = thing["left"], thing["top"]
    return left, top, left + thing["width"], top + thing["height"]


def liteparse(path: Path) -> str:
    import liteparse as library

    out = Builder()
    for page in library.LiteParse(ocr_enabled=False, extract_blocks=True, quiet=True).parse(str(path)).pages:
        number = page.page_num
        out.page(number, page.width, page.height)
        for block in page.blocks or []:
            box = _from_rect(block.bbox)
            if block.kind == "table":
                lines = ([block.header] if block.header else []) + (block.rows or [])
                cells = [
                    {"row": row, "column": column, "text": cell.text, "box": _from_rect(cell.bbox)}
                    for row, line in enumerate(lines)
                    for column, cell in enumerate(line)
                ]
                out.table(number, box, cells)
            elif block.kind == "heading":
                out.text(number, "section_header", block.text or "", box, block.level or 1)
            elif block.text or block.lines:
                label = {"list_item": "list_item", "code": "code"}.get(block.kind, "text")
                out.text(number, label, block.text or "\n".join(map(str, block.lines)), box)
    return out.done()


def _from_rect(rect) -> Box | None:
    return None if rect is None else (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height)


def kreuzberg(path: Path) -> str:
    import kreuzberg as library

    # Its Markdown does not tell pages apart.
    config = library.ExtractionConfig(output_format="markdown", disable_ocr=True, use_cache=False)
    return library.extract_file_sync(str(path), config=config).content


def pdf_oxide(path: Path) -> str:
    import pdf_oxide as library

    document = library.PdfDocument(str(path))
    count = document.page_count
    count = count() if callable(count) else count
    return _marked([document.to_markdown(index) for index in range(count)])


def pdf_oxide_tables(path: Path) -> str:
    import pdf_oxide as library
    import pdfplumber as measure

    out = Builder()
    document = library.PdfDocument(str(path))
    with measure.open(path) as sizes:
        for index, page in enumerate(sizes.pages):
            height = float(page.height)
            out.page(index + 1, float(page.width), height)

            def upright(box) -> Box | None:
                if box is None:
                    return None
                left, bottom, width, tall = box
                return left, height - bottom - tall, left + width, height - bottom

            for table in document.extract_tables(index):
                cells = [
                    {"row": row, "column": column, "text": cell["text"], "box": upright(cell.get("bbox"))}
                    for row, line in enumerate(table["rows"])
                    for column, cell in enumerate(line["cells"])
                ]
                out.table(index + 1, upright(table["bbox"]), cells)
    return out.done()


def opendataloader(path: Path) -> str:
    import opendataloader_pdf as library
    import pdfplumber as measure

    out = Builder()
    heights = {}
    with measure.open(path) as document:
        for number, page in enumerate(document.pages, 1):
            heights[number] = float(page.height)
            out.page(number, float(page.width), float(page.height))
    with tempfile.TemporaryDirectory() as folder:
        library.convert(
            input_path=str(path), output_dir=folder, format="json", table_method="cluster", image_output="off", quiet=True
        )
        (written,) = Path(folder).glob("*.json")
        data = json.loads(written.read_text("utf-8"))

    def upright(node: dict) -> Box:
        left, bottom, right, top = node["bounding box"]
        height = heights[node["page number"]]
        return left, height - top, right, height - bottom

    def text_of(node: dict) -> str:
        parts = [node.get("content") or ""]
        for child in (node.get("kids") or []) + (node.get("list items") or []):
            parts.append(text_of(child))
        return " ".join(part for part in parts if part)

    def walk(nodes: list[dict]) -> None:
        for node in nodes:
            kind, number = node["type"], node.get("page number")
            if kind == "table":
                cells = [
                    {
                        "row": cell["row number"] - 1,
                        "column": cell["column number"] - 1,
                        "row_span": cell.get("row span", 1),
                        "column_span": cell.get("column span", 1),
                        "text": text_of(cell),
                        "box": upright(cell),
                    }
                    for row in node["rows"]
                    for cell in row["cells"]
                ]
                out.table(number, upright(node), cells)
            elif kind == "list":
                for entry in node.get("list items") or []:
                    out.text(entry["page number"], "list_item", text_of(entry), upright(entry))
            elif kind == "heading":
                out.text(number, "section_header", text_of(node), upright(node), node.get("heading level") or 1)
            elif kind in ("header", "footer"):
                out.text(number, f"page_{kind}", text_of(node), upright(node))
            elif node.get("content"):
                label = kind if kind in ("caption",) else "text"
                out.text(number, label, node["content"], upright(node))
            else:
                walk(node.get("kids") or [])

    walk(data["kids"])
    return out.done()


# What each peer is asked for: tables, structure or both.
def rapidocr(path: Path) -> str:
    """Words of scans, drawn at 200 dots per inch, with the models that come in its package."""
    import pypdfium2
    from rapidocr import RapidOCR

    engine = RapidOCR(params={"Global.log_level": "error"})
    scale = 200 / 72
    pages = []
    for number, page in enumerate(pypdfium2.PdfDocument(path), 1):
        found = engine(page.render(scale=scale).to_numpy(), return_word_box=True, return_single_char_box=False)
        words = []
        for line in found.word_results or ():
            for text, _, corners in line:
                xs, ys = [x / scale for x, _ in corners], [y / scale for _, y in corners]
                box = {"l": float(min(xs)), "t": float(min(ys)), "r": float(max(xs)), "b": float(max(ys))}
                words.append({"text": text, "bbox": box})
        width, height = page.get_size()
        pages.append({"page_no": number, "width": width, "height": height, "words": words})
    return json.dumps({"pages": pages})


PEERS = {
    "camelot": (camelot, ["icdar"]),
    "kreuzberg": (kreuzberg, ["icdar", "tagged"]),
    "liteparse": (liteparse, ["icdar", "tagged"]),
    "opendataloader": (opendataloader, ["icdar", "tagged"]),
    "pdf-oxide": (pdf_oxide, ["tagged"]),
    "pdf-oxide tables": (pdf_oxide_tables, ["icdar"]),
    "pdfplumber": (pdfplumber, ["icdar"]),
    "pymupdf tables": (pymupdf_tables, ["icdar"]),
    "pymupdf4llm": (pymupdf4llm, ["icdar", "tagged"]),
    "rapidocr": (rapidocr, ["ocr"]),
    "tabula": (tabula, ["icdar"]),
}
# The package whose version is told.
PACKAGES = {
    "camelot": "camelot-py",
    "opendataloader": "opendataloader-pdf",
    "pdf-oxide tables": "pdf-oxide",
    "pymupdf tables": "pymupdf",
    "tabula": "tabula-py",
}
