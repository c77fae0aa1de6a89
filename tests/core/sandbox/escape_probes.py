"""What hostile code tries, one small harmless piece of code each. No test: `test_sandbox_escapes.py` runs them.

`REFUSED` must end in an error of the system's; `HELD` must print `held`. In them OUTSIDE is a folder of the host's that any
user can read and write, with a `canary.txt` and a shared library `library.so`; PORT a port and NAME an abstract socket that the
host listens at. `PRELUDE` runs first in the same session.
"""

import os

NUMBERS = {
    "socket": (41, 198), "connect": (42, 203), "execve": (59, 221), "execveat": (322, 281), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "bpf": (321, 280), "perf_event_open": (298, 241), "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "unshare": (272, 97),
    "setns": (308, 268), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438),
    "tkill": (200, 130), "seccomp": (317, 277), "personality": (135, 92), "shmget": (29, 194), "shmat": (30, 196),
    "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180), "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264), "memfd_create": (319, 279), "memfd_secret": (447, 447), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "timer_create": (222, 107), "fchmodat2": (452, 452), "fchownat": (260, 54),
    "landlock_create_ruleset": (444, 444), "fanotify_init": (300, 262), "inotify_init1": (294, 26), "kcmp": (312, 272),
    "setresuid": (117, 147), "setgroups": (116, 159), "setpriority": (141, 140), "sched_setaffinity": (203, 122),
    "syslog": (103, 116), "process_madvise": (440, 440), "move_pages": (279, 239), "membarrier": (324, 283),
    "splice": (275, 76), "sendfile": (40, 71), "fallocate": (285, 47), "copy_file_range": (326, 285), "mknodat": (259, 33),
    "fsopen": (430, 430), "open_tree": (428, 428), "move_mount": (429, 429),
}  # fmt: skip
_COLUMN = os.uname().machine == "aarch64"
_CLONE = (56, 220)[_COLUMN]

PRELUDE = """
import ctypes, gc, json, os, re, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_long
def checked(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    print('ESCAPED', result)
def call(number, *arguments):
    checked(libc.syscall(number, *map(ctypes.c_long, arguments)))
"""

