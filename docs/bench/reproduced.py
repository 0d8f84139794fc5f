#!/usr/bin/env python3
"""Runs experiments of `fewest reproduce` and writes docs/REPRODUCED.md.

    docs/bench/reproduced.py TOOL NAME..    runs these experiments with the tool, then writes the page
    docs/bench/reproduced.py TOOL           runs all that take less than a minute
    docs/bench/reproduced.py                writes the page from the rows of earlier runs
    docs/bench/reproduced.py --check        exits with 1 if the page is not what the rows say

Rows are in reproduced.jsonl beside this script, each with the date and commit of its run. A new run
of an experiment replaces its rows. Figures are drawn beside the script, too.
"""

import datetime
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROWS = HERE / "reproduced.jsonl"
PAGE = HERE.parent / "REPRODUCED.md"
FIGURES = {
    "fowler02-table1-2": "fowler-1-3.svg",
    "fowler02-figure1-4": "fowler-1-4.svg",
    "korf97-heuristics": "korf97-heuristics.svg",
    "korf97-seven-edges": "korf97-seven-edges.svg",
}
CLAIMS = {
    "K85": "Korf 1985",
    "K": "Korf 1997",
    "KF": "Korf and Felner 2002",
    "T": "Korf and Taylor 1996",
    "F": "Fowler 2002",
    "J": "Martin 2016",
}
VERDICTS = {
    "agrees": "agrees",
    "wrong-as-printed": "**wrong as printed**",
    "other": "",
    "differs": "**differs**",
    "unfinished": "unfinished",
}
HEAD = """# The papers, reproduced

Every table and figure of the papers that this project follows, computed anew: the published
figure, ours, and why they differ. `fewest reproduce` prints the same rows; `--list` has all names
and times, and `fewest reproduce K9` runs the experiments of one claim. The experiments that take
less than a minute are a test. [reproduced.py](bench/reproduced.py) writes this page.

- *agrees*: ours is the published figure, to its last digit. A figure of a paper is rounded, or its
  last digits are cut off.
- *wrong as printed*: the remark has the evidence. The list of these comes first.
- without a verdict: nothing is published, or the figures cannot be equal (other instances, other
  methods, random states, facts of their time). The remark says why. A mean of samples has its
  standard error.
"""


def load():
    """The experiments and rows of earlier runs."""
    if not ROWS.exists():
        return [], {}
    lines = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    listed = [line for line in lines if line["type"] == "experiment"]
    rows = {}
    for line in lines:
        if line["type"] == "reproduce":
            rows.setdefault(line["name"], []).append(line)
    return listed, rows


def output(tool, *arguments):
    """The JSON lines that the tool prints. It may end with 1: a row says what was wrong."""
    command = [tool, "reproduce", *arguments, "--format", "json", "--quiet"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode > 1 or not ran.stdout:
        sys.exit(f"{' '.join(command)}: {ran.stderr}")
    return [json.loads(line) for line in ran.stdout.splitlines()]


def run(tool, names):
    """Runs experiments, and stores their rows."""
    listed = [line for line in output(tool, "--list") if line["type"] == "experiment"]
    _, rows = load()
    known = {one["name"] for one in listed}
    names = names or [one["name"] for one in listed if one["quick"]]
    if set(names) - known:
        sys.exit(f"unknown experiment {min(set(names) - known)}")
    git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=True, cwd=HERE).stdout
    for name in names:
        figure = FIGURES.get(name)
        plot = ["--plot", str(HERE / figure)] if figure else []
        date = datetime.date.today().isoformat()
        new = output(tool, name, *plot)
        print(name, sum(row["verdict"] in ("differs", "unfinished") for row in new), "unexpected")
        rows[name] = [{**row, "date": date, "commit": commit.strip()} for row in new]
        lines = listed + [row for one in listed for row in rows.get(one["name"], [])]
        for line in lines:
            line.pop("version", None)
        text = "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines)
        ROWS.write_text(text, encoding="utf-8")


