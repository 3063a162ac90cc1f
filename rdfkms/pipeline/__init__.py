"""The straight line from a scan to cited statements.

Steps before reconciliation are pure functions over frozen values, run in a process pool; what looks
at the store happens in the one writer, page after page in source order, so that the result does
not depend on parallelism (DESIGN 3).
"""
