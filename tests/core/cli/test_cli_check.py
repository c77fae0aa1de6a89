import pytest
from console import rlm_studio, script

RIGHT = {
    "rules": [
        {
            "contains": "orchard door",
            "reply": "```repl\nimport re\ncode = re.search(r'7QK-[0-9]+', context)[0]\n"
            'answer["content"] = f"It is {code}."\nanswer["ready"] = True\n```',
        },
        {
            "contains": "state FAILED",
            "reply": "```repl\nn = context.count('state=FAILED')\nanswer['content'] = str(n)\nanswer['ready'] = True\n```",
        },
        {
            "contains": "leak come back",
            "reply": "```repl\nassert 'A12' in context\n"
            "record('A12', 'yes', quote='Dripped again after heavy rain, same beam.')\n"
            "answer['content'] = 'Only room A12.'\nanswer['ready'] = True\n```",
        },
    ]
}
CHATTY = {"default": "I would first look at the text, and then I would count."}
WRONG = {"default": "```repl\ncontext\nanswer['content'] = 'In 5 rooms.'\nanswer['ready'] = True\n```"}


def test_check_says_what_is_there_in_plain_words(tmp_path):
    result = rlm_studio(tmp_path, "check")
    lines = result.stdout.splitlines()
    topics = [line[9:].split("  ")[0] for line in lines]
    assert topics == ["installed", "data folder", "code cells", "models", "keys", "worker"]
    assert result.returncode == int("PROBLEM" in result.stdout)
    assert "Cells are held by" in result.stdout


def test_keys_are_told_by_name_and_never_by_value(tmp_path):
    result = rlm_studio(tmp_path, "check", OPENAI_API_KEY="sk-very-secret-0123456789", GROQ_API_KEY="")
    assert "set: OPENAI_API_KEY; set but empty: GROQ_API_KEY" in result.stdout
    assert "secret" not in result.stdout + result.stderr


def test_what_is_missing_is_a_problem_and_exit_code_1(tmp_path):
    (tmp_path / "store.db").write_text("not a database at all, but long enough to look like one to SQLite " * 20)
    (tmp_path / "settings.json").write_text('{"root_model": "gpt5-mini"}')
    result = rlm_studio(tmp_path, "check")
    problems = [line for line in result.stdout.splitlines() if line.startswith("PROBLEM")]
    assert result.returncode == 1
    assert "is not a database of RLM Studio" in problems[0]
    assert "Similar names: gpt-5-mini" in problems[-1]


def test_a_model_that_answers_all_three_questions_can_be_an_rlm(tmp_path):
    result = rlm_studio(tmp_path, "check", "--live", "--model", script(tmp_path, RIGHT))
    assert result.returncode == 0, result.stdout
    assert "All 3 questions were answered rightly" in result.stdout
    assert result.stdout.count("\n  - ") == 0


@pytest.mark.parametrize(
    ("replies", "says"),
    [
        (CHATTY, "The model wrote no code that could be run"),
        (WRONG, "The answer is wrong: 1 room, A12 would have been right."),
    ],
)
def test_a_model_that_cannot_be_an_rlm_is_told_what_went_wrong(tmp_path, replies, says):
    result = rlm_studio(tmp_path, "check", "--live", "--model", script(tmp_path, replies))
    assert result.returncode == 1
    assert says in result.stdout
    assert "0 of 3 questions were answered rightly." in result.stdout


def test_a_model_that_cannot_be_reached_is_asked_only_once(tmp_path):
    broken = {"default": {"error": "unreachable", "message": "No connection at http://127.0.0.1:1."}}
    result = rlm_studio(tmp_path, "check", "--live", "--model", script(tmp_path, broken))
    assert result.returncode == 1
    assert "  - No connection at http://127.0.0.1:1." in result.stdout
    assert "0 of 3 questions were answered rightly, 2 not asked." in result.stdout


def test_the_demo_model_is_not_asked_whether_it_is_a_language_model(tmp_path):
    result = rlm_studio(tmp_path, "check", "--live")
    assert result.returncode == 2
    assert "--model openai/gpt-5-mini" in result.stderr
