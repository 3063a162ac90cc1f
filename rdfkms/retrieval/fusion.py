"""Joins ranked lists by reciprocal rank: scores of different channels need not be comparable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_K = 60  # damps the lead of the first places; the value of the method's authors


@dataclass(frozen=True, slots=True)
class Fused:
    """A key with its fused score and its place (from 1) in each channel that has it."""

    key: str
    score: float
    ranks: tuple[tuple[str, int], ...]


def fuse(channels: Mapping[str, Sequence[str]]) -> list[Fused]:
    """Return the keys of all channels, best first; ties by key, so that the order is fixed."""
    ranks: dict[str, list[tuple[str, int]]] = {}
    for channel, keys in channels.items():
        for place, key in enumerate(dict.fromkeys(keys), 1):
            ranks.setdefault(key, []).append((channel, place))
    fused = [
        Fused(key, sum(1 / (_K + place) for _, place in found), tuple(found))
        for key, found in ranks.items()
    ]
    return sorted(fused, key=lambda f: (-f.score, f.key))
