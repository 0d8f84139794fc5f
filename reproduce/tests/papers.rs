//! The experiments on the papers: every exact figure agrees, and every row that calls a paper
//! wrong still has its evidence.

use fewest::{Chart, Failure, Request, Settings};
use fewest_reproduce::{
    Agreement, Experiment, Findings, Kind, Lab, Quantity, Row, Sample, experiments,
};
use std::path::Path;

/// Rows and figures of an experiment.
#[derive(Default)]
struct Found {
    rows: Vec<Row>,
    charts: Vec<Chart>,
}

impl Findings for Found {
    fn row(&mut self, row: Row) {
        self.rows.push(row);
    }
    fn chart(&mut self, chart: Chart) {
        self.charts.push(chart);
    }
}

fn lab() -> Lab<'static> {
    // The folder of all tests. It is kept between runs.
    let tables = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    Lab::new(Request::default(), Settings::default().tables(tables))
}

fn named(name: &str) -> &'static Experiment {
    experiments().find(|one| one.name == name).expect("an experiment")
}

fn run(experiment: &Experiment) -> Found {
    let mut found = Found::default();
    (experiment.run)(&lab(), &mut found).expect("it runs");
    found
}

/// The seconds of the longest experiment that every run of the tests does.
const SHORT: u32 = 10;

/// Runs some experiments. Returns the claims of which they find that the paper is wrong.
fn wrong(is_meant: impl Fn(&Experiment) -> bool) -> Vec<&'static str> {
    let mut wrong = Vec::new();
    for experiment in experiments().filter(|one| is_meant(one)) {
        let found = run(experiment);
        let name = experiment.name;
        for id in experiment.ids.split(' ') {
            assert!(found.rows.iter().any(|row| row.id == id), "{name} has no row of {id}");
        }
        for row in &found.rows {
            assert!(experiment.is_meant_by(row.id), "{name} does not list {}", row.id);
            let fine = !matches!(row.verdict, Agreement::Differs | Agreement::Unfinished);
            assert!(fine, "{name}: {row:?}");
            let says_why = row.verdict != Agreement::WrongAsPrinted || !row.remark.is_empty();
            assert!(says_why, "{name}: {row:?}");
            let has_error = row.samples.is_none() || row.standard_error.is_some();
            assert!(has_error, "{name}: {row:?}");
        }
        let claims = found.rows.iter().filter(|row| row.verdict == Agreement::WrongAsPrinted);
        let mut claims: Vec<_> = claims.map(|row| row.id).collect();
        claims.dedup();
        wrong.extend(claims);
    }
    wrong
}

#[test]
fn short_experiments_agree_with_the_papers() {
    assert_eq!(wrong(|one| one.seconds <= SHORT), ["T14", "K18", "F16", "F1", "F11", "J6"]);
}

#[test]
#[ignore = "slow: the experiments of ten seconds to a minute, 4 min"]
fn quick_experiments_agree_with_the_papers() {
    assert_eq!(wrong(|one| one.is_quick() && one.seconds > SHORT), ["K10", "K12", "J7"]);
}

