//! Writes what a certificate claims so that a program that shares nothing with this one can check
//! it: [`plain_certificate`].

use crate::puzzle::{Failure, Puzzle, Request};
use proofs::{Certificate, Claim};

/// A plain certificate: a text with the puzzle, the heuristic, the forbidden strings, the plan and
/// the counts of all units.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainCertificate {
    /// The text of the file.
    pub text: String,
    /// Whether it has the bounds and units of the search. If not, its heuristic is another, and a
    /// program that checks it searches anew.
    pub has_units: bool,
}

/// The plain certificate of a certificate. `puzzle` is that of the certificate's command.
///
/// # Errors
/// - The certificate claims that there is no plan, or its file contradicts itself.
/// - Rules restrict moves or states, there are several goals, or the goal needs labels that lines
///   cannot give.
/// - The caller cancels.
pub fn plain_certificate(
    puzzle: &dyn Puzzle,
    certificate: &Certificate,
    request: &Request<'_>,
) -> Result<PlainCertificate, Failure> {
    if let Err(flaw) = certificate.check() {
        return Err(Failure::refused(flaw));
    }
    let fact = |name: &str| certificate.identity.get(name).unwrap_or_default();
    let mut proof = puzzle.plain_proof(fact("state"), request)?;
    // A lower bound from elsewhere leaves bounds out.
    proof.is_searched &= matches!(fact("lower-bound"), "" | "0");
    let about = [fact("puzzle"), fact("metric"), fact("state"), fact("heuristic")];
    let about: Vec<String> =
        about.iter().filter(|text| !text.is_empty()).map(|text| one_line(text)).collect();
    let text = proof.certificate(certificate, &about).ok_or_else(|| {
        debug_assert_eq!(certificate.claim, Claim::NoPlan);
        Failure::refused("it claims that there is no plan, which a plain certificate cannot say")
    })?;
    Ok(PlainCertificate { text, has_units: proof.is_searched })
}

/// The words of a text with one blank between them.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
