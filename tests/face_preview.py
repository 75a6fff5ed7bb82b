"""Pages as pictures, to look at: python tests/face_preview.py FOLDER [PAGE...] writes HTML and takes screenshots."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from face_scenes import others, played, replay, scene
from pitboss.web.face import STATIC, layout_of, render

SIZES = {"phone": (390, 844), "desk": (1280, 800), "wall": (2560, 1440)}
ROUNDS = {
    "bluff-bet": ("bluff", {"steps": -1}),
    "bluff": ("bluff", {}),
    "bluff-over": ("bluff", {"steps": None, "seed": 5}),
    "flop": ("flop-poker-bonus", {}),
    "flop-over": ("flop-poker-bonus", {"steps": None, "seed": 7}),
    "packs": ("packs-poker", {}),
    "packs-over": ("packs-poker", {"steps": None, "seed": 3}),
    "blackjack": ("blackjack", {"wanted": "split"}),
    "blackjack-over": ("blackjack", {"steps": None, "wanted": "split", "seed": 11}),
    "three": ("examples/three_card_poker.py", {}),
}


def pages(*wanted: str) -> Iterator[tuple[str, str]]:
    for name, (game, how) in ROUNDS.items():
        if wanted and name not in wanted:
            continue
        session = played(game, **how)  # type: ignore[arg-type]
        yield name, render("table", scene(session), layout_of(session.house))
    session = played("bluff", steps=None, seed=5)
    yield "replay", render("replay", replay(session), layout_of(session.house))
    yield "watching", render("table", scene(played("bluff"), you=None), layout_of(session.house))
    for name, data in others().items():
        yield name, render(name, data)


def main(folder: str, *wanted: str) -> None:
    out = Path(folder)
    shutil.copytree(STATIC, out / "static", dirs_exist_ok=True)
    made = []
    for name, html in pages(*wanted):
        if not wanted or name in wanted:
            (out / f"{name}.html").write_text(html)
            made.append(name)
    shots(out, made)


def shots(out: Path, names: list[str]) -> None:
    import functools
    import http.server
    import threading

    from playwright.sync_api import sync_playwright

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(out)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    at = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for size, (width, height) in SIZES.items():
            for scheme in ("dark", "light"):
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                for name in names:
                    page.goto(f"{at}/{name}.html")
                    page.screenshot(
                        path=str(out / f"{name}-{size}-{scheme}.png"), full_page=name not in ROUNDS and size != "wall"
                    )
                page.close()
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