def number(value):
    """A figure for people: commas in whole numbers, nothing for none."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "\\|")


def ours(row):
    """Our figure, with its standard error."""
    value = row["ours"]
    if row["standard_error"] is None:
        return number(value)
    decimals = len(str(value).partition(".")[2]) if isinstance(value, float) else 2
    return f"{number(value)} +- {row['standard_error']:.{decimals}f} ({row['samples']:,})"


def claimant(claim):
    """The paper that a claim is of. The figure may stand among those of another paper."""
    return CLAIMS.get(claim) or CLAIMS[claim.rstrip("0123456789")]


def seconds(time):
    """A time in the largest fitting unit."""
    for size, unit in [(86400, "days"), (3600, "h"), (60, "min")]:
        if time >= 2 * size:
            return f"{time / size:.0f} {unit}"
    return f"{time:.0f} s" if time >= 1 else f"{time:.1f} s"


def deviation(row):
    """Our figure against the published one, in per cent."""
    value = row["deviation"]
    return "" if value is None or row["verdict"] == "agrees" else f"{100 * value:+.2f}%"


def table(rows):
    """The rows of an experiment as a table. A remark that repeats is given once."""
    lines = ["| claim | figure | published | ours | deviation | |", "|---|---|---|---|---|---|"]
    told = None
    for row in rows:
        remark = row["remark"] if row["remark"] != told else ""
        told = row["remark"]
        verdict = ". ".join(part for part in (VERDICTS[row["verdict"]], number(remark)) if part)
        cells = [row["id"], number(row["what"]), number(row["published"]), ours(row)]
        lines.append(f"| {' | '.join([*cells, deviation(row), verdict])} |")
    return "\n".join(lines)


def page(listed, rows):
    """The whole page."""
    every = [row for one in listed for row in rows.get(one["name"], [])]
    count = lambda verdict: sum(row["verdict"] == verdict for row in every)
    parts = [HEAD]
    parts.append(
        f"{len(every)} rows of {len(rows)} experiments: {count('agrees')} agree, "
        f"{count('wrong-as-printed')} are wrong as printed, {count('differs')} differ, "
        f"{count('unfinished')} are unfinished.\n"
    )
    parts.append("## Where a paper is wrong\n")
    wrong = [row for row in every if row["verdict"] == "wrong-as-printed"]
    lines = ["| claim | paper | figure | published | ours | evidence |", "|---|---|---|---|---|---|"]
    for row in wrong:
        cells = [row["id"], claimant(row["id"]), number(row["what"]), number(row["published"]), ours(row)]
        lines.append(f"| {' | '.join([*cells, number(row['remark'])])} |")
    parts.append("\n".join(lines) + "\n")
    paper = None
    for one in listed:
        if one["paper"] != paper:
            paper = one["paper"]
            parts.append(f"## {paper}\n")
        name, title = one["name"], one["title"]
        parts.append(f"### {title[0].upper()}{title[1:]}\n")
        found = rows.get(name)
        if not found:
            parts.append(f"`fewest reproduce {name}`, about {seconds(one['seconds'])}: not run yet.\n")
            continue
        time = seconds(sum(row["seconds"] for row in found))
        parts.append(f"`fewest reproduce {name}`: {found[0]['date']}, {found[0]['commit']}, {time}\n")
        if name in FIGURES:
            parts.append(f"![{name}](bench/{FIGURES[name]})\n")
        parts.append(table(found) + "\n")
    return "\n".join(parts)


def main():
    """Runs what the command line asks for."""
    arguments = sys.argv[1:]
    check = arguments == ["--check"]
    if arguments and not check:
        run(arguments[0], arguments[1:])
    text = page(*load())
    if check:
        if PAGE.read_text(encoding="utf-8") != text:
            sys.exit("docs/REPRODUCED.md is not what the rows say: run docs/bench/reproduced.py")
        return
    PAGE.write_text(text, encoding="utf-8")


main()
