"""./vialata asks the build only if something has changed since it asked last: a copy of it, in a tree with a
build that only notes that it was asked."""
import os
import pathlib
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


for what in (check, check_pages):
    with tempfile.TemporaryDirectory() as folder:
        what(Tree(pathlib.Path(folder)))
print("the build is asked when something has changed, and only then")
sys.exit(0)
