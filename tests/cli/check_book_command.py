#!/usr/bin/env python3
"""`vialata book` where something is missing: a sentence each time, and never half a book. The build
itself is checked by tests/texts/check_book.py; here CMake is a script."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
import program
from program import PLACE

ROOT = os.environ["VIALATA_ROOT"]

# The build of a book in English and French: whole, refused, or interrupted half-way.
CMAKE = """#!/bin/sh
[ "$1" = --version ] && { echo cmake version 3.25.1; exit; }
book="$2/share/book"
case $CMAKE_MODE in
refused) echo "Theme error:" >&2; exit 1 ;;
half) mkdir -p "$book/fr" && : >"$book/fr/index.html"; exit 130 ;;
esac
case $4 in
epub-*) mkdir -p "$book" && : >"$book/vialata-${4#epub-}.epub"; exit ;;
pdf-*) mkdir -p "$book" && : >"$book/vialata-${4#pdf-}.pdf"; exit ;;
esac
for language in en fr; do
    mkdir -p "$book/$language" && : >"$book/$language/index.html" && : >"$book/$language/.complete"
done
"""
# A search for modules that runs before Python's own, and does not find some of them.
HIDE = """import os, sys
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in os.environ.get("HIDDEN", "").split():
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hide())
"""


class Book(program.Case):
    command = ["book"]

    def setUp(self):
        super().setUp()
        self.place = os.path.join(self.folder, "place")
        self.tools = os.path.join(self.folder, "tools")
        self.write("tools/sitecustomize.py", HIDE)
        self.tool("cmake", CMAKE)
        self.tool("xdg-open", '#!/bin/sh\nprintf %s "$1" >"$HOME/opened"\nexit "$XDG_STATUS"\n')
        with open(os.path.join(PLACE, "buildinfo.json"), encoding="utf-8") as file:
            self.info = json.load(file)
        self.describe(build=self.place, share="share")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def tool(self, name, text):
        os.chmod(self.write(f"tools/{name}", text), 0o755)

    def describe(self, **changes):
        self.info.update(changes)
        self.write("place/buildinfo.json", json.dumps(self.info))

    def book(self, *words, mode="", **more):
        return self.run_it(*words, CMAKE_MODE=mode, **{
            "PATH": f"{self.tools}:/usr/bin:/bin", "VIALATA_PLACE": self.place,
            "PYTHONPATH": self.tools, "XDG_STATUS": "0", **more})

    def page(self, language):
        return os.path.join(self.place, "share", "book", language, "index.html")

    # ---- where it is, and opening it ----

    def test_a_built_book_is_printed_in_the_language_asked_for(self):
        self.assertEqual(self.book()[0], self.page("en") + "\n")
        self.assertEqual(self.book("--lang", "fr")[0], self.page("fr") + "\n")
        self.assertEqual(self.book("--lang", "sk")[0], self.page("en") + "\n")  # none was built
        self.assertFalse(os.path.exists(os.path.join(self.folder, "opened")))

    def test_a_display_has_it_opened(self):
        self.book("--no-open", DISPLAY=":7")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "opened")))
        self.book(WAYLAND_DISPLAY="wayland-0")
        with open(os.path.join(self.folder, "opened"), encoding="utf-8") as file:
            self.assertEqual(file.read(), self.page("en"))
        out, err = self.book(DISPLAY=":7", XDG_STATUS="3")
        self.assertEqual(out, self.page("en") + "\n")
        self.assertIn("open the page above yourself", err)

    def test_an_unknown_language_is_refused_as_everywhere(self):
        out, err = self.book("--lang", "xx", status=2)
        self.assertEqual(out, "")
        self.assertIn("`xx`", err)
        self.assertFalse(os.path.exists(os.path.join(self.place, "share")))

    # ---- as one file ----

    def test_one_file_in_the_language_asked_for(self):
        for form in ("epub", "pdf"):
            path = os.path.join(self.place, "share", "book", f"vialata-fr.{form}")
            self.assertEqual(self.book(f"--{form}", "--lang", "fr")[0], path + "\n")
            self.assertFalse(os.path.exists(self.page("fr")), "the site was not asked for")
            os.remove(path)
            self.assertEqual(self.book(f"--{form}", "--lang", "fr", status=3, mode="refused")[0], "")

    def test_what_makes_one_file_is_named_where_it_is_missing(self):
        for form, tool, package in (("epub", "Node.js", "nodejs"), ("pdf", "Chromium", "chromium")):
            out, err = self.book(f"--{form}", status=3, PATH=self.tools)
            self.assertEqual((out, len(err.splitlines())), ("", 1))
            self.assertIn(f"needs {tool}", err)
            self.assertIn(f"package {package},", err)

    def test_one_form_at_a_time(self):
        self.assertIn("choose one of them", self.book("--epub", "--pdf", status=2)[1])
        self.assertIn("choose one of them", self.book("--serve", "--pdf", status=2)[1])

    # ---- at an address of this computer ----

    def test_it_is_shown_until_it_is_interrupted(self):
        self.book()
        self.write("place/share/book/en/index.html", "<p>the first page</p>")
        run = subprocess.Popen([program.PROGRAM, "book", "--serve"], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=self.folder,
                               env=self.environment(CMAKE_MODE="refused", VIALATA_PLACE=self.place,
                                                    PYTHONPATH=self.tools, PATH=f"{self.tools}:/usr/bin:/bin"))
        address = run.stdout.readline().strip()
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/en/index\.html$")
        with urllib.request.urlopen(address, timeout=20) as page:
            self.assertEqual(page.read(), b"<p>the first page</p>")
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(20), -signal.SIGINT)
        self.assertIn("until you press Ctrl-C", run.communicate()[1])
        with self.assertRaises(urllib.error.URLError):
            urllib.request.urlopen(address, timeout=5)

    def test_a_server_that_cannot_start_is_told(self):
        self.book()
        self.tool("python3", "#!/bin/sh\nexit 1\n")
        out, err = self.book("--serve", status=3)
        self.assertEqual(out, "")
        self.assertIn("open the file that `vialata book` names", err)

    # ---- what is missing ----

    def test_missing_tools_are_named_with_their_packages(self):
        for hidden in ("sphinx", "myst_parser", "furo"):
            out, err = self.book(status=3, mode="refused", HIDDEN=hidden)
            self.assertEqual(out, "")
            said = err.splitlines()[-1]
            self.assertIn(f"this is missing: {hidden}.", said)
            self.assertIn("python3-myst-parser", said)
        self.describe(sphinx_python="/nowhere/python3")
        self.assertIn("missing: sphinx,", self.book(status=3, mode="refused")[1])
        os.remove(os.path.join(self.tools, "cmake"))
        self.assertIn("missing: CMake.", self.book(status=3, PATH=self.tools)[1])

    def test_another_fault_of_the_build_is_not_blamed_on_what_is_there(self):
        _, err = self.book(status=3, mode="refused")
        self.assertIn("Theme error:", err)
        self.assertIn("what stopped it is above", err.splitlines()[-1])

    def test_the_book_built_before_stays_when_a_build_fails(self):
        self.book()
        out, err = self.book(mode="refused")
        self.assertEqual(out, self.page("en") + "\n")
        self.assertIn("as it was built before", err.splitlines()[-1])

    def test_a_folder_that_cannot_be_written_is_named(self):
        closed = os.path.join(self.folder, "closed")
        self.write("closed", "a file, where root too can make nothing\n")
        self.describe(build=closed)
        out, err = self.book(status=3)
        self.assertEqual((out, len(err.splitlines())), ("", 1))
        self.assertIn(closed, err)
        self.assertIn("VIALATA_BUILD", err)
        if os.geteuid() != 0:
            os.remove(closed)
            os.mkdir(closed, stat.S_IRUSR | stat.S_IXUSR)
            self.assertIn(closed, self.book(status=3)[1])

    def test_an_installed_tree_builds_nothing(self):
        del self.info["build"]
        self.describe()
        out, err = self.book(status=3)
        self.assertEqual((out, len(err.splitlines())), ("", 1))
        self.assertIn("installed without the book", err)
        for name in ("index.html", ".complete"):
            self.write(f"place/share/book/en/{name}", "")
        self.assertEqual(self.book(), (self.page("en") + "\n", ""))

    # ---- half a book ----

    def test_half_a_book_is_never_opened(self):
        out, err = self.book("--lang", "fr", status=3, mode="half")
        self.assertTrue(os.path.exists(self.page("fr")))
        self.assertEqual(out, "")
        for name in ("index.html", ".complete"):
            self.write(f"place/share/book/en/{name}", "")
        self.assertEqual(self.book("--lang", "fr", mode="half")[0], self.page("en") + "\n")
        self.assertEqual(self.book("--lang", "fr")[0], self.page("fr") + "\n")

    def test_the_build_moves_a_book_when_it_is_whole(self):
        """The script of the real build: the new book replaces the old one as a whole."""
        new, old = os.path.join(self.folder, "new"), os.path.join(self.folder, "share", "book")
        for text in ("first", "second"):
            self.write(f"new/{text}.html", text)
            subprocess.run(["cmake", f"-DFRESH={new}", f"-DPLACE={old}", "-P",
                            os.path.join(ROOT, "po", "publish.cmake")], check=True)
            self.assertEqual(sorted(os.listdir(old)), [".complete", f"{text}.html"])
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("new")], [])
        with open(os.path.join(ROOT, "po", "pages.cmake"), encoding="utf-8") as file:
            rule = re.search(r"-b html .*?COMMENT \"Book", file.read(), re.DOTALL).group()
        self.assertIn("publish.cmake", rule)
        self.assertNotIn("${PROJECT_SOURCE_DIR} ${share}/book", rule)


if __name__ == "__main__":
    unittest.main(verbosity=2)
