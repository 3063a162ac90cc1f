"""Codes of languages and scripts in descriptions: BCP 47 tags for words, IRIs for things."""

from __future__ import annotations

import re
from functools import cache

from babel.core import Locale, get_global

from rdfkms.model import Value

_IRIS = "http://id.loc.gov/vocabulary/iso639-2/"
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*")
_SCRIPT = re.compile(r"[A-Za-z]{4}")
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "mis"})

# ISO 639-1, 639-2/B and, where it is another one, 639-2/T: IRIs are made of the second.
_ROWS = """
    ar ara; be bel; bg bul; bn ben; br bre; bs bos; ca cat; co cos; cs cze ces; cy wel cym; da dan;
    de ger deu; el gre ell; en eng; eo epo; es spa; et est; eu baq eus; fa per fas; fi fin; fr fre
    fra; ga gle; gd gla; gl glg; he heb; hi hin; hr hrv; hu hun; hy arm hye; id ind; is ice isl; it
    ita; ja jpn; ka geo kat; km khm; ko kor; la lat; lb ltz; lo lao; lt lit; lv lav; mk mac mkd; mn
    mon; mr mar; ms may msa; mt mlt; my bur mya; nb nob; ne nep; nl dut nld; nn nno; no nor; oc oci;
    pl pol; pt por; ro rum ron; ru rus; sa san; sk slo slk; sl slv; sq alb sqi; sr srp; sv swe; sw
    swa; ta tam; te tel; th tha; tl tgl; tr tur; uk ukr; ur urd; vi vie; yi yid; zh chi zho
    """
_BIBLIOGRAPHIC = {code: row[1] for row in map(str.split, _ROWS.split(";")) for code in row}

# A tag says the script only where it is not the language's usual one (BCP 47, 4.1).
_SEVERAL = frozenset({"zh", "sr", "bs", "mn"})
_USUAL_SCRIPT = {
    "ar": "Arab", "be": "Cyrl", "bg": "Cyrl", "bn": "Beng", "el": "Grek", "fa": "Arab",
    "he": "Hebr", "hi": "Deva", "hy": "Armn", "ja": "Jpan", "ka": "Geor", "km": "Khmr",
    "ko": "Kore", "lo": "Laoo", "mk": "Cyrl", "mr": "Deva", "my": "Mymr", "ne": "Deva",
    "ru": "Cyrl", "ta": "Taml", "te": "Telu", "th": "Thai", "uk": "Cyrl", "ur": "Arab",
    "yi": "Hebr",
}  # fmt: skip


def tag(code: str, script: str = "") -> str:
    """Return a BCP 47 tag for an ISO 639 code or tag and an ISO 15924 script, "" for none."""
    code, script = code.strip().replace("_", "-"), script.strip().title()
    if not _CODE.fullmatch(code) or code.lower() in _NO_LANGUAGE:
        return ""
    first, dash, rest = code.partition("-")
    short = get_global("language_aliases").get(first.lower()) or first.lower()
    usual = "" if short in _SEVERAL else _USUAL_SCRIPT.get(short, "Latn")
    if rest or not _SCRIPT.fullmatch(script) or script == usual:
        return short + dash + rest
    return f"{short}-{script}"


def is_code(word: str) -> bool:
    """Return whether a word is, as it is written, the code of a language that has a name."""
    return word in _named()


def thing(code: str) -> Value | None:
    """Return the IRI of a language by its ISO 639 code, with the code as written, or None."""
    first = re.split("[-_]", code.strip())[0].lower() if _CODE.fullmatch(code.strip()) else ""
    three = _BIBLIOGRAPHIC.get(first, first)
    return Value(_IRIS + three, "anyURI", verbatim=code.strip()) if len(three) == 3 else None


def coded(iri: str) -> Value | None:
    """Return the IRI of a language, with its code as `thing` has it, or None for another IRI."""
    code = iri.removeprefix(_IRIS)
    found = thing(code) if code != iri else None
    return found if found is not None and found.lexical == iri else None


@cache
def _named() -> frozenset[str]:
    return frozenset(Locale.parse("en").languages) | frozenset(get_global("language_aliases"))
