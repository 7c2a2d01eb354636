"""Shell completion scripts: they complete commands, dialects, options and file names."""

from __future__ import annotations

from collections.abc import Iterable

SHELLS = ("bash", "zsh", "fish")

BASH = """\
_readwell() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
        --dialect) COMPREPLY=($(compgen -W "@DIALECTS@" -- "$word")); return ;;
        --root) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
        --format) COMPREPLY=($(compgen -W "json openai anthropic" -- "$word")); return ;;
        completion) COMPREPLY=($(compgen -W "@SHELLS@" -- "$word")); return ;;
    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "@FLAGS@" -- "$word")) ;;
        *) [ "$COMP_CWORD" -eq 1 ] && COMPREPLY=($(compgen -W "@COMMANDS@" -- "$word"))
           mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _readwell readwell"""

ZSH = """\
#compdef readwell
_readwell() {
    case $words[CURRENT-1] in
        --dialect) compadd @DIALECTS@; return ;;
        --root) _files -/; return ;;
        --format) compadd json openai anthropic; return ;;
        completion) compadd @SHELLS@; return ;;
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
complete -c readwell -l format -x -a "json openai anthropic"
complete -c readwell -n "__fish_seen_subcommand_from completion" -x -a "@SHELLS@"
@FISH_FLAGS@"""


def completion_script(shell: str, commands: Iterable[str], dialects: Iterable[str], flags: Iterable[str]) -> str:
    """Returns the completion script of a shell."""
    flags = list(flags)
    words = {
        "COMMANDS": " ".join(commands),
        "DIALECTS": " ".join(dialects),
        "SHELLS": " ".join(SHELLS),
        "FLAGS": " ".join(flags),
        "FISH_FLAGS": "\n".join(FISH_FLAG.format(name=name[2:]) for name in flags if name not in ("--dialect",)),
    }
    text = {"bash": BASH, "zsh": ZSH, "fish": FISH}[shell]
    for name, value in words.items():
        text = text.replace(f"@{name}@", value)
    return text
