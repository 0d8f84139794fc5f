#!/usr/bin/env python3
"""Compares the verdicts of plain.py and of a program on changed certificates.

    mutate.py PROGRAM [--seed S] [--count N] [--keep FOLDER]

The certificates of kinds.py are right. Each copy of one is changed in one or two places. Prints how
many files both checkers hold, refuse, or do not finish, and each disagreement. The exit code is 1
if there is one. The files of disagreements are kept.
"""

import argparse
import collections
import contextlib
import multiprocessing
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import kinds
import make
import plain
from text import Refusal

SECONDS = 20  # for one check of one file


def other_word(word, words, chance):
    """Another word in place of this one: a number close to it, a word of the file, or none."""
    if word.lstrip("-").isdecimal() and chance.random() < 0.75:
        number = int(word) + chance.choice([1, 1, -1, -1, 2, -2, chance.randrange(30)])
        return chance.choice([str(number)] * 9 + ["0" + word])
    doubled = f"{word} {word}"
    return chance.choice([chance.choice(words), chance.choice(words), "", "x", "-", doubled])


def change_word(lines, chance):
    at = chance.randrange(len(lines))
    if chance.random() < 0.5:
        first = chance.choice(sorted({line.split(" ")[0] for line in lines}))
        at = chance.choice([n for n, line in enumerate(lines) if line.split(" ")[0] == first])
    words = lines[at].split(" ")
    n = chance.randrange(len(words))
    every = [word for line in chance.sample(lines, 1) + [lines[at]] for word in line.split(" ")]
    words[n] = other_word(words[n], every, chance)
    lines[at] = " ".join(words)


def swap_words(lines, chance):
    at = chance.choice([n for n, line in enumerate(lines) if line.count(" ") > 1])
    first, *words = lines[at].split(" ")
    a, b = chance.randrange(len(words)), chance.randrange(len(words))
    words[a], words[b] = words[b], words[a]
    lines[at] = " ".join([first, *words])


def drop_word(lines, chance):
    at = chance.choice([n for n, line in enumerate(lines) if " " in line])
    words = lines[at].split(" ")
    del words[chance.randrange(len(words))]
    lines[at] = " ".join(words)


def shift_claim(lines, chance):
    """Changes a claimed cost or a bound by one."""
    first = chance.choice(["least", "plan", "bound"])
    for at, line in enumerate(lines):
        words = line.split(" ")
        if words[0] == first and words[1:] and words[1].isdecimal():
            words[1] = str(int(words[1]) + chance.choice([1, -1]))
            lines[at] = " ".join(words)
            break


def swap_lines(lines, chance):
    a = chance.randrange(len(lines))
    b = chance.choice([a - 1, chance.randrange(len(lines))])
    lines[a], lines[b] = lines[b], lines[a]


def drop_line(lines, chance):
    del lines[chance.randrange(len(lines))]


def double_line(lines, chance):
    at = chance.randrange(len(lines))
    lines.insert(chance.choice([at, chance.randrange(len(lines))]), lines[at])


def change_text(text, chance):
    """A text with a change of a word or of a line."""
    lines = text.decode(errors="surrogateescape").split("\n")[:-1]
    words = [change_word] * 6 + [swap_words] * 2 + [drop_word]
    lines_too = [shift_claim, swap_lines, drop_line, double_line]
    chance.choice(words + lines_too)(lines, chance)
    return "".join(line + "\n" for line in lines).encode(errors="surrogateescape")


def change_bytes(data, chance):
    """Bytes with one byte changed, or more, or fewer."""
    data, at = bytearray(data), chance.randrange(len(data))
    kind = chance.randrange(8)
    if kind < 3:
        data[at] = (data[at] + chance.choice([1, -1])) % 256
    elif kind < 5:
        data[at] = chance.choice([chance.randrange(256), 0, 254, 255])
    elif kind == 5:
        data[at] ^= 1 << chance.randrange(8)
    elif kind == 6:
        del data[chance.choice([at, -1])]
    else:
        data.insert(at, chance.choice([10, 32, 48, 255, chance.randrange(256)]))
    return bytes(data)


def change(data, chance):
    """A file with a change of its text, of its entries, or of any byte."""
    mark = data.find(b"\nentries ")
    end = data.find(b"\n", mark + 1) + 1 if mark >= 0 else len(data)
    part = chance.random()
    if part < 0.35 and end < len(data):
        return data[:end] + change_bytes(data[end:], chance)
    if part < 0.9:
        return change_text(data[:end], chance) + data[end:]
    return change_bytes(data, chance)


