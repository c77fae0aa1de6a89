"""Bodies come back from storage as they went in."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from rlm_core.event_json import body_to_dict
from rlm_core.events import BODIES, CallFinished, CellFinished, Noted
from rlm_core.store.payload import INLINE_CHARS, pack, unpack

ANY_CHARACTER = st.characters(exclude_categories=())
TEXTS = st.one_of(
    st.text(ANY_CHARACTER, max_size=30),
    st.sampled_from(["$text", "$$text", "x$text", "\x00", "\ud83d\ude00"]),
    st.builds(lambda text, times: text * times, st.text(ANY_CHARACTER, min_size=1, max_size=5), st.integers(900, 3000)),
)
KEYS = st.one_of(st.text(max_size=8), st.sampled_from(["$text", "$$text", "$$$text", "chars", "head", "$ref"]))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


def read_back(packed):
    return unpack(type(packed.body).__name__, packed.raw, packed.texts.__getitem__)


@given(TEXTS, st.dictionaries(KEYS, JSON, max_size=4))
@settings(deadline=None, max_examples=100)
def test_whatever_a_note_holds_is_read_back_as_it_was_recorded(text, data):
    packed = pack(Noted("any", text, data))
    assert read_back(packed) == packed.body
    packed.raw.encode("utf-8")


@given(st.text(max_size=4000))  # of all that UTF-8 can hold
@settings(deadline=None, max_examples=100)
def test_text_without_lone_surrogates_is_not_changed(text):
    body = CellFinished("ok", text, variables=({"name": "x", "preview": text},))
    assert pack(body).body is body
    assert read_back(pack(body)) == body


def test_lone_surrogates_become_replacement_characters_in_texts_and_keys():
    packed = pack(Noted("a\ud800b", "c" * 3000 + "\udfff", {"k\ud900": ["\ude00"]}))
    assert packed.body == Noted("a\ufffdb", "c" * 3000 + "\ufffd", {"k\ufffd": ["\ufffd"]})
    assert read_back(packed) == packed.body


def test_a_text_is_stored_apart_only_above_the_limit():
    assert pack(CallFinished("ok", "x" * INLINE_CHARS)).texts == {}
    packed = pack(CallFinished("ok", "é" * (INLINE_CHARS + 1)))
    (sha,) = packed.texts
    assert json.loads(packed.raw)["text"] == {"$text": sha, "chars": INLINE_CHARS + 1, "head": "é" * 200}


def test_the_same_long_text_twice_in_a_body_is_stored_once():
    assert len(pack(CellFinished("failed", "x" * 5000, error="x" * 5000)).texts) == 1


def test_unresolved_bodies_tell_a_reference_from_a_dict_that_looks_like_one():
    packed = pack(Noted("t", "x" * 5000, {"$text": "mine"}))
    body = unpack("Noted", packed.raw, None)
    assert body.text["$text"] in packed.texts
    assert body.data == {"$$text": "mine"}


def test_every_kind_of_body_with_long_texts_in_all_its_fields_can_be_left_unresolved():
    for name, kind in BODIES.items():
        texts = {
            field: "x" * 5000 for field in kind.__dataclass_fields__ if field in ("text", "error", "code", "query")
        }
        required = {"status": "ok"} if name in ("CallFinished", "CellFinished") else {}
        if texts and name != "Noted":
            body = kind(**required, **texts)
            unresolved = unpack(name, pack(body).raw, None)
            assert {field: body_to_dict(unresolved)[field]["chars"] for field in texts} == dict.fromkeys(texts, 5000)
