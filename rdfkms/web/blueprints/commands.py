"""/api/commands: what the command line asks of an archive that is being served (DESIGN 5).

The answer is a stream of JSON lines: ``{"progress": [stage, done, total]}`` while it works, then
one ``{"result": ...}`` or ``{"error": sentence, "exit_code": n}``. Reading roles are refused by
the operation itself (`access.demand`).
"""

from __future__ import annotations

import hmac
import json
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from rdfkms.errors import BadInput, Denied, RdfkmsError
from rdfkms.model import Principal, Role
from rdfkms.web import site

Perform = Callable[[str, dict[str, Any], Principal, Callable[[str, int, int], None]], Any]
OWNER = Principal("owner", Role.ADMINISTRATOR)


def blueprint(perform: Perform, owner_token: str) -> Blueprint:
    """Return the blueprint; `perform` runs one operation, `owner_token` is that of serve.json."""
    commands = Blueprint("commands", __name__)

    @commands.post("/api/commands/<name>")
    def command(name: str) -> ResponseReturnValue:
        """Run one command and stream its progress and result."""
        principal = _principal(owner_token)
        if principal.role is Role.READER:
            raise Denied("Commands need a token.", hint="rdfkms token add ID --role contributor")
        arguments = request.get_json(silent=True)
        if not isinstance(arguments, dict):
            raise BadInput("The body of a command must be one JSON object.")
        lines = _stream(lambda report: perform(name, arguments, principal, report))
        return Response(lines, content_type="application/x-ndjson")

    return commands


def _principal(owner_token: str) -> Principal:
    secret = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    if secret and hmac.compare_digest(secret.encode(), owner_token.encode()):
        return OWNER
    return site.bearer()


def _stream(work: Callable[[Callable[[str, int, int], None]], Any]) -> Iterator[str]:
    """Run `work` in a thread of its own and yield its lines as they come."""
    lines: queue.Queue[dict[str, Any] | None] = queue.Queue()

    def report(stage: str, done: int, total: int) -> None:
        lines.put({"progress": [stage, done, total]})

    def run() -> None:
        try:
            lines.put({"result": work(report)})
        except RdfkmsError as error:
            lines.put({"error": str(error), "exit_code": error.exit_code})
        except Exception as error:  # the client must get a sentence, the log the traceback
            threading.excepthook(threading.ExceptHookArgs((type(error), error, None, None)))
            lines.put({"error": f"The service failed: {error}", "exit_code": 7})
        finally:
            lines.put(None)

    threading.Thread(target=run, name="command", daemon=True).start()
    while (line := lines.get()) is not None:
        yield json.dumps(line, ensure_ascii=False, default=str) + "\n"
