"""A verdict in words: what the document says, what was computed, and why the verdict is what it is."""

from pitboss.claims.verdicts import ONLY_IF, Verdict

LONGEST = 40  # characters of a fraction that is shown


def says(v: Verdict) -> str:
    """What the document says, and where."""
    return sentence(f"{v.claim.says.removesuffix('.')} ({v.claim.where})")


def because(v: Verdict) -> str:
    """Why the verdict is what it is, and what else the reader should know."""
    why = f"{v.verdict} {v.explanation}" if v.verdict == ONLY_IF else v.explanation
    return " ".join(sentence(text) for text in (why, v.claim.note) if text)


def sentence(text: str) -> str:
    """A text as a sentence: it begins with a capital letter and ends with a stop."""
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def compared(v: Verdict) -> str:
    """What stands in the document beside what was computed."""
    exact = v.exact or ""
    ratio = f" = {exact}" if exact and not exact.endswith("/1") and len(exact) <= LONGEST else ""
    said = f"document: {v.claim.stands or 'no figure'}"
    return f"{said} · computed: {v.computed}{ratio}" if v.computed else said
