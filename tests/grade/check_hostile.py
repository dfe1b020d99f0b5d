"""Whatever a submission does, grading ends, says what happened, and leaves nothing behind.

hostile/FAMILY/NAME.c is an attempt. Its first lines say what must come out:
  code:      of its first case that earned none of its points (one of those listed); 'full' if none
  says:      words that the message must contain
  compiler:  words that the compiler's part of the verdict must contain
  only:      the lab and what is graded of it, if not `01 rmsnorm_forward.odd`; a lab alone is all of it
  beside:    a file of a reference (05_recompute/slots.c), and functions in it: the attempt defines these
             beside its other functions; the reference's own have other names (right_vl_...)
  of:        functions or cases: nothing else is looked at
  options:   what more `grade` is given; SECRET is a file with a secret
An attempt that is one function of its own name shares a grading with others: hostile/frame.c calls
it where a lab's function is expected. One without the function that is graded is there for the
compiler alone: it shares a grading as one file of several.
  earns:     `nothing`: the whole grading, whatever the codes are
  labs:      `all`: one function in the place of every function of a lab, lab after lab; it earns nothing
  functions: only in the place of the one whose name begins so

hostile/open/, if it is there, has what earns points today that it does not deserve. What is there is told, and only
an attempt that earns nothing any more fails: then it belongs in a family.

  check_hostile.py [NAME ...]    the attempts, or those of these families and names; with VIALATA_LONG=1
                                 all of them
"""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from busy import busy
from share import share

here = pathlib.Path(__file__).resolve().parent
hostile = here / "hostile"
root = pathlib.Path(os.environ["VIALATA_ROOT"])
place = pathlib.Path(os.environ["VIALATA_PLACE"])
program = place / "bin" / "vialata"
EACH = 22  # of what needs a grading of its own (attempts, labs, names), one in so many, without VIALATA_LONG
MOST_SECONDS = 90  # for one grading, on a quiet machine
STRANGER = 54321  # a user who neither grades nor is root
failures = attempts = 0
begun = time.monotonic()
graders = []  # all so far
at_once = False  # then a process's user does not tell whose it is: users follow from process ids

# Functions whose first case is `unwritten` for a call that does nothing, so that no cause is sought.
SLOTS = ("rmsnorm_forward.odd", "swiglu_forward.odd", "cross_entropy_forward.odd",
         "attention_forward.odd", "linear_backward_input.odd", "swiglu_backward_input.odd",
         "cross_entropy_backward_input.odd", "rmsnorm_backward_input.odd",
         "attention_backward_input.odd", "gradient_norm.odd", "parameter_count.small",
         "flops_per_token.small")

# A function that is expected in each file of lab 01.
FILES = {"forward.c": "rmsnorm_forward.odd", "backward.c": "linear_backward_input.odd",
         "step.c": "gradient_norm.odd", "budget.c": "mfu.plain"}


def users(grader):
    """The user ids that vialata, as root, picks for its jobs: they follow from its process id."""
    return {first + (4 * grader + i) % span for i in range(16)
            for first, span in ((0x78000000, 1 << 24), (20000, 40000))}


def processes():
    """All that exist, zombies included: process id to /proc/PID/status."""
    found = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            found[int(status.parent.name)] = status.read_text()
        except OSError:
            pass  # it has ended meanwhile
    return found


def field(status, label):
    return re.search(rf"^{label}:\t(\S+)", status, re.M).group(1)


def is_of_another(graders, everything, pid):
    """Does another grading, which goes on, have this process?"""
    while pid in everything:
        if field(everything[pid], "Name") == "vialata" and pid not in graders:
            return True
        pid = int(field(everything[pid], "PPid"))
    return False


def left_by(graders, scratch):
    """Processes that these gradings started and that still exist."""
    everything, mine = processes(), set().union(*(users(grader) for grader in graders))
    found = set()
    for pid, status in everything.items():
        try:
            environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            environment = b""
        by_user = int(field(status, "Uid")) in mine and not is_of_another(graders, everything, pid)
        if by_user or f"TMPDIR={scratch}/".encode() in environment:
            found.add((pid, field(status, "Name")))
    return found


