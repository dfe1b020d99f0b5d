"""./vialata asks the build only if something has changed since it asked last, and a person before it uses sudo: a
copy of it, in a tree with a build, and a sudo, that only note that they were called."""
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(os.environ["VIALATA_ROOT"])

CMAKE = """#!/bin/sh
case $1 in
--build) echo "$*" >>"$NOTES"; [ ! -e "$BROKEN" ] || exit 1; mkdir -p "$2/bin"
    printf '#!/bin/sh\\necho "runs $*"\\n' >"$2/bin/vialata"; chmod +x "$2/bin/vialata" ;;
esac
"""


class Tree:
    def __init__(self, folder):
        self.root = folder / "tree"
        self.notes, self.broken = folder / "notes", folder / "broken"
        tools = folder / "tools"
        for made in (self.root / "src", self.root / ".git", tools):
            made.mkdir(parents=True)
        shutil.copy(root / "vialata", self.root)
        (self.root / "src" / "main.c").touch()
        (tools / "cmake").write_text(CMAKE)
        (tools / "cmake").chmod(0o755)
        self.environment = {**os.environ, "NOTES": str(self.notes), "BROKEN": str(self.broken),
                            "PATH": f"{tools}:{os.environ['PATH']}"}
        for name in ("VIALATA_BUILD", "VIALATA_CPU", "LANGUAGE", "LC_ALL", "LC_MESSAGES"):
            self.environment.pop(name, None)
        self.environment["LANG"] = "C.UTF-8"

    def asks(self, *words, status=0):
        """Run it: what was the build asked? Times of files have a grain, so let one pass before and after."""
        words = words or ("list", "twice")
        time.sleep(0.02)
        self.notes.write_text("")
        run = subprocess.run([self.root / "vialata", *words], env=self.environment,
                             capture_output=True, text=True)
        assert run.returncode == status, (run.returncode, run.stdout, run.stderr)
        assert status != 0 or run.stdout == f"runs {' '.join(words)}\n", run.stdout
        time.sleep(0.02)
        return self.notes.read_text().split()[3:]  # --build FOLDER --target


def check(tree):
    source = tree.root / "src" / "main.c"
    assert tree.asks(), "the first time"
    assert not tree.asks(), "nothing has changed"
    for change in (lambda: source.write_text("int main(void) {}"),
                   lambda: (tree.root / "src" / "more.c").touch(),
                   lambda: (tree.root / "src" / "more.c").unlink(),
                   lambda: (tree.root / ".git" / "index").touch(),
                   lambda: (tree.root / "build" / "release" / "bin" / "vialata").unlink()):
        change()
        assert tree.asks(), "after a change"
        assert not tree.asks(), "after it was built"
    source.touch()
    tree.broken.touch()
    assert tree.asks(status=4), "a build that fails"
    assert tree.asks(status=4), "it still fails"
    tree.broken.unlink()
    assert tree.asks(), "it is mended"
    (tree.root / "work").mkdir()
    tree.asks()
    (tree.root / "work" / "mine.c").touch()
    assert not tree.asks(), "what a student writes is none of the program"


def check_pages(tree):
    """The course's pages are built for those who read them, in their language."""
    assert tree.asks() == ["program"], "no pages in a course without docs"
    assert tree.asks("explain", "01") == [], "nor later"
    (tree.root / "docs").mkdir()
    assert tree.asks() == ["program"], "for other commands"
    for words, pages in ((("explain", "01"), "pages-en"), (("hint", "01", "--lang", "sk"), "pages-sk"),
                         (("--lang", "pt", "doctor"), "pages-pt_BR"), (("--lang=fr", "explain", "02"), "pages-fr"),
                         (("explain", "02", "--lang", "es"), "pages-es")):
        assert tree.asks(*words) == ["program", pages], words
        assert tree.asks(*words) == [], f"{words} again"


def answers(tree, words, answer, language):
    """On a terminal, as somebody who is not root and lacks packages: what is said, and whether sudo was called."""
    tree.notes.write_text("")
    environment = {**tree.environment, "LANGUAGE": language}
    leader, follower = pty.openpty()
    run = subprocess.Popen([tree.root / "vialata", *words], env=environment, stdin=follower, stdout=follower,
                           stderr=follower)
    os.close(follower)
    os.write(leader, answer.encode())
    said = b""
    while True:
        try:
            said += os.read(leader, 4096)
        except OSError:  # nobody holds the other end any more
            break
    os.close(leader)
    assert run.wait() == 3, said
    return said.decode(), tree.notes.read_text()


def check_sudo(tree):
    """Nobody's password is asked for before they have agreed."""
    tools = tree.notes.parent / "tools"
    for name, does in (("id", "echo 1000"), ("pkg-config", "exit 1"), ("apt-get", "exit 0"),
                       ("sudo", 'echo "$*" >>"$NOTES"; exit 1')):
        (tools / name).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name).chmod(0o755)
    for language, question, yes in (("en", "with sudo? [y/N]", "y"), ("fr", "avec sudo\u202f? [o/N]", "o"),
                                    ("pt", "com sudo? [s/N]", "s"), ("es", "con sudo? [s/N]", "s"),
                                    ("sk", "cez sudo? [a/N]", "a"), ("sk", "cez sudo? [a/N]", "Y")):
        said, called = answers(tree, ["list"], f"{yes}\n", language)
        assert question in said and "apt-get update" in called, (language, said, called)
    for answer in ("n\n", "\n", "\x04"):
        said, called = answers(tree, ["list"], answer, "en")
        assert not called and "Nothing was installed. " in said, (said, called)
        assert "apt-get install" in said and "libopenmpi-dev" in said, said
    run = subprocess.run([tree.root / "vialata", "list"], env=tree.environment, stdin=subprocess.DEVNULL,
                         capture_output=True, text=True)
    assert run.returncode == 3 and "sudo?" not in run.stderr, "a script is not asked"
    assert "apt-get update" in tree.notes.read_text()


for what in (check, check_pages, check_sudo):
    with tempfile.TemporaryDirectory() as folder:
        what(Tree(pathlib.Path(folder)))
print("the build is asked when something has changed, and only then; and sudo after a yes")
sys.exit(0)
