"""Hits of a search: dicts that read well."""

from sandboxes import Echo


class Library(Echo):
    def serve(self, service, arguments):
        found = {"path": "mail/one.txt", "start": 15, "end": 40, "text": "The ship left on Friday.\n", "score": 7.25}
        long = {"path": "b.txt", "start": 0, "end": 2_000, "text": "x" * 2_000, "score": 1.0}
        return [found, long][: arguments["k"]] if "ship" in arguments["query"] else []


def test_hits_are_printed_one_below_the_other_with_place_score_and_text(sandbox):
    child = sandbox(services=Library())
    printed = child.execute("hits = search('ship')\nprint(hits)").output
    assert printed.startswith(
        "0. mail/one.txt [15:40]  score 7.25\n    The ship left on Friday.\n1. b.txt [0:2000]  score 1\n"
    )
    assert printed.endswith("x [... 1,400 more characters]\n")
    assert child.execute("hits").output == printed
    assert child.execute("print(hits[0])").output == "mail/one.txt [15:40]  score 7.25\n    The ship left on Friday.\n"
    assert child.execute("hits[1:]").output.startswith("0. b.txt [0:2000]")
    assert child.execute("search('nothing')").output == "no passage found\n"


def test_hits_are_lists_of_dicts_with_names_for_their_parts(sandbox):
    child = sandbox(services=Library())
    code = "hits = search('ship', 1)\nhit = hits[0]\nhit['text'] == hit.text == context[hit.path][hit.start:hit.end]"
    assert child.execute(code).output == "True\n"
    assert child.execute("import json\njson.loads(json.dumps(hits))[0]['score']").output == "7.25\n"
    assert child.execute("[h for h in hits if h['score'] > 8]").output == "[]\n"
    assert child.execute("FINAL(hits)").answer["value"][0]["path"] == "mail/one.txt"
    assert "it has path, start, end, text, score" in child.execute("hit.line").error
    rows = {row["name"]: row for row in child.execute("hits = search('ship')").variables}
    assert (rows["hits"]["type"], rows["hits"]["size"]) == ("Hits", 2)
