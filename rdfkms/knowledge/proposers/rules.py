"""The pattern language of the profiles: its tables as pydantic models, checked and compiled.

A rule is a regular expression with named groups and a list of what a match yields. It is matched
on the shadow of a unit (`shadow.py`). ``{name}`` puts in a part of `[patterns.parts]` or a word
list of `[lexicons]`, ``{name:group}`` the same as a named group. In what is yielded, a reference
is the name of a group, or ``@label``: the nearest thing before it that some rule declared under
that label by `focus`, as far as `reach` goes (``@@label``: beyond its sentence, as far as
`within`); ``a|b`` is the first that is there.
A focus labelled ``!label`` closes `label`: nothing before it is taken after it.

Every expression passes `bounded.compile`: documents are hostile. Faults of a profile are
`Misconfigured`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import lexicons
from rdfkms.knowledge.proposers import bounded
from rdfkms.knowledge.proposers.shadow import fold_accents

_PART = re.compile(r"\{([a-z][a-z_]{0,30})(?::([a-z][a-z_0-9]{0,30}))?\}")
Conversion = Literal["text", "number", "date"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Statement(_Table):
    """A relation or attribute: `object` is a thing, `value` a literal (by `convert`)."""

    name: str
    subject: str
    object: str = ""
    value: str = ""
    convert: Conversion = Field(default="text", alias="as")
    time: str = ""
    place: str = ""


class Event(_Table):
    """An event: its type, the group of its trigger; scope ``record`` is one for the record.

    A `weak` trigger only hints at the event of the record: it counts where the page has no other.
    """

    type: str
    trigger: str
    scope: Literal["unit", "record"] = "unit"
    weak: bool = False


class Argument(_Table):
    """A role of the rule's own event, or (`of`) of the nearest event of that type before."""

    role: str
    object: str = ""
    value: str = ""
    convert: Conversion = Field(default="text", alias="as")
    of: str = ""


class Each(_Table):
    """Match `regex` again and again inside `within`; what the rule yields, each match yields."""

    within: str
    regex: str


class RuleTable(_Table):
    """One `[[patterns.rules]]` of a profile."""

    id: str
    regex: str
    each: Each | None = None
    languages: tuple[str, ...] = ()
    mentions: dict[str, str] = Field(default_factory=dict)
    focus: dict[str, str | tuple[str, ...]] = Field(default_factory=dict)
    relations: tuple[Statement, ...] = ()
    attributes: tuple[Statement, ...] = ()
    event: Event | None = None
    arguments: tuple[Argument, ...] = ()
    cue: str = "cue"
    reach: Literal["sentence", "unit"] = "sentence"
    within: int = Field(default=600, ge=1, le=4000)
    confidence: float = Field(default=0.9, ge=0.0, le=1.0)


