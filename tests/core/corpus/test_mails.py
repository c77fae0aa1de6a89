"""Mails and mailboxes: what is read of them, under which names, and what happens to the broken ones."""

import base64
from email.message import EmailMessage

import pytest

from rlm_core.corpus.formats.mail import read_mail

HEAD = "From: Ada <ada@example.test>\nTo: b@example.test\nSubject: Pump 7\nMIME-Version: 1.0\n"


def mail(*parts: str, subtype: str = "mixed") -> bytes:
    """A multipart with these parts, each with its own headers."""
    body = "".join(f"--frame\n{part}\n" for part in parts)
    return f'{HEAD}Content-Type: multipart/{subtype}; boundary="frame"\n\n{body}--frame--\n'.encode()


def text(words: str, kind: str = "plain") -> str:
    return f'Content-Type: text/{kind}; charset="utf-8"\n\n{words}\n'


def attached(name: str, content: bytes) -> str:
    packed = base64.encodebytes(content).decode()
    return f'Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="{name}"\n\n{packed}'


def test_a_mail_is_its_headers_as_lines_and_its_body(read):
    got = read({"a.eml": HEAD + "Date: Mon, 3 Feb 2025 10:00:00 +0100\nX-Noise: 1\n\nThe pump leaks.\n"})
    assert got.text("a.eml") == (
        "From: Ada <ada@example.test>\nTo: b@example.test\nDate: Mon, 3 Feb 2025 10:00:00 +0100\nSubject: Pump 7"
        "\n\nThe pump leaks."
    )
    assert got["a.eml"].kind == "eml"
    assert [unit.label for unit in got.corpus.find("a.eml").units.spans] == ["headers", "text"]


def test_attachments_are_walked_like_the_members_of_an_archive(read, make_zip):
    inner = (HEAD + "\nInner words\n").encode()
    upload = mail(
        text("Outer words"),
        attached("data.csv", b"id,v\n1,2\n"),
        attached("more.zip", make_zip(("b.txt", "packed"))),
        f"Content-Type: message/rfc822\n\n{inner.decode()}",
        attached("data.csv", b"id,v\n3,4\n"),
        attached("smime.p7s", b"\x30\x82"),
    )
    got = read({"m.eml": upload})
    assert got.statuses == {
        "m.eml": "ok",
        "m.eml!/data.csv": "ok",
        "m.eml!/more.zip!/b.txt": "ok",
        "m.eml!/message-3.eml": "ok",
        "m.eml!/data.csv (2)": "ok",
        "m.eml!/smime.p7s": "unsupported",
    }
    assert got["m.eml!/data.csv"].rows == 1
    assert got.text("m.eml!/message-3.eml").endswith("Inner words")
    assert "signature" in got["m.eml!/smime.p7s"].reason


def test_of_two_forms_of_a_body_the_html_is_shown_only_where_it_says_more(read):
    same = mail(text("The pump leaks."), text("<p>The <b>pump</b> leaks.</p>", "html"), subtype="alternative")
    more = mail(text("See the HTML."), text("<p>The pump leaks.</p>", "html"), subtype="alternative")
    got = read({"same.eml": same, "more.eml": more})
    assert got.text("same.eml").count("pump leaks") == 1
    assert got.text("more.eml").endswith("See the HTML.\n\nThe pump leaks.")
    assert [unit.label for unit in got.corpus.find("more.eml").units.spans] == ["headers", "text", "HTML"]


def test_headers_and_names_are_decoded_however_they_are_encoded(read):
    gbk = 'Content-Disposition: attachment; filename="报告.txt"\n\nraw\n'.encode("gbk")
    upload = (
        b"From: =?utf-8?q?M=C3=BCller?= <m@example.test>\nSubject: =?iso-8859-1?b?/GJlcg==?= =?utf-8?q?_x?=\n"
        b"To: " + "Jörg".encode() + b"\n"
        b'Content-Type: multipart/mixed; boundary="frame"\n\n--frame\n'
        b"Content-Disposition: attachment;\n filename*0*=utf-8''a%20long%20;\n filename*1*=n%C3%A4me.txt\n\nlong\n"
        b'--frame\nContent-Disposition: attachment; filename="=?utf-8?b?w7xiZXIudHh0?="\n\nencoded\n'
        b"--frame\n" + gbk + b"--frame--\n"
    )
    got = read({"m.eml": upload})
    assert got.text("m.eml") == "From: Müller <m@example.test>\nTo: Jörg\nSubject: über x"
    assert list(got.statuses) == ["m.eml", "m.eml!/a long näme.txt", "m.eml!/über.txt", "m.eml!/报告.txt"]


@pytest.mark.parametrize("charset", ["iso-8859-1", "x-unknown", "utf-8", '"', ""])
def test_a_body_is_decoded_whatever_its_charset_claims(read, charset):
    body = "Die Tür klemmt, sagt Jörg. Übermorgen kommt jemand, der sich darum kümmert."
    upload = f'{HEAD}Content-Type: text/plain; charset="{charset}"\n\n{body}\n'.encode("latin-1")
    got = read({"m.eml": upload})
    assert got.text("m.eml").endswith(body)
    assert (got["m.eml"].encoding, got["m.eml"].replaced) in [("iso8859-1", 0), ("cp1252", 0)]


