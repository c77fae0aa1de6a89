import json
import re

from console import ANSWER, LOOK, THREE_ROOMS, rlm_studio, script


def test_archives_are_listed_and_deleted_and_their_runs_stay(tmp_path):
    rlm_studio(tmp_path, "ask", THREE_ROOMS, "What is it?", "--model", script(tmp_path, [LOOK, ANSWER]))
    head, line = rlm_studio(tmp_path, "archives").stdout.splitlines()
    assert head.split() == ["archive", "read", "documents", "characters", "size", "name"]
    assert re.fullmatch(r"c-\w{12}  [\d-]{10} [\d:]{5} +1 +[\d,]+ +[\d.]+ kB  three_rooms.txt", line)
    (row,) = json.loads(rlm_studio(tmp_path, "archives", "--json").stdout)
    assert (row["name"], row["documents"], "report" in row) == ("three_rooms.txt", 1, False)
    wrong = rlm_studio(tmp_path, "archives", "--delete", "c-zzz")
    assert wrong.returncode == 2
    assert f"There are: {row['id']} (three_rooms.txt)." in wrong.stderr
    deleted = rlm_studio(tmp_path, "archives", "--delete", row["id"][:6])
    assert deleted.returncode == 0
    assert re.search(rf"{row['id']} \(three_rooms.txt\) is deleted: [\d.]+ kB freed", deleted.stderr)
    assert "There are no archives" in rlm_studio(tmp_path, "archives").stderr
    assert "What is it?" in rlm_studio(tmp_path, "runs").stdout
    assert "None has been read yet." in rlm_studio(tmp_path, "archives", "--delete", "c").stderr
