"""The languages of the pages: which one a reader gets, and the words of each (gettext, Babel).

The English text is the key. ``web/translations/<language>.po`` holds the others; they are read when
first needed, so that there is nothing to compile.
"""

from __future__ import annotations

from functools import cache
from gettext import NullTranslations
from io import BytesIO
from typing import Any, cast
from urllib.parse import urlencode

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import Translations
from flask import Flask, Response, current_app, g, has_request_context, request

from rdfkms import resources
from rdfkms.errors import Missing

NAMES = {"en": "English", "fr": "Français", "es": "Español", "de": "Deutsch", "zh": "中文"}
DEFAULT = "en"
PARAMETER, COOKIE = "lang", "rdfkms-language"
SETTING = "RDFKMS_LANGUAGE"
SCRIPTS = {"zh": "zh-Hans"}  # what stands in `lang` where the language alone would not say it
YEAR = 365 * 24 * 3600
_ROOT = 16  # characters of a language tag that are looked at


def N_(text: str) -> str:  # noqa: N802 (the name by which extractors know it)
    """Mark a constant for translation; it is translated where it is shown."""
    return text


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the words of a language; English has none. Raises `Missing` for a lost file."""
    if language == DEFAULT:
        return NullTranslations()
    try:
        with resources.file(f"web/translations/{language}.po").open("rb") as file:
            read = read_po(file, locale=language)
    except OSError as err:
        raise Missing(
            f"The pages in {NAMES[language]} are not installed.", hint="Install rdfkms again."
        ) from err
    compiled = BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return cast(NullTranslations, Translations(compiled))


def language() -> str:
    """Return the language of this request: asked for, chosen before, the browser's, the archive's.

    An address may ask (``?lang=fr``); that choice is kept in a cookie.
    """
    if not has_request_context():
        return DEFAULT
    if "language" not in g:
        g.language = _language()
    return cast(str, g.language)


def _language() -> str:
    for chosen in (request.args.get(PARAMETER, ""), request.cookies.get(COOKIE, "")):
        if chosen in NAMES:
            return chosen
    own = str(current_app.config[SETTING])
    if not request.headers.get("Accept-Language"):
        return own
    wanted = (tag[:_ROOT].lower().replace("_", "-") for tag in request.accept_languages.values())
    return next((root for tag in wanted if (root := tag.partition("-")[0]) in NAMES), own)


def gettext(text: str, **values: Any) -> str:
    """Return a text in the reader's language, with its values."""
    said = catalogue(language()).gettext(text)
    return said % values if values else said


def ngettext(one: str, many: str, number: int, **values: Any) -> str:
    """Return the form of a text for a number; ``%(n)s`` is the number as it is written here."""
    said = catalogue(language()).ngettext(one, many, number)
    return said % {"n": decimal(number), **values}


def decimal(number: int) -> str:
    """Return a whole number as the reader's language groups it: 12 345."""
    return format_decimal(number, locale=Locale.parse(language()))


def name_of(tag: str) -> str:
    """Return what the reader's language calls a language; the tag where it has no word."""
    if tag == "lzh":  # has no name in the tables of Babel
        return gettext("Classical Chinese")
    try:
        found = Locale.parse(language()).languages.get(tag.replace("-", "_"))
    except ValueError:
        found = None
    return cast(str, found or tag)


def address(other: str) -> str:
    """Return the address of this page in another language, for a link on it."""
    asked = {name: request.args.getlist(name) for name in request.args if name != PARAMETER}
    return "?" + urlencode({**asked, PARAMETER: other}, doseq=True)


def install(app: Flask, own: str) -> None:
    """Give templates their words, and keep the choice of readers; `own` is the archive's."""
    app.config[SETTING] = own
    app.jinja_env.add_extension("jinja2.ext.i18n")
    # The extension adds the method, which no type says.
    app.jinja_env.install_gettext_callables(_word, _words, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.filters.update(decimal=decimal, language_name=name_of, translated=_word)
    app.jinja_env.globals["counted"] = ngettext
    app.context_processor(_everywhere)
    app.after_request(_keep)


def _everywhere() -> dict[str, Any]:
    spoken = language()
    return {
        "page_language": SCRIPTS.get(spoken, spoken),
        "spoken": spoken,
        "languages": NAMES,
        "in_language": address,
    }


def _word(text: str) -> str:
    return catalogue(language()).gettext(text)


def _words(one: str, many: str, number: int) -> str:
    return catalogue(language()).ngettext(one, many, number)


def _keep(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.vary.update(("Accept-Language", "Cookie"))
        response.headers["Content-Language"] = language()
        chosen = request.args.get(PARAMETER, "")
        if chosen in NAMES and request.cookies.get(COOKIE) != chosen:
            response.set_cookie(COOKIE, chosen, max_age=YEAR, samesite="Lax", httponly=True)
    return response