def grade(submission, scratch, lab="01", only="rmsnorm_forward.odd", *more):
    command = [program, "grade", lab, "--submission", submission, "--format", "json",
               "--lang", "en", *(["--only", only] if only else []), *more]
    environment = dict(os.environ, TMPDIR=scratch)
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def check_clean(graders, scratch):
    left = left_by(graders, scratch)
    problems = []
    if left:
        problems.append(f"processes are left: {sorted(left)}")
    if os.listdir(scratch):
        problems.append(f"files are left: {os.listdir(scratch)}")
    return problems


def report(name, problems, seconds, good="ok"):
    """Runs in several threads: one call of print for each attempt. A log has what failed alone."""
    global failures, attempts
    failures += bool(problems)
    attempts += 1
    if not problems and good == "ok" and not sys.stdout.isatty():
        return
    lines = [f"{'FAILED' if problems else good:7}{name} ({seconds:.1f} s)", *problems]
    print("\n    ".join(lines)[:4000] + "\n", end="", flush=True)


# ---- one verdict ----

def end_of(run):
    """What it printed; None if it had to be ended. A busy machine has more time, as the grader's own limits do."""
    begin = time.monotonic()
    while time.monotonic() - begin < MOST_SECONDS * busy():
        try:
            return run.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            pass
    run.kill()
    run.communicate()
    return None


def verdict_of(source, scratch, *more):
    """The verdict on a file, and what is wrong with the end of the grading."""
    mine = tempfile.mkdtemp(dir=scratch)
    os.chmod(mine, 0o755)
    run = grade(source, mine, *more)
    ended = end_of(run)
    if ended is None:
        shutil.rmtree(mine)
        return None, ["grading did not end"]
    out, err = ended
    problems = check_clean([] if at_once else [run.pid], mine)
    graders.append(run.pid)
    shutil.rmtree(mine)
    if run.returncode not in (0, 1):
        problems.append(f"exit status {run.returncode}: {err.strip()}")
    if re.search(r"root:[^ :]*:", out):
        problems.append("a file of others came out with the verdict")
    return (json.loads(out) if run.returncode in (0, 1) else None), problems


def wanted(header, part):
    found = re.search(rf"^/\* {part}: (.*) \*/", header, re.M)
    return found.group(1) if found else None


def cases_of(verdict, header):
    """Those that an attempt is about."""
    of = wanted(header, "of")
    return [case for case in verdict["cases"]
            if of is None or {case["id"], case["function"]} & set(of.split())]


def check_cases(verdict, header, only=None):
    """The first case that earned nothing, of all or of that id, is the one the header speaks of."""
    empty = [case for case in cases_of(verdict, header)
             if case["points"] == 0 and only in (None, case["id"])]
    code = empty[0]["code"] if empty else "full"
    words = (empty[0]["message"] or "") if empty else ""
    problems = []
    if code not in wanted(header, "code").split():
        problems.append(f"code {code} instead of {wanted(header, 'code')}: {words} "
                        f"{(verdict['compiler'] or '')[:500]}")
    if (wanted(header, "says") or "") not in words:
        problems.append(f"says: no `{wanted(header, 'says')}` in: {words}")
    return problems


# ---- attempts ----

def whole(text, name):
    """With what attempts share in it."""
    def shared(found):
        line = text.count("\n", 0, found.end()) + 1
        other = whole((hostile / found.group(1)).read_text(), found.group(1))
        return f'{other}#line {line} "{name}"\n'
    return re.sub(r'^#include "(?:\.\./)?(\w+\.h)"\n', shared, text, flags=re.M)


def written(source, folder):
    path = pathlib.Path(folder, source.name)
    text = whole(source.read_text(), source.name)
    if wanted(text, "beside"):
        return written_beside(text, path.with_suffix(""))
    path.write_text(text)
    return path


def written_beside(text, folder):
    """A folder with the reference, in which these functions are the attempt's."""
    place, *functions = wanted(text, "beside").split()
    lab, file = place.split("/")
    shutil.copytree(root / "solutions" / lab, folder)
    others = [f"#define {name} right_{name}" for name in functions]
    own = [f"#undef {name}" for name in functions]
    right = (folder / file).read_text()
    (folder / file).write_text("\n".join([*others, right, *own, text]))
    return folder


def asked(header):
    """The lab, and what is graded of it."""
    words = (wanted(header, "only") or "01 rmsnorm_forward.odd").split()
    return words if len(words) > 1 else [*words, None]