_FILES = {
    "passwd": "open('/etc/passwd').read()",
    "passwd_by_a_module": "json.codecs.open('/etc/passwd').read()",
    "passwd_by_its_root": "open('/proc/self/root/etc/passwd').read()",
    "passwd_by_the_first_process": "open('/proc/1/root/etc/passwd').read()",
    "passwd_by_c": "libc.open.restype = ctypes.c_int\nchecked(libc.open(b'/etc/passwd', 0))",
    "file_outside": "open('OUTSIDE/canary.txt').read()",
    "keys_of_the_user": "open(os.path.expanduser('~/.ssh/id_rsa')).read()",
    "list_root": "os.listdir('/')",
    "list_processes": "os.listdir('/proc')",
    "list_own_files": "os.listdir('/proc/self/fd')",
    "own_environment": "open('/proc/self/environ', 'rb').read()",
    "own_memory": "open('/proc/self/mem', 'r+b')",
    "own_program": "open('/proc/self/exe', 'rb')",
    "own_map": "open('/proc/self/maps')",
    "own_user_map": "open('/proc/self/uid_map', 'w')",
    "environment_of_the_parent": "open(f'/proc/{os.getppid()}/environ', 'rb').read()",
    "command_of_the_parent": "open(f'/proc/{os.getppid()}/cmdline', 'rb').read()",
    "memory_of_the_parent": "open(f'/proc/{os.getppid()}/mem', 'rb')",
    "settings_of_the_kernel": "open('/proc/sys/kernel/core_pattern', 'w')",
    "terminal": "open('/dev/tty', 'w')",
    "disk": "open('/dev/vda', 'rb')",
}
_WRITING = {
    "write_outside": "open('OUTSIDE/escaped', 'w')",
    "write_in_tmp": "open('/tmp/escaped', 'w')",
    "write_in_shared_memory": "open('/dev/shm/escaped', 'w')",
    "write_here": "open('escaped', 'w')",
    "write_by_number": "os.open('OUTSIDE/escaped', os.O_CREAT | os.O_WRONLY)",
    "write_without_a_name": "os.open('OUTSIDE', os.O_TMPFILE | os.O_RDWR)",
    "temporary_file": "import tempfile\ntempfile.TemporaryFile()",
    "write_to_the_library": "open(json.__file__, 'a')",
    "folder": "os.mkdir('OUTSIDE/escaped')",
    "fifo": "os.mkfifo('OUTSIDE/escaped')",
    "device": "os.mknod('OUTSIDE/escaped', 0o20666, os.makedev(1, 3))",
    "hard_link": "os.link(json.__file__, 'OUTSIDE/escaped')",
    "symbolic_link": "os.symlink('/etc/passwd', 'OUTSIDE/escaped')",
    "rename": "os.rename('OUTSIDE/canary.txt', 'OUTSIDE/escaped')",
    "remove": "os.remove('OUTSIDE/canary.txt')",
    "truncate": "os.truncate('OUTSIDE/canary.txt', 0)",
    "mode": "os.chmod(json.__file__, 0o777)",
    "times": "os.utime(json.__file__)",
    "owner": "os.chown(json.__file__, 0, 0)",
    "attribute": "os.setxattr(json.__file__, 'user.x', b'1')",
    "change_root": "os.chroot('/usr')",
    "memory_file": "os.memfd_create('x')",
    "sqlite": "import sqlite3\ntry: sqlite3.connect('OUTSIDE/escaped').execute('create table t (x)')\n"
    "except sqlite3.OperationalError as error: raise OSError(str(error))",
    "write_into_the_context": "class Buffer(ctypes.Structure):\n"
    "    _fields_ = [('buf', ctypes.c_void_p), ('rest', ctypes.c_char * 200)]\n"
    "view = Buffer()\n"
    "ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(context._texts.data), ctypes.byref(view), 0)\n"
    "checked(libc.mprotect(ctypes.c_void_p(view.buf), ctypes.c_size_t(4096), 3))",
}
_PROGRAMS = {
    "subprocess": "import subprocess\nsubprocess.run(['id'])",
    "shell": "import subprocess\nsubprocess.run('id', shell=True)",
    "system": "checked(-1 if libc.system(b'echo escaped') else 0)",
    "exec": "os.execv('/bin/sh', ['sh'])",
    "exec_of_itself": "os.execv(sys.executable or '/usr/bin/python3', ['x'])",
    "exec_of_a_memory_file": "os.execve(os.memfd_create('x'), ['x'], {})",
    "fork": "os.fork()",
    "fork_by_c": "checked(libc.fork())",
    "vfork_by_c": "checked(libc.vfork())",
    "clone": "call(CLONE, 17)",
    "clone_into_a_namespace": "call(CLONE, 0x10000000 | 17)",
    "clone3": "call(435, 0, 0)",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "terminal_of_its_own": "import pty\npty.fork()",
    "multiprocessing_by_fork": "import multiprocessing\nmultiprocessing.get_context('fork').Process(target=print).start()",
    "multiprocessing_by_spawn": "import multiprocessing\nmultiprocessing.get_context('spawn').Process(target=print).start()",
    "pool": "import concurrent.futures\nconcurrent.futures.ProcessPoolExecutor(1).submit(print).result(5)",
    "library_from_outside": "ctypes.CDLL('OUTSIDE/library.so')",
    "session": "os.setsid()",
    "group": "os.setpgid(0, 0)",
}  # fmt: skip
_OTHERS = {
    "kill_parent": "os.kill(os.getppid(), 9)",
    "ask_for_parent": "os.kill(os.getppid(), 0)",
    "kill_host": "os.kill(HOST, 0)",
    "kill_all": "os.kill(-1, 0)",
    "kill_group": "os.kill(0, 0)",
    "kill_by_group": "os.killpg(os.getpgrp(), 0)",
    "handle_of_parent": "os.pidfd_open(os.getppid())",
    "signal_by_owner": "import fcntl\nfcntl.fcntl(1, fcntl.F_SETOWN, os.getppid())",
    "signal_by_number": "import fcntl\nfcntl.fcntl(1, 10, 9)",
    "trace_parent": "call(PTRACE, 16, os.getppid(), 0, 0)",
    "read_memory_of_parent": "space = ctypes.create_string_buffer(8)\n"
    "own = struct.pack('QQ', ctypes.addressof(space), 8)\n"
    "checked(libc.process_vm_readv(os.getppid(), own, 1, struct.pack('QQ', 0x400000, 8), 1, 0))",
    "processor_of_parent": "os.sched_setaffinity(os.getppid(), {0})",
    "priority": "os.nice(-1)",
    "user": "os.setuid(0)",
    "type_into_the_terminal": "import fcntl, termios\nfcntl.ioctl(0, termios.TIOCSTI, b'x')",
}
_NETWORK = {
    "tcp": "socket.create_connection(('127.0.0.1', PORT), 2)",
    "tcp6": "socket.socket(socket.AF_INET6)",
    "udp": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    "unix": "socket.socket(socket.AF_UNIX)",
    "abstract": "socket.socket(socket.AF_UNIX).connect('\\0NAME')",
    "abstract_by_a_pair": "a, b = socket.socketpair()\na.connect('\\0NAME')",
    "datagrams_to_an_abstract": "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\na.sendto(b'x', '\\0NAME')",
    "message_to_an_abstract": "a, b = socket.socketpair()\na.sendmsg([b'x'], [], 0, '\\0NAME')",
    "bind": "a, b = socket.socketpair()\na.bind('\\0x')",
    "listen": "a, b = socket.socketpair()\na.listen()",
    "journal": "a, b = socket.socketpair()\na.sendto(b'x', '/run/systemd/journal/socket')",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "packets": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "virtual_machine": "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
    "crypto": "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)",
    "name": "socket.getaddrinfo('example.com', 80)",
    "url": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:PORT')",
    "asyncio": "import asyncio\nawait asyncio.open_connection('127.0.0.1', PORT)",
}
_UNDOING = {
    "limit_of_files": "import resource\nresource.prlimit(0, resource.RLIMIT_NOFILE, (10, 10))",
    "limit_of_memory": "import resource\n"
    "try: resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))\nexcept ValueError as error: raise OSError(str(error))",
    "limit_of_memory_by_number": "call(SETRLIMIT, 2, 0)",
    "outlive_the_parent": "checked(libc.prctl(1, 0, 0, 0, 0))",
    "be_traced": "checked(libc.prctl(4, 1, 0, 0, 0))",
    "be_traced_by_all": "checked(libc.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0))",
    "another_filter": "checked(libc.prctl(22, 1, 0, 0, 0))",
    "new_privileges": "checked(libc.prctl(38, 0, 0, 0, 0))",
    "keep_privileges": "checked(libc.prctl(8, 1, 0, 0, 0))",
    "ambient_privileges": "checked(libc.prctl(47, 2, 0, 0, 0))",
    "uncounted_memory": "checked(libc.mmap(None, 4096, 3, 0x121, -1, 0))",
}
_NAMED = {"CLONE": str(_CLONE), "PTRACE": str(NUMBERS["ptrace"][_COLUMN]), "SETRLIMIT": str((160, 164)[_COLUMN])}


