"""The face of the live house: every page as HTML, made from what a viewer may see and from the layout of the game.

`render(name, data)` gives a whole page, or `"table-live"` and `"replay-live"`, which are the sections of a page that
change and are swapped in by their ids. What the pages want in `data` is said where they are listed (`PAGES`). A table,
a replay and what changes of them want the `layout` of their house too: `layout_of(house)`. Nothing here decides who may
see what: what is not in a scene is not on the page.
"""

from pitboss.web.face.layout import Layout, layout_of
from pitboss.web.face.pages import PAGES, STATIC, render

__all__ = ["PAGES", "STATIC", "Layout", "layout_of", "render"]
