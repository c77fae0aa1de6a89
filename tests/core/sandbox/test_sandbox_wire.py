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
        assert sum(size for _, size in found) == len(stream) - 4 * len(messages)


def test_lone_surrogates_are_replaced_and_counted_and_pairs_become_their_character():
    frame, replaced = wire.pack({"text": "a\ud800b\udfffc \ud83d\ude00"})
    assert replaced == 2
    assert wire.Frames().feed(frame)[0][0] == {"text": "a\ufffdb\ufffdc 😀"}


def test_a_replacement_character_that_was_there_before_is_not_counted():
    assert wire.pack({"text": "\ufffd \ud800"})[1] == 1


@pytest.mark.parametrize(
    "frame",
    [
        struct.pack(">I", wire.MAX_FRAME_BYTES + 1),
        struct.pack(">I", 3) + b"[1]",
        struct.pack(">I", 3) + b"{x}",
        struct.pack(">I", 2) + b"\xff\xfe",
        struct.pack(">I", 200_000) + b"[" * 200_000,
        struct.pack(">I", 9_000) + b"1" * 9_000,
    ],
)
def test_a_frame_that_is_no_message_is_refused(frame):
    with pytest.raises(wire.BrokenFrame):
        wire.Frames().feed(frame)


def test_a_message_that_is_too_large_names_its_size():
    with pytest.raises(wire.FrameTooLarge, match="This is 1,011 bytes; at most 1,000 bytes"):
        wire.pack({"text": "x" * 1000}, max_bytes=1000)


def test_the_end_of_the_line_is_told_apart_from_half_a_message():
    near, far = socket.socketpair()
    channel = wire.Channel(near)
    frame, _ = wire.pack({"a": 1})
    far.sendall(frame[:5])
    assert channel.receive() == []
    far.sendall(frame[5:])
    assert channel.receive() == [({"a": 1}, 7)]
    far.close()
    assert channel.receive() is None
    channel.close()