def _with_numbers(code: str) -> str:
    for name, number in _NAMED.items():
        code = code.replace(f"call({name}", f"call({number}")
    return code


REFUSED = {
    name: _with_numbers(code)
    for group in (_FILES, _WRITING, _PROGRAMS, _OTHERS, _NETWORK, _UNDOING)
    for name, code in group.items()
} | {f"call_{name}": f"call({numbers[_COLUMN]}, 0, 0, 0, 0, 0, 0)" for name, numbers in NUMBERS.items()}

HELD = {
    "key_in_the_environment": "print(os.environ.get('OPENAI_API_KEY', 'held'))",
    "any_key_in_the_environment": "print([k for k in os.environ if 'KEY' in k or 'SECRET' in k] or 'held')",
    "environment_by_a_module": "print(re.enum.sys.modules['os'].environ.get('OPENAI_API_KEY', 'held'))",
    "environment_by_c": "libc.getenv.restype = ctypes.c_char_p\nprint(libc.getenv(b'OPENAI_API_KEY') or 'held')",
    "objects_of_the_host": "names = ('OpenAI', 'AsyncOpenAI', 'LM', 'ClientSession', 'Sandbox', 'Frame')\n"
    "print([type(o).__name__ for o in gc.get_objects() if type(o).__name__ in names] or 'held')",
    "modules_of_the_host": "ours = [n for n in sys.modules if n.startswith('rlm_core.') and 'sandbox' not in n]\n"
    "print(ours or 'held')",
    "files_left_open": "opened = []\nfor n in range(256):\n    try: os.fstat(n); opened.append(n)\n    except OSError: pass\n"
    "print('held' if len(opened) <= 6 else opened)",
    "words_of_the_host": "print('held' if sys.argv == [''] and sys.orig_argv == [''] else sys.orig_argv)",
    "privileges": "buffer = ctypes.create_string_buffer(24)\n"
    "code = libc.syscall(125 if os.uname().machine == 'x86_64' else 90, struct.pack('Ii', 0x20080522, 0), buffer)\n"
    "print('held' if code == -1 and buffer.raw == bytes(24) else buffer.raw)",
    "in_a_later_thread": "import threading\nseen = []\n"
    "def probe():\n    try: open('/etc/passwd'); seen.append('escaped')\n    except OSError: seen.append('held')\n"
    "t = threading.Thread(target=probe)\nt.start()\nt.join()\nprint(*seen)",
    "standard_input": "print(sys.stdin.read() or 'held')",
    "packages_not_offered": "try: import pytest\nexcept ImportError: print('held')",
}

IN_A_ROOM = {
    "whether_a_file_is_there": "os.stat('/etc/passwd')",
    "whether_a_file_outside_is_there": "os.stat('OUTSIDE/canary.txt')",
    "whether_a_process_is_there": "os.stat('/proc/HOST') if HOST > 2 else os.stat('/proc/4000000')",
    "size_of_the_data_folder": "os.stat(os.path.expanduser('~'))",
}
