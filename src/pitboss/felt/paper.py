"""A picture as a file: SVG as it is, or the same on a page of its own size as PDF."""

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

from pitboss.disk import write_whole
from pitboss.rules.errors import BadInput, choice_of

WHATS = ("felt", "rack-card", "sign", "strategy-card")
KINDS = (".svg", ".pdf")
_PAGE = """#set document(title: sys.inputs.title, date: none)
#set page(width: {wide}mm, height: {high}mm, margin: 0mm)
#image("picture.svg", width: 100%, alt: sys.inputs.title)
"""
_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)mm" height="([0-9.]+)mm"')


def checked(file: Path) -> Path:
    """A file that a picture can be written to; one sentence, before anything is worked out, where it cannot."""
    if file.suffix.lower() not in KINDS:
        raise BadInput(f"a layout is written to a file that ends in .svg or .pdf, not {str(file)!r}")
    if not file.parent.is_dir():
        raise BadInput(f"a layout cannot be written to {str(file)!r}: there is no folder {file.parent}")
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise BadInput(f"a layout cannot be written to {str(file)!r}; choose another file")
    if file.suffix.lower() == ".pdf" and importlib.util.find_spec("typst") is None:
        raise BadInput(
            "a PDF needs typst: install it, or pitboss with its extra, pip install 'pitboss[packet]'; or .svg"
        )
    return file


def what_asked(what: object) -> str:
    if what not in WHATS:
        raise BadInput(f"what: {choice_of(repr(what), WHATS)}")
    return str(what)


def pdf(svg: str, title: str) -> bytes:
    """The picture as a page of its own size; the same bytes for the same picture."""
    import typst

    found = _SIZE.search(svg)
    assert found is not None, "every picture says how large it is"
    page = _PAGE.format(wide=found[1], high=found[2])
    files: Any = {"main.typ": page.encode(), "picture.svg": svg.encode()}
    return typst.compile(files, sys_inputs={"title": title}, ignore_system_fonts=True)


def write(file: Path, svg: str, title: str) -> Path:
    """All of it or nothing."""
    data = pdf(svg, title) if file.suffix.lower() == ".pdf" else svg.encode()
    try:
        write_whole(os.path.realpath(file), data, mode=0o666)
    except OSError as error:
        raise BadInput(f"a layout cannot be written to {str(file)!r}: {error.strerror}") from None
    return file
