import signal
import socket
import urllib.request

from console import rlm_studio, started


def test_without_a_command_the_app_starts_says_where_it_is_and_ends_with_ctrl_c(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with started(tmp_path, "--port", str(port)) as process:
        url = process.stdout.readline().split()[-1]
        assert url == f"http://127.0.0.1:{port}"
        with urllib.request.urlopen(url, timeout=10) as page:
            assert page.status == 200
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    with socket.socket() as again:
        assert again.connect_ex(("127.0.0.1", port)) != 0


def test_a_port_that_is_taken_is_named_before_anything_starts(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = rlm_studio(tmp_path, "--port", port)
    assert result.returncode == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in result.stderr
    assert "--port" in result.stderr
