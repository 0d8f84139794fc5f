//! The heuristics of Korf (1997): Manhattan distance, and tables of corners and edges.

use crate::lab::{build_failure, exhaust_failure};
use crate::{Findings, Lab, Row, Sample, pieces};
use fewest::cube::patterns::korf97;
use fewest::cube::{Cube, Cube3, CubeManhattan, CubeMetric};
use fewest::pdb::layers::{ExhaustOptions, exhaust};
use fewest::pdb::{Abstraction, GroupPattern, PackedTable, PatternDatabase, build};
use fewest::search::Heuristic;
use fewest::search::predict::Distribution;
use fewest::search::random::Random;
use fewest::{Chart, Event, Failure, TableHistogram};

/// K6.
pub(super) fn manhattan(_: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let heuristic = CubeManhattan::new(CubeMetric::HalfTurn);
    // A piece is on each of its 24 places equally often.
    let mean = |distances: &[u8; 24]| distances.iter().map(|&d| f64::from(d)).sum::<f64>() / 24.0;
    let corners: f64 = (0..8).map(|piece| mean(heuristic.corner(piece))).sum();
    let edges: f64 = (0..12).map(|piece| mean(heuristic.edge(piece))).sum();
    out.row(Row::exact("K6", "mean sum of the edges, divided by 4", (5.5, 1), (edges / 4.0, 4)));
    let what = "mean sum of the corners, divided by 4";
    out.row(Row::exact("K6", what, (3.0, 0), (corners / 4.0, 4)));
    Ok(())
}

/// A table of Korf's, and the heuristic that reads it.
fn database<A: Abstraction + Clone>(
    lab: &Lab<'_>,
    pattern: A,
    name: &str,
) -> Result<PatternDatabase<A>, Failure> {
    lab.request.watch.event(&Event::Preparing { what: name });
    let table = build::<4>(&pattern, &lab.build()).map_err(build_failure(name))?;
    Ok(PatternDatabase::new(pattern, table))
}

/// Rows of a table: entries, bytes, greatest value and mean, with the published figures.
fn table_rows(
    id: &'static str,
    table: &TableHistogram,
    (entries, bytes, most, mean): (u64, u64, u64, f64),
    out: &mut dyn Findings,
) {
    let name = &table.table;
    out.row(Row::exact(id, format!("{name}: entries"), entries, table.entries));
    out.row(Row::exact(id, format!("{name}: bytes"), bytes, table.bytes));
    out.row(Row::exact(id, format!("{name}: greatest value"), most, u64::from(table.max)));
    out.row(Row::exact(id, format!("{name}: mean"), (mean, 3), (table.mean, 9)));
}

