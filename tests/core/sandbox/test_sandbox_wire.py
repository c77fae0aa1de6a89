import socket
import struct

import pytest

from rlm_core.sandbox import wire


def test_messages_come_back_whole_however_the_bytes_arrive():
    messages = [{"a": "é" * 1000}, {}, {"b": [1, None, True]}]
    stream = b"".join(wire.pack(each)[0] for each in messages)
    for step in (1, 7, len(stream)):
        frames, found = wire.Frames(), []
        for start in range(0, len(stream), step):
            found += frames.feed(stream[start : start + step])
        assert [message for message, _ in found] == messages
        assert [size for _, size in found] == [2008 + 64, 2 + 64, 19 + 4 * 64]


def test_lone_surrogates_are_replaced_and_counted_and_pairs_become_their_character():
    frame, replaced = wire.pack({"text": "a\ud800b\udfffc \ud83d\ude00"})
    assert replaced == 2
    assert wire.Frames().feed(frame)[0][0] == {"text": "a\ufffdb\ufffdc 😀"}


def test_a_replacement_character_that_was_there_before_is_not_counted():
    assert wire.pack({"text": "\ufffd \ud800"})[1] == 1


def framed(body):
    return struct.pack(">I", len(body)) + body


@pytest.mark.parametrize(
    "frame",
    [
        struct.pack(">I", wire.MAX_FRAME_BYTES + 1),
        struct.pack(">I", 3) + b"[1]",
        struct.pack(">I", 3) + b"{x}",
        struct.pack(">I", 2) + b"\xff\xfe",
        struct.pack(">I", 200_000) + b"[" * 200_000,
        struct.pack(">I", 9_000) + b"1" * 9_000,
        pytest.param(framed(b'{"a":[' + b"[]," * wire.MAX_VALUES + b"[]]}"), id="lists"),
        pytest.param(framed(b'{"a":[' + b'"\\\\",' * 5 * wire.MAX_VALUES + b"1]}"), id="texts"),
        pytest.param(framed(b'{"a":[' + b"1," * wire.MAX_VALUES + b'1],"b":"'), id="a text without end"),
    ],
)
def test_a_frame_that_is_no_message_is_refused(frame):
    with pytest.raises(wire.BrokenFrame):
        wire.Frames().feed(frame)


def test_a_message_that_is_too_large_names_its_size():
    with pytest.raises(wire.FrameTooLarge, match="This is 1,011 bytes; at most 1,000 bytes"):
        wire.pack({"text": "x" * 1000}, max_bytes=1000)


def test_a_message_of_too_many_items_is_refused_but_not_for_what_stands_in_its_texts():
    with pytest.raises(wire.FrameTooLarge, match="This holds 2,000,003 items; at most 2,000,000 can pass"):
        wire.pack({"rows": [1] * (wire.MAX_VALUES + 1), "text": 'a, "quoted\\" [text], {'})
    table = 'one,"two",[3]\\\n' * 700_000
    frame, _ = wire.pack({"text": table, "rows": [1] * 1_000_000})
    [(message, size)] = wire.Frames().feed(frame)
    assert message["text"] == table
    assert size == len(frame) - 4 + 64 * 1_000_002


def test_the_end_of_the_line_is_told_apart_from_half_a_message():
    near, far = socket.socketpair()
    channel = wire.Channel(near)
    frame, _ = wire.pack({"a": 1})
    far.sendall(frame[:5])
    assert channel.receive() == []
    far.sendall(frame[5:])
    assert channel.receive() == [({"a": 1}, 7 + 64)]
    far.close()
    assert channel.receive() is None
    channel.close()
