"""The command line: `rdfkms COMMAND`. Subcommands are imported when called, for a fast `--help`."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

import click

from rdfkms import __version__
from rdfkms.errors import RdfkmsError

# name -> (module of rdfkms.cli, attribute, one line for --help)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "init": ("building", "init", "Make a new, empty archive."),
    "run": ("building", "run", "Ingest files and extract statements: the whole line."),
    "ingest": ("building", "ingest", "Read files into evidence units, without extraction."),
    "describe": (
        "describing",
        "describe",
        "Read finding aids, authority records, RiC-O and tables.",
    ),
    "meet": ("meeting", "meet", "Let units of finding aids meet their scans, by names and codes."),
    "amend": ("amending", "amend", "Edit a description, field by field: add, replace, remove."),
    "enrich": ("building", "enrich", "Write machine text about passages, marked as such."),
    "extract": ("building", "extract", "Propose and judge statements on units already read."),
    "demo": ("serving", "demo", "Build the sample archive where absent, and serve it."),
    "serve": ("serving", "serve", "Serve an archive: pages, linked data, SPARQL."),
    "query": ("asking", "query", "Run a SPARQL query on what is public."),
    "search": ("asking", "search", "Find passages and entities by words and by meaning."),
    "ask": ("asking", "ask", "List the evidence for a question, or say that there is none."),
    "review": (
        "reviewing",
        "review",
        "The review queue: list, show, accept, reject, edit, merge ...",
    ),
    "reconcile": ("linking", "reconcile", "Ask authority files who entities are."),
    "state": ("stating", "state", "State what is in no source, as evidence of your own."),
    "propose": ("proposing", "propose", "Take in claims of others as RDF, by the gate."),
    "audit": ("governing", "audit", "Read and verify the journal."),
    "rollback": ("governing", "rollback", "Take back claims, a run, a source or a decision."),
    "source": ("curating", "source", "List, withdraw and replace sources."),
    "release": ("curating", "release", "Named releases of the archive: create, list."),
    "export": ("exporting", "export", "Write what is public in the forms that others take."),
    "mirror": ("mirroring", "mirror", "Remote SPARQL stores that show the public graph."),
    "erase": ("curating", "erase", "Take out for good what a law forbids to keep."),
    "access": ("governing", "access", "Change who may read a record."),
    "token": ("governing", "token", "Add, list and revoke access tokens."),
    "evaluate": ("evaluating", "evaluate", "Measure extraction and governance on corpora."),
    "check": ("keeping", "check", "Prove the laws on an archive; exit code 1 on any fault."),
    "rebuild": ("keeping", "rebuild", "Make store and indexes anew from the journal."),
    "backup": ("keeping", "backup", "Copy a whole archive while it is in use."),
    "restore": ("keeping", "restore", "Make an archive from a backup."),
    "doctor": ("keeping", "doctor", "Say what is installed and what is missing for what."),
    "models": ("keeping", "models", "List packaged models, or install them."),
}


class LazyGroup(click.Group):
    """A group that knows its commands' names and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of a working day, not of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(f"rdfkms.cli.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rdfkms")
def cli() -> None:
    """Turn scans and texts into an archive in which every statement opens its evidence."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; errors end as one sentence and their exit code."""
    try:
        code = cli.main(args=arguments, standalone_mode=False)
    except click.exceptions.Abort:
        code = fail(
            "Interrupted. What was committed stays; the same command goes on from there.", 130
        )
    except click.ClickException as err:
        err.show()
        code = err.exit_code
    except RdfkmsError as err:
        code = fail(str(err), err.exit_code)
    except KeyboardInterrupt:
        code = fail(
            "Interrupted. What was committed stays; the same command goes on from there.", 130
        )
    except BrokenPipeError:
        code = 0  # the reader of our output has seen enough
    sys.exit(code if isinstance(code, int) else 0)


def fail(message: str, code: int) -> int:
    """Print an error, as JSON where the command was asked for JSON; return the exit code."""
    if "--json" in sys.argv:
        click.echo(
            json.dumps({"ok": False, "error": message, "exit_code": code}, ensure_ascii=False)
        )
    else:
        click.echo(f"rdfkms: {message}", err=True)
    return code


def emit(value: Any) -> None:
    """Print a value as one JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))
