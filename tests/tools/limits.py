"""Refuses modules over 400 lines and functions over 60 lines in rdfkms/ (DESIGN 3)."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

MODULE_LINES = 400
FUNCTION_LINES = 60
ROOT = Path(__file__).resolve().parent.parent.parent


def breaches(root: Path) -> list[str]:
    """Return one sentence for each module or function over its limit."""
    found = []
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        where = path.relative_to(root.parent)
        if lines > MODULE_LINES:
            found.append(f"{where}: {lines} lines, at most {MODULE_LINES}: which job moved in?")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES:
                    found.append(f"{where}:{node.lineno} {node.name}: {length} lines")
    return found


if __name__ == "__main__":
    report = breaches(ROOT / "rdfkms")
    print("\n".join(report) or "limits: all modules and functions within bounds")
    sys.exit(1 if report else 0)