def complete(data, chance):
    """A plain certificate with new counts and a new claim, or the same one if that is refused."""
    lines = data.decode().split("\n")
    lines = [line for line in lines if line.split(" ")[0] in make.HEADER]
    return make.complete(lines, chance, claim="least", most=chance.choice([4, 7]), bare=0.4)


def within_time(run, *arguments):
    """What `run` returns. Raises a TimeoutError if it takes too long."""

    def stop(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        return run(*arguments)
    finally:
        signal.alarm(0)


def verdict_of_plain(file, units, seed, tables):
    try:
        data = file.read_bytes()
        return "holds", within_time(plain.check_file, data, units, seed, tables)
    except Refusal as why:
        return "refused", str(why)
    except TimeoutError:
        return "unfinished", ""
    except Exception as error:
        return "failed", repr(error)


def verdict_of_program(program, file, units, seed, tables):
    command = [program, file] + (["--units", str(units), "--seed", str(seed)] if units else [])
    command += ["--units", "0"] * (units == 0) + (["--tables", tables] if tables else [])
    try:
        run = subprocess.run(command, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "unfinished", ""
    words = run.stderr.decode(errors="replace").strip()
    if run.returncode == 0:
        return "holds", ""
    if run.returncode == 1 and words.split("\n")[-1].startswith("not checked: "):
        return "not checked", words
    said = run.returncode == 2 and words.split("\n")[-1].startswith("refused: ")
    return "refused" if said else "failed", words


def differ(ours, theirs):
    """Whether two verdicts differ. What the program is too small for must not hold."""
    if "failed" in (ours, theirs) or (ours, theirs) == ("holds", "not checked"):
        return True
    return ours != theirs and "unfinished" not in (ours, theirs) and theirs != "not checked"


def compare(job):
    """One changed certificate, and both verdicts."""
    program, folder, seed, number = job
    chance = random.Random(f"{seed} mutation {number}")
    file = chance.choice(sorted(folder.glob("*.plain")))
    if file.stat().st_size > 50_000 and chance.random() < 0.5:
        file = chance.choice(sorted(folder.glob("*.plain")))
    data, tables = file.read_bytes(), file.with_suffix(".tables")
    changed = folder / f"changed-{seed}-{number}"
    if tables.is_dir():
        shutil.copytree(tables, changed.with_suffix(".tables"))
    tables = changed.with_suffix(".tables") if tables.is_dir() else None
    if tables and chance.random() < 0.6:
        entries = chance.choice(sorted(tables.iterdir()))
        entries.write_bytes(change_bytes(entries.read_bytes(), chance))
    elif number % 50:
        for _ in range(chance.choice([1, 1, 1, 2])):
            data = change(data, chance)
        if file.stat().st_size < 50_000 and chance.random() < 0.5:
            with contextlib.suppress(ValueError, TimeoutError):
                data = within_time(complete, data, chance)
    changed.write_bytes(data)
    units = chance.choice([None, None, 0, 1, 5])
    units = 0 if file.name.startswith("wide") else units
    options = changed, units, 0 if not units else chance.randrange(1000), tables
    verdicts = verdict_of_plain(*options), verdict_of_program(program, *options)
    if not differ(*(verdict for verdict, _ in verdicts)):
        changed.unlink()
        if tables:
            shutil.rmtree(tables)
    return file.name, options, verdicts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    kinds.write_all(folder, options.seed)
    jobs = [(options.program.resolve(), folder, options.seed, n) for n in range(options.count)]
    counts, wrong = collections.Counter(), 0
    with multiprocessing.Pool(2) as pool:
        for name, (file, units, seed, _), verdicts in pool.imap(compare, jobs, 4):
            both = tuple(verdict for verdict, _ in verdicts)
            counts[both] += 1
            if differ(*both):
                wrong += 1
                print(f"{file}, from {name}, units {units}, seed {seed}:")
                print(f"  plain.py: {verdicts[0]}\n  program:  {verdicts[1]}", flush=True)
    for both, count in sorted(counts.items()):
        print(f"{count}: plain.py {both[0]}, program {both[1]}")
    print(f"{wrong} disagreements in {options.count} files")
    if not wrong and not options.keep:
        shutil.rmtree(folder)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
