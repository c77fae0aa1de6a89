"""How long it takes to find what models were shown: `python -m rlm_core.bench.finding_reads [--mb 40] [--prompts 1000]`.

Made-up prose is read into an archive, its fingerprints are made, and prompts of 100,000 characters, each of parts from all over
it, are looked for. Prints one JSON object: seconds by the clock and of the processor, the share of copied characters that was
found, the longest span that was claimed and not copied, and the load of the machine before and after.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

from rlm_core.corpus.corpus import Corpus, CorpusWriter
from rlm_core.corpus.report import IngestReport
from rlm_core.evidence.coverage import Span, length, merged, without
from rlm_core.evidence.fingerprints import FOLDER, Fingerprints
from rlm_core.evidence.mapping import stretches_of
from rlm_core.task import Json

PROMPT_CHARS = 100_000
DOCUMENT_CHARS = 50_000
PART_CHARS = (200, 500, 2_000, 10_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=40.0)
    parser.add_argument("--prompts", type=int, default=1_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measured(Path(folder), chosen.mb, chosen.prompts), indent=1))


def measured(folder: Path, mb: float, prompts: int) -> Json:
    random_ = random.Random(1)
    load = os.getloadavg()[0]
    corpus = _archive(folder, int(mb * 1e6), random_)
    made = _timed(lambda: Fingerprints.of(corpus))
    index = Fingerprints.of(corpus)
    wanted = found = worst = 0
    clock = processor = 0.0
    for parts, prompt in _prompts(corpus, random_, prompts):
        began, used = time.perf_counter(), time.process_time()
        stretches = stretches_of(index, prompt)
        clock, processor = clock + time.perf_counter() - began, processor + time.process_time() - used
        got = merged((_at(index, each.document, each.start), _at(index, each.document, each.end)) for each in stretches)
        want = merged(parts)
        wanted += length(want)
        found += length(want) - length(without(want, got))
        worst = max([worst, *(end - start for start, end in without(got, want))])
    return {
        "characters": corpus.chars,
        "fingerprints": made,
        "index_mb": round(sum(file.stat().st_size for file in (corpus.folder / FOLDER).iterdir()) / 1e6, 1),
        "prompts": prompts,
        "mapping": {"seconds": round(clock, 2), "processor_seconds": round(processor, 2)},
        "found_share": found / wanted,
        "longest_false_span": worst,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
    }


def _timed(work: Callable[[], object]) -> Json:
    began, used = time.perf_counter(), time.process_time()
    work()
    return {
        "seconds": round(time.perf_counter() - began, 2),
        "processor_seconds": round(time.process_time() - used, 2),
    }


def _archive(folder: Path, chars: int, random_: random.Random) -> Corpus:
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(random_.choices(letters, k=random_.randint(2, 9))) for _ in range(50_000)] + ["naïve", "über"]
    (folder / "new").mkdir()
    writer = CorpusWriter(folder / "new")
    for number in range(max(1, chars // DOCUMENT_CHARS)):
        text = " ".join(random_.choices(words, k=DOCUMENT_CHARS // 6))
        writer.add(f"{number:05}.txt", "text", text[:DOCUMENT_CHARS])
    return writer.finish("made up", folder, IngestReport(()))


def _prompts(corpus: Corpus, random_: random.Random, count: int) -> Iterator[tuple[list[Span], str]]:
    """Prompts, and the parts of the archive in each, in characters of all of it."""
    starts = [*accumulate((document.chars for document in corpus.documents), initial=0)]
    for _ in range(count):
        parts, texts, size = [], ["Say of each part in one word what it is about."], 0
        while size < PROMPT_CHARS:
            document = random_.randrange(len(corpus.documents))
            text = corpus.text(document)
            chars = min(random_.choice(PART_CHARS), len(text))
            start = random_.randrange(len(text) - chars + 1)
            parts.append((starts[document] + start, starts[document] + start + chars))
            texts.append(text[start : start + chars])
            size += chars
        yield parts, "\n\n---\n\n".join(texts)


def _at(index: Fingerprints, document: int, char: int) -> int:
    return sum(each.chars for each in index.corpus.documents[:document]) + char


if __name__ == "__main__":
    main()
