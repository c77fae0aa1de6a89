"""The address of a page while the browser still has an older one."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page(**query: str) -> AppTest:
    """A page with two things to press, that shows what its address says of both; only `whole` begins it as a whole."""

    def script() -> None:
        import streamlit as st

        from app import address

        if st.session_state.get("whole", True):
            address.begin()
        st.button("Choose", on_click=address.write, kwargs={"node": "f1"})
        st.button("Seek", on_click=address.write, kwargs={"find": "damp", "node": None})
        st.button("Seek on", on_click=address.write, kwargs={"find": "dry"})
        st.text(f"{address.get('node')}|{address.get('find')}")

    test = AppTest.from_function(script, default_timeout=30)
    come(test, **query)
    test.run()
    test.session_state["whole"] = False
    return test


def come(test: AppTest, **query: str) -> None:
    """The next request of the browser brings this address along."""
    test.query_params.clear()
    for name, value in query.items():
        test.query_params[name] = value


def press(test: AppTest, label: str) -> str:
    next(each for each in test.button if each.label == label).click()
    return shown(test)


def shown(test: AppTest) -> str:
    test.run()
    assert not test.exception, [each.value for each in test.exception]
    return str(test.text[0].value)


def test_a_poll_with_the_address_of_before_does_not_take_back_what_was_chosen():
    test = page()
    assert press(test, "Choose") == "f1|"
    come(test)
    assert shown(test) == "f1|"
    assert test.query_params["node"] == "f1"


def test_what_is_done_before_the_browser_has_the_first_address_keeps_both():
    test = page(node="f0")
    press(test, "Choose")
    come(test, node="f0")
    assert press(test, "Seek on") == "f1|dry"
    come(test, node="f1")
    assert shown(test) == "f1|dry"


def test_what_was_taken_out_does_not_come_back_with_an_older_address():
    test = page(node="f1")
    assert press(test, "Seek") == "|damp"
    come(test, node="f1")
    assert shown(test) == "|damp"
    assert "node" not in test.query_params


def test_the_last_of_several_addresses_holds_against_all_before_it():
    test = page()
    for label in ("Seek", "Seek on", "Seek"):
        press(test, label)
    for older in ("", "dry"):
        come(test, find=older)
        assert shown(test) == "|damp"


def test_somebody_who_goes_back_is_believed_and_goes_on_from_there():
    test = page()
    press(test, "Choose")
    press(test, "Seek on")
    come(test)
    test.session_state["whole"] = True
    assert shown(test) == "|"
    test.session_state["whole"] = False
    assert shown(test) == "|"
    assert press(test, "Seek on") == "|dry"


def test_what_the_browser_alone_has_changed_is_kept():
    test = page()
    press(test, "Choose")
    come(test, view="Reader", find="mould")
    assert shown(test) == "f1|mould"
    assert test.query_params["view"] == "Reader"
