"""The six verbs of OAI-PMH 2.0 over one archive; the base of its IRIs names every record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rdfkms.knowledge.mapping import Mapping
from rdfkms.ledger.ledger import Ledger
from rdfkms.publish.oai import arguments, writing
from rdfkms.publish.oai.arguments import Asked, OaiError
from rdfkms.publish.oai.index import HarvestIndex
from rdfkms.publish.oai.rendering import Renderer
from rdfkms.publish.oai.tokens import Place, Signer
from rdfkms.publish.oai.view import Item, Range, View, moment
from rdfkms.publish.records import natural
from rdfkms.publish.views import literal_of, text_of
from rdfkms.settings import Settings

_FORMATS = {form.prefix: form for form in writing.FORMATS}
_SETS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class _Page:
    """One page of a list: its items, and its resumptionToken or ""."""

    items: list[Item]
    token: str
    goes_on: bool = False


class Provider:
    """Answers harvesters. Threads may share it."""

    def __init__(self, ledger: Ledger, mapping: Mapping, settings: Settings) -> None:
        self._renderer = Renderer(ledger, mapping, settings)
        self._index = HarvestIndex(ledger, self._renderer)
        self._signer = Signer(ledger.archive)
        self._title = settings.title
        self._told = settings.publishing
        self._records = f"{ledger.base.base}/id/record/"
        self.address = f"{ledger.base.base}/oai"

    def answer(self, pairs: Iterable[tuple[str, str]]) -> bytes:
        """Return the answer to the arguments of a request, errors of the protocol included.

        Raises `Unavailable` when it is too busy: HTTP status 503, try later.
        """
        with self._index.present() as view:
            echoed: dict[str, str] = {}
            try:
                asked = arguments.read(pairs)
                told = {"verb": asked.verb, **asked.arguments}
                if asked.verb.startswith("List") and not asked.get("resumptionToken"):
                    arguments.window(asked)  # badArgument repeats nothing of the request
                echoed = told
                body = self._do(view, asked)
            except OaiError as err:
                if err.code == "badArgument":
                    echoed = {}
                body = writing.error(err.code, err.sentence)
            return writing.answer(view.now, self.address, echoed, body)

    def _do(self, view: View, asked: Asked) -> bytes:
        match asked.verb:
            case "Identify":
                return self._identify(view)
            case "ListMetadataFormats":
                return self._formats(view, asked.get("identifier"))
            case "ListSets":
                return self._sets(view, asked.get("resumptionToken"))
            case "GetRecord":
                return self._get(view, asked)
            case _:
                return self._list(view, asked)

    # ---- what there is ------------------------------------------------------------------------

    def _identify(self, view: View) -> bytes:
        return writing.identify(
            (
                ("repositoryName", self._title),
                ("baseURL", self.address),
                ("protocolVersion", "2.0"),
                ("adminEmail", self._told.admin_email),
                ("earliestDatestamp", moment(view.earliest)),
                ("deletedRecord", "persistent"),
                ("granularity", "YYYY-MM-DDThh:mm:ssZ"),
            )
        )

    def _formats(self, view: View, identifier: str) -> bytes:
        if not identifier:
            return writing.formats(writing.FORMATS)
        item = self._item(view, identifier)
        return writing.formats([form for form in writing.FORMATS if _has(item, form.prefix)])

    def _item(self, view: View, identifier: str) -> Item:
        key = identifier.removeprefix(self._records)
        item = view.item(key) if key != identifier else None
        if item is None:
            raise OaiError(
                "idDoesNotExist", "There is no such record; ListIdentifiers names those there are."
            )
        return item

    def _known_sets(self) -> list[tuple[str, str]]:
        found: dict[str, str] = {}
        scope = self._renderer.scope
        for row in scope.select("publishing/sets"):
            split = scope.base.split(text_of(row["set"]))
            title = literal_of(row["title"])
            if split is not None and split[0] == "recordset":
                found[split[1]] = title.value if title is not None else f"record set {split[1][:8]}"
        return sorted(found.items(), key=lambda pair: (natural(pair[1]), pair[0]))

    def _sets(self, view: View, token: str) -> bytes:
        known = self._known_sets()
        if not known:
            raise OaiError("noSetHierarchy", "This archive has no record sets.")
        known.sort()
        cursor, after = 0, ""
        if token:
            place = self._place(view, token, "ListSets")
            cursor, after = place.cursor, place.key
        rest = [pair for pair in known if pair[0] > after]
        shown = rest[:_SETS_AT_ONCE]
        written = ""
        if token or len(rest) > len(shown):
            last = shown[-1][0] if shown else after
            further = Place("ListSets", "", "", None, None, 0, last, cursor + len(shown), view.now)
            more = len(rest) > len(shown)
            written = self._token(further if more else None, view, cursor, cursor + len(rest))
        return writing.sets(shown, written)

    # ---- records ------------------------------------------------------------------------------

    def _get(self, view: View, asked: Asked) -> bytes:
        item = self._item(view, asked.get("identifier"))
        prefix = asked.get("metadataPrefix")
        if prefix not in _FORMATS or not _has(item, prefix):
            raise OaiError(
                "cannotDisseminateFormat",
                "The record has no such form; ListMetadataFormats says which it has.",
            )
        found = self._written(view, [item], prefix)
        if not found:
            raise OaiError("idDoesNotExist", "There is no such record any more.")
        return b"<GetRecord>\n" + found[0] + b"</GetRecord>\n"

    def _list(self, view: View, asked: Asked) -> bytes:
        if asked.get("resumptionToken"):
            place = self._place(view, asked.get("resumptionToken"), asked.verb)
        else:
            place = self._begin(view, asked)
        page = self._page(view, place)
        if asked.verb == "ListRecords":
            parts = self._written(view, page.items, place.prefix)
        else:
            parts = self._headers(view, page.items, place.prefix)
        name = asked.verb.encode()
        written = b"".join(parts)
        body = written + page.token.encode()
        if not written and not page.goes_on:  # all of them changed since the list was made
            raise OaiError("noRecordsMatch", "There are no more such records.")
        return b"<" + name + b">\n" + body + b"</" + name + b">\n"

    def _begin(self, view: View, asked: Asked) -> Place:
        first, last = arguments.window(asked)
        prefix, chosen = asked.get("metadataPrefix"), asked.get("set")
        if prefix not in _FORMATS:
            known = ", ".join(_FORMATS)
            raise OaiError("cannotDisseminateFormat", f"The forms of this archive are {known}.")
        if chosen and not self._known_sets():
            raise OaiError("noSetHierarchy", "This archive has no record sets.")
        place = Place(asked.verb, prefix, chosen, first, last, 0, "", 0, view.now)
        return place

    def _page(self, view: View, place: Place) -> _Page:
        wanted = Range(place.prefix, place.set, place.first, place.last)
        after = (place.stamp, place.key) if place.cursor else None
        size = self._told.page_records
        found = view.items(wanted, after, size + 1)
        shown = found[:size]
        if not shown and not place.cursor:
            raise OaiError("noRecordsMatch", "There are no records of that form, set and time.")
        if len(found) <= size and not place.cursor:
            return _Page(shown, "")
        total = place.cursor + view.count(wanted, after)
        further = None
        if len(found) > size:
            last = shown[-1]
            further = replace(
                place,
                stamp=last.stamp,
                key=last.key,
                cursor=place.cursor + len(shown),
                issued=view.now,
            )
        token = self._token(further, view, place.cursor, total)
        return _Page(shown, token, goes_on=further is not None)

    def _token(self, further: Place | None, view: View, cursor: int, size: int) -> str:
        if further is None:
            return writing.token("", size=size, cursor=cursor, expires=None)
        expires = view.now + int(self._told.token_hours * 3600)
        sealed = self._signer.seal(further)
        return writing.token(sealed, size=size, cursor=cursor, expires=expires)

    def _place(self, view: View, token: str, verb: str) -> Place:
        place = self._signer.open(token)
        if place is None or place.verb != verb:
            raise OaiError("badResumptionToken", "The token was not given for this list.")
        if view.now - place.issued > self._told.token_hours * 3600:
            raise OaiError("badResumptionToken", "The token has expired; begin the list again.")
        return place

    def _headers(self, view: View, items: list[Item], prefix: str) -> list[bytes]:
        sets = view.sets_of(item.key for item in items)
        return [
            writing.header(
                item, self._records + item.key, sets[item.key], deleted=_is_gone(item, prefix)
            )
            for item in items
        ]

    def _written(self, view: View, items: list[Item], prefix: str) -> list[bytes]:
        """Return the records; one that was withdrawn this moment is left out, it comes last."""
        live = [item.key for item in items if not _is_gone(item, prefix)]
        if prefix == "rico":
            documents = {key: self._renderer.document(key) for key in live}
            forms = {key: data for key, data in documents.items() if data is not None}
        else:
            forms = view.forms(live, prefix)
        heads = zip(items, self._headers(view, items, prefix), strict=True)
        return [
            writing.record(head, forms.get(item.key))
            for item, head in heads
            if _is_gone(item, prefix) or item.key in forms
        ]


def _has(item: Item, prefix: str) -> bool:
    """Return whether an item has a form, or had it before it was deleted."""
    return prefix != "edm" or item.deleted or item.edm != 0


def _is_gone(item: Item, prefix: str) -> bool:
    return item.deleted or (prefix == "edm" and item.edm < 0)
