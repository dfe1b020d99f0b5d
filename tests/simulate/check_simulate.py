#!/usr/bin/env python3
"""A simulated step: the trainer's losses with real kernels, the closed forms of messages and rings,
the same digits twice, and words for what cannot be simulated. Skipped where there is no SimGrid."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT, PLACE = Path(os.environ["VIALATA_ROOT"]), Path(os.environ["VIALATA_PLACE"])
INFO = json.loads((PLACE / "buildinfo.json").read_text())
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import program
from share import LONG, long

if not INFO["smpimain"]:
    print("SimGrid is not installed, so nothing is simulated here: skipped")
    sys.exit(77)

ALPHA, BANDWIDTH = 3e-6, 450e9
OUTER_ALPHA, OUTER_BANDWIDTH = 1e-5, 50e9
SETTINGS = ["--cfg=network/model:CM02", "--cfg=network/bandwidth-factor:1",
            "--cfg=network/latency-factor:1", "--cfg=network/weight-S:0",
            "--cfg=network/TCP-gamma:0", "--cfg=network/crosstraffic:0",
            "--cfg=smpi/simulate-computation:no", "--cfg=smpi/test:0", "--cfg=smpi/wtime:0",
            "--cfg=smpi/send-is-detached-thresh:0", "--cfg=smpi/privatization:dlopen",
            "--log=root.thres:critical"]


def inside(program_, chips, domain, torus, *words):
    """What a program of the tests prints inside SimGrid, on such a machine: numbers."""
    with tempfile.TemporaryDirectory() as folder:
        platform, hosts = Path(folder) / "platform.xml", Path(folder) / "hosts"
        platform.write_bytes(subprocess.check_output(
            [PLACE / "tests" / "write_platform", *map(str, (chips, domain, torus, ALPHA, BANDWIDTH,
                                                           OUTER_ALPHA, OUTER_BANDWIDTH))]))
        hosts.write_text("".join(f"c{i}\n" for i in range(chips)))
        told = subprocess.check_output(
            [INFO["smpimain"], PLACE / "tests" / program_, *SETTINGS, f"--cfg=smpi/np:{chips}",
             f"--cfg=smpi/hostfile:{hosts}", platform, *map(str, words)], timeout=200).split()
    assert int(told[-1]) == 1, "the ring did not add"
    return list(map(float, told[:-1]))


def roads(chips, domain, torus, message, elements):
    """Seconds of one message and of a ring on such a machine."""
    return inside("smpi_roads", chips, domain, torus, message, elements)


class Near(unittest.TestCase):
    def near(self, got, wanted):
        self.assertLess(abs(got / wanted - 1), 0.02, (got, wanted))


class Roads(Near):
    def test_a_message_and_a_ring_inside_a_domain_are_those_of_the_closed_form(self):
        n = 4_000_000
        one, ring = roads(8, 8, 0, 10_000_000, n)
        self.near(one, ALPHA + 1e7 / BANDWIDTH)
        self.near(ring, 14 * (ALPHA + 4 * n / 8 / BANDWIDTH))

    def test_between_domains_the_outer_link_decides(self):
        n = 1_000_000
        one, ring = roads(8, 1, 0, 10_000_000, n)
        self.near(one, OUTER_ALPHA + 1e7 / OUTER_BANDWIDTH)
        self.near(ring, 14 * (OUTER_ALPHA + 4 * n / 8 / OUTER_BANDWIDTH))

    def test_a_neighbour_in_a_torus_is_one_link_of_half_the_axis_away(self):
        one, _ = roads(8, 8, 3, 10_000_000, 8)
        self.near(one, ALPHA + 1e7 / (BANDWIDTH / 2))


class Flights(Near):
    def test_a_transfer_goes_on_while_its_rank_computes(self):
        n = 1_000_000
        alone, hidden, half, polled, both, message = inside("smpi_flights", 5, 8, 0, n)
        ring = 8 * (ALPHA + 4 * n / 5 / BANDWIDTH)
        self.near(alone, ring)
        self.near(hidden, 2 * ring)
        self.near(half, ring)
        self.near(polled, ring)
        self.near(both, 8 * (ALPHA + 2 * 4 * n / 5 / BANDWIDTH))
        self.near(message, ALPHA + 4 * n / BANDWIDTH)


class Simulate(program.Case):
    command = ["simulate"]

    def losses(self, lines):
        steps = [json.loads(line) for line in lines if line.startswith('{"step"')]
        return [(s["loss"], s["gradient_norm"]) for s in steps]

    def real(self, options):
        out = subprocess.run([program.PROGRAM, "simulate", "--real", options], cwd=self.folder,
                             env=self.environment(), stdout=subprocess.PIPE, timeout=300, check=True)
        log = os.path.join(self.folder, "log.jsonl")
        subprocess.run([program.PROGRAM, "train", *options.split(), "--log", log], cwd=self.folder,
                       env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=300, check=True)
        simulated = self.losses(out.stdout.decode().splitlines())
        trained = self.losses(Path(log).read_text().splitlines())
        self.assertEqual(len(trained), 2)
        self.assertEqual(simulated, trained)

    def test_real_kernels_give_the_losses_of_the_trainer_bit_for_bit_on_8_ranks(self):
        self.real("--dp 8 --zero 3 --batch 8 --steps 2")
        self.real("--dp 2 --tp 2 --pp 2 --batch 8 --micro-batches 2 --steps 2")

    def simulated(self, *words):
        out = subprocess.check_output([program.PROGRAM, "simulate", "--json", *words],
                                      cwd=self.folder, env=self.environment(), timeout=300)
        return out, json.loads(out)

    def test_twice_the_same_digits_and_a_pipeline_waits(self):
        words = ["--chips", "16", "--layout", "dp=16,zero=3"]
        self.assertEqual(self.simulated(*words)[0], self.simulated(*words)[0])
        words = ["--chips", "16", "--layout", "dp=4,pp=4,m=4,zero=1"]
        once, told = self.simulated(*words)
        again, _ = self.simulated(*words)
        self.assertEqual(once, again)
        self.assertEqual(told["chips"], 16)
        self.assertEqual(len(told["idle"]["stages"]), 4)
        self.assertGreater(told["seconds"], 0)
        self.assertTrue(0 < told["idle"]["least"] <= told["idle"]["mean"] <= told["idle"]["most"] < 1)

    def test_flat_data_parallelism_sends_what_the_ring_sends(self):
        _, told = self.simulated("--chips", "8", "--layout", "dp=8,zero=0,m=1", "--scale", "1")
        parameters = 2 * 256 * 256 + 256 + 8 * (4 * 256 * 256 + 3 * 704 * 256 + 2 * 256)
        ring = 2 * 7 / 8 * 4 * parameters
        self.assertLess(abs(told["sent_by_a_chip"]["inner"]["mean_bytes"] / ring - 1), 1e-3)
        self.assertEqual(told["sent_by_a_chip"]["outer"]["most_bytes"], 0)

    def test_two_levels_send_between_domains_only_what_they_must(self):
        words = ["--chips", "32", "--batch", "32", "--layout", "dp=32,zero=0,m=1", "--scale", "1"]
        _, told = self.simulated(*words, "--two-level")
        parameters = 2 * 256 * 256 + 256 + 8 * (4 * 256 * 256 + 3 * 704 * 256 + 2 * 256)
        # 8 replicas on a node, 4 nodes: each chip carries an eighth around a ring of four.
        across = 2 * 3 / 4 * 4 * parameters / 8
        self.assertTrue(told["two_level"])
        self.assertLess(abs(told["sent_by_a_chip"]["outer"]["mean_bytes"] / across - 1), 1e-3)
        _, ring = self.simulated(*words)
        self.assertLess(8 * told["sent_by_a_chip"]["outer"]["most_bytes"],
                        ring["sent_by_a_chip"]["outer"]["most_bytes"])

    def experts(self, **sizes):
        """A file of the small model with experts in every layer, and other sizes."""
        model = json.loads((ROOT / "labs/10_bandwidth/models/small.json").read_text())
        for name, value in {"dense_layers": 0, "expert_ff": 704, "experts": 4, "chosen": 2,
                            "shared": 1, **sizes}.items():
            model["model"][name][0] = value
        path = os.path.join(self.folder, "experts.json")
        Path(path).write_text(json.dumps(model))
        return path

    def test_experts_are_summed_in_two_levels_too(self):
        d, ff, experts, path = 256, 704, 4, self.experts()
        dense = 2 * d * d + d + 8 * (4 * d * d + 2 * d + experts * d + 3 * ff * d)
        routed = 8 * experts * 3 * ff * d
        # 8 replicas on a node, 4 nodes. With ep=2 a chip has half of the experts, and a node 4
        # replicas of each: so an eighth goes across either way.
        across = 2 * 3 / 4 * 4 * (dense + routed) / 8
        for layout in ("dp=32", "dp=16,ep=2"):
            _, told = self.simulated("--model", path, "--chips", "32", "--batch", "32", "--scale",
                                     "1", "--layout", layout + ",zero=0,m=1", "--two-level")
            sent = told["sent_by_a_chip"]["outer"]["mean_bytes"]
            self.assertLess(abs(sent / across - 1), 1e-2, (layout, sent, across))

    @long
    def test_seconds_do_not_depend_on_the_scale_with_experts_and_many_replicas(self):
        """Their counts are not scaled. And where the pieces of a ring share a link, chips that are
        out of step slow each other."""
        path = self.experts(layers=4, width=2048, heads=16, kv_heads=16, key_width=128,
                            value_width=128, ff=1536, expert_ff=1536, experts=8, sequence=2048)
        machine = json.loads((ROOT / "labs/10_bandwidth/machines/h100-ib.json").read_text())
        machine["outer"]["bandwidth"][0] = 2.5e9
        slow = os.path.join(self.folder, "slow.json")
        Path(slow).write_text(json.dumps(machine))
        def seconds(*words):
            return self.simulated("--model", path, "--machine", slow, "--chips", "128", "--batch",
                                  "128", "--two-level", "--layout", "dp=128,zero=0,m=1",
                                  *words)[1]["seconds"]
        fine, coarse = (seconds("--in-order", "--scale", scale) for scale in ("16", "64"))
        self.assertLess(abs(coarse / fine - 1), 0.05, (fine, coarse))
        self.assertGreater(seconds("--scale", "16"), 1.3 * fine)

    def test_a_trace_is_one_that_timeline_reads(self):
        trace = os.path.join(self.folder, "trace.json")
        self.simulated("--chips", "8", "--layout", "dp=2,pp=4,m=4,zero=0", "--trace", trace)
        subprocess.run([program.PROGRAM, "timeline", trace], cwd=self.folder,
                       env=self.environment(), stdout=subprocess.DEVNULL, timeout=60, check=True)

    def changed(self, kind, name, **figures):
        """A model or a machine of lab 10 with other figures: outer_bandwidth=0, batch=32."""
        lab = ROOT / "labs/10_bandwidth"
        file = json.loads((lab / kind / f"{name}.json").read_text())
        for where, value in figures.items():
            part, _, figure = where.partition("__")
            file[part][figure][0] = value
        path = os.path.join(self.folder, f"{name}.json")
        Path(path).write_text(json.dumps(file))
        return path

    def test_experts_whose_weights_nobody_else_has(self):
        model = self.changed("models", "dsv3", recipe__batch=32, **{
            f"model__{name}": value for name, value in {
                "layers": 2, "dense_layers": 0, "width": 1024, "heads": 16, "kv_heads": 16,
                "experts": 16, "chosen": 2, "expert_groups": 1, "groups_met": 1,
                "vocabulary": 4096, "sequence": 512, "ff": 2048, "expert_ff": 512,
                "query_rank": 256, "latent_rank": 128}.items()})
        for layout in ("ep=16,zero=2", "ep=4,pp=2,tp=2,zero=3"):
            _, told = self.simulated("--model", model, "--chips", "16", "--layout", layout)
            self.assertGreater(told["messages"], 0)

    def test_scratch_files_in_a_folder_with_a_space_and_a_comma(self):
        scratch = os.path.join(self.folder, "a b, c")
        os.mkdir(scratch)
        os.chmod(self.folder, 0o755)  # else scratch folders are made elsewhere
        self.run_it("--chips", "8", TMPDIR=scratch)
        self.run_it("--real", "--dp 2 --batch 2 --steps 1", TMPDIR=scratch)
        self.assertEqual(os.listdir(scratch), [])

    def test_what_cannot_be_simulated_is_refused_in_words(self):
        self.assertIn("does not fit", self.refused("--model", "dsv3", "--chips", "64", "--layout",
                                                   "dp=64,zero=0,m=1"))
        self.assertIn("no layout of the model fits", self.refused("--model", "dsv3", "--chips", "2"))
        for layout, part in (("dp=8", "are 8 chips, and there are 16"), ("dp=16,tp=3", "48 chips"),
                             ("pp=16", "the model has 8 layers"), ("tp=16", "8 heads"),
                             ("dp=8,ep=2", "no experts"), ("dp=16,m=4", "too small"),
                             ("dp=4,pp=2,tp=2,v=3,m=1", "`pp` has to divide `m`"), ("half=2", "half=2")):
            self.assertIn(part, self.refused("--chips", "16", "--layout", layout))
        self.assertIn("--chips", self.refused("--chips", "1"))
        self.assertIn("--scale", self.refused("--scale", "7"))
        self.assertIn("--memory-rate", self.refused("--memory-rate", "0"))
        for layout in ("dp=64,zero=1", "dp=8,tp=8,zero=0"):
            self.assertIn("--two-level", self.refused("--two-level", "--chips", "64", "--batch",
                                                      "64", "--layout", layout))

    def test_a_machine_that_cannot_be_is_refused_in_words(self):
        for link in ("inner", "outer"):
            for bandwidth in (0, -1e9):
                machine = self.changed("machines", "h100-ib", **{f"{link}__bandwidth": bandwidth})
                self.assertIn(f"{link}.bandwidth", self.refused("--machine", machine))
        self.assertIn("cluster.domain", self.refused("--machine", self.changed(
            "machines", "h100-ib", cluster__domain=0)))
        torus = self.changed("machines", "tpu-v5p", cluster__domain=16, cluster__cards=16)
        self.assertIn("links between tori", self.refused("--machine", torus, "--chips", "32"))
        self.assertIn("at least two chips", self.refused("--real", "--dp 1"))
        self.assertIn("at most 64 ranks", self.refused("--real", "--dp 65 --batch 65"))

    def test_one_node_has_no_links_between_domains(self):
        machine = self.changed("machines", "h100-ib", cluster__domain=16, cluster__cards=16)
        _, told = self.simulated("--machine", machine, "--chips", "16", "--layout", "dp=16,zero=1")
        self.assertEqual(told["sent_by_a_chip"]["outer"]["most_bytes"], 0)

    def elsewhere(self, **changes):
        """The same build with a changed buildinfo.json."""
        place = Path(self.folder) / "place"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for path in PLACE.iterdir():
            if path.name != "buildinfo.json":
                (place / path.name).symlink_to(path)
        info = {**INFO, **changes}
        (place / "buildinfo.json").write_text(json.dumps(info))
        return str(place)

    def test_without_simgrid_one_sentence_says_how_to_get_it(self):
        for changes, part in (({"smpimain": "/nowhere/smpimain"}, "which this machine lacks"),
                              ({"smpimain": ""}, "this program was built without it"),
                              ({"smpimain": "", "root": ""}, "installation was built without"),
                              ({"smpimain": "", "handed_out": "01"}, "handout was made without")):
            place = self.elsewhere(**changes)
            for words in ([], ["--real", "--dp 2"], ["--with", "labs"]):
                said = self.refused(*words, status=3, VIALATA_PLACE=place)
                self.assertIn(part, said)
                self.assertIn("libsimgrid-dev", said)

    def test_too_little_memory_is_said_before_it_starts(self):
        if shutil.which("bwrap") is None:
            self.skipTest("without bubblewrap memory cannot be hidden")
        info = Path(self.folder) / "meminfo"
        info.write_text("MemTotal: 999999999 kB\nMemFree: 1 kB\nMemAvailable: 300000 kB\n")
        for words, status, part in ((["--chips", "512", "--batch", "512"], 3,
                                     "512 simulated chips need about 640 MiB of memory, and 293"),
                                    (["--chips", "16"], 0, ""),
                                    (["--real", "--dp 8 --width 2048 --heads 8 --batch 8"], 3,
                                     "8 simulated chips need about")):
            done = subprocess.run(
                ["bwrap", "--dev-bind", "/", "/", "--ro-bind", info, "/proc/meminfo",
                 program.PROGRAM, "simulate", *words], cwd=self.folder, env=self.environment(),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            if b"bwrap:" in done.stderr:
                self.skipTest(done.stderr.decode())
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(part, done.stderr.decode())

    def test_ctrl_c_and_sudden_death_leave_nothing(self):
        def inside(folder):
            """Is somebody in SimGrid whose words name the folder?"""
            return subprocess.run(["pgrep", "-f", f"smpimain.*{re.escape(str(folder))}"],
                                  stdout=subprocess.PIPE, check=False).stdout

        scratch, trace = Path(self.folder) / "scratch", Path(self.folder) / "trace.json"
        scratch.mkdir()
        os.chmod(self.folder, 0o755)  # else scratch folders are made elsewhere
        for number in (signal.SIGINT, signal.SIGKILL, signal.SIGTERM)[:None if LONG else 2]:
            run = subprocess.Popen(
                [program.PROGRAM, "simulate", "--chips", "512", "--batch", "512", "--layout",
                 "dp=512", "--trace", trace], cwd=self.folder, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, env=self.environment(TMPDIR=str(scratch)))
            self.addCleanup(run.kill)
            self.wait_for(lambda: inside(scratch) and not any(scratch.iterdir()))
            self.assertIsNone(run.poll())
            run.send_signal(number)
            run.communicate(timeout=60)
            self.assertEqual(run.returncode, 130 if number != signal.SIGKILL else -number)
            self.wait_for(lambda: not inside(scratch))
            self.assertEqual((list(scratch.iterdir()), trace.exists()), ([], False))

    def wait_for(self, there):
        until = time.monotonic() + 30
        while not there():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)


if __name__ == "__main__":
    unittest.main()
