"""The sign's line: the meters as they change. Everybody may look, so there are so many lines and no more, of which one
address has a few, and none lasts for ever: they would be taken from the players."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pitboss.web import shown
from pitboss.web.crowd import network_of
from pitboss.web.opened import Opened
from pitboss.web.played import Busy

LASTS = 600.0  # seconds of one line; the page asks for the next one by itself
STILL_HERE = 5.0  # seconds without news, until a word that the line is good
AGAIN = "retry: 1000\n"  # milliseconds: nobody sees that one line ended and the next one began
FULL = "Too many signs are shown already; close one, and try again."


async def meter_events(request: Request, opened: Opened) -> Response:
    """Not more often than the eye can follow."""
    signs, who = opened.signs, network_of(opened.doors.address(request))
    if not signs.room(who):
        raise Busy(FULL, 503)

    async def flow() -> AsyncIterator[str]:
        if not signs.take(who):  # many asked in the same moment; the page asks again
            return
        loop, last, soon = asyncio.get_running_loop(), "", AGAIN
        end = loop.time() + LASTS
        try:
            while not opened.house.stopping and (left := end - loop.time()) > 0:
                now = json.dumps([{"name": m["name"], "shows": m["shows"]} for m in shown.meters(opened)])
                yield f"data: {now}\n{soon}\n" if now != last else ": still here\n\n"
                soon = ""
                wait, last = 0.5 if now != last else STILL_HERE, now
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(wait, left)):
                        await opened.house.changed()
                await asyncio.sleep(0.3)
        finally:
            signs.give(who)

    return StreamingResponse(flow(), media_type="text/event-stream")
