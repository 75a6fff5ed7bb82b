"""When Python looks for garbage: while nobody plays.

What a round leaves behind is gone with it and needs no looking for (`make memory` shows it); a look through all that a
large house holds takes a tenth of a second, and everybody waits for it. So it is done when nothing has been written for
a moment, and otherwise only where so much has come up that it must be.
"""

import asyncio
import gc
from collections.abc import Callable

LOOK = 2.0  # seconds between two looks whether somebody plays
WORTH, MUST = 10_000, 2_000_000  # things that have come and not gone since: worth a look, or in need of one


async def tidy(head: Callable[[], object]) -> None:
    """As long as the house is open; `head` is another whenever somebody has played."""
    gc.collect()
    gc.freeze()  # what is there when the doors open stays
    gc.disable()
    try:
        last = head()
        while True:
            await asyncio.sleep(LOOK)
            new, now = gc.get_count()[0], head()
            if new > MUST or (new > WORTH and now == last):
                if now == last:
                    gc.unfreeze()
                gc.collect()
                gc.freeze()
            last = now
    finally:
        gc.unfreeze()
        gc.enable()
