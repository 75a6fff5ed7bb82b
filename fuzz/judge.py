"""What an ending is worth: which are right, and which are never right whatever was asked."""

import json
import re

from fuzz.case import WITNESS, Case, Ended, Verdict

STUCK = 20.0
"""Seconds after which a case is called hung."""

INTERNAL = 70
"""The exit code of the last handler around the command line: pitboss itself is wrong."""

LONGEST = 2000
"""Characters of a refusal that somebody may be expected to read."""

_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
_FORGED = re.compile(rb"^[ |-]*FORGED", re.M)
_NUMBERS = re.compile(r"(?<![\w.])[-+$]*(nan|inf)%?(?![\w.])")
_FRAME = re.compile(r'File ".*?src/pitboss/([\w/]+\.py)", line \d+, in (\S+)')
_RAISED = re.compile(r"[\w.]*(Error|Exception|Interrupt|Exit|OutOfTime|Iteration|Own|Group|E|BadInput)\b(:|$)")
_PYTHON_ON_THE_FILE = re.compile(rb"^[^\n]*SyntaxWarning:[^\n]*\n(  [^\n]*\n)?", re.M)


def judge(case: Case, ended: Ended) -> Verdict:
    """One word for one case, the worst that applies."""
    if (ended.folder / WITNESS).exists():
        return Verdict("executed", f"{case.words[0][0]} has run a file that data named")
    if ended.hang:
        return Verdict("hang", _loop(case))
    if ended.code in (INTERNAL, 120) or b"Traceback (most" in ended.err + ended.out:
        details = b"".join(path.read_bytes() for path in ended.folder.parent.glob("pitboss-*") if path.is_file())
        return Verdict("traceback", _raised(details + ended.err + ended.out))
    if ended.code < 0:
        return Verdict("traceback", f"ended by signal {-ended.code} in {case.words[0][0]}")
    word, cause = _by_code(case, ended)
    if cause:
        return Verdict(word, cause)
    if cause := _unclear(case, ended):
        return Verdict("unclear", cause)
    if case.judge is not None and (cause := case.judge(ended)):
        return Verdict("nonsense", cause)
    return Verdict(word)


def _by_code(case: Case, ended: Ended) -> tuple[str, str]:
    """The word for an exit code, and what is wrong with it."""
    if ended.code == 0:
        wrong = case.nonsense or (_figures(case, ended) if case.stdout == "file" else "")
        return ("nonsense", wrong) if wrong else ("ok", "")
    if case.stdout != "file" and not _refusal(ended).startswith("a refusal"):
        return "refused", ""  # nowhere to say it: a sentence or silence
    command = case.argv[0] if case.argv else ""
    if ended.code == 1 and command == "replay" and ended.out:
        return "verdict", ""  # the log is told to be wanting
    if ended.code == 1 and command in ("verify", "simulate", "demo"):
        return ("nonsense", f"a verdict on: {case.nonsense}") if case.nonsense else ("verdict", "")
    if ended.code == 130:
        return "stopped", "" if ended.err else "stopped without a word"
    if ended.code == 2:
        return ("refused", "") if not (wrong := _refusal(ended)) else ("unclear", wrong)
    return "unclear", f"exit code {ended.code}: {_plain(_last(ended.err))}"


def _refusal(ended: Ended) -> str:
    """What is wrong with a refusal: it must be one sentence, and perhaps the line of the file that it is about."""
    text = _PYTHON_ON_THE_FILE.sub(b"", ended.err).decode(errors="replace")
    if not text.strip():
        return "" if ended.out.startswith(b"usage: pitboss") else "refused without a word"
    first, *rest = text.rstrip("\n").split("\n")
    if not first.startswith("pitboss: ") or len(first) < 20:
        return f"a refusal that is no sentence: {_plain(first)}"
    if len(rest) > 1 or (rest and not rest[0].startswith("    ")):
        return f"a refusal of {1 + len(rest)} lines: {_plain(first)}"
    return "" if len(first) < LONGEST else f"a refusal of more than {LONGEST:,} characters"


def _unclear(case: Case, ended: Ended) -> str:
    """What never belongs on a terminal that is none."""
    if "FORCE_COLOR" in case.env:
        return ""  # asked for
    for name, text in (("standard output", ended.out), ("standard error", ended.err)):
        if _CONTROL.search(text):
            return f"a control character on {name}"
    if _FORGED.search(ended.out + ended.err):
        return "text of a file looks like a line of ours"
    if b"Warning: " in _PYTHON_ON_THE_FILE.sub(b"", ended.err):
        return f"a warning of Python: {_plain(_last(ended.err))}"
    return "Exception ignored" if b"Exception ignored" in ended.err else ""


def _figures(case: Case, ended: Ended) -> str:
    """Exit code 0 stands for figures, and JSON for JSON."""
    text = ended.out.decode(errors="replace")
    if "--json" in case.argv and case.argv[0] != "play" and text and not text.startswith("usage: "):
        try:
            json.loads(text, parse_constant=_no_number)
        except ValueError as error:
            return f"--json printed what is no JSON: {_plain(str(error))}"
    found = _NUMBERS.search(text) if case.argv[0] != "play" else None  # which shows what was typed
    return f"printed {found.group()} for a figure" if found else ""


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _raised(text: bytes) -> str:
    """The last line of a traceback and the innermost place in pitboss, without what differs from case to case."""
    lines = text.decode(errors="replace")
    inside = _FRAME.findall(lines)
    place = f" in {inside[-1][0]} {inside[-1][1]}" if inside else ""
    raised = [line for line in lines.split("\n") if _RAISED.match(line)]
    return f"{_plain((raised or [_last(text)])[-1])}{place}"


def _loop(case: Case) -> str:
    huge = next((group for group in case.words if "99999999" in group[-1]), None)
    if huge:
        return f"{case.argv[0]}: a huge power in {huge[0].partition('=')[0]}"
    return case.nonsense or " ".join(word if len(word) < 40 else word[:37] + "..." for word in case.argv[:6])


def _last(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().split("\n")
    return lines[-1]


def _plain(text: str) -> str:
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text)
    return re.sub(r"\d+", "N", text.encode("unicode_escape").decode())[:160]
