"""`pitboss completion bash`: what a shell needs to complete commands, flags and games, made from the parser itself."""

from argparse import Namespace, _SubParsersAction

from pitboss.catalog import shipped
from pitboss.cli.streams import write
from pitboss.jurisdictions import known_jurisdictions

SHELLS = ("bash", "zsh", "fish")
USE = {
    "bash": 'eval "$(pitboss completion bash)"',
    "zsh": 'eval "$(pitboss completion zsh)"',
    "fish": "pitboss completion fish | source",
}


def run(args: Namespace) -> int:
    write(script(args.shell))
    return 0


def script(shell: str) -> str:
    make = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]
    return "\n".join([f"# completion of pitboss for {shell}; use it with: {USE[shell]}", *make(), ""])


def _commands() -> dict[str, tuple[str, dict[str, str], list[str]]]:
    """Command -> what it does, its flags with their help, and what its first argument may be."""
    from pitboss.cli.parser import build_parser

    found = next(a for a in build_parser()._actions if isinstance(a, _SubParsersAction))
    about = {a.dest: a.help or "" for a in found._choices_actions}
    out = {}
    for name, parser in found.choices.items():
        flags = {f: (a.help or "").replace("%%", "%") for a in parser._actions for f in a.option_strings}
        takes = {a.dest for a in parser._actions if not a.option_strings}
        first = [*shipped()] if "game" in takes else [*SHELLS] if "shell" in takes else []
        first += [path.stem for path in known_jurisdictions()] if name == "jurisdictions" else []
        out[name] = about[name], flags, first
    return out


def _bash() -> list[str]:
    commands = _commands()
    lines = [
        "_pitboss() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" words=""',
        '  if [ "$COMP_CWORD" -eq 1 ]; then',
        f'    words="{" ".join(commands)} --help --version"',
        "  else",
        '    case "${COMP_WORDS[1]}" in',
    ]
    for name, (_, flags, first) in commands.items():
        lines.append(f'      {name}) words="{" ".join([*first, *flags])}" ;;')
    return [
        *lines,
        "    esac",
        "  fi",
        '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o default -F _pitboss pitboss",
    ]


def _zsh() -> list[str]:
    commands = _commands()
    lines = ["#compdef pitboss", "_pitboss() {", "  local -a found", "  if (( CURRENT == 2 )); then", "    found=("]
    lines += [f"      {_quoted(f'{name}:{about}')}" for name, (about, _, _) in commands.items()]
    lines += ["    )", "    _describe command found", "    return", "  fi", '  case "$words[2]" in']
    for name, (_, flags, first) in commands.items():
        every = [*first, *(f"{flag}:{about}" for flag, about in flags.items())]
        lines += [f"    {name}) found=(", *(f"      {_quoted(word)}" for word in every), "    ) ;;"]
    return [*lines, "  esac", "  _describe argument found", "  _files", "}", "compdef _pitboss pitboss"]


def _fish() -> list[str]:
    commands = _commands()
    none = f"not __fish_seen_subcommand_from {' '.join(commands)}"
    lines = [f"complete -c pitboss -f -n {_quoted(none)} -a {name} -d {_quoted(about)}"
             for name, (about, _, _) in commands.items()]  # fmt: skip
    for name, (_, flags, first) in commands.items():
        here = _quoted(f"__fish_seen_subcommand_from {name}")
        if first:
            lines.append(f"complete -c pitboss -n {here} -a {_quoted(' '.join(first))}")
        for flag, about in flags.items():
            kind = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            lines.append(f"complete -c pitboss -n {here} {kind} -d {_quoted(about)}")
    return lines


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "'\\''") + "'"
