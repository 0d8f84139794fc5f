#!/usr/bin/env python3
"""How soon does the tool end after Ctrl-C, and after its limits of time?

    benches/latency.py FEWEST [--only NAME,..] [--delays 0.02,0.15,0.6,2] [--limits 0.3,2]
                       [--verbs] [--memory 1GiB] [--tables DIR] [--slow]

FEWEST is a binary of the tool. For each puzzle that it ships, the script

- sends SIGINT to `solve` after each delay. With --verbs, it also does so to all other verbs that
  take long;
- runs `solve --deadline` and `solve --limit-time` with each limit.

Each run gets an empty table folder, or DIR if that is given. The script prints a row for each
case: the longest time from the signal to the last line and to the end of the process, or by how
much the deadline or the limit is passed. The time to build and load tables does not count for the
limit. --slow prints only rows above 50 ms and 200 ms. A busy machine makes all times longer, so
the figures decide no test: repeat what is slow.
"""

import argparse
import json
import os
import signal
import subprocess
import tempfile
import threading
import time

PARSER = argparse.ArgumentParser(usage=__doc__, add_help=True)
PARSER.add_argument("fewest")
PARSER.add_argument("--only", default="")
PARSER.add_argument("--delays", default="0.02,0.15,0.6,2")
PARSER.add_argument("--limits", default="0.3,2")
PARSER.add_argument("--verbs", action="store_true")
PARSER.add_argument("--memory", default="1GiB")
PARSER.add_argument("--tables")
PARSER.add_argument("--slow", action="store_true")
OPTIONS = PARSER.parse_args()

# What runs long on some puzzle. `@` stands for a random state.
VERBS = {
    "count": ["count", "--states", "--depth", "40"],
    "sequences": ["count", "--sequences", "--depth", "14"],
    "gods-algorithm": ["gods-algorithm"],
    "explain": ["tables", "explain"],
    "build": ["tables", "build"],
    "predict": ["predict", "--bound", "30"],
    "histogram": ["histogram"],
    "learn": ["learn", "--depth", "7"],
    "small": ["solve", "@", "--memory", "8MiB"],
}


def numbers(text):
    return [float(number) for number in text.split(",") if number]


def puzzles():
    """The names of all puzzles that the tool ships."""
    out = subprocess.run([OPTIONS.fewest, "puzzles"], capture_output=True, text=True, check=True)
    names = [line.split(":")[0].split(" ")[0] for line in out.stdout.splitlines()]
    wanted = OPTIONS.only.split(",")
    return [name for name in names if name.islower() or name[0].isdigit() if any(
        part in name for part in wanted)]


def state(puzzle):
    command = [OPTIONS.fewest, "scramble", puzzle, "--seed", "3", "--quiet"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def run(words, puzzle, delay=None):
    """Seconds to the last line and to the end, from the signal or else from the start. Also the
    standard output. None if the process ended before the signal."""
    memory = [] if "--memory" in words else ["--memory", OPTIONS.memory]
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, FEWEST_TABLES=OPTIONS.tables or folder)
        at = 2 if words[0] == "tables" else 1
        command = [OPTIONS.fewest, *words[:at], puzzle, *words[at:], *memory]
        since = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment)
        last, texts = [since], {}

        def read(pipe):
            while some := os.read(pipe.fileno(), 1 << 16):
                last.append(time.monotonic())
                texts[pipe] = texts.get(pipe, b"") + some

        pipes = [process.stdout, process.stderr]
        readers = [threading.Thread(target=read, args=(pipe,)) for pipe in pipes]
        for reader in readers:
            reader.start()
        over = False
        if delay is not None:
            time.sleep(delay)
            over, since = process.poll() is not None, time.monotonic()
            process.send_signal(signal.SIGINT)
        process.wait()
        end = time.monotonic()
        for reader in readers:
            reader.join()
    if over:
        return None
    return max(0, max(last) - since), end - since, texts.get(process.stdout, b"").decode()


def show(case, what, seconds, bound):
    """Prints a row of times, in milliseconds."""
    if seconds and (not OPTIONS.slow or max(seconds) > bound):
        times = " ".join(f"{1000 * one:.0f}" for one in seconds)
        print(f"{case:32} {what:28} {times}", flush=True)


def main():
    for puzzle in puzzles():
        scramble = state(puzzle)
        verbs = VERBS if OPTIONS.verbs else {}
        for verb, words in {"solve": ["solve", "@"], **verbs}.items():
            words = [scramble if word == "@" else word for word in words]
            ends = []
            for delay in numbers(OPTIONS.delays):
                if (ended := run(words, puzzle, delay)) is None:
                    break
                ends.append(ended)
            case = f"{verb} {puzzle}"
            show(case, "Ctrl-C to the last line, ms", [last for last, _, _ in ends], 0.05)
            show(case, "Ctrl-C to the end, ms", [end for _, end, _ in ends], 1.0)
        for limit in numbers(OPTIONS.limits):
            words = ["solve", scramble, "--format", "json"]
            passed = run([*words, "--deadline", f"{limit}s"], puzzle)[1] - limit
            show(f"solve {puzzle}", f"--deadline {limit} passed by, ms", [max(0, passed)], 0.2)
            _, end, out = run([*words, "--limit-time", f"{limit}s"], puzzle)
            tables = json.loads(out)["table_seconds"] if out else 0
            passed = max(0, end - tables - limit)
            show(f"solve {puzzle}", f"--limit-time {limit} passed by, ms", [passed], 0.2)


main()