def secret_in(folder):
    path = pathlib.Path(folder, "secret")
    if not path.exists():
        path.touch(0o600)
        path.write_bytes(bytes(range(32)))
    return str(path)


def is_framed(source):
    return re.search(rf"^static enum vl_status {source.stem}\(void\)", source.read_text(), re.M)


def is_for_the_compiler(source):
    header = source.read_text()
    return not ('#include "../attack.h"' in header or wanted(header, "only") or is_framed(source))


def points_of(verdict, header=""):
    """What is wrong with it, if it earned anything."""
    earned = [f"{case['id']} {case['points']:g}" for case in cases_of(verdict, header)
              if case["points"]]
    broken = {"does_not_compile", "does_not_link"} & {case["code"] for case in verdict["cases"]}
    return ([f"it earned {verdict['score']:g} points: {', '.join(earned)}"] if earned else
            [f"it proves nothing: {broken}: {verdict['compiler']}"] if broken else [])


def check_source(source, scratch, folder):
    header = source.read_text()
    begin = time.monotonic()
    options = (wanted(header, "options") or "").replace("SECRET", secret_in(folder)).split()
    verdict, problems = verdict_of(written(source, folder), scratch, *asked(header), *options)
    if verdict and wanted(header, "earns"):
        problems += points_of(verdict, header)
    elif verdict:
        problems += check_cases(verdict, header)
        if (wanted(header, "compiler") or "") not in (verdict["compiler"] or ""):
            problems.append(f"compiler: no `{wanted(header, 'compiler')}` in: {verdict['compiler']}")
    report(short_name(source), problems, time.monotonic() - begin)


def check_together(cases, sources, verdict, problems, seconds):
    """Attempts that shared a grading: the case with this id tells of each."""
    for case, source in zip(cases, sources):
        found = check_cases(verdict, source.read_text(), case) if verdict else []
        report(short_name(source), problems + found, seconds / len(sources))


def check_compiled(sources, scratch, folder):
    """Each attempt as another file: one grading for all of them."""
    begin = time.monotonic()
    mine = tempfile.mkdtemp(dir=folder)
    for name, source in zip(FILES, sources):
        pathlib.Path(mine, name).write_text(f'#line 1 "{source.name}"\n{source.read_text()}')
    verdict, problems = verdict_of(mine, scratch, "01", None, "--no-speed")
    check_together(FILES.values(), sources, verdict, problems, time.monotonic() - begin)


def check_framed(sources, scratch, folder):
    """Each attempt in the place of another function: one grading for all of them."""
    begin = time.monotonic()
    slots = dict(zip(SLOTS, sources))
    text = whole((hostile / "frame.c").read_text(), "frame.c")
    text = text.replace("/* ATTEMPTS */", "\n".join(s.read_text() for s in sources))
    text = text.replace("/* FUNCTIONS */", "\n".join(
        f"FUNCTION(vl_{case.split('.')[0]}, {source.stem})" for case, source in slots.items()))
    path = pathlib.Path(tempfile.mkdtemp(dir=folder), "framed.c")
    path.write_text(text)
    verdict, problems = verdict_of(path, scratch, "01", None, "--no-speed")
    check_together(slots, sources, verdict, problems, time.monotonic() - begin)


def some_of(things, name=str):
    """What takes long: a share of it, unless it was asked for."""
    chosen = {name(thing) for thing in things} if sys.argv[1:] else share(map(name, things), few=EACH, long=1)
    return [thing for thing in things if name(thing) in chosen]


def short_name(source):
    return f"{source.parent.name}/{source.name}"


def functions_of(lab):
    """What a student writes there."""
    given = {path.name for path in lab.glob("*.c")} - {
        path.name for path in (lab.parent.parent / "solutions" / lab.name).glob("*.c")}
    return re.findall(r"^enum vl_status (vl_\w+)\(", "\n".join(
        path.read_text() for path in sorted(lab.glob("*.c")) if path.name not in given), re.M)


