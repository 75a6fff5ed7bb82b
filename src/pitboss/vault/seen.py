"""Which commands may have been answered before, without asking the database.

Nearly every command is new, and each is looked up before it is judged. A Bloom filter of fixed size knows most that are
new for certain; of the others the database is asked. It never takes an old one for new: it is believed only when all
that the log holds has been gone through, which is done beside the work.
"""

import threading
from collections.abc import Iterable

from pitboss.rules.errors import BadInput
from pitboss.vault.reader import Reader
from pitboss.vault.stores import Store

BITS = 25  # 4 MB: of those that are new it knows all but one in 1,500 after a million commands, four of five after ten
PAGE = 2000  # commands of one look
_MASK = (1 << BITS) - 1
_ALL = "select table_id, id from action where (table_id, id) > (?, ?) order by table_id, id limit ?"


class Seen:
    """The commands that a log holds, or is about to."""

    def __init__(self, store: Store) -> None:
        self.whole = False  # whether all that was in the log is in it
        self._bits = bytearray(1 << (BITS - 3))
        self._lock = threading.Lock()
        self._left = False
        self._thread = threading.Thread(target=self._fill, args=(Reader(store),), name="seen", daemon=True)
        self._thread.start()

    def add(self, asked: Iterable[tuple[str, str]]) -> None:
        """Commands, each by its table and its id."""
        bits = self._bits
        with self._lock:
            for table, id in asked:
                for at in _places(table, id):
                    bits[at >> 3] |= 1 << (at & 7)

    def may(self, table: str, id: str) -> bool:
        """False only of what is not in the log, and was not handed in to be."""
        bits = self._bits
        return not self.whole or all(bits[at >> 3] >> (at & 7) & 1 for at in _places(table, id))

    def close(self) -> None:
        self._left = True
        self._thread.join()

    def _fill(self, reader: Reader) -> None:
        try:
            last, page = ("", ""), [("", "")]
            while page and not self._left:
                page = [(table, id) for table, id in reader.rows(_ALL, *last, PAGE)]
                self.add(page)
                last = page[-1] if page else last
            self.whole = not page
        except BadInput:  # it cannot be read now: then it is asked every time
            pass
        finally:
            reader.close()


def _places(table: str, id: str) -> tuple[int, int, int]:
    one, other = hash((table, id)), hash((id, table))
    return one & _MASK, (one >> BITS) & _MASK, other & _MASK
