#!/usr/bin/env python3
"""`vialata mpi` runs somebody's program (cases.c), and says why it hangs or what it leaves undone. What is right
runs as under mpirun: its input, its output, its exit status."""
import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import watched
from share import LONG, long, share

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "cases.c"
MPICC = watched.MPICC


def states_of(program):
    """{process: the letter of its state} of all that run it."""
    states = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(folder / "exe") == program:
                states[int(folder.name)] = (folder / "stat").read_text().rsplit(") ", 1)[1][0]
        except OSError:  # it has ended, or belongs to somebody else
            pass
    return states


@unittest.skipIf(MPICC is None, "mpicc is not here")
class Mpi(watched.Case):
    source = "cases.c"

    @classmethod
    def build(cls, name, *flags, source=SOURCE, compiler=MPICC):
        path = os.path.join(cls.built, name)
        subprocess.run([compiler, *flags, "-o", path, source], check=True)
        return path

    def watch(self, case, *words, ranks=3, status=1, program_path=None, flags=(), **environment):
        """The report of one case, as JSON; and what a person reads."""
        report = os.path.join(self.folder, "report.json")
        _, err = self.run_it("-n", str(ranks), "--json", report, *flags, "--", program_path or self.program,
                             case, *words, status=status, **environment)
        with open(report, encoding="utf-8") as file:
            return json.load(file), err

    def found(self, case, code, *, end="standstill", ranks=3, line=True, flags=(), words=(), status=1):
        report, err = self.watch(case, *words, ranks=ranks, flags=flags, status=status)
        self.assertEqual((report["end"], report["finding"]["code"]), (end, code), err)
        if line:
            self.assertIn(f"cases.c:{self.lines[case]}", report["finding"]["message"])
        self.assertIn(report["finding"]["message"].split(",")[0].split(":")[0][:40],
                      " ".join(err.split()))
        return report, err

    # ---- what hangs is ended ----

    def test_a_circle_of_receives_is_ended_and_drawn_up(self):
        report, err = self.found("ring", "hung_cycle")
        self.assertLess(report["seconds"], 10)
        self.assertIsNone(report["status"])
        self.assertEqual(report["finding"]["detail"].count("waits in MPI_Recv"), 3)
        self.assertIn("let somebody send first", " ".join(err.split()))

    def test_at_a_standstill_the_ranks_are_stopped_before_anything_is_told(self):
        """Ranks that wait ask all the time. The program that tells what was found may get no turn then."""
        end, full = os.pipe()
        fcntl.fcntl(full, fcntl.F_SETPIPE_SZ, 4096)
        os.write(full, b"-" * 4096)  # nobody reads it yet: what is told has to wait
        run = subprocess.Popen([watched.program.PROGRAM, "mpi", "-n", "3", "--", self.program, "ring"], stderr=full,
                               cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL)
        os.close(full)
        until, states = time.monotonic() + 30, {}
        while time.monotonic() < until and list(states.values()) != ["T", "T", "T"]:
            time.sleep(0.1)
            states = states_of(self.program)
        with open(end, "rb") as told:
            self.assertIn(b"Nothing could move any more", b" ".join(told.read().split()))
        self.assertEqual(list(states.values()), ["T", "T", "T"])
        self.assertEqual((run.wait(timeout=30), states_of(self.program)), (1, {}))

    def test_a_standstill_is_drawn_and_what_ends_well_is_not(self):
        picture = pathlib.Path(self.folder) / "waits.svg"
        self.watch("ring", flags=["--svg", str(picture)])
        space = "{http://www.w3.org/2000/svg}"
        root = xml.etree.ElementTree.parse(picture).getroot()
        self.assertEqual([len(root.findall(f".//{space}{tag}")) for tag in ("circle", "path", "title")], [3, 6, 1])
        words = [text.text for text in root.iter(space + "text")]
        self.assertEqual(words[:3], ["0", "1", "2"])
        self.assertEqual([w.startswith(f"Rank {r} waits in MPI_Recv (") for r, w in enumerate(words[3:])], 3 * [True])
        picture.unlink()
        self.watch("patient", status=0, flags=["--svg", str(picture)])
        self.assertFalse(picture.exists())
        self.watch("ring", status=3, flags=["--svg", "/proc/nowhere/waits.svg"])

    def test_a_timeline_is_written_however_the_program_ends(self):
        for case, status in (("ring", 1), ("across", 0)):
            trace = pathlib.Path(self.folder) / f"{case}.json"
            self.watch(case, status=status, flags=["--timeline", str(trace)])
            events = json.loads(trace.read_text())["traceEvents"]
            self.assertEqual({e["pid"] for e in events}, {0, 1, 2})
            drawn = subprocess.run([watched.program.PROGRAM, "timeline", trace], env=self.environment(), capture_output=True,
                                   text=True)
            self.assertEqual(drawn.returncode, 0, drawn.stderr)
            self.assertIn("rank 2 compute", drawn.stdout)
        self.assertTrue(any(e["name"].startswith("MPI_") and e.get("dur", 0) >= 0 for e in events))

    def test_a_message_that_nobody_sends_is_told_though_the_others_have_finalized(self):
        report, _ = self.found("short_of_one", "never_sent")
        self.assertIn("MPI_Finalize", report["finding"]["detail"])

    def test_collectives_in_another_order_are_found_after_a_thousand_others(self):
        self.found("order", "collective_order")

    def test_a_rank_that_leaves_a_loop_early_is_named(self):
        report, _ = self.found("straggler", "rank_left")
        self.assertIn("Rank 1 has called MPI_Finalize", report["finding"]["message"])

    def test_calls_of_one_collective_that_do_not_match_are_named_exactly(self):
        report, _ = self.found("forms", "collective_order")
        self.assertIn("MPI_Ibcast (", report["finding"]["message"])
        self.assertIn("MPI_Bcast (", report["finding"]["message"])

    def test_what_does_not_match_on_a_graph_is_found(self):
        report, _ = self.found("circles", "collective_order", ranks=4)
        self.assertIn("MPI_Barrier (", report["finding"]["message"])

    def test_a_root_that_says_the_total_differs_from_the_others(self):
        report, _ = self.watch("total")
        self.assertEqual(report["finding"]["code"], "collective_count")

    # ---- what ends by itself is looked at ----

    def test_what_is_left_undone_is_told_at_the_end(self):
        for case, code, line in (("unreceived", "message_not_received", False),
                                 ("unfinished", "request_not_completed", True),
                                 ("persistent", "request_not_completed", True),
                                 ("leak", "communicator_leaked", True)):
            with self.subTest(case):
                self.found(case, code, end="ended", line=line)

    def test_a_persistent_request_that_is_never_started_is_told(self):
        report, _ = self.found("unstarted", "request_not_completed", end="ended")
        self.assertIn("Rank 1 leaves 2 persistent requests behind, the latest made by MPI_Recv_init",
                      report["finding"]["message"])
        self.assertIn("1 of them was never started.", report["finding"]["message"])

    def test_what_mpi_allows_is_told_and_leaves_the_status_as_it_is(self):
        for case, code, words in (("group_leak", "group_leaked", "Rank 0 leaves 1 group behind, made by MPI_Comm_group"),
                                  ("type_leak", "type_leaked", "Rank 0 leaves 2 datatypes behind, the latest made by "
                                                               "MPI_Type_vector"),
                                  ("operator_leak", "operator_leaked", "made by MPI_Op_create")):
            with self.subTest(case):
                report, err = self.found(case, code, end="ended", words=["3"], status=3)
                self.assertIn(words, report["finding"]["message"])
                self.assertIn("MPI allows that", " ".join(err.split()))
                self.assertNotIn("something is wrong", err)

    def test_all_ranks_that_leave_something_are_named(self):
        for case, status, words in (("leak", 1, "The same is true of ranks 1, 2."),
                                    ("unfinished", 1, "The same is true of ranks 1, 2."),
                                    ("type_leak", 0, "The same is true of rank 2."),
                                    ("operator_leak", 0, "Ranks 1, 2 leave something of this kind, too.")):
            with self.subTest(case):
                message = self.watch(case, status=status)[0]["finding"]["message"]
                self.assertTrue(message.endswith(words), message)

    def test_what_a_library_elsewhere_keeps_is_its_own_affair(self):
        source = os.path.join(self.built, "keeps.c")
        pathlib.Path(source).write_text("""
            #include <mpi.h>
            void keep(void);
            void keep(void) { MPI_Datatype type; MPI_Type_contiguous(2, MPI_INT, &type); }""")
        with tempfile.TemporaryDirectory(prefix="vialata elsewhere ") as elsewhere:
            for folder, code in ((elsewhere, None), (self.built, "type_leaked")):
                library, path = os.path.join(folder, "libkeeps.so"), os.path.join(self.built, "uses")
                subprocess.run([MPICC, "-g", "-shared", "-fPIC", "-o", library, source], check=True)
                subprocess.run([MPICC, "-x", "c", "-o", path, "-", "-x", "none", library], check=True, input=b"""
                    #include <mpi.h>
                    void keep(void);
                    int main(int c, char **v) {
                        MPI_Init(&c, &v);
                        keep();
                        return MPI_Finalize();
                    }""")
                finding = self.watch("", program_path=path, status=0)[0]["finding"]
                self.assertEqual(finding and finding["code"], code)
        self.assertIn("(keeps.c:4)", finding["message"])

    def test_types_that_differ_are_told(self):
        report, _ = self.found("mistaken", "message_type", end="ended")
        self.assertIn("MPI_FLOAT in MPI_Send", report["finding"]["message"])
        report, _ = self.found("mistaken_together", "collective_count", end="ended", line=False)
        self.assertIn("with MPI_FLOAT", report["finding"]["message"])

    def test_buffers_are_looked_at_if_asked_for(self):
        for case, code in (("hasty", "buffer_touched"), ("shared", "receives_overlap")):
            with self.subTest(case):
                self.found(case, code, end="ended", flags=["--strict"])
        self.assertIsNone(self.watch("shared", status=0)[0]["finding"])
        for case in ("good", "patient", "across"):
            self.assertIsNone(self.watch(case, status=0, flags=["--strict"])[0]["finding"])

    def test_what_is_used_in_any_order_or_goes_on_after_an_error_is_right(self):
        for case in ("copies", "merged", "forgiving"):
            with self.subTest(case):
                self.assertIsNone(self.watch(case, status=0)[0]["finding"])

    def test_an_error_that_mpi_finds_is_explained(self):
        self.found("truncated", "message_truncated", end="ended")
        self.found("stranger", "mpi_error", end="ended")
        report, _ = self.found("nobody", "mpi_error", end="ended")
        self.assertIn("to MPI_Comm_size", report["finding"]["message"])
        self.assertIn("the communicator was never made", report["finding"]["message"])

    def test_a_rank_that_exits_without_finalize_is_told(self):
        report, _ = self.found("leaver", "rank_left", end="ended", line=False)
        self.assertIn("MPI_Finalize", report["finding"]["message"])
        self.assertNotIn("A function returns a status", report["finding"]["message"])

    def test_a_rank_that_fails_before_the_others_have_begun_is_told(self):
        late = self.build("late", "-rdynamic", source=HERE / "late.c")
        for case, code in (("mistake", "mpi_error"), ("exit", "rank_left")):
            with self.subTest(case):
                report, err = self.watch(case, program_path=late, ranks=2)
                self.assertEqual(report["finding"]["code"], code, err)
        report, err = self.watch("abort", program_path=late, ranks=2, status=4)
        self.assertIsNone(report["finding"], err)
        self.assertNotIn("nothing was watched", err)

    # ---- what is right is left alone ----

    def test_a_program_has_its_input_its_output_and_its_status(self):
        words = [watched.program.PROGRAM, "mpi", "-n", "2", "--", self.program, "good"]
        for status, more in ((0, []), (7, ["7"])):
            done = subprocess.run([*words, *more], input=b"hello\n", capture_output=True, cwd=self.folder,
                                  env=self.environment(), timeout=100)
            self.assertEqual((done.returncode, done.stdout), (status, b"sum 1, read hello\n"), done.stderr)

    def test_the_ranks_get_the_processors_that_mpirun_gives_them(self):
        words = ["grep", "Cpus_allowed_list", "/proc/self/status"]
        both = [subprocess.run([*starter, "-n", "2", "--", *words], check=True, capture_output=True, cwd=self.folder,
                               env=self.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"),
                               stdin=subprocess.DEVNULL, timeout=100).stdout
                for starter in ([watched.program.PROGRAM, "mpi"], [watched.MPIRUN, "--oversubscribe"])]
        self.assertEqual(*(sorted(output.splitlines()) for output in both))

    def test_ranks_that_wait_for_one_that_computes_are_not_ended(self):
        report, err = self.watch("patient", status=0)
        self.assertIsNone(report["finding"])
        self.assertEqual(err, "")
        self.assertEqual(report["watched"], 3)

    def test_mpirun_that_stays_after_its_ranks_is_ended(self):
        scratch = os.path.join(self.folder, "tmp")
        os.mkdir(scratch)
        report, err = self.watch("stops_mpirun", status=0, TMPDIR=scratch)
        self.assertEqual((report["end"], report["status"], report["finding"]), ("ended", 0, None), err)
        self.assertEqual(os.listdir(scratch), [])  # mpirun could not tidy up
        self.assertLess(report["seconds"], 30)
        report, err = self.watch("stops_mpirun_early", status=1)
        self.assertEqual((report["end"], report["status"]), ("ended", 1), err)
        job = int((pathlib.Path(self.folder) / "job").read_text())
        self.assertEqual([name for name in os.listdir("/dev/shm") if f".{job:x}." in name], [])

    def test_mpirun_that_stays_after_ranks_that_never_began_is_ended(self):
        script = pathlib.Path(self.folder) / "script"
        script.write_text("#!/bin/sh\n[ \"$OMPI_COMM_WORLD_RANK\" != 2 ] || unset LD_PRELOAD\n"
                          f"exec '{self.program}' stops_mpirun_early\n")
        script.chmod(0o755)
        report, err = self.watch("", status=1, program_path=str(script))
        self.assertEqual((report["end"], report["status"], report["watched"]), ("ended", 1, 2), err)

    @long
    def test_what_a_script_does_after_its_ranks_is_waited_for(self):
        script = pathlib.Path(self.folder) / "script"
        script.write_text(f"#!/bin/sh\n'{self.program}' across\nsleep 8\necho later\nexit 3\n")
        script.chmod(0o755)
        report, _ = self.watch("", status=3, program_path=str(script))
        self.assertEqual((report["end"], report["status"]), ("ended", 3))
        self.assertGreater(report["seconds"], 8)

    def test_what_is_right_and_rare_is_left_alone(self):
        for case in share(["asking", "renamed", "parent", "groups", "many", "across", "tidy"], few=2, long=1):
            with self.subTest(case):
                report, err = self.watch(case, status=0)
                self.assertIsNone(report["finding"], err)

    def test_another_library_is_preloaded_as_well(self):
        both = os.path.join(self.built, "loads")
        subprocess.run([MPICC, "-x", "c", "-o", both, "-"], check=True, input=b"""
            #include <mpi.h>
            #include <stdlib.h>
            #include <string.h>
            int main(int c, char **v) {
                MPI_Init(&c, &v);
                MPI_Finalize();
                return strstr(getenv("LD_PRELOAD"), ":libm.so.6") != NULL ? 0 : 9;
            }""")
        self.run_it("-n", "1", "--", both, status=0, LD_PRELOAD="libm.so.6")

    def test_a_program_that_gives_up_says_why_itself(self):
        report, _ = self.watch("abort_all", status=6)
        self.assertIsNone(report["finding"])

    def test_many_ranks_and_one(self):
        for ranks in (1, 8, 32) if LONG else (1, 8):
            report, err = self.watch("across" if ranks > 1 else "unknown", ranks=ranks, status=0)
            self.assertEqual((report["finding"], report["watched"]), (None, ranks), err)

    def test_a_circle_of_as_many_ranks_as_can_be_watched_is_ended(self):
        report, err = self.found("ring", "hung_cycle", ranks=32)
        self.assertEqual(report["finding"]["detail"].count("waits in MPI_Recv"), 32, err)

    # ---- what is not watched runs as ever, and is named ----

    def test_ranks_that_wait_for_a_program_that_they_started_are_not_ended(self):
        report, err = self.watch("spawning", status=0)
        self.assertEqual((report["end"], report["finding"], report["unwatched"]), ("ended", None, ["spawn"]), err)
        self.assertEqual(err, "")

    def test_a_report_names_what_was_not_watched(self):
        report, err = self.found("filing", "communicator_leaked", end="ended")
        self.assertEqual(report["unwatched"], ["files"])
        self.assertEqual(err.count("is not watched: files (MPI_File_open)."), 1, err)
        self.assertEqual(self.watch("leak")[0]["unwatched"], [])

    def test_threads_that_call_mpi_at_once_are_right_and_not_watched(self):
        for flags in ([], ["--strict"], ["--timeline", os.path.join(self.folder, "trace.json")]):
            with self.subTest(flags):
                report, err = self.watch("talking", status=0, flags=flags)
                self.assertEqual((report["finding"], report["unwatched"]), (None, ["threads"]), err)
                self.assertEqual(err.count("Once a second thread"), 1, err)

    def test_ranks_that_a_thread_may_help_yet_are_not_ended(self):
        report, err = self.watch("helped", status=0)
        self.assertEqual((report["end"], report["finding"], report["unwatched"]), ("ended", None, ["threads"]), err)

    # ---- somebody stops it ----

    def test_ctrl_c_says_where_the_ranks_were_and_leaves_nobody_behind(self):
        scratch = os.path.join(self.folder, "tmp")
        os.mkdir(scratch)
        run = subprocess.Popen([watched.program.PROGRAM, "mpi", "-n", "3", "--", self.program, "endless"],
                               cwd=self.folder, env=self.environment(TMPDIR=scratch),
                               stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True)
        time.sleep(5)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does: mpirun gets it, too
        err = " ".join(run.communicate(timeout=60)[1].decode().split())
        self.assertEqual(run.returncode, -signal.SIGINT)
        self.assertIn("while it was still running", err)
        self.assertIn("Rank 0 is not inside an MPI call", err)
        self.assertIn(f"Rank 1 waits in MPI_Barrier (cases.c:{self.lines['endless']})", err)
        left = subprocess.run(["pgrep", "-f", self.program], stdout=subprocess.PIPE).stdout
        self.assertEqual(left, b"")
        self.assertEqual([name for name in os.listdir(scratch) if name.startswith("vialata")], [])

    def test_a_hang_with_threads_that_may_help_is_told_when_somebody_stops_it(self):
        report = os.path.join(self.folder, "report.json")
        run = subprocess.Popen([watched.program.PROGRAM, "mpi", "-n", "2", "--json", report, "--", self.program, "helpless"],
                               cwd=self.folder, env=self.environment(), stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL)
        time.sleep(7)
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGTERM)
        err = " ".join(run.communicate(timeout=60)[1].decode().split())
        self.assertIn(f"Rank 1 waits in MPI_Recv (cases.c:{self.lines['helpless']})", err)
        self.assertIn("threads that might still call MPI", err)
        with open(report, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["unwatched"], ["threads"])

    # ---- what cannot be watched ----

    def test_a_line_is_looked_for_once_however_many_ranks_are_there(self):
        places, asked = pathlib.Path(self.folder) / "bin", pathlib.Path(self.folder) / "asked"
        places.mkdir()
        tool = places / "addr2line"
        tool.write_text(f'#!/bin/sh\necho "$*" >> "{asked}"\nexec {shutil.which("addr2line")} "$@"\n')
        tool.chmod(0o755)
        self.run_it("-n", "3", "--", self.program, "ring", status=1, PATH=f"{places}:{os.environ['PATH']}")
        self.assertEqual(len(asked.read_text().splitlines()), 1, asked.read_text())

    def test_without_debug_information_the_file_is_named(self):
        bare = self.build("bare", "-s")
        report, err = self.watch("ring", program_path=bare)
        self.assertIn("MPI_Recv (bare)", report["finding"]["message"])
        self.assertIn("-g", err)

    def test_another_program_runs_unwatched(self):
        plain = os.path.join(self.built, "plain")
        subprocess.run(["cc", "-x", "c", "-o", plain, "-"], input=b"int main(void) { return 3; }", check=True)
        report, err = self.watch("", program_path=plain, status=3)
        self.assertEqual(report["watched"], 0)
        self.assertIn("nothing was watched", err)

    def test_what_cannot_be_watched_is_refused_before_it_starts(self):
        static = os.path.join(self.built, "static")
        subprocess.run(["cc", "-static", "-x", "c", "-o", static, "-"], input=b"int main(void) { return 0; }",
                       check=True)
        self.assertIn("linked statically", self.refused("-n", "2", "--", static))
        self.assertIn("was not found", self.refused("--", "no_such_program"))
        self.assertIn("from 1 to 32", self.refused("-n", "33", "--", self.program))
        self.assertIn("needs more arguments", self.refused("-n", "2"))
        self.assertIn("`mpirun` or `srun`", self.refused("--launcher", "ssh", "--", self.program))
        self.assertIn("`srun`", self.refused("--launcher", "srun", "--", self.program, status=3, PATH=self.built))
        self.assertIn("cannot be written", self.run_it(
            "--json", "/proc/nowhere/report", "--", self.program, status=3)[1])

    def test_what_watching_costs_can_be_measured(self):
        told = subprocess.run([watched.program.PROGRAM, "bench", "mpi", "--json"], check=True, capture_output=True,
                              stdin=subprocess.DEVNULL, env=self.environment(), timeout=300).stdout
        rows = {row["names"]: row for row in json.loads(told)["mpi"]}
        self.assertIn("MPI_Isend, MPI_Irecv, MPI_Waitall", rows)
        for row in rows.values():
            self.assertGreater(row["plain_us"], 0)
            self.assertAlmostEqual(row["more_us_per_call"] * row["calls"], row["watched_us"] - row["plain_us"])


if __name__ == "__main__":
    unittest.main()
