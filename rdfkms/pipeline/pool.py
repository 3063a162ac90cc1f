"""Runs a pure function over jobs on all cores; results come in the order of the jobs."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, TypeVar

from rdfkms.errors import Broken

Job = TypeVar("Job")
Result = TypeVar("Result")

_AHEAD = 3  # jobs in flight for each process: enough to keep it busy, little to hold in memory
_PR_SET_PDEATHSIG = 1
_tool: Any = None


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    function: Callable[[Job, Any], Result],
    jobs: Iterable[Job],
    make_tool: Callable[[], Any],
    processes: int,
) -> Iterator[tuple[Job, Result]]:
    """Yield (job, function(job, tool)) in the order of jobs.

    `make_tool` is called once in each process (engines are costly to load); all three must be
    picklable. One process means: here. Raises `Broken` when a process dies.
    """
    if processes <= 1:
        tool = make_tool()
        for job in jobs:
            yield job, function(job, tool)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _start, (make_tool, os.getpid())) as pool:
        waiting: deque[tuple[Job, Future[Result]]] = deque()
        try:
            for job in jobs:
                waiting.append((job, pool.submit(_call, function, job)))
                if len(waiting) >= processes * _AHEAD:
                    first, future = waiting.popleft()
                    yield first, _result(future)
            while waiting:
                first, future = waiting.popleft()
                yield first, _result(future)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _result(future: Future[Result]) -> Result:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool as err:
        raise Broken(
            "A reading process ended without a word (out of memory?).",
            hint="What was committed stays. Run the same command again, perhaps with --jobs 1.",
        ) from err


def _start(make_tool: Callable[[], Any], parent: int) -> None:
    """Prepare a process: it ends with its parent, leaves Ctrl-C to it, and loads its tool."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    global _tool  # noqa: PLW0603 - what a worker process loads once
    _tool = make_tool()


def _call(function: Callable[[Job, Any], Result], job: Job) -> Result:
    return function(job, _tool)
