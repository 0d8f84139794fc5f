#!/usr/bin/env python3
"""Fills the tables of MEASUREMENTS.md from the CSV files beside this script.

    docs/bench/render.py            writes the tables
    docs/bench/render.py --check    exits with 1 if a table is not what the CSV files say
    docs/bench/render.py --plots    draws the plots, too (needs matplotlib)

A table stands between two comments, `<!-- table FILE QUESTION COLUMN.. -->` and `<!-- end -->`.
It holds the rows of FILE.csv whose column `question` is QUESTION, in the order of the file. `all`
in place of the columns stands for all but that one.
"""

import csv
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "MEASUREMENTS.md"
TITLES = {
    "bytes": "table bytes",
    "peak": "peak bytes",
    "cpu_seconds": "CPU seconds",
    "wall_seconds": "wall seconds",
    "nodes": "generated nodes",
    "look_ahead": "moves ahead",
    "solved_percent": "solved, %",
    "mean_length": "mean moves of these",
    "standard_error": "± standard error",
    "formula_bytes": "formula bytes",
    "log_bytes": "log bytes",
    "lemma_bytes": "of these lemmas",
    "write_seconds": "`solve` (s)",
    "veripb_seconds": "VeriPB (s)",
    "veripb_bytes": "its peak bytes",
}
TABLE = re.compile(r"<!-- table (\S+) (\S+) (.*?) -->\n.*?<!-- end -->", re.S)


def rows(name, question):
    """The rows of a CSV file that answer a question, as dictionaries."""
    with open(HERE / f"{name}.csv", newline="", encoding="utf-8") as file:
        found = [row for row in csv.DictReader(file) if row["question"] == question]
    if not found:
        sys.exit(f"{name}.csv: no row answers {question}")
    return found


def cell(text):
    """A value as the page shows it: whole numbers get commas."""
    return f"{int(text):,}" if text.isdigit() and len(text) > 4 else text


def table(match):
    """The text that belongs where a table stands."""
    name, question, columns = match.groups()
    found = rows(name, question)
    every = [column for column in found[0] if column != "question"]
    shown = every if columns == "all" else columns.split()
    lines = [[TITLES.get(column, column) for column in shown], ["---"] * len(shown)]
    lines += [[cell(row[column]) for column in shown] for row in found]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"<!-- table {name} {question} {columns} -->\n{body}\n<!-- end -->"


def label_place(name, what, x, other):
    """Where a label stands beside its point: points to the right and up, and its alignment."""
    if name == "tiles":
        # Of two points that coincide one has its label below.
        up = -12 if "two of" in what else 6
        return (-6, up, "right") if x > 500 else (6, up, "left")
    if what in ("htr110", "htr204 and g1"):
        return 3, 6, "left"
    if other and "vcube" not in what:
        return -6, -12, "right"
    return (6, 6, "left") if other else (8, -3, "left")


def plots():
    """Draws seconds over bytes, both on logarithmic scales, as SVG files."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "fewest", "svg.fonttype": "none"})
    from matplotlib import pyplot, ticker

    for name, question, title in [
        ("cube", "cube-memory", "A random cube, all bounds to 16, one thread"),
        ("cube", "cube-twenty", "A random cube solved, mean of twenty, one thread"),
        ("tiles", "tiles-memory-24", "Two 24-puzzles, one thread"),
    ]:
        figure, axes = pyplot.subplots(figsize=(7, 4.4))
        for row in rows(name, question):
            x, y = int(row["bytes"]) / 1e6, float(row["cpu_seconds"])
            other = "another solver" in row["what"]
            axes.scatter(x, y, color="#c44e52" if other else "#4c72b0")
            right, up, side = label_place(name, row["what"], x, other)
            axes.annotate(
                row["what"].replace(" (another solver)", ""),
                (x, y),
                xytext=(right, up),
                textcoords="offset points",
                horizontalalignment=side,
                fontsize=8,
            )
        axes.set(xscale="log", yscale="log", title=title)
        axes.set(xlabel="table megabytes", ylabel="CPU seconds")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(ticker.LogLocator(subs=(1, 3)))
            axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
            axis.set_minor_formatter(ticker.NullFormatter())
        axes.grid(True, which="major", alpha=0.4)
        axes.margins(0.2)
        figure.tight_layout()
        figure.savefig(HERE / f"{question}.svg", metadata={"Date": None})


def solvers():
    """Draws the length of plans over seconds, a panel a puzzle, as an SVG file."""
    from matplotlib import pyplot, ticker

    # Labels stand above and to the right of their points, except where others are near.
    beside = {
        "near-optimal": (-6, 4, "right"),
        "near-optimal, more nodes": (-6, -12, "right"),
        "optimal: best in 4 GiB": (0, -14, "center"),
        "perimeter": (-6, 6, "right"),
    }
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4.6))
    for axes, question, title in zip(
        panels,
        ["cube", "boards"],
        ["A hundred random cubes", "Korf's hundred boards"],
    ):
        for row in rows("solvers", question):
            if not row["mean_length"]:
                continue
            x, y = float(row["cpu_seconds"]), float(row["mean_length"])
            axes.scatter(x, y, color="#4c72b0")
            right, up, side = beside.get(row["what"], (6, 4, "left"))
            axes.annotate(
                row["what"],
                (x, y),
                xytext=(right, up),
                textcoords="offset points",
                horizontalalignment=side,
                fontsize=8,
            )
        axes.set(xscale="log", yscale="log", title=title)
        axes.set(xlabel="CPU seconds a state", ylabel="mean moves")
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 3, 5)))
        axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_formatter(ticker.NullFormatter())
        axes.grid(True, alpha=0.4)
        axes.margins(0.25, 0.12)
    figure.tight_layout()
    figure.savefig(HERE / "solvers.svg", metadata={"Date": None})


def main():
    """Runs what the command line asks for."""
    unknown = set(sys.argv[1:]) - {"--check", "--plots"}
    if unknown:
        sys.exit(f"unknown option {unknown.pop()}; see the top of this file")
    before = PAGE.read_text(encoding="utf-8")
    after = TABLE.sub(table, before)
    if "--check" in sys.argv:
        if before != after:
            sys.exit("MEASUREMENTS.md differs from its CSV files: run docs/bench/render.py")
        return
    PAGE.write_text(after, encoding="utf-8")
    if "--plots" in sys.argv:
        plots()
        solvers()


main()
