"""Draws pages with bare PDFium in this process and prints how long each took, in milliseconds.

    python3 bench/window/pdfium.py LIBPDFIUM FILE WIDTH PAGE...

The document is opened once and every page is drawn five times; printed is the median of opening the page, drawing it into a
bitmap of WIDTH pixels and closing it, as JSON.
"""

import ctypes
import json
import statistics
import sys
import time

BGRX = 2
TIMES = 5


def main() -> None:
    library, path, width, *pages = sys.argv[1:]
    pdfium = ctypes.CDLL(library)
    pdfium.FPDF_LoadDocument.restype = ctypes.c_void_p
    pdfium.FPDF_LoadPage.restype = ctypes.c_void_p
    pdfium.FPDF_GetPageWidthF.restype = ctypes.c_float
    pdfium.FPDF_GetPageHeightF.restype = ctypes.c_float
    pdfium.FPDFBitmap_Create.restype = ctypes.c_void_p
    pdfium.FPDF_InitLibrary()
    document = ctypes.c_void_p(pdfium.FPDF_LoadDocument(path.encode(), None))
    if not document:
        raise SystemExit(f"{path} cannot be opened")
    took = {}
    for page in pages:
        took[page] = statistics.median(draw(pdfium, document, int(page) - 1, int(width)) for _ in range(TIMES))
    json.dump({page: round(ms, 2) for page, ms in took.items()}, sys.stdout)


def draw(pdfium: ctypes.CDLL, document: ctypes.c_void_p, index: int, width: int) -> float:
    began = time.perf_counter()
    page = ctypes.c_void_p(pdfium.FPDF_LoadPage(document, index))
    height = round(width * pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page))
    bitmap = ctypes.c_void_p(pdfium.FPDFBitmap_Create(width, height, 0))
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, ctypes.c_ulong(0xFFFFFFFF))
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, BGRX)
    pdfium.FPDFBitmap_Destroy(bitmap)
    pdfium.FPDF_ClosePage(page)
    return (time.perf_counter() - began) * 1000


main()