def check_every_function(source, scratch, folder):
    """One function in the place of all of a lab earns nothing in it, lab after lab."""
    header = source.read_text()
    for lab in some_of(sorted((root / "labs").glob("[0-9]*")), lambda lab: f"{source.stem} in {lab.name}"):
        begin = time.monotonic()
        begins = wanted(header, "functions")
        names = [name for name in functions_of(lab) if name.startswith(begins or "")]
        text = ["#include <vialata/status.h>", header]
        for name in names:
            text += [f"enum vl_status {name}(void *first);",
                     f"enum vl_status {name}(void *first) {{ return {source.stem}(first); }}"]
        path = pathlib.Path(tempfile.mkdtemp(dir=folder), source.name)
        path.write_text("\n".join(text))
        verdict, problems = verdict_of(path, scratch, lab.name[:2],
                                       names[0] if begins else None, "--no-speed")
        if verdict:
            problems += points_of(verdict)
            if verdict["status"] != "failed":
                problems.append(f"the verdict is {verdict['status']}")
        report(f"{short_name(source)} in {lab.name}", problems,
               time.monotonic() - begin)


def check_open(source, scratch, folder):
    """It earns something: a known gap."""
    begin = time.monotonic()
    header = source.read_text()
    verdict, problems = verdict_of(written(source, folder), scratch, *asked(header))
    points = sum(case["points"] for case in cases_of(verdict, header)) if verdict else 0
    if points == 0:
        problems.append(f"it earns nothing any more; move it to its family: {verdict}")
    report(f"open/{source.name}: {points:g} points. {wanted(header, 'open')}", problems,
           time.monotonic() - begin, "OPEN")


# ---- names and kinds of submissions ----

NAMES = ("two\nlines.c", "a 'quoted' one.c", 'a "quoted" one.c', "$HOME$(touch owned).c",
         "`touch owned`.c", "; touch owned; #.c", "-o.c", "--version.c", "-wrapper touch,owned.c",
         "@attack.c", "%s%n.c", "..c", " .c", "*.c", "&&.c", "C:\\.c", "caf\u00e9.c", "\x1b[2J.c",
         "fallback.c", "worked.c.o.c", "n" * 240 + ".c")


def check_names(scratch, folder):
    """A right answer in a file of a strange name is a right answer, and nothing else happens."""
    answer = written(hostile / "names" / "answer.c", folder).read_text()
    for name in some_of(NAMES):
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as mine:
            path = pathlib.Path(mine, name)
            path.write_text(answer)
            verdict, problems = verdict_of(path, scratch)
            if verdict and verdict["score"] != verdict["max_score"]:
                problems.append(f"{verdict['compiler']} {verdict['cases']}")
            if verdict and "\x1b" in json.dumps(verdict, ensure_ascii=False):
                problems.append("the verdict steers a terminal")
            if os.listdir(mine) != [name] or pathlib.Path("owned").exists():
                problems.append(f"files have changed: {os.listdir(mine)}")
        report(f"names/{name[:40]!r}", problems, time.monotonic() - begin)


def kinds(mine):
    """What is no submission: its name, and how it is made. Only root can make a link of a stranger's."""
    answer = str(pathlib.Path(mine, "answer.c"))
    link = lambda path: os.symlink(answer, path)
    return {"pipe.c": os.mkfifo, "link.c": link, "dangling.c": lambda path: os.symlink("no", path),
            "itself.c": lambda path: os.symlink(path, path), "folder.c": os.mkdir,
            "socket.c": lambda path: socket.socket(socket.AF_UNIX).bind(path),
            "device.c": lambda path: os.symlink("/dev/zero", path),
            "answer.tar": lambda path: subprocess.run(["tar", "cf", path, "-C", mine, "answer.c"]),
            "answer.zip": lambda path: pathlib.Path(path).write_bytes(b"PK\3\4" + bytes(26)),
            "answer": lambda path: os.link(answer, path),
            "huge.c": lambda path: pathlib.Path(path).write_text(" " * (2 << 20)),
            "sparse.c": lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 1 << 40),
            "linked": lambda path: (os.mkdir(f"{path}.real"),
                                    os.link(answer, f"{path}.real/forward.c"),
                                    os.symlink(f"{path}.real", path)),
            "below": lambda path: (os.mkdir(f"{path}.real"), os.mkdir(f"{path}.real/01"),
                                   os.link(answer, f"{path}.real/01/forward.c"),
                                   os.symlink(f"{path}.real", path), os.lchown(path, *[STRANGER] * 2)),
            "of_links": lambda path: (os.mkdir(path), link(f"{path}/forward.c")),
            "of_pipes": lambda path: (os.mkdir(path), os.mkfifo(f"{path}/forward.c"))}


