#!/usr/bin/env python3
"""A real run of two ranks is traced, measured and drawn, with what overlapped and what did not."""

import json
import os
import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import program

MODEL = ["--layers", "8", "--width", "64", "--batch", "8", "--sequence", "64", "--steps", "3"]
ATTEMPTS = 20  # on a busy machine a rank may lose its core just when the other waits for it


class Timeline(program.Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="vialata timeline ")
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def setUp(self):
        """Tests share one folder: one may look at what another has run."""

    def environment(self, **more):
        return super().environment(OPENBLAS_NUM_THREADS="1", **more)

    def train(self, name, *words):
        self.run_it("train", *MODEL, "--trace", name, *words)

    def measured(self, name):
        return json.loads(self.run_it("timeline", name, "--json")[0])

    def test_overlap_hands_over_early_and_flat_does_not(self):
        for _ in range(ATTEMPTS):
            self.train("overlap.json", "--dp", "2")
            overlap = self.measured("overlap.json")
            for rank in overlap["ranks"]:
                # No clock decides this: the first of the ring's two steps waits for nobody, so
                # half of every gradient leaves as soon as it is ready.
                self.assertGreaterEqual(rank["handed_share"], 0.49, overlap)
            if overlap["all"]["handed_share"] >= 0.8:
                break
        self.assertGreaterEqual(overlap["all"]["handed_share"], 0.8, overlap)
        self.assertGreater(overlap["all"]["hidden_share"], 0)
        self.train("flat.json", "--dp", "2", "--flat")
        flat = self.measured("flat.json")
        self.assertLess(flat["all"]["handed_share"], 0.2, flat)
        self.assertLess(flat["all"]["hidden_share"], 0.2, flat)
        # The same gradients travel, only at another time. (Sums of a few numbers come on top.)
        self.assertAlmostEqual(flat["all"]["gradient_bytes"], overlap["all"]["gradient_bytes"],
                               delta=1000)
        for facts in (overlap, flat):
            self.assertEqual([rank["rank"] for rank in facts["ranks"]], [0, 1])
            for rank in facts["ranks"]:
                self.assertLessEqual(rank["hidden_seconds"], rank["road_seconds"] + 1e-9)
                self.assertLessEqual(rank["compute_seconds"], facts["seconds"] + 1e-9)

    def test_sharded_gradients_are_told_from_the_weights_after_the_update(self):
        self.train("zero.json", "--dp", "2", "--zero", "1")
        facts = self.measured("zero.json")["all"]
        self.assertGreater(facts["sent_bytes"], 1.9 * facts["gradient_bytes"])

    def test_what_other_viewers_need_is_there(self):
        self.train("fields.json", "--dp", "2")
        with open(os.path.join(self.folder, "fields.json"), encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        spans = [event for event in events if event["ph"] == "X"]
        self.assertEqual({event["pid"] for event in spans}, {0, 1})
        self.assertEqual({event["name"] for event in spans if event["tid"] == 0},
                         {"forward", "backward", "update"})
        for span in spans:
            self.assertLessEqual({"ph", "name", "ts", "dur", "pid", "tid"}, set(span))
            self.assertGreaterEqual(span["dur"], 0)
        for event in events:
            self.assertIn(event["ph"], "XiM")
        names = {event["args"]["name"] for event in events if event["name"] == "process_name"}
        self.assertEqual(names, {"rank 0", "rank 1"})

    def test_drawings_are_whole(self):
        self.train("drawn.json", "--dp", "2")
        out, err = self.run_it("timeline", "drawn.json", "--svg", "drawn.svg")
        self.assertEqual(err, "")
        self.assertIn("rank 1 compute", out)
        self.assertIn("of the bytes were handed to MPI before backward ended", out)
        lines = out.splitlines()
        self.assertTrue(all(len(line) <= 80 and line == line.rstrip() for line in lines), out)
        root = xml.etree.ElementTree.parse(os.path.join(self.folder, "drawn.svg")).getroot()
        space = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.tag, space + "svg")
        self.assertEqual(root.get("role"), "img")
        self.assertEqual(root[0].tag, space + "title")
        tips = [title.text for title in root.iter(space + "title")]
        self.assertTrue(any("backward, unit 8" in tip for tip in tips), tips)
        self.assertTrue(any("to rank 1" in tip for tip in tips), tips)
        self.assertFalse([node.tag for node in root.iter() if node.tag.endswith("script")])
        self.assertEqual(len([node for node in root.iter(space + "g")
                              if node.get("role") == "group"]), 2)

    def test_one_device_has_work_and_no_road(self):
        self.train("one.json")
        out, _ = self.run_it("timeline", "one.json")
        self.assertIn("rank 0 compute", out)
        self.assertIn("Nothing was sent or received", out)
        facts = self.measured("one.json")["all"]
        self.assertIsNone(facts["handed_share"])
        self.assertGreater(facts["compute_seconds"], 0)

    # ---- pipelines: what was predicted against what was measured ----

    def train_pipeline(self, name, *words):
        self.run_it("train", *MODEL[:4], "--batch", "8", "--sequence", "32", "--steps", "2",
                    "--micro-batches", "4", "--trace", name, *words)
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return json.load(file)

    def test_tasks_of_a_pipeline_are_compared_with_their_schedule(self):
        trace = self.train_pipeline("pipeline.json", "--pp", "2", "--schedule", "1f1b")
        told = trace["otherData"]["schedule"]
        self.assertEqual((told["name"], told["stages"], told["chunks"], told["micro_batches"]),
                         ("1f1b", 2, 1, 4))
        self.assertEqual(told["stage_of_rank"], [0, 1])
        for rank in (0, 1):
            tasks = sorted((event["ts"], "%s%d" % (event["name"], event["args"]["micro_batch"]))
                           for event in trace["traceEvents"]
                           if event["pid"] == rank and "micro_batch" in event.get("args", {}))
            self.assertEqual(" ".join(task for _, task in tasks), told["tasks"][rank])
        facts = self.measured("pipeline.json")["pipeline"]
        self.assertEqual([row["alive_at_most"] for row in facts["rows"]], [2, 1])
        for row in [facts] + facts["rows"]:
            self.assertAlmostEqual(row["difference_points"],
                                   100 * (row["measured_idle_of_total"]
                                          - row["predicted_idle_of_total"]))
            self.assertTrue(0 <= row["predicted_idle_of_total"] < 1)
        out, err = self.run_it("timeline", "pipeline.json", "--svg", "pipeline.svg")
        self.assertEqual(err, "")
        lines = out.splitlines()
        self.assertTrue(all(len(line) <= 80 and line == line.rstrip() for line in lines), out)
        at = [i for i, line in enumerate(lines) if line.startswith("stage 1 measured")][0]
        self.assertTrue(lines[at + 1].startswith("stage 1 predicted"), out)
        self.assertIn("Idle, as a share of total time", out)
        root = xml.etree.ElementTree.parse(os.path.join(self.folder, "pipeline.svg")).getroot()
        labels = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("stage 0 predicted", labels)

    def test_chunks_replicas_and_own_schedules_are_compared_too(self):
        self.train_pipeline("chunks.json", "--pp", "2", "--schedule", "interleaved", "--chunks",
                            "2")
        facts = self.measured("chunks.json")["pipeline"]
        self.assertEqual(facts["chunks"], 2)
        mine = os.fsdecode(b"mine\xff.txt")  # a name may have any bytes
        self.run_it("schedule", "zb-h1", "--pp", "2", "--micro-batches", "4", "--out", mine)
        self.train_pipeline("mine.json", "--pp", "2", "--schedule", mine, "--dp", "2")
        self.assertTrue(self.measured("mine.json")["pipeline"]["schedule"].startswith("mine"))
        self.assertIn("the first of its ranks", self.run_it("timeline", "mine.json")[0])

    def test_without_a_pipeline_nothing_is_predicted(self):
        self.train("plain.json", "--dp", "2")
        self.assertNotIn("pipeline", self.measured("plain.json"))
        trace = self.train_pipeline("lost.json", "--pp", "2", "--schedule", "afab")
        trace["otherData"]["schedule"]["tasks"].reverse()
        trace["otherData"]["schedule"]["tasks"][0] = "F0"
        with open(os.path.join(self.folder, "lost.json"), "w", encoding="utf-8") as file:
            json.dump(trace, file)
        out, err = self.run_it("timeline", "lost.json")
        self.assertIn("rank 1 compute", out)
        self.assertIn("nothing is predicted", err)

    def test_what_cannot_be_drawn_is_said_in_a_sentence(self):
        def refused(name, content=None):
            if content is not None:
                with open(os.path.join(self.folder, name), "wb") as file:
                    file.write(content)
            out, err = self.run_it("timeline", name, status=2)
            self.assertEqual(out, "")
            self.assertEqual(len(err.splitlines()), 1, err)
            return err
        self.assertIn("--trace", refused("absent.json"))
        self.assertIn("valid JSON", refused("words.json", b"These are words."))
        self.assertIn("valid JSON", refused("nan.json", b'{"traceEvents":[{"ph":"X","ts":NaN}]}'))
        self.assertIn("valid JSON", refused("deep.json", b"[" * 100000))
        self.assertIn("not a trace", refused("other.json", b'{"schema":1}'))
        self.assertIn("empty", refused("empty.json", b'{"traceEvents":[]}'))
        self.assertIn("32 MiB", refused("large.json", b" " * (33 << 20)))
        self.assertIn("32 MiB", refused(self.folder))
        self.run_it("timeline", status=2)

    def test_a_picture_is_written_whole_or_not_at_all(self):
        with open(os.path.join(self.folder, "bare.json"), "w", encoding="utf-8") as file:
            json.dump([{"ph": "X", "pid": 0, "tid": 0, "name": "forward", "ts": 0, "dur": 5}], file)
        self.assertIn("cannot be written",
                      self.run_it("timeline", "bare.json", "--svg", "none/a.svg", status=2)[1])
        self.run_it("timeline", "bare.json", "--svg", "bare.svg")
        before = sorted(os.listdir(self.folder))
        self.run_it("timeline", "absent.json", "--svg", "bare.svg", status=2)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        xml.etree.ElementTree.parse(os.path.join(self.folder, "bare.svg"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
