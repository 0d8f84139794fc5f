//! Files that release 0.1 wrote. They must still be read, and those of a newer version refused.

use crate::{BoundRecord, Certificate, Claim, Identity, Record, TableMark, read_text};
use search::UnitCounts;

const JOURNAL: &str = include_str!("../../tests/data/toy.journal");
const CERTIFICATE: &str = include_str!("../../tests/data/toy.certificate");

const DIGEST: [u8; 16] = [
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
];

fn counts(generated: u64, expanded: u64, over: Option<u16>) -> UnitCounts {
    UnitCounts { generated, expanded, over }
}

fn record() -> Record {
    let bound =
        |bound, above, units| BoundRecord { bound, above, digest: DIGEST, units, plans: [].into() };
    let known = vec![Some(counts(12, 4, Some(1))), None, Some(counts(7, 2, None))];
    let mut last = bound(5, counts(30, 10, Some(1)), known);
    last.plans.insert((1, vec![0, 300, 17]));
    Record {
        identity: Identity::new().with("plans", "1").with("puzzle", "toy").with("state", "3 1 2"),
        command: Identity::new().with("memory", "1000"),
        bounds: vec![bound(4, counts(9, 3, Some(1)), vec![]), last],
        times: vec![(0.25, 51), (1.5, 58)],
        rounds: Vec::new(),
    }
}

fn certificate() -> Certificate {
    let mut record = record();
    record.bounds[1].units[1] = Some(counts(8, 3, Some(2)));
    let table = TableMark { name: "toy".to_owned(), fingerprint: [1; 32], payload: [0xfe; 32] };
    let plan = ["a", "b", "c"].map(str::to_owned).to_vec();
    let mut certificate = Certificate::new(&record, Claim::Plan(plan, 6), 6, vec![table]);
    certificate.bounds.iter_mut().for_each(|bound| bound.plans.clear());
    certificate
}

#[test]
fn a_journal_is_read() {
    assert_eq!(read_text(JOURNAL.as_bytes()).unwrap().record, record());
}

#[test]
fn a_certificate_is_read_and_written() {
    assert_eq!(Certificate::read(CERTIFICATE.as_bytes()).unwrap(), certificate());
    assert_eq!(certificate().text(), CERTIFICATE);
}

#[test]
fn newer_versions_are_refused_by_version() {
    let expected = "format version 2, this program reads version 1";
    let newer = JOURNAL.replacen("journal 1", "journal 2", 1);
    let error = read_text(newer.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
    let newer = CERTIFICATE.replacen("certificate 1", "certificate 2", 1);
    let error = Certificate::read(newer.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}