/// K7, K8 and K10.
pub(super) fn heuristics(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let (corners, first, second) = korf97(CubeMetric::HalfTurn);
    let corners = database(lab, corners, "corners")?;
    let first = database(lab, first, "six edges")?;
    let second = database(lab, second, "the other six edges")?;
    let histogram = |name: &str, table: &PackedTable| {
        let (bytes, counts) = (table.bytes().len() as u64, table.histogram().counts);
        TableHistogram::new(name.to_owned(), bytes, counts)
    };
    let tables = [
        histogram("corners", corners.table()),
        histogram("six edges", first.table()),
        histogram("the other six edges", second.table()),
    ];
    table_rows("K7", &tables[0], (88_179_840, 44_089_920, 11, 8.764), out);
    for edges in &tables[1..] {
        table_rows("K8", edges, (42_577_920, 21_288_960, 10, 7.668), out);
    }
    let total = tables.iter().map(|table| table.bytes).sum::<u64>() as f64;
    let what = "bytes of the three tables, in units of 2^20";
    out.row(Row::exact("K10", what, (82.0, 0), (total / f64::from(1 << 20), 2)));

    let members = tables.each_ref().map(|one| Distribution::from_counts(&one.counts));
    let independent = Distribution::max_of(&members);
    let mut values = Sample::default();
    let mut counts = vec![0_u64; 16];
    let (domain, mut random) = (Cube3::new(CubeMetric::HalfTurn), Random::new(1997));
    for done in 0..SAMPLES {
        if done % 10_000 == 0 {
            lab.check()?;
        }
        let cube = Cube::random(&mut random);
        let bounds = [
            corners.estimate(&domain, &cube),
            first.estimate(&domain, &cube),
            second.estimate(&domain, &cube),
        ];
        let h = bounds.into_iter().max().unwrap_or_default();
        values.add(h.into());
        counts[usize::from(h)] += 1;
    }
    let evidence = "no split of the edges into two tables has this mean: the least is 8.879, and \
        8.898 is that of the only split with both means 7.668 (korf97-splits); Korf, Reid and \
        Edelkamp print 8.898 in 2001";
    let wrong = |what: &str, mean| Row::wrong("K10", what, (8.878, 3), (mean, 5), evidence);
    out.row(wrong("mean of the maximum, from independent tables", independent.mean()));
    out.row(wrong("mean of the maximum, of random cubes", values.mean()).with_sample(&values));
    let chart = Chart::new("Values of Korf's heuristics", "value", "states in per cent")
        .with_shares("corners", &tables[0].counts)
        .with_shares("six edges", &tables[1].counts)
        .with_shares("maximum of the three", &counts);
    out.chart(chart);
    Ok(())
}

/// Random cubes of the mean of the maximum.
const SAMPLES: u64 = 2_000_000;

/// K9, and F14 with it: U's four edges, FR, FL and BL.
pub(super) fn seven_edges(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let stop = || lab.request.cancel.is_cancelled();
    let turns = (0..18).map(|turn| Ok((pieces::edges(&pieces::turn(turn))?, 1)));
    let turns = turns.collect::<Result<Vec<_>, Failure>>()?;
    let count = |slots: &[u16]| {
        // Slots first: then a row says which piece is where, and a column how they lie.
        let flips = slots.iter().map(|slot| 12 + 2 * slot);
        let tuple: Vec<u16> = slots.iter().copied().chain(flips).collect();
        let pattern = GroupPattern::of_tuple_until(36, &turns, &tuple, &stop);
        let pattern = pattern.map_err(Failure::of_group)?;
        let options = ExhaustOptions { build: lab.build(), ..ExhaustOptions::default() };
        let report = exhaust(&pattern, &options).map_err(exhaust_failure("edges"))?;
        let bytes = PackedTable::bytes_for(4, report.layers.iter().sum());
        Ok::<_, Failure>(TableHistogram::new("edges".to_owned(), bytes, report.layers))
    };
    let six = count(&[0, 1, 2, 3, 8, 9])?;
    let seven = count(&[0, 1, 2, 3, 8, 9, 10])?;
    let what = "bytes of the table of seven edges, in units of 2^20";
    let bytes = seven.bytes as f64 / f64::from(1 << 20);
    out.row(Row::exact("K9", what, (244.0, 0), (bytes, 3)).remark("UR UF UL UB FR FL BL"));
    out.row(Row::unpublished("K9", "entries", seven.entries));
    out.row(Row::unpublished("K9", "mean", (seven.mean, 9)));
    out.row(Row::unpublished("K9", "greatest value", u64::from(seven.max)));
    let what = "entries: seven edges divided by six";
    out.row(Row::exact("F14", what, 12_u64, seven.entries / six.entries));
    let evidence = "the means of both tables, counted entry by entry";
    let ours = seven.mean - six.mean;
    let what = "how much a seventh edge raises the mean";
    out.row(Row::wrong("F14", what, (0.96, 2), (ours, 4), evidence));
    let chart = Chart::new("Values of tables of edges", "value", "entries in per cent")
        .with_shares("six edges", &six.counts)
        .with_shares("seven edges", &seven.counts);
    out.chart(chart);
    Ok(())
}
