"""Regular expressions that no text can make run away: every repeat bounded, nested shallowly.

`re` cannot be interrupted, so the guard stands before it: an expression is refused when it is
read from a profile, not stopped while a hostile document holds it up.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

LONGEST_REPEAT = 400
DEEPEST_NEST = 3
# The product of the bounds of repeats within one another: ways to cut one stretch into pieces.
WIDEST_NEST = 4_000

# The parser of the standard library; `re` exports it under private names only.
_parser: Any = importlib.import_module("re._parser")
_compiler: Any = importlib.import_module("re._compiler")
_codes: Any = importlib.import_module("re._constants")


def compile(expression: str) -> re.Pattern[str]:
    """Return the compiled expression; raises ValueError with the reason it is refused."""
    try:
        parsed = _parser.parse(expression)
        _check(parsed, 1, 0)
        # Parsing is most of what `re.compile` costs: it is not done twice.
        pattern: re.Pattern[str] = _compiler.compile(parsed)
    except (re.error, OverflowError, RecursionError) as err:
        raise ValueError(f"no regular expression: {err}") from err
    return pattern


def _check(parsed: Any, width: int, depth: int) -> None:
    for code, argument in parsed:
        if code in {_codes.MAX_REPEAT, _codes.MIN_REPEAT, _codes.POSSESSIVE_REPEAT}:
            least, most, inner = argument
            if int(most) > LONGEST_REPEAT:
                raise ValueError(f"a repeat needs an upper bound of at most {LONGEST_REPEAT}")
            varies = int(most) > max(int(least), 1)
            wide, deep = width * (int(most) if varies else 1), depth + int(varies)
            if deep > DEEPEST_NEST or (wide > WIDEST_NEST and deep > 1):
                raise ValueError("repeats are nested too deep or too wide")
            _check(inner, wide, deep)
            continue
        for part in argument if isinstance(argument, (tuple, list)) else (argument,):
            for piece in part if isinstance(part, list) else (part,):
                if isinstance(piece, _parser.SubPattern):
                    _check(piece, width, depth)
