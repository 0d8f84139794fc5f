//! A checker of proofs, plain and slow: the twin of VeriPB for the lines that logs have.

use std::collections::{BTreeMap, HashMap};

/// A constraint: the sum of the coefficients of true literals is at least the degree. All
/// coefficients are positive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Constraint {
    /// By variable: the coefficient, and whether the literal is the variable itself.
    terms: BTreeMap<String, (i64, bool)>,
    degree: i64,
}

/// The value of each variable that has one.
pub(super) type Values = HashMap<String, bool>;

impl Constraint {
    /// Adds a multiple of a literal.
    fn add_term(&mut self, coefficient: i64, variable: &str, positive: bool) {
        if coefficient < 0 {
            self.degree -= coefficient;
            return self.add_term(-coefficient, variable, !positive);
        }
        let (own, sign) = self.terms.remove(variable).unwrap_or((0, positive));
        let new = match sign == positive {
            true => (own + coefficient, positive),
            false => {
                self.degree -= own.min(coefficient);
                ((own - coefficient).abs(), if own > coefficient { sign } else { positive })
            }
        };
        if new.0 > 0 {
            self.terms.insert(variable.to_owned(), new);
        }
    }

    fn plus(mut self, other: &Self) -> Self {
        self.degree += other.degree;
        for (variable, &(coefficient, positive)) in &other.terms {
            self.add_term(coefficient, variable, positive);
        }
        self
    }

    fn times(mut self, factor: i64) -> Self {
        self.degree *= factor;
        self.terms.values_mut().for_each(|term| term.0 *= factor);
        self
    }

    fn saturate(mut self) -> Self {
        self.terms.values_mut().for_each(|term| term.0 = term.0.min(self.degree));
        self
    }

    fn negation(&self) -> Self {
        let mut not = self.clone();
        not.terms.values_mut().for_each(|term| term.1 = !term.1);
        not.degree = self.terms.values().map(|term| term.0).sum::<i64>() - self.degree + 1;
        not
    }

    /// By how much the sum can fall short of the coefficients that are not false. Negative if the
    /// constraint is violated.
    pub(super) fn slack(&self, values: &Values) -> i64 {
        let open = |(variable, (_, positive)): &(&String, &(i64, bool))| {
            values.get(*variable).is_none_or(|value| value == positive)
        };
        self.terms.iter().filter(open).map(|(_, term)| term.0).sum::<i64>() - self.degree
    }

    /// Sets all literals that must be true. Returns whether there were any. `None`: a conflict.
    fn propagate(&self, values: &mut Values) -> Option<bool> {
        let slack = self.slack(values);
        let mut any = false;
        for (variable, &(coefficient, positive)) in &self.terms {
            if coefficient > slack && !values.contains_key(variable) {
                values.insert(variable.clone(), positive);
                any = true;
            }
        }
        (slack >= 0).then_some(any)
    }

    /// Reads `1 x -2 ~y >= 3`. An equation is two constraints.
    fn read(text: &str) -> Vec<Self> {
        let mut words = text.split_whitespace();
        let mut constraint = Self::default();
        loop {
            let word = words.next().unwrap();
            if [">=", "="].contains(&word) {
                constraint.degree += words.next().unwrap().parse::<i64>().unwrap();
                assert_eq!(words.next(), None, "{text}");
                let opposite = constraint.negation();
                let opposite = Self { degree: opposite.degree - 1, ..opposite };
                return [vec![constraint], vec![opposite; usize::from(word == "=")]].concat();
            }
            let name = words.next().unwrap();
            let variable = name.trim_start_matches('~');
            constraint.add_term(word.parse().unwrap(), variable, variable == name);
        }
    }
}

/// The constraints of a formula, in order.
pub(super) fn formula(text: &str) -> Vec<Constraint> {
    let lines = text.lines().filter(|line| !line.starts_with('*'));
    lines.flat_map(|line| Constraint::read(line.strip_suffix(';').unwrap())).collect()
}

/// Checks a proof that a formula has no solution.
///
/// # Errors
/// The line that does not hold.
pub(super) fn check(opb: &str, pbp: &str) -> Result<(), String> {
    let mut known: Vec<Option<Constraint>> = vec![None];
    known.extend(formula(opb).into_iter().map(Some));
    let mut lines = pbp.lines();
    assert_eq!(lines.next(), Some("pseudo-Boolean proof version 3.0"));
    for line in lines {
        let words: Vec<&str> = line.trim_end_matches(';').split_whitespace().collect();
        match words[0] {
            "f" if words[1].parse() == Ok(known.len() - 1) => {}
            "rup" => known.push(Some(rup(line, &known).ok_or(line)?)),
            "pol" => known.push(Some(pol(&words[1..], &known).ok_or(line)?)),
            "del" => {
                let [from, to] = [2, 3].map(|at| words[at].parse::<usize>().unwrap());
                known.get_mut(from..to).ok_or(line)?.fill(None);
            }
            "output" => {}
            "conclusion" => {
                let last = words.last().unwrap().parse::<usize>().unwrap();
                let last = known.get(last).and_then(Option::as_ref).ok_or(line)?;
                return if last.slack(&Values::new()) < 0 { Ok(()) } else { Err(line.into()) };
            }
            _ => return Err(line.into()),
        }
    }
    Err("no conclusion".into())
}

/// The constraint of a line `rup CONSTRAINT : ~ HINTS;`, if its hints show it.
fn rup(line: &str, known: &[Option<Constraint>]) -> Option<Constraint> {
    let (constraint, hints) = line.trim_end_matches(';').split_once(':')?;
    let constraint = Constraint::read(constraint.strip_prefix("rup")?).remove(0);
    let negation = constraint.negation();
    let hints: Vec<&Constraint> = hints
        .split_whitespace()
        .map(|hint| match hint {
            "~" => Some(&negation),
            number => known.get(number.parse::<usize>().ok()?)?.as_ref(),
        })
        .collect::<Option<_>>()?;
    let mut values = Values::new();
    loop {
        let mut any = false;
        for hint in &hints {
            match hint.propagate(&mut values) {
                Some(set) => any |= set,
                None => return Some(constraint),
            }
        }
        if !any {
            return None;
        }
    }
}

/// The constraint that a sum in reverse Polish notation makes.
fn pol(words: &[&str], known: &[Option<Constraint>]) -> Option<Constraint> {
    let mut stack: Vec<Constraint> = Vec::new();
    for (at, &word) in words.iter().enumerate() {
        let factor = words.get(at + 1) == Some(&"*");
        let top = match word {
            "*" => continue,
            "+" => stack.pop()?.plus(&stack.pop()?),
            "s" => stack.pop()?.saturate(),
            _ => match word.parse::<usize>() {
                Ok(number) if factor => stack.pop()?.times(i64::try_from(number).ok()?),
                Ok(number) => known.get(number)?.clone()?,
                Err(_) => {
                    let mut axiom = Constraint::default();
                    axiom.add_term(1, word.trim_start_matches('~'), !word.starts_with('~'));
                    axiom
                }
            },
        };
        stack.push(top);
    }
    stack.pop().filter(|_| stack.is_empty())
}
