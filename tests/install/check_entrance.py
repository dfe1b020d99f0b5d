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
--build) echo asked >>"$NOTES"; [ ! -e "$BROKEN" ] || exit 1; mkdir -p "$2/bin"
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
        self.environment.pop("VIALATA_BUILD", None)
        self.environment.pop("VIALATA_CPU", None)

    def asks(self, status=0):
        """Run it: was the build asked? Times of files have a grain, so let one pass before and after."""
        time.sleep(0.02)
        self.notes.write_text("")
        run = subprocess.run([self.root / "vialata", "list", "twice"], env=self.environment,
                             capture_output=True, text=True)
        assert run.returncode == status, (run.returncode, run.stdout, run.stderr)
        assert status != 0 or run.stdout == "runs list twice\n", run.stdout
        time.sleep(0.02)
        return self.notes.read_text() != ""


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


with tempfile.TemporaryDirectory() as folder:
    check(Tree(pathlib.Path(folder)))
print("the build is asked when something has changed, and only then")
sys.exit(0)
