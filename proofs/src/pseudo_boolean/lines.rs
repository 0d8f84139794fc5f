//! The lines of a proof in the format of VeriPB, version 3: [`Lines`].

use super::formula::Id;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes the lines of a proof, and numbers the constraints that they derive.
pub(super) struct Lines<'a> {
    out: &'a mut dyn Write,
    /// The number of the constraint that the next line derives.
    pub(super) next: Id,
    /// The bytes so far.
    pub(super) bytes: u64,
    text: String,
}

impl<'a> Lines<'a> {
    /// Begins a proof about a formula of this many constraints.
    ///
    /// # Errors
    /// If the line cannot be written, as all errors of this type.
    pub(super) fn new(out: &'a mut dyn Write, constraints: Id) -> io::Result<Self> {
        let mut lines = Self { out, next: constraints + 1, bytes: 0, text: String::new() };
        lines.line(&format!("pseudo-Boolean proof version 3.0\nf {constraints};"))?;
        Ok(lines)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.bytes += text.len() as u64 + 1;
        writeln!(self.out, "{text}")
    }

    /// Derives a constraint: ends the line in `text`.
    fn derive(&mut self) -> io::Result<Id> {
        let text = std::mem::take(&mut self.text);
        self.line(&text)?;
        self.text = text;
        self.next += 1;
        Ok(self.next - 1)
    }

    /// Derives "at least `degree` of the literals": assuming the opposite, unit propagation of the
    /// constraints in `hints`, in this order, leads to a contradiction.
    pub(super) fn rup(
        &mut self,
        literals: &[String],
        degree: usize,
        hints: &[Id],
    ) -> io::Result<Id> {
        self.text.clear();
        self.text += "rup";
        // A `String` takes everything.
        literals.iter().for_each(|literal| _ = write!(self.text, " 1 {literal}"));
        _ = write!(self.text, " >= {degree} : ~");
        hints.iter().for_each(|hint| _ = write!(self.text, " {hint}"));
        self.text += ";";
        self.derive()
    }

    /// Derives the constraint that a sum of others makes.
    pub(super) fn sum(&mut self, sum: &Sum) -> io::Result<Id> {
        self.text.clear();
        self.text += "pol";
        self.text += &sum.0;
        self.text += ";";
        self.derive()
    }

    /// Ends the proof: the constraint `contradiction` is one.
    pub(super) fn end(&mut self, contradiction: Id) -> io::Result<()> {
        self.line("output NONE;")?;
        self.line(&format!("conclusion UNSAT : {contradiction};"))?;
        self.line("end pseudo-Boolean proof;")?;
        self.out.flush()
    }
}

/// A sum of constraints, in reverse Polish notation.
#[derive(Debug, Default)]
pub(super) struct Sum(String);

impl Sum {
    /// Adds a constraint.
    pub(super) fn add(&mut self, constraint: Id) {
        self.term(constraint, 1);
    }

    /// Adds a multiple of a constraint. A variable stands for the constraint that it is at least 0.
    pub(super) fn term(&mut self, what: impl std::fmt::Display, factor: u32) {
        let plus = if self.0.is_empty() { "" } else { " +" };
        _ = match factor {
            0 => Ok(()),
            1 => write!(self.0, " {what}{plus}"),
            _ => write!(self.0, " {what} {factor} *{plus}"),
        };
    }

    /// Adds another sum.
    pub(super) fn add_sum(&mut self, other: &Self) {
        let plus = if self.0.is_empty() { "" } else { " +" };
        self.0 += &other.0;
        self.0 += plus;
    }

    /// Reduces the sum to a clause: no coefficient is above the degree, which is 1.
    pub(super) fn saturate(&mut self) {
        self.0 += " s";
    }
}