class PatternTables(_Table):
    """The table `[patterns]` of a profile."""

    version: str = "1"
    include: tuple[str, ...] = ()
    lexicons: dict[str, str] = Field(default_factory=dict)
    spaces: bool = True
    accents: bool = True
    sentence_end: str = r"(?<=[^\W\d_]{3})[.;!?](?= )|(?<=\d)[.;](?= )|[。！？]"
    issued: str = ""
    parts: dict[str, str] = Field(default_factory=dict)
    rules: tuple[RuleTable, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its compiled expressions."""

    table: RuleTable
    regex: re.Pattern[str]
    inner: re.Pattern[str] | None

    @property
    def groups(self) -> set[str]:
        """The names of all groups that a match may have."""
        inner = self.inner.groupindex if self.inner else {}
        return {*self.regex.groupindex, *inner}


@dataclass(frozen=True, slots=True)
class RuleBook:
    """All rules of a profile, ready to match."""

    profile: str
    tables: PatternTables
    rules: tuple[Rule, ...]
    sentence_end: re.Pattern[str]
    issued: re.Pattern[str] | None


def compile_rules(profile: str, tables: Mapping[str, Any]) -> RuleBook:
    """Return the rule book of a profile from its raw tables `patterns` and `lexicons`.

    Raises `Misconfigured` with the profile, the rule and the fault.
    """
    patterns = _validated(f"profile {profile!r}", tables.get("patterns", {}))
    word_lists = dict(tables.get("lexicons", {}))
    parts, tabled = dict(patterns.parts), list(patterns.rules)
    for name in patterns.include:
        shared = _shared(name)
        parts = shared.parts | parts
        word_lists = shared.lexicons | word_lists
        tabled += shared.rules
    compiler = _Compiler(profile, patterns, parts, word_lists)
    rules = tuple(compiler.rule(table) for table in tabled)
    issued = compiler.regex("issued", patterns.issued) if patterns.issued else None
    if issued is not None and "date" not in issued.groupindex:
        raise Misconfigured(f"profile {profile!r}: patterns.issued needs a group named 'date'.")
    return RuleBook(profile, patterns, rules, re.compile(patterns.sentence_end), issued)


def _validated(where: str, table: Any) -> PatternTables:
    try:
        return PatternTables.model_validate(table)
    except ValidationError as err:
        first = err.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise Misconfigured(f"{where}: patterns.{place}: {first['msg']}.") from err


def _shared(name: str) -> PatternTables:
    """Return the patterns of `ingest/patterns/<name>.toml`, which several profiles share."""
    path = resources.file(f"ingest/patterns/{name}.toml")
    try:
        return _validated(str(path), tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise Misconfigured(f"{path}: patterns cannot be read: {err}.") from err


class _Compiler:
    """Puts parts and word lists into expressions and checks them."""

    def __init__(
        self,
        profile: str,
        tables: PatternTables,
        parts: dict[str, str],
        word_lists: dict[str, str],
    ) -> None:
        self.profile = profile
        self.tables = tables
        self.parts = dict(parts)
        for name, listed in word_lists.items():
            self.parts[name] = word_list_regex(lexicons.words(listed))

    def rule(self, table: RuleTable) -> Rule:
        regex = self.regex(table.id, table.regex)
        inner = self.regex(table.id, table.each.regex) if table.each else None
        rule = Rule(table, regex, inner)
        self._check_references(rule)
        return rule

    def regex(self, where: str, source: str) -> re.Pattern[str]:
        full = self._expand(where, source, 0)
        if not self.tables.accents:
            full = fold_accents(full)
        try:
            return bounded.compile(full)
        except ValueError as err:
            raise Misconfigured(f"profile {self.profile!r}: pattern {where!r}: {err}.") from err

    def _expand(self, where: str, source: str, depth: int) -> str:
        if depth > 8:
            raise Misconfigured(f"profile {self.profile!r}: pattern {where!r}: parts in a circle.")

        def put(match: re.Match[str]) -> str:
            name, group = match[1], match[2]
            if name not in self.parts:
                raise Misconfigured(
                    f"profile {self.profile!r}: pattern {where!r}: no part {name!r}.",
                    hint="Name it in [patterns.parts] or [lexicons].",
                )
            inner = self._expand(where, self.parts[name], depth + 1)
            return f"(?P<{group}>{inner})" if group else f"(?:{inner})"

        return _PART.sub(put, source)

    def _check_references(self, rule: Rule) -> None:
        table = rule.table
        asked = {*table.mentions, *table.focus}
        statements = (*table.relations, *table.attributes)
        for statement in statements:
            asked |= {statement.subject, statement.object, statement.value}
            asked |= {statement.time, statement.place}
            if bool(statement.object) == bool(statement.value):
                self._refuse(table.id, f"{statement.name} needs either object or value")
        for argument in table.arguments:
            asked |= {argument.object, argument.value}
            if not argument.of and table.event is None:
                self._refuse(table.id, f"{argument.role}: the rule has no event; say `of`")
        if table.event:
            asked.add(table.event.trigger)
            if table.event.weak and table.event.scope != "record":
                self._refuse(table.id, "a weak trigger needs scope = 'record'")
        if table.each:
            asked.add(table.each.within)
        names = {name for reference in asked for name in reference.split("|")}
        missing = {name for name in names if name and not name.startswith("@")} - rule.groups
        if missing:
            self._refuse(table.id, f"no group named {sorted(missing)[0]!r}")
        things = {statement.subject for statement in statements}
        things |= {statement.object for statement in statements}
        things |= {argument.object for argument in table.arguments}
        names = {name for reference in things for name in reference.split("|")}
        untyped = {n for n in names if n and not n.startswith("@")} - set(table.mentions)
        if untyped:
            self._refuse(table.id, f"group {sorted(untyped)[0]!r} needs a type in `mentions`")

    def _refuse(self, rule: str, reason: str) -> None:
        raise Misconfigured(f"profile {self.profile!r}: rule {rule!r}: {reason}.")


def word_list_regex(words: Sequence[str]) -> str:
    """Return an expression that matches any of `words`, the longest first, shared heads once.

    A flat alternation of a few hundred names costs seconds to compile where it is used often.
    """
    heads: dict[str, list[str]] = {}
    for word in words:
        heads.setdefault(word[:1], []).append(word[1:])
    ends = "" in heads
    branches = [
        re.escape(head) + word_list_regex(sorted(set(tails)))
        for head, tails in sorted(heads.items())
        if head
    ]
    if not branches:
        return ""
    whole = branches[0] if len(branches) == 1 and not ends else f"(?:{'|'.join(branches)})"
    return f"{whole}?" if ends else whole
