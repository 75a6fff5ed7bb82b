"""The version, where everyone can read it without opening the front door."""

__version__ = "0.9.0"
_SOURCES: list[str] = []


def sources() -> str:
    """A hash of pitboss itself: another version of any file of it may say something else."""
    if not _SOURCES:
        import hashlib
        from pathlib import Path

        here = Path(__file__).parent
        digest = hashlib.sha256()
        for path in sorted(here.rglob("*")):
            if path.suffix in (".py", ".typ", ".toml"):
                digest.update(path.relative_to(here).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        _SOURCES.append(digest.hexdigest())
    return _SOURCES[0]
