"""Jobs of several MPI processes: their answers, their ends, and their journals.

`cluster/check` runs it. FEWEST_CLUSTER is the program.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = os.environ["FEWEST_CLUSTER"]
HERE = Path(__file__).parent
# Ranks may be more than cores, and yield to each other.
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none"]
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}
# Numbers 1, 14 and 88 of the 100 boards of Korf (1985). All plans of number 14 take 5 seconds.
BOARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
MIDDLE_BOARD = "7 6 8 1 11 5 14 10 3 4 9 13 15 2 0 12"
LONG_BOARD = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4"
# Five pieces on a ring, and a swap.
RING = """Name Ring
Set PIECES 7 1
Solved
PIECES
1 2 3 4 5 6 7
End
Move R
PIECES
2 3 4 5 6 7 1
End
Move S
PIECES
2 1 3 4 5 6 7
End
"""


def solve(*words, json_form=True):
    """The command line of a search with one thread a rank."""
    form = ["--format", "json"] if json_form else []
    return [PROGRAM, "solve", *" ".join(words).split(), "--threads", "1", *form]


def job(ranks, command, mpirun=MPIRUN):
    """Runs a job to its end."""
    return subprocess.run(
        [*mpirun, "-n", str(ranks), *command],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def answer(ran):
    """The answer of a job that solved its state."""
    if ran.returncode != 0:
        raise AssertionError(f"exit code {ran.returncode}: {ran.stderr}")
    (line,) = ran.stdout.splitlines()
    return json.loads(line)


def complete(found):
    """The nodes of each complete bound."""
    return [one for one in found["iterations"] if one["complete"]]


class Answers(unittest.TestCase):
    """Any number of ranks has the answer of one."""

    def check(self, length, *words):
        alone = None
        for ranks in (1, 2, 4):
            found = answer(job(ranks, solve(*words)))
            self.assertEqual(found["length"], length)
            self.assertTrue(found["optimal"])
            self.assertEqual(len(found["ranks"]), ranks)
            alone = alone or found
            self.assertEqual(complete(found)[: len(complete(alone))], complete(alone))

    def test_cube(self):
        self.check(11, "3x3x3 R U F2 L' D2 B R2 U' L F D --heuristic manhattan")

    def test_cube_with_a_table(self):
        cube = "3x3x3 R U F2 L' D2 B R2 U' L F D R2 --memory 64MiB"
        self.check(12, cube)

    def test_board(self):
        self.check(57, "15-puzzle", BOARD, "--heuristic manhattan")

    def test_all_plans_of_a_small_cube(self):
        self.check(9, "2x2x2 R U2 F R' U F2 R U' F --heuristic manhattan --all")

    def check_spread(self, folder, *words):
        words = (*words, "--tables", folder, "--all --spread")
        alone, two, three = (answer(job(ranks, solve(*words))) for ranks in (1, 2, 3))
        for found in (two, three):
            self.assertEqual(found["heuristic"], alone["heuristic"])
            self.assertEqual(found["iterations"], alone["iterations"])
            self.assertEqual(found["plans"], alone["plans"])
            self.assertGreater(min(one["messages"] for one in found["ranks"]), 10)

    def test_tables_owned_by_range(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ring.tws"
            path.write_text(RING)
            self.check_spread(folder, str(path), "R S R S R2 S R3 S R S")

    def test_sums_owned_by_range(self):
        board = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"
        tables = "tables:1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
        with tempfile.TemporaryDirectory() as folder:
            self.check_spread(folder, "15-puzzle", board, "--heuristic", tables)

    def test_coset_table_owned_by_range(self):
        with tempfile.TemporaryDirectory() as folder:
            cube = "3x3x3 R U F2 L' D2 B R2 U' L F D --memory 5MiB"
            self.check_spread(folder, cube)

    def test_definition(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ring.tws"
            path.write_text(RING)
            moves = "R S R S R2 S R S"
            lengths = {
                answer(job(ranks, solve(str(path), moves)))["length"] for ranks in (1, 2, 4)
            }
            self.assertEqual(len(lengths), 1)


class Layers(unittest.TestCase):
    """All states by distance."""

    # By half turns (OEIS A079761).
    CUBE = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]

    def test_small_cube(self):
        for ranks in (1, 2, 4):
            with tempfile.TemporaryDirectory() as folder:
                command = [PROGRAM, *"gods-algorithm 2x2x2 --threads 1 --tables".split(), folder]
                ran = job(ranks, [*command, "--format", "json"])
                self.assertEqual(ran.returncode, 0, ran.stderr)
                *lines, summary = [json.loads(line) for line in ran.stdout.splitlines()]
                self.assertEqual([line["count"] for line in lines], self.CUBE)
                self.assertEqual((summary["states"], summary["diameter"]), (3674160, 11))

    def test_definition(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ring.tws"
            path.write_text(RING)
            ran = job(2, [PROGRAM, "gods-algorithm", str(path), "--tables", folder])
            self.assertIn("5040 states", ran.stdout, ran.stderr)
            self.assertEqual(ran.stdout.count("farthest: "), 1)


class Tables(unittest.TestCase):
    """Tables that all ranks build."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, name, words):
        """The command line of a build with one thread a rank, and its folder."""
        folder = self.folder / name
        return [PROGRAM, "build", *words.split(), "--threads", "1", "--tables", folder], folder

    def built(self, ranks, name, words):
        """Builds the tables of a heuristic. Returns the bytes of each file by its name."""
        command, folder = self.command(name, words)
        ran = job(ranks, [*command, "--format", "json"])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        *lines, summary = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertEqual((summary["ranks"], summary["messages"] > 0), (ranks, ranks > 1))
        files = {path.stem: path.read_bytes() for path in folder.glob("*.table")}
        self.assertEqual({line["table"] for line in lines}, set(files))
        self.assertEqual([path for path in folder.iterdir() if path.is_dir()], [])
        return files

    def test_any_number_of_ranks_writes_the_same_bytes(self):
        tiles = "15-puzzle --heuristic tables:1.2.3-4.5-6.7.8-9.10.11-12.13-14.15"
        for words in ("pyraminx", tiles):
            alone = self.built(1, f"{words}, 1", words)
            for ranks in (2, 3):
                self.assertEqual(self.built(ranks, f"{words}, {ranks}", words), alone)

    def test_a_killed_build_goes_on_with_another_number_of_ranks(self):
        command, folder = self.command("killed", "dino-cube")
        running = subprocess.Popen(
            [*MPIRUN, "-n", "3", *command],
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(running.kill)
        # The largest of 17 layers come behind the tenth.
        while running.poll() is None and self.layers(folder) < 10:
            time.sleep(0.02)
        self.assertIsNone(running.poll(), "the build ended before it was killed")
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text()
        os.kill(int(children.split()[-1]), signal.SIGKILL)
        self.assertNotEqual(running.wait(timeout=60), 0)
        self.assertGreaterEqual(self.layers(folder), 10)
        self.assertEqual(list(folder.glob("*.table")), [])
        resumed = self.built(2, "killed", "dino-cube")
        self.assertEqual(resumed, self.built(1, "alone", "dino-cube"))

    def layers(self, folder):
        """The number of layers that are complete in the checkpoint."""
        files = folder.glob("layers-*/layer-*.table")
        names = [path.stem.removeprefix("layer-") for path in files]
        return max((int(name) + 1 for name in names if name.isdigit()), default=0)


class Refusals(unittest.TestCase):
    """What is wrong is told once, with the exit code of `fewest`."""

    def test_state(self):
        ran = job(3, solve("3x3x3 R X"))
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))
        self.assertEqual(ran.stderr.count("found `X`"), 1)
        ran = job(2, [PROGRAM, "solve", "3x3x3", " "])
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))
        self.assertEqual(ran.stderr.count("the state is empty"), 1)

    def test_puzzle_without_tables(self):
        for words in ("build 3x3x3 --heuristic nothing", "gods-algorithm 15-puzzle"):
            ran = job(3, [PROGRAM, *words.split()])
            self.assertEqual((ran.returncode, ran.stdout), (2, ""))
            self.assertEqual(ran.stderr.count("fewest-cluster: "), 1, ran.stderr)

    def test_options(self):
        ran = job(3, [PROGRAM, "solve"])
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))
        self.assertEqual(ran.stderr.count("Usage:"), 1)

    def test_limit(self):
        ran = job(2, solve("15-puzzle", LONG_BOARD, "--heuristic manhattan --limit-time 500ms"))
        self.assertEqual(ran.returncode, 1)
        found = json.loads(ran.stdout)
        self.assertEqual(found["outcome"], "limit-reached")
        self.assertGreaterEqual(found["lower_bound"], 43)


