"""The look of every chart: 16:9, large type, colours that the colour-blind can tell apart, a source line."""

import importlib
import importlib.util
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager, nullcontext
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.disk import write_whole
from pitboss.plain import clean
from pitboss.rules.errors import BadInput
from pitboss.rules.identity import Provenance
from pitboss.rules.options import show_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = (".png", ".svg")
INCHES, DPI = (16.0, 9.0), 100
INK, GREY, PALE, GRID = "#222222", "#999999", "#d9d9d9", "#e6e6e6"
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442",
)  # fmt: skip
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, RED, YELLOW)
LOOK: Any = {
    "font.size": 15, "font.family": "DejaVu Sans", "axes.titlesize": 18, "axes.labelsize": 16, "text.color": INK,
    "axes.labelcolor": INK, "axes.edgecolor": "#888888", "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": False, "figure.facecolor": "white",
    "svg.hashsalt": "pitboss", "svg.fonttype": "none", "text.parse_math": False,
}  # fmt: skip


def plot_file(text: str | None) -> Path | None:
    """Where a chart goes; one clear sentence, before anything is worked out, when it cannot go there."""
    if text is None:
        return None
    path = Path(text)
    if path.suffix.lower() not in KINDS:
        raise BadInput(f"a chart is written to a file that ends in .png or .svg, not {text!r}")
    if not path.parent.is_dir():
        raise BadInput(f"a chart cannot be written to {text!r}: there is no folder {path.parent}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(f"a chart cannot be written to {text!r}; choose another file")
    if importlib.util.find_spec("matplotlib") is None:
        raise BadInput("a chart needs matplotlib: install it, or pitboss with its extra, pip install 'pitboss[plot]'")
    return path


@contextmanager
def page(path: Path, title: str, subtitle: str, source: str) -> Iterator["Figure"]:
    """An empty slide with its title and its source line; written when it has been drawn."""
    talk = logging.getLogger("matplotlib")
    level = talk.level
    talk.setLevel(logging.CRITICAL)  # it tells of folders that it cannot use; a chart is drawn all the same
    try:
        _imported()
        from matplotlib import rc_context, rcdefaults, rcParams
        from matplotlib.figure import Figure
    except OSError as error:
        raise BadInput(
            f"a chart cannot be drawn: matplotlib has no folder of its own ({error.strerror}); set MPLCONFIGDIR to one"
        ) from None
    finally:
        talk.setLevel(level)

    with rc_context():
        rcdefaults()
        rcParams.update(LOOK)
        figure = Figure(figsize=INCHES, dpi=DPI)
        figure.text(0.04, 0.945, title, fontsize=26, fontweight="bold", va="center")
        figure.text(0.04, 0.895, subtitle, fontsize=16, color="#555555", va="center")
        figure.text(0.04, 0.025, source, fontsize=12, color="#555555", va="center")
        yield figure
        _clean(figure)
        kind = path.suffix.lower().removeprefix(".")
        drawn = BytesIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # a box is drawn for it
            figure.savefig(drawn, format=kind, dpi=DPI, metadata={"Date": None} if kind == "svg" else None)
        try:
            write_whole(os.path.realpath(path), drawn.getvalue(), mode=0o666)
        except OSError as error:
            raise BadInput(f"a chart cannot be written to {str(path)!r}: {error.strerror}") from None


def _imported() -> None:
    """Settings that lie in the folder where somebody works, or in the environment, are data, and not obeyed: the first
    thing that matplotlib does is to look for them, so it starts in a folder with settings of its own."""
    found = importlib.util.find_spec("matplotlib")
    if "matplotlib" in sys.modules or found is None or found.origin is None:
        return
    own = Path(found.origin).parent / "mpl-data"
    before = {name: os.environ.pop(name, None) for name in ("MATPLOTLIBRC", "MPLBACKEND")}
    try:
        with chdir(own) if own.is_dir() else nullcontext():
            importlib.import_module("matplotlib")
    except OSError:  # where we are is gone, and so are its settings
        importlib.import_module("matplotlib")
    finally:
        os.environ.update({name: value for name, value in before.items() if value is not None})


def _clean(figure: "Figure") -> None:
    """No control character in any text, whichever chart has put it there: no file format takes them."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_text(clean(text.get_text()))
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        names = [label.get_text() for label in axis.get_ticklabels()]
        if any(clean(name) != name for name in names):
            axis.set_ticks(axis.get_ticklocs(), [clean(name) for name in names])


def source(of: Provenance, method: str) -> str:
    """Where the figures come from."""
    options = ", ".join(f"{n}={show_value(v)}" for n, v in of.options.items() if n in ("decks",))
    left = f"shoe {of.shoe}" if of.shoe else ""
    words = [f"pitboss {of.version}", method, f"{of.strategy} strategy", options, left, f"file {of.sha256[:12]}"]
    return " · ".join(w for w in words if w)


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip(" ,:") + "…"


def bare(axes: "Axes") -> None:
    """No frame and no ticks: the cells speak for themselves."""
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
