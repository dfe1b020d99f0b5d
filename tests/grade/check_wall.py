"""What a submission can reach: behind the wall nothing, and without it what docs/SECURITY.md says.

wall/FAMILY/NAME.c are attempts, each one function that says whether it got through; wall/frame.c is the
submission that makes them all. wall/ranks.c is one for two ranks. `open:` in an attempt's first line says where it does: without the wall,
for whoever grades as root, and for whoever grades as another user; or even behind it (wall). There it must
get through, so that an attempt which proves nothing does not go unseen.
"""
import ctypes
import json
import os
import pathlib
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile

from share import LONG

here = pathlib.Path(__file__).resolve().parent
place = pathlib.Path(os.environ["VIALATA_PLACE"])
libc = ctypes.CDLL(None, use_errno=True)
KEY = 0x76690000 | os.getpid() & 0xffff
NAME = f"vialata-wall-{os.getpid()}"
USER = 54321  # an ordinary user without a name
IPC_CREAT, IPC_RMID = 0o1000, 0


def listening(family, kind, address):
    server = socket.socket(family, kind)
    server.bind(address)
    if kind == socket.SOCK_STREAM:
        server.listen()
    return server


class Surroundings:
    """What is there to be reached: a file, a folder, servers, a process, shared memory."""

    def __init__(self, scratch, user):
        self.folder = pathlib.Path(scratch, f"surroundings.{user}")
        self.folder.mkdir()
        self.folder.chmod(0o777)
        (self.folder / "nothing").mkdir()
        self.secret = self.folder / "secret"
        self.secret.write_text("int secret;\n")
        self.secret.chmod(0o644)
        self.port, self.servers = self.listen()
        self.processes = [subprocess.Popen(["Vialata", "600"], executable=shutil.which("sleep"),
                                           preexec_fn=lambda: become(user)) for _ in range(2)]
        self.memory = libc.shmget(KEY, 4096, IPC_CREAT | 0o666)
        self.semaphore = libc.semget(KEY, 1, IPC_CREAT | 0o666)
        self.queue = libc.msgget(KEY, IPC_CREAT | 0o666)
        pathlib.Path("/dev/shm", NAME).write_bytes(b"1")
        pathlib.Path("/dev/shm", NAME).chmod(0o644)

    def listen(self):
        stream = listening(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        port = stream.getsockname()[1]
        file = listening(socket.AF_UNIX, socket.SOCK_STREAM, self.path())
        os.chmod(self.path(), 0o666)
        return port, [stream, file, listening(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{NAME}"),
                      listening(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", port))]

    def path(self):
        return str(self.folder / "socket")

    def words(self):
        return {"SOCKET": self.path(), "SECRET": self.secret, "OPEN": self.folder, "PID": self.processes[0].pid,
                "VICTIM": self.processes[1].pid, "KEY": KEY,
                "PORT": self.port, "NAME": NAME}

    def close(self):
        for server in self.servers:
            server.close()
        for process in self.processes:
            process.kill()
            process.wait()
        libc.shmctl(self.memory, IPC_RMID, None)
        libc.semctl(self.semaphore, 0, IPC_RMID)
        libc.msgctl(self.queue, IPC_RMID, None)
        for path in pathlib.Path("/dev/shm").glob(NAME + "*"):
            path.unlink()


def become(user):
    if user != os.getuid():
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def filled(text, words):
    return re.sub(r"@([A-Z]+)@", lambda found: str(words[found.group(1)]), text)


def memory_segments():
    return {line.split()[1] for line in open("/proc/sysvipc/shm").readlines()[1:]}


class Grader:
    def __init__(self, scratch, program, user, walled):
        self.user, self.walled, self.program = user, walled, program
        self.name = f"{'root' if user == 0 else 'user'}, {'wall' if walled else 'no wall'}"
        self.folder = pathlib.Path(scratch, f"{user}.{walled}")
        self.folder.mkdir()
        self.folder.chmod(0o755)
        os.chown(self.folder, user, user)
        self.environment = dict(os.environ, TMPDIR=str(self.folder), HOME=str(self.folder),
                                VIALATA_STATE=str(self.folder / "state"))
        self.environment.pop("VIALATA_PLACE", None)
        if not walled:  # as where user namespaces are forbidden
            self.refuse("")

    def refuse(self, option):
        """From now on bwrap fails where it is given this option."""
        bwrap = self.folder / "bin" / "bwrap"
        bwrap.parent.mkdir(exist_ok=True)
        bwrap.write_text(f"""#!/bin/sh
case "$*" in *"{option}"*)
    echo 'bwrap: No permissions to create new namespace' >&2
    exit 1 ;;
esac
exec {shutil.which("bwrap")} "$@"
""")
        bwrap.chmod(0o755)
        bwrap.parent.chmod(0o755)
        self.environment["PATH"] = f"{bwrap.parent}:{self.environment['PATH']}"

    def grade(self, text, *more, lab="01", only="rmsnorm_forward.odd"):
        source = self.folder / "submission.c"
        source.write_text(text)
        source.chmod(0o644)
        return subprocess.run([self.program, "grade", lab, "--submission", source, "--format", "json",
                               "--lang", "en", "--only", only, *more],
                              env=self.environment, text=True, capture_output=True,
                              preexec_fn=lambda: become(self.user))

    def verdict(self, text):
        """None if it cannot be had, with what was said instead."""
        run = self.grade(text, *([] if self.walled or self.user == 0 else ["--trust"]))
        return (json.loads(run.stdout), "") if run.stdout else (None, run.stderr)


def attempts():
    return {path.stem: path.read_text() for path in sorted((here / "wall").glob("*/*.c"))}


def is_open(text, grader):
    found = re.search(r"^/\* open: (.*) \*/", text)
    where = "wall" if grader.walled else "root" if grader.user == 0 else "user"
    return found is not None and where in found.group(1).split()


def check_attempts(grader, surroundings):
    words = {**surroundings.words(), "COURSE": grader.program.parent.parent}
    text = (here / "wall" / "frame.c").read_text()
    numbers = [f"#define {word} {value}" for word, value in words.items() if isinstance(value, int)]
    text = text.replace("/* ATTEMPTS */", "\n".join([*numbers, *attempts().values()]))
    text = text.replace("/* TABLE */", ", ".join(f'{{"{name}", {name}}}' for name in attempts()))
    before = memory_segments()
    verdict, said = grader.verdict(filled(text, words))
    if verdict is None:
        return [said]
    problems = []
    isolation = "strong" if grader.walled else "weak"
    if verdict["isolation"] != isolation:
        problems.append(f"isolation {verdict['isolation']} instead of {isolation}")
    detail = (verdict["cases"][0]["detail"] if verdict["cases"] else None) or str(verdict["compiler"])
    if f"\n{len(attempts())} attempts" not in detail:
        problems.append(f"not all attempts were made: {detail[:1000]}")
        return problems
    for name, text in attempts().items():
        if (f"\n{name} got through" in detail) != is_open(text, grader):
            problems.append(f"{name}: {'stopped' if is_open(text, grader) else 'got through'}")
    left = memory_segments() - before
    for segment in left:
        libc.shmctl(int(segment), IPC_RMID, None)
    if grader.walled and left:
        problems.append(f"shared memory is left: {left}")
    return problems


def check_compiler(grader, surroundings):
    """What the compiler is told to read lies behind the wall, too."""
    problems = []
    for text in (f'#include "{surroundings.secret}"\n',
                 f'__asm__(".incbin \\"{surroundings.secret}\\"");\n'):
        verdict, said = grader.verdict(text)
        code = verdict["cases"][0]["code"] if verdict else said
        wanted = "does_not_compile" if grader.walled else "function_missing"
        if code != wanted:
            problems.append(f"{code} instead of {wanted}: {text}")
    return problems


def check_ranks(grader):
    """Each rank has a network of its own; they share one only where no cables can be made."""
    text = (here / "wall" / "ranks.c").read_text()
    problems = []
    # What is refused before each: nothing, cables, and then a wall around walls, which has one in its words.
    cables = (("", None), (" hears", "CAP_NET_ADMIN"), (" sees hears", "bwrap"))
    for wanted, refused in cables if LONG or grader.user == 0 else cables[:1]:
        if refused is not None:
            grader.refuse(refused)
        run = grader.grade(text, lab="02", only="exchange.p2_kib")
        case = json.loads(run.stdout)["cases"][0] if run.stdout else {"status": run.stderr}
        if wanted == "" and case["status"] != "passed":
            problems.append(f"ranks with cables: {case}")
        said = [line.split(": ", 1)[-1] for line in (case.get("detail") or "").split("\n")]  # each rank's
        if wanted != "" and wanted not in said:
            problems.append(f"ranks without cables: no `{wanted}` in {case}")
        compared = json.loads(run.stdout)["bytes_compared"] if run.stdout else None
        if compared != (refused != "bwrap"):
            problems.append(f"without {refused}: bytes_compared is {compared}")
    return problems


def check_refusals(grader):
    """Where there is no wall, what somebody else wrote is not run as if there were one."""
    problems = []
    for more in (["--require-sandbox"], *([[]] if grader.user != 0 else [])):
        run = grader.grade("int x;\n", *more)
        if run.returncode != 3 or "Nothing was graded" not in run.stdout + run.stderr:
            problems.append(f"{more}: exit status {run.returncode}: {run.stdout}{run.stderr}")
    return problems


def installed(scratch):
    """A copy that every user may read."""
    prefix = pathlib.Path(scratch, "installed")
    subprocess.run(["cmake", "--install", place, "--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)
    prefix.chmod(0o755)
    return prefix / "bin" / "vialata"


def works():
    """Does bubblewrap work on this machine? Some containers forbid what it needs."""
    found = subprocess.run([place / "bin" / "vialata", "doctor", "--json", "--lang", "en"],
                           text=True, capture_output=True).stdout
    return next(c["found"] for c in json.loads(found)["checks"] if c["id"] == "sandbox")


def main():
    failures = 0
    settings = (True, False) if works() else (False,)
    if len(settings) == 1:
        print("skipped: bubblewrap does not work on this machine, so only its lack is tested")
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        program = installed(scratch)
        for user in ([0, USER] if os.getuid() == 0 else [os.getuid()]):
            for walled in settings:
                grader = Grader(scratch, program, user, walled)
                surroundings = Surroundings(grader.folder, user)
                try:
                    problems = check_attempts(grader, surroundings)
                    problems += check_compiler(grader, surroundings)
                    problems += check_ranks(grader) if walled else check_refusals(grader)
                finally:
                    surroundings.close()
                failures += bool(problems)
                print(f"{'FAILED' if problems else 'ok':7}{grader.name}", *problems, sep="\n    ")
                gaps = [name for name, text in attempts().items() if is_open(text, grader)]
                if walled and gaps:
                    print(f"{'OPEN':7}behind the wall: {', '.join(gaps)}")
    print(f"{len(attempts())} attempts")
    sys.exit(1 if failures else 0)


main()