class Ends(unittest.TestCase):
    """A job that ends early says so, and its journal goes on."""

    SEARCH = ("15-puzzle", MIDDLE_BOARD, "--heuristic manhattan --all")
    # The units of all bounds but the last, which has four fifths of all nodes, are 13,141.
    EARLY = 13_000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.journal = Path(folder.name) / "journal"

    def stopped(self, ranks, stop):
        """Runs a job, and calls `stop` with it when its journal has units."""
        command = [*MPIRUN, "-n", str(ranks), *solve(*self.SEARCH, f"--journal {self.journal}")]
        with subprocess.Popen(
            command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            try:
                while running.poll() is None and self.units() < self.EARLY:
                    time.sleep(0.05)
                self.assertIsNone(running.poll(), "the search ended before it was stopped")
                stop(running)
                out, told = running.communicate(timeout=60)
            finally:
                running.kill()
        return running.returncode, out, told

    def units(self):
        """The units in the journal so far."""
        lines = self.journal.read_text().splitlines() if self.journal.exists() else []
        return sum(line.startswith("unit ") for line in lines)

    def resumed(self, ranks):
        """Goes on with the journal to the end. Nothing in it is searched again."""
        before = self.units()
        found = answer(job(ranks, solve(*self.SEARCH, f"--journal {self.journal}")))
        self.assertEqual(found["length"], 59)
        record = [line.split()[:3] for line in self.journal.read_text().splitlines()]
        units = [tuple(words) for words in record if words[0] == "unit"]
        self.assertEqual(len(units), len(set(units)))
        self.assertGreater(len(units), before)
        return found

    def test_killed_rank(self):
        def kill(running):
            children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text()
            os.kill(int(children.split()[-1]), signal.SIGKILL)

        code, out, told = self.stopped(2, kill)
        self.assertNotEqual(code, 0)
        self.assertEqual(out, "")
        self.assertIn("signal 9", told)
        found = self.resumed(4)
        alone = answer(job(1, solve(*self.SEARCH)))
        self.assertEqual(found["iterations"], alone["iterations"])
        self.assertEqual(found["plans"], alone["plans"])

    def test_terminated_rank(self):
        def terminate(running):
            children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text()
            os.kill(int(children.split()[-1]), signal.SIGTERM)

        for ranks in (2, 3):
            code, out, _ = self.stopped(ranks, terminate)
            self.assertEqual(code, 1)
            self.assertEqual(json.loads(out)["outcome"], "limit-reached")
            stopped = self.units()
            self.resumed(2)
            # The other ranks stop with the one that was terminated, and leave units.
            self.assertLess(stopped + 500, self.units())
            self.journal.unlink()

    def test_panic(self):
        panicking = Path(PROGRAM).parent / "examples" / "panic"
        ran = job(2, [str(panicking)])
        self.assertEqual(ran.returncode, 101)
        self.assertIn("a defect", ran.stderr)

    def test_terminated_job(self):
        code, out, _ = self.stopped(2, lambda running: running.terminate())
        self.assertNotEqual(code, 0)
        self.assertIn(out.count("\n"), (0, 1))
        self.resumed(1)


def has_namespaces():
    """Whether this process may make network namespaces."""
    try:
        made = subprocess.run(["ip", "netns", "add", "fewest-try"], check=False).returncode == 0
    except FileNotFoundError:
        return False
    if made:
        subprocess.run(["ip", "netns", "delete", "fewest-try"], check=True)
    return made


class TwoHosts(unittest.TestCase):
    """Two hosts, each a network namespace, over TCP."""

    def test_hosts(self):
        if not has_namespaces():
            print("\nSKIPPED: no network namespaces here, so no job on two hosts", file=sys.stderr)
            self.skipTest("no network namespaces")
        subprocess.run([HERE / "hosts", "up"], check=True)
        self.addCleanup(subprocess.run, [HERE / "hosts", "down"], check=False)
        network = ["oob_tcp_if_include", "10.77.0.0/24", "btl_tcp_if_include", "10.77.0.0/24"]
        remote = ["plm", "rsh", "plm_rsh_agent", str(HERE / "hosts"), "btl", "tcp,self"]
        settings = zip((network + remote)[::2], (network + remote)[1::2], strict=True)
        mpirun = [*MPIRUN, "--host", "10.77.0.1:1,10.77.0.2:1"]
        mpirun += [word for name, value in settings for word in ("--mca", name, value)]
        names = job(2, ["hostname"], mpirun)
        self.assertEqual(sorted(names.stdout.split()), ["fewest1", "fewest2"], names.stderr)
        found = answer(job(2, solve("15-puzzle", BOARD, "--heuristic manhattan"), mpirun))
        self.assertEqual((found["length"], len(found["ranks"])), (57, 2))
        self.assertTrue(all(rank["messages"] > 0 for rank in found["ranks"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
