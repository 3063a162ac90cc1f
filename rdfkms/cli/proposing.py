"""propose: claims of others, or of other programs, that come in as RDF."""

from __future__ import annotations

from pathlib import Path

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option
from rdfkms.errors import BadInput

_FORMS = {
    ".ttl": "text/turtle",
    ".jsonld": "application/ld+json",
    ".nt": "application/n-triples",
    ".rdf": "application/rdf+xml",
}


@click.command()
@archive_option
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@json_option
def propose(archive: Path, file: Path, as_json: bool) -> None:
    """Judge the claims in FILE (.ttl, .jsonld, .nt, .rdf): each quotes a passage of the archive.

    RDF that does not have the shape of claims is refused as a whole with the places that break it.
    """
    from rdfkms.app import operations

    form = _FORMS.get(file.suffix.lower())
    if form is None:
        raise BadInput(f"{file}: RDF is taken in as {', '.join(_FORMS)}.")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as err:
        raise BadInput(f"{file}: this is no UTF-8: byte {err.start}.") from err
    told = operations.perform(archive, "propose", {"data": text, "media_type": form})
    if as_json:
        emit(told)
        return
    click.echo(f"{told['claims']} claims, revision {told['revision']} (run {told['run']}).")
    for one in told["proposals"]:
        before = " (judged before)" if one["known"] else ""
        click.echo(f"  {one['decision']:<12} {one['name']:<20} {one['quote']}{before}")
        for reason in one["reasons"] if one["decision"] != "admitted" else ():
            click.echo(f"    - {reason['sentence']}")
