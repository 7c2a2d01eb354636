"""Shell completion scripts: they complete commands, dialects, options and file names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

SHELLS = ("bash", "zsh", "fish")

BASH = """\
_readwell() {
    local name word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case "${COMP_WORDS[1]} $before" in
        *" --dialect") COMPREPLY=($(compgen -W "@DIALECTS@" -- "$word")); return ;;
        *" --root") while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$word"); return ;;
@CHOICES@
        "completion completion") COMPREPLY=($(compgen -W "@SHELLS@" -- "$word")); return ;;
    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "@FLAGS@" -- "$word")) ;;
        *) [ "$COMP_CWORD" -eq 1 ] && COMPREPLY=($(compgen -W "@COMMANDS@" -- "$word"))
           while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _readwell readwell"""

ZSH = """\
#compdef readwell
_readwell() {
    case "$words[2] $words[CURRENT-1]" in
        *" --dialect") compadd @DIALECTS@; return ;;
        *" --root") _files -/; return ;;
@CHOICES@
        "completion completion") compadd @SHELLS@; return ;;
    esac
    if [[ $words[CURRENT] == -* ]]; then
        compadd -- @FLAGS@
    else
        (( CURRENT == 2 )) && compadd @COMMANDS@
        _files
    fi
}
compdef _readwell readwell"""

FISH_FLAG = "complete -c readwell -l {name}"
FISH = """\
complete -c readwell -n __fish_use_subcommand -a "@COMMANDS@"
complete -c readwell -l dialect -x -a "@DIALECTS@"
@CHOICES@
complete -c readwell -n "__fish_seen_subcommand_from completion" -x -a "@SHELLS@"
@FISH_FLAGS@"""


CHOICE_LINE = {
    "bash": '        "{command} {option}") COMPREPLY=($(compgen -W "{words}" -- "$word")); return ;;',
    "zsh": '        "{command} {option}") compadd {words}; return ;;',
    "fish": 'complete -c readwell -l {name} -n "__fish_seen_subcommand_from {command}" -x -a "{words}"',
}


def completion_script(
    shell: str,
    commands: Iterable[str],
    dialects: Iterable[str],
    flags: Sequence[str],
    choices: Mapping[tuple[str, str], Iterable[str]],
) -> str:
    """Returns the completion script of a shell; `choices` are the words that may follow an option of a command."""
    chosen = {of: " ".join(words) for of, words in choices.items() if of[1] != "--dialect"}
    lines = [
        CHOICE_LINE[shell].format(command=command, option=option, name=option[2:], words=words)
        for (command, option), words in chosen.items()
    ]
    completed = {"--dialect", *(option for _, option in chosen)}
    words = {
        "COMMANDS": " ".join(commands),
        "DIALECTS": " ".join(dialects),
        "SHELLS": " ".join(SHELLS),
        "FLAGS": " ".join(flags),
        "CHOICES": "\n".join(lines),
        "FISH_FLAGS": "\n".join(FISH_FLAG.format(name=name[2:]) for name in flags if name not in completed),
    }
    text = {"bash": BASH, "zsh": ZSH, "fish": FISH}[shell]
    for name, value in words.items():
        text = text.replace(f"@{name}@", value)
    return text