def check_kinds(scratch, folder):
    """Archives, links, pipes: said in a sentence, and soon."""
    with tempfile.TemporaryDirectory() as mine:
        written(hostile / "names" / "answer.c", mine)
        for name, make in kinds(mine).items():
            if name == "below" and os.getuid() != 0:
                continue
            begin = time.monotonic()
            path = os.path.join(mine, name)
            make(path)
            run = grade(path + {"linked": "/", "below": "//01/"}.get(name, ""), scratch)
            out, err = run.communicate(timeout=30)
            problems = check_clean([run.pid], scratch)
            points = json.loads(out)["score"] if out else 0
            if run.returncode not in (1, 2, 3) or points != 0 or not out + err:
                problems.append(f"exit status {run.returncode}, {points} points: {err}{out}")
            report(f"names/{name}", problems, time.monotonic() - begin)


# ---- interrupted, and two at once ----

def check_interrupt(number, scratch, folder):
    """Ctrl-C while a case hangs: the usual exit status, and nothing is left."""
    begin = time.monotonic()
    run = grade(written(hostile / "processes" / "loop.c", folder), scratch)
    while not left_by([run.pid], scratch) and time.monotonic() < begin + 20:
        time.sleep(0.1)
    time.sleep(1)
    run.send_signal(number)
    run.communicate(timeout=30)
    problems = check_clean([run.pid], scratch)
    if run.returncode not in (-number, 128 + number):
        problems.append(f"exit status {run.returncode} after {number.name}")
    report(number.name, problems, time.monotonic() - begin)


def check_two_at_once(scratch, folder):
    """Two gradings of one user do not kill one another's jobs."""
    begin = time.monotonic()
    sources = [written(hostile / "processes" / "daemons.c", folder),
               written(hostile / "crashing" / "segfault.c", folder)]
    runs = [grade(s, scratch) for s in sources]
    codes = [json.loads(run.communicate(timeout=120)[0])["cases"][0]["code"] for run in runs]
    problems = check_clean([run.pid for run in runs], scratch)
    if codes != ["not_started", "crashed_segfault"]:
        problems.append(f"codes {codes}")
    report("two at once", problems, time.monotonic() - begin)


def groups(sources, size):
    return [sources[i:i + size] for i in range(0, len(sources), size)]


def tasks(sources):
    """What can be done at the same time: a check, and what it is about."""
    everywhere = [source for source in sources if wanted(source.read_text(), "labs")]
    sources = [source for source in sources if source not in everywhere]
    framed = [source for source in sources if is_framed(source)]
    compiled = [source for source in sources if is_for_the_compiler(source)]
    alone = [source for source in sources if source not in framed + compiled]
    return ([(check_every_function, source) for source in everywhere] +
            [(check_source, source) for source in some_of(alone, short_name)] +
            [(check_framed, group) for group in groups(framed, len(SLOTS))] +
            [(check_compiled, group) for group in groups(compiled, len(FILES))])


def main():
    global at_once
    chosen = sys.argv[1:]

    def is_chosen(*names):
        return not chosen or any(name in chosen for name in names)

    sources = [source for source in sorted(hostile.glob("*/*.c"))
               if is_chosen(source.parent.name, source.stem)]
    is_open = [source for source in sources if source.parent.name == "open"]
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as folder:
        os.chmod(scratch, 0o755)
        at_once = True
        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(check, what, scratch, folder) for check, what in
                         tasks([source for source in sources if source not in is_open])]:
                done.result()
        at_once = False
        left = left_by(graders, scratch)
        report("the attempts so far", [f"processes are left: {sorted(left)}"] if left else [], 0)
        for source in is_open:  # some are about speed
            check_open(source, scratch, folder)
        if is_chosen("names"):
            check_names(scratch, folder)
            check_kinds(scratch, folder)
        if not chosen:
            check_interrupt(signal.SIGINT, scratch, folder)
            check_interrupt(signal.SIGTERM, scratch, folder)
            check_two_at_once(scratch, folder)
    print(f"{attempts} attempts in {time.monotonic() - begun:.0f} s, {failures} failed")
    sys.exit(1 if failures else 0)


main()
