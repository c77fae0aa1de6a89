"""Slides of presentations, with what is said on them and about them."""

from office_making import PRESENTATION, pptx_of, relations, shape

CHART = (
    f"<c:chartSpace {PRESENTATION}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx>"
    "</c:title><c:ser><c:tx><c:strRef><c:f>A1</c:f><c:strCache><c:pt idx='0'><c:v>2024</c:v></c:pt></c:strCache></c:strRef>"
    "</c:tx><c:cat><c:strRef><c:strCache><c:pt idx='0'><c:v>North</c:v></c:pt><c:pt idx='1'><c:v>South</c:v></c:pt>"
    "</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx='0'><c:v>4.3</c:v></c:pt>"
    "<c:pt idx='1'><c:v>2.5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:chart></c:chartSpace>"
)


def test_slides_are_units_with_a_heading_each(read):
    hidden = f'<p:sld {PRESENTATION} show="0"><p:cSld>{shape("Not shown")}</p:cSld></p:sld>'
    got = read({"a.pptx": pptx_of(shape("Title") + shape("First", "second"), hidden)})
    assert got.text("a.pptx") == "Slide 1\nTitle\nFirst\nsecond\n\nSlide 2 (hidden)\nNot shown"
    units = got.corpus.find("a.pptx").units
    assert (units.kind, [unit.label for unit in units.spans]) == ("slide", ["1", "2"])
    assert got["a.pptx"].kind == "pptx"


def test_groups_tables_and_line_breaks_are_read(read):
    group = f"<p:grpSp><p:grpSp>{shape('In a group')}</p:grpSp></p:grpSp>"
    cells = "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{each}</a:t></a:r></a:p></a:txBody></a:tc>" for each in "ab")
    broken = (
        "<p:sp><p:txBody><a:p><a:r><a:t>one</a:t></a:r><a:br/><a:fld><a:t>two</a:t></a:fld></a:p></p:txBody></p:sp>"
    )
    got = read(
        {"a.pptx": pptx_of(f"{group}<p:graphicFrame><a:tbl><a:tr>{cells}</a:tr></a:tbl></p:graphicFrame>{broken}")}
    )
    assert got.text("a.pptx") == "Slide 1\nIn a group\na\tb\none\ntwo"


def test_numbers_of_slides_are_left_out(read):
    assert read({"a.pptx": pptx_of(shape("Text") + shape("1", placeholder="sldNum"))}).text("a.pptx") == "Slide 1\nText"


def test_notes_comments_and_charts_stand_with_their_slide(read):
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": relations(
            ("notesSlide", "../n.xml"), ("chart", "../c.xml"), ("comments", "../k.xml")
        ),
        "ppt/n.xml": f"<p:notes {PRESENTATION}>{shape('Say hello')}{shape('7', placeholder='sldNum')}</p:notes>",
        "ppt/c.xml": CHART,
        "ppt/k.xml": f"<p:cmLst {PRESENTATION}><p:cm><p:text>Too long?</p:text></p:cm></p:cmLst>",
    }
    got = read({"a.pptx": pptx_of(shape("Title") + '<p:graphicFrame><c:chart r:id="rId2"/></p:graphicFrame>', **parts)})
    assert got.text("a.pptx") == (
        "Slide 1\nTitle\nSales\n\t2024\nNorth\t4.3\nSouth\t2.5\nNotes: Say hello\nComment: Too long?"
    )


def test_a_damaged_slide_costs_only_itself(read):
    got = read({"a.pptx": pptx_of(shape("One"), "<p:sld", shape("Three"))})
    assert got.text("a.pptx") == "Slide 1\nOne\n\nSlide 2\n\nSlide 3\nThree"
    assert "slide2.xml" in got["a.pptx"].warning


def test_a_presentation_without_its_list_of_slides_is_malformed(read):
    broken = pptx_of(shape("One")).replace(b"ppt/presentation.xml", b"ppt/presentation.xyz")
    assert read({"a.pptx": broken})["a.pptx"].status == "malformed"
