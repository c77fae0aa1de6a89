"""Texts within Markdown mean nothing there: neither a link, nor a picture, nor the end of what they stand in."""

import pytest

from rlm_core.markdown import escaped, fenced, table


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("![x](http://a.example/p.png)", r"\!\[x\]\(http\://a.example/p.png\)"),
        ("<img src=x onerror=alert(1)>", r"\<img src\=x onerror\=alert\(1\)\>"),
        ("see www.a.example or a@b.example", r"see www\.a.example or a\@b.example"),
        ("a | b `c` **d** $x$ &lt;", r"a \| b \`c\` \*\*d\*\* \$x\$ \&lt;"),
        ("1. first", r"1\. first"),
        ("- a", r"\- a"),
        ("0.5 s", "0.5 s"),
        ("two\nlines \x1b[31m", r"two lines ␛\[31m"),
    ],
)
def test_a_line_comes_out_as_it_is_with_every_mark_escaped(text, line):
    assert escaped(text) == line


def test_a_fence_is_longer_than_any_fence_within_it():
    assert fenced("a\n`````\n![](http://a.example)") == "``````text\na\n`````\n![](http://a.example)\n``````"
    assert fenced("print(1)\n", "python") == "```python\nprint(1)\n```"


def test_a_cell_of_a_table_cannot_begin_another():
    assert table(("a", "b"), [("x|y", "1\n2")]) == "| a | b |\n| --- | --- |\n| x\\|y | 1 2 |"