def test_a_quoted_printable_body_in_an_old_japanese_encoding_is_read(read):
    message = EmailMessage()
    message["Subject"] = "二月の報告"
    message.set_content("ポンプの漏れを修理しました。\n", charset="iso-2022-jp")
    assert read({"m.eml": bytes(message)}).text("m.eml") == "Subject: 二月の報告\n\nポンプの漏れを修理しました。"


def test_damaged_base64_is_said_and_read_as_far_as_it_goes(read):
    upload = mail(
        text("body"), attached("a.txt", b"first second").replace("Zmlyc3", "Zmlyc3*"), attached("b.txt", b"b")[:-3]
    )
    got = read({"m.eml": upload})
    assert "first second" in got.text("m.eml!/a.txt")
    assert "base64 of b.txt is damaged" in got["m.eml"].warning
    assert got["m.eml"].status == "ok"


def test_a_mail_whose_boundary_is_lost_is_shown_as_the_text_it_is(read):
    got = read({"m.eml": HEAD + "Content-Type: multipart/mixed\n\n--frame\n\nThe pump leaks.\n--frame--\n"})
    assert "The pump leaks." in got.text("m.eml")


def test_the_notice_of_a_failed_delivery_is_part_of_the_body(read):
    status = (
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; y@example.test\n"
    )
    assert "y@example.test" in read({"m.eml": mail(text("Failed."), status, subtype="report")}).text("m.eml")


def test_html_that_is_a_trap_is_shown_as_its_source(read):
    got = read({"m.eml": mail(text("<div>" * 6000 + "deep", "html"))})
    assert got["m.eml"].status == "ok"
    assert "shown as its source" in got["m.eml"].warning


def test_names_of_attachments_that_lead_out_are_refused(read):
    got = read({"m.eml": mail(text("body"), attached("../../evil.txt", b"evil"), attached("", b"nameless"))})
    assert got.statuses == {"m.eml": "ok", "m.eml!/../../evil.txt": "unsafe-path", "m.eml!/part-2.txt": "ok"}


def test_mails_in_mails_are_opened_five_deep(read):
    upload = HEAD + "\nat the bottom\n"
    for _ in range(8):
        upload = f"{HEAD}Content-Type: message/rfc822\n\n{upload}"
    got = read({"m.eml": upload})
    assert [item.status for item in got.report.items] == ["ok"] * 7 + ["too-large"]
    assert "deep" in got.report.items[-1].reason


def test_a_mail_of_ten_thousand_parts_and_one_nested_a_thousand_deep_cost_only_themselves(read):
    many = mail(text("body"), *(attached(f"{number}.txt", b"%d" % number) for number in range(10_000)))
    deep = HEAD
    for number in range(1000):
        deep += f'Content-Type: multipart/mixed; boundary="b{number}"\n\n--b{number}\n'
    got = read({"many.eml": many, "deep.eml": deep, "good.txt": "good"})
    assert len(got.report.items) == 10_003
    assert got["many.eml!/9999.txt"].status == "ok"
    assert (got["deep.eml"].status, got["good.txt"].status) == ("malformed", "ok")
    assert "nested deeper" in got["deep.eml"].reason


@pytest.mark.parametrize(
    "head",
    [
        "From: " + '"\\' * 50_000,
        "Content-Type: " + ";a=" * 50_000,
        'Content-Disposition: attachment; filename="' + '";' * 50_000,
        "Subject: " + "=?utf-8?q?" * 20_000,
        "Subject: " + "=?utf-8?b?!!!?= =?nope?q?=FF?= =?utf-16?b?AA==?=",
        "To: " + "<" * 100_000,
        "Content-Type: text/plain; charset*=utf-8'%'",
        "Content-Transfer-Encoding: base64\nContent-Type: message/rfc822",
        "\0\x01: x",
    ],
)
def test_hostile_headers_cost_no_mail(head):
    reading = read_mail(f"Subject: x\n{head}\n\nthe body\n".encode())
    assert "the body" in reading.text or len(reading.inside) == 1


def test_a_mailbox_is_a_container_of_its_mails(read):
    one = f"From ada@example.test Mon Feb  3 10:00:00 2025\n{HEAD}\nFrom here on it leaks.\n\nFrom time to time.\n\n"
    two = f"From bob@example.test Tue Feb  4 11:00:00 2025\n{mail(text('second'), attached('a.csv', b'a')).decode()}\n"
    got = read({"box.mbox": one + two, "noname": (one + two).replace("\n", "\r\n").encode(), "empty.mbox": "nothing\n"})
    assert got.statuses == {
        "box.mbox!/message-1.eml": "ok",
        "box.mbox!/message-2.eml": "ok",
        "box.mbox!/message-2.eml!/a.csv": "ok",
        "noname!/message-1.eml": "ok",
        "noname!/message-2.eml": "ok",
        "noname!/message-2.eml!/a.csv": "duplicate",
        "empty.mbox": "malformed",
    }
    assert got.text("box.mbox!/message-1.eml").endswith("From here on it leaks.\n\nFrom time to time.")


def test_a_mail_is_known_by_its_headers_where_its_name_says_nothing(read):
    raw = "Message-ID: <1@x>\nDate: Mon, 3 Feb 2025\nFrom: a@x\nSubject: s\n\nbody\n"
    got = read({"inbox/1.": raw, "notes.txt": "From: me\nTo: you\n\nNot a mail.\n"})
    assert got["inbox/1."].kind == "eml"
    assert got["notes.txt"].kind == "text"
