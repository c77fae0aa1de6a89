"""The process behind `Converter`: reads files from its standard input, writes what it makes of them to its standard output.

    in    a line `<kind> <bytes> <seconds>`, then the file
    out   a line `read <facts> <text>`: the sizes of both in bytes, then `Reading.facts` as JSON, the text in UTF-8 and the
          files inside, one after the other; or a line `refused|failed <facts> 0`, then `[status, reason]` as JSON

Knows which function reads a kind (`formats/`). Works until its input ends, and never longer on a file than it was given.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from typing import Any, BinaryIO

from rlm_core.corpus.formats import parser_of
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.processes import bind, limit, own_output
from rlm_core.corpus.reading import Inside

MAX_REASON_CHARS = 300


def main(memory_mb: int, requests: BinaryIO, answers: BinaryIO) -> None:
    bind(memory_mb)
    while head := requests.readline():
        kind, size, seconds = head.decode("ascii").split()
        limit(resource.RLIMIT_CPU, int(time.process_time()) + int(seconds) + 1)
        status, facts, text, inside = _converted(kind, requests.read(int(size)))
        told = json.dumps(facts).encode()
        answers.write(f"{status} {len(told)} {len(text)}\n".encode())
        answers.write(told)
        answers.write(text)
        for each in inside:
            answers.write(each.data)
        answers.flush()


def _converted(kind: str, data: bytes) -> tuple[str, Any, bytes, tuple[Inside, ...]]:
    try:
        reading = parser_of(kind)(data)
        return "read", reading.facts(), reading.text.encode("utf-8", "replace"), reading.inside
    except Refused as refused:
        return "refused", [refused.status, refused.reason], b"", ()
    except MemoryError:
        return "failed", ["too-large", "it takes too much memory"], b"", ()
    except Exception as error:  # whatever a parser trips over is the file's own misfortune
        return "failed", ["malformed", f"{type(error).__name__}: {error}"[:MAX_REASON_CHARS]], b"", ()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.stdin.buffer, own_output())
