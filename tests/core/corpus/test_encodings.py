"""Which encoding a file is found to be in, and what becomes of bytes that fit none."""

import random

import pytest

from rlm_core.corpus.encoding import declared_encoding, decode

GERMAN = "Größe und Übermaß: Müller fährt für 5 € nach Köln."
FRENCH = "Le garçon a mangé à la fenêtre, où l’été s’achève – cœur léger."
POLISH = "Zażółć gęślą jaźń, proszę państwa, łódź płynie."
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy."
RUSSIAN = "Привет, как дела? Съешь ещё этих мягких булок."
JAPANESE = "売上は増えたが、利益は減った。カタカナも。"
CHINESE = "中文文本测试，收入一百万元。"
TAIWANESE = "中文文本測試，收入一百萬元。"
KOREAN = "안녕하세요 세계, 보고서 요약입니다."
GREEK = "Καλημέρα κόσμε, τι κάνεις σήμερα;"
TURKISH = "İstanbul'da güneşli bir gün, çok şükür ağaç."

PAIRS = [
    *((text, "utf-8") for text in (GERMAN, FRENCH, POLISH, RUSSIAN, JAPANESE, CHINESE, KOREAN, GREEK)),
    *((text, "utf-8-sig") for text in (GERMAN, JAPANESE)),
    *((text, "utf-16") for text in (GERMAN, CHINESE)),
    *((text, "utf-16-le") for text in (GERMAN, RUSSIAN)),
    *((text, "utf-16-be") for text in (FRENCH, GREEK)),
    (GERMAN, "cp1252"),
    (FRENCH, "cp1252"),
    (POLISH, "cp1250"),
    (POLISH, "iso8859-2"),
    (CZECH, "cp1250"),
    (RUSSIAN, "cp1251"),
    (RUSSIAN, "koi8-r"),
    (RUSSIAN, "iso8859-5"),
    (RUSSIAN, "cp866"),
    (JAPANESE, "cp932"),
    (JAPANESE, "euc_jp"),
    (JAPANESE, "iso2022_jp"),
    (CHINESE, "gb18030"),
    (TAIWANESE, "big5"),
    (KOREAN, "cp949"),
    (GREEK, "cp1253"),
    (GREEK, "iso8859-7"),
    (TURKISH, "cp1254"),
]


@pytest.mark.parametrize(("text", "encoding"), PAIRS)
def test_one_line_is_decoded_right_alone_and_amid_ascii(text, encoding):
    buried = "GET /index.html 200\n" * 2000 + text + "\n" + "GET /other.html 200\n" * 2000
    for whole in (text, buried):
        assert decode(whole.encode(encoding)).text == whole


@pytest.mark.parametrize(
    "text", ["100 € – O’Neil", "Größe: 5 µm", "± 5 °C", "© 2024 Acme", "naïve", "señor niño", "§ 5"]
)
def test_a_few_western_characters_are_enough_for_windows_1252(text):
    decoded = decode(text.encode("cp1252"))
    assert (decoded.text, decoded.encoding) == (text, "cp1252")
    assert decoded.confidence < 1
    assert "Windows-1252" in decoded.warning
    assert "% sure" in decoded.warning


def test_the_first_foreign_byte_may_come_at_the_very_end():
    for encoding in ("utf-8", "cp1252"):
        text = "plain ascii line\n" * 500_000 + GERMAN
        decoded = decode(text.encode(encoding))
        assert decoded.encoding == encoding
        assert decoded.text == text


def test_utf_8_with_a_bad_byte_stays_utf_8_and_the_loss_is_counted():
    decoded = decode((RUSSIAN * 3).encode() + b"\xff" + RUSSIAN.encode())
    assert (decoded.encoding, decoded.replaced) == ("utf-8", 1)
    assert decoded.text.count("�") == 1
    assert "1 character was not valid UTF-8" in decoded.warning


def test_utf_8_cut_off_within_a_character_stays_utf_8():
    decoded = decode(GERMAN.encode() + "€".encode()[:2])
    assert (decoded.encoding, decoded.replaced) == ("utf-8", 1)


def test_a_replacement_character_of_the_file_itself_is_not_counted():
    decoded = decode("already lost: �".encode())
    assert (decoded.replaced, decoded.warning) == (0, "")


def test_bytes_that_windows_1252_does_not_know_are_replaced_and_counted():
    decoded = decode("Müller, Grünwald, Köln".encode("cp1252") + b" \x81 \x8d")
    assert decoded.encoding == "cp1252"
    assert decoded.replaced == 2


def test_a_declared_encoding_is_believed_only_where_utf_8_fails():
    assert decode(RUSSIAN.encode("cp1251"), declared="cp1251").text == RUSSIAN
    assert decode(RUSSIAN.encode(), declared="cp1251").text == RUSSIAN


def test_only_encodings_of_text_can_be_declared():
    assert declared_encoding(b'<meta charset="windows-1251">') == "cp1251"
    assert declared_encoding(b'<?xml version="1.0" encoding="ISO-8859-1"?>') == "cp1252"
    assert declared_encoding(b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">') == "cp932"
    for trap in (b"zlib_codec", b"rot13", b"unicode_escape", b"utf-7", b"nonsense", b"utf-8"):
        assert declared_encoding(b"<meta charset=" + trap + b">") is None


def test_no_bytes_whatever_make_decoding_fail():
    chance = random.Random(7)
    for size in (0, 1, 2, 3, 17, 1000, 70_000):
        for _ in range(5):
            decode(chance.randbytes(size)).text.encode("utf-8")
