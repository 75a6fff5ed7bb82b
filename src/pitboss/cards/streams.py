"""The simulator's random numbers: xoshiro256** (Blackman and Vigna 2018), one independent stream per seed and chunk.

The 256-bit state of a stream is the SHA-256 digest of its seed and chunk number, so chunk 17 draws the same numbers
whoever computes it. Several bounded draws come from one 64-bit word by repeated full multiplication, with the
rejection step that makes them exactly uniform (Brackett-Rozinsky and Lemire, "Batched ranged random integer
generation", 2024). The machine code of `pitboss.compile` does the same; this is its readable twin.
"""

import hashlib
from collections.abc import Sequence

MASK = (1 << 64) - 1


def stream_state(seed: int, chunk: int) -> tuple[int, int, int, int]:
    """The four state words of one stream."""
    digest = hashlib.sha256(f"pitboss stream 1|{seed}|{chunk}".encode()).digest()
    a, b, c, d = (int.from_bytes(digest[i : i + 8], "little") for i in (0, 8, 16, 24))
    return a, b, c, d


def batches(bounds: Sequence[int]) -> list[list[int]]:
    """Split bounds into runs, one random word each, whose product keeps a redraw below one in 2**20."""
    runs: list[list[int]] = []
    product = 1 << 64
    for bound in bounds:
        if product * bound > 1 << 44:
            runs.append([])
            product = 1
        runs[-1].append(bound)
        product *= bound
    return runs


def _rotl(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & MASK


class Stream:
    """A stream in plain Python: slow, exact, and what the compiled generator is tested against."""

    def __init__(self, seed: int, chunk: int = 0) -> None:
        self.state = list(stream_state(seed, chunk))

    def word(self) -> int:
        """The next 64 random bits."""
        s = self.state
        out = (_rotl((s[1] * 5) & MASK, 7) * 9) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotl(s[3], 45)
        return out

    def below(self, bounds: Sequence[int]) -> list[int]:
        """One number below each bound, all from one word; the product of the bounds must be small (see `batches`)."""
        product = 1
        for bound in bounds:
            product *= bound
        reject = ((1 << 64) - product) % product
        while True:
            rest = self.word()
            out = []
            for bound in bounds:
                full = rest * bound
                out.append(full >> 64)
                rest = full & MASK
            if rest >= reject:
                return out
