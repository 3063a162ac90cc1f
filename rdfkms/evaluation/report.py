"""One self-contained HTML page of a measurement: charts, tables, worst cases, settings, data.

It draws any result: `tables`, `charts` and `worst` as `rdfkms.evaluation.tables` makes them; what
else a result holds is listed by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jinja2

from rdfkms import resources

LEFT, WIDE, STEP, FOOT, RIGHT = 300, 520, 22, 22, 70
DRAWN = ("tables", "charts", "worst")
# What is listed as it stands; other values are in the JSON file.
LISTED = ("settings", "versions", "data", "reference", "gap", "aims", "seed")


def html(result: Mapping[str, Any]) -> str:
    """Return the page for a result."""
    loader = jinja2.FileSystemLoader(resources.folder("web") / "templates" / "evaluation")
    environment = jinja2.Environment(loader=loader, autoescape=True)
    environment.filters["cell"] = _cell
    template = environment.get_template("report.html")
    return template.render(
        title=f"Measurement: {result.get('evaluation', 'rdfkms')}",
        result=result,
        charts=[_chart(one) for one in result.get("charts", ())],
        tables=tables_of(result),
        worst=result.get("worst", ()),
        facts=list(_facts(result)),
    )


def tables_of(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the tables of a result: its own, else one for each level of its names."""
    own: Sequence[dict[str, Any]] = result.get("tables", ())
    return list(own) or list(_found(result, ""))


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _chart(chart: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chart with the places of its bars; values run from 0 to 1."""
    bars = [_bar(one, number) for number, one in enumerate(chart["bars"])]
    ticks = [{"x": LEFT + WIDE * tenth // 10, "label": f"{tenth / 10:.1f}"}
             for tenth in range(0, 11, 2)]  # fmt: skip
    return {
        "title": chart["title"],
        "bars": bars,
        "ticks": ticks,
        "left": LEFT,
        "width": LEFT + WIDE + RIGHT,
        "height": STEP * len(bars) + FOOT,
    }


def _bar(one: Mapping[str, Any], number: int) -> dict[str, Any]:
    value = min(max(float(one["value"] or 0.0), 0.0), 1.0)
    low, high = one.get("low"), one.get("high")
    end = LEFT + round(WIDE * max(value, float(high or 0.0)), 1)
    return {
        "label": one["label"],
        "y": STEP * number + 2,
        "w": round(WIDE * value, 1),
        "end": end,
        "low": None if low is None else LEFT + round(WIDE * float(low), 1),
        "high": None if high is None else LEFT + round(WIDE * float(high), 1),
        "shown": f"{value:.3f}",
    }


def _facts(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name in LISTED:
        value = result.get(name)
        if isinstance(value, Mapping):
            yield {"title": name, "rows": [(key, _plain(one)) for key, one in value.items()]}
        elif isinstance(value, Sequence) and not isinstance(value, str):
            rows = [(str(number), _plain(one)) for number, one in enumerate(value, 1)]
            yield {"title": name, "rows": rows}
        elif value is not None:
            yield {"title": name, "rows": [(name, _plain(value))]}


def _found(value: Mapping[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """Yield tables for a result that brings none: one for each level of names."""
    plain = {k: v for k, v in value.items() if not isinstance(v, Mapping | list | tuple)}
    if plain and where:
        rows = [[name, one] for name, one in plain.items()]
        yield {"title": where, "columns": ["what", "value"], "rows": rows, "note": ""}
    for name, inner in value.items():
        if isinstance(inner, Mapping) and name not in (*DRAWN, *LISTED):
            yield from _found(inner, f"{where} / {name}" if where else str(name))


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