/// The exact claims of the papers are in the list, each under its own name.
#[test]
fn every_exact_claim_is_checked() {
    let listed = |id: &str| experiments().any(|one| one.ids.split(' ').any(|own| own == id));
    for (paper, numbers) in [
        ('K', "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"),
        ('T', "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"),
        ('F', "1 2 3 4 5 6 7 8 9 10 11 12 13 14 16 18 19 20 21 23 24"),
        ('J', "1 2 3 4 5 6 7"),
    ] {
        for number in numbers.split(' ') {
            assert!(listed(&format!("{paper}{number}")), "{paper}{number}");
        }
    }
    let mut names: Vec<_> = experiments().map(|one| one.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn rows_compare_as_they_are_rounded() {
    let verdict = |published: f64, decimals, ours: f64| {
        Row::exact("", "", (published, decimals), (ours, 9)).verdict
    };
    // Rounded, or cut off; the next digit is not met.
    assert_eq!(verdict(8.764, 3, 8.764_133_684), Agreement::Agrees);
    assert_eq!(verdict(8.764, 3, 8.763_6), Agreement::Agrees);
    assert_eq!(verdict(8.764, 3, 8.765_1), Agreement::Differs);
    assert_eq!(verdict(8.764, 3, 8.763_4), Agreement::Differs);
    assert_eq!(verdict(2.0, 0, 2.9), Agreement::Agrees);
    assert_eq!(Row::exact("", "", 7_u64, 8_u64).verdict, Agreement::Differs);
    assert_eq!(Row::exact("", "", 7_u64, 8_u64).deviation.map(|by| (by * 7.0).round()), Some(1.0));
    assert_eq!(Row::holds("", "", false).verdict, Agreement::Differs);
    // A figure that is right after all is no error of the paper.
    assert_eq!(Row::wrong("", "", 7_u64, 7_u64, "why").verdict, Agreement::Differs);
    assert_eq!(Row::wrong("", "", 7_u64, 8_u64, "why").verdict, Agreement::WrongAsPrinted);
    let big = serde_json::to_string(&Quantity::from(u128::MAX)).expect("JSON");
    assert_eq!(big, u128::MAX.to_string());
    assert_eq!(serde_json::to_string(&Quantity::from((2.5, 3))).expect("JSON"), "2.500");
}

#[test]
fn a_sample_has_a_standard_error() {
    let sample: Sample = [72.0, 78.0, 60.0].into_iter().collect();
    assert_eq!((sample.count(), sample.mean()), (3, 70.0));
    assert!((sample.deviation() - 84_f64.sqrt()).abs() < 1e-12);
    assert!((sample.standard_error() - 28_f64.sqrt()).abs() < 1e-12);
    let row = Row::sampled("", "", 72_u64, &sample, 1);
    assert_eq!((row.kind, row.samples, row.verdict), (Kind::Sampled, Some(3), Agreement::Other));
}

#[test]
fn experiments_can_be_cancelled() {
    for experiment in experiments().filter(|one| !one.is_quick()) {
        let lab = lab();
        lab.request.cancel.cancel();
        let mut rows: Vec<Row> = Vec::new();
        let ended = (experiment.run)(&lab, &mut rows);
        let cancelled = matches!(&ended, Err(failure) if failure.is_cancelled());
        assert!(cancelled, "{}: {ended:?}", experiment.name);
        assert!(rows.iter().all(|row| row.verdict == Agreement::Unfinished), "{rows:?}");
    }
}

#[test]
fn figures_have_the_counts_of_their_tables() {
    let figure = run(named("fowler02-table1-2")).charts;
    let [chart] = &figure[..] else { panic!("one figure: {figure:?}") };
    assert_eq!((chart.series.len(), chart.series[0].1.len()), (1, 12));
    assert_eq!(chart.series[0].1.iter().sum::<f64>(), 3_674_160.0);
    assert!(run(named("fowler02-legality")).charts.is_empty());
}

#[test]
#[ignore = "slow: all hundred boards of Korf (1985), 20 min"]
fn korf_1985_has_four_misprints() {
    let rows = run(named("korf85-all")).rows;
    let wrong = rows.iter().filter(|row| row.verdict == Agreement::WrongAsPrinted);
    let wrong: Vec<&str> = wrong.map(|row| row.what.split(':').next().unwrap_or("")).collect();
    assert_eq!(wrong, ["board 22", "board 88", "board 89", "board 98"]);
    assert!(rows.iter().all(|row| row.verdict != Agreement::Differs));
}

#[test]
#[ignore = "slow: builds 30 tables of 21 MB, 5 min"]
fn one_split_of_the_edges_has_the_printed_means() {
    let rows = run(named("korf97-splits")).rows;
    let ours = |what: &str| {
        let row = rows.iter().find(|row| row.what == what).expect("a row");
        row.ours.as_ref().expect("ours").to_string()
    };
    assert_eq!(ours("sets of six edges that no symmetry makes equal"), "30");
    assert_eq!(ours("splits into two such sets"), "19");
    assert_eq!(ours("splits with both means 7.668"), "1");
    assert_eq!(ours("its mean of the maximum"), "8.89783");
}

#[test]
#[ignore = "slow: builds the tables 6-6-6-6 and searches two boards, 3 min"]
fn korf_and_felner_counted_what_we_count() -> Result<(), Failure> {
    let mut rows: Vec<Row> = Vec::new();
    (named("kf02-24-quick").run)(&lab(), &mut rows)?;
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.verdict == Agreement::Agrees), "{rows:?}");
    Ok(())
}
