use super::{Acceptance, Issue, Line, NoFailure, Reason, Rejection, Text, Warning};
use crate::peppol::identifiers::cut;

/// Maximum number of issues of one status. One more issue states how many are left out.
pub const MOST_ISSUES: usize = 100;

/// Longest description of an issue, in characters.
const LONGEST_DESCRIPTION: usize = 1_000;

/// Longest XPath of an issue, in bytes. A longer one is omitted, because a cut XPath would be wrong.
const LONGEST_XPATH: usize = 1_000;

/// A rejection from findings: place, reason and text. If there are too many, the first ones are kept, failures before
/// warnings.
pub fn reject<W, T>(
    description: Text,
    findings: impl IntoIterator<Item = (Option<W>, Reason, T)>,
) -> Result<Rejection, NoFailure>
where
    W: AsRef<str>,
    T: AsRef<str>,
{
    let (mut failures, mut warnings, mut left_out) = (Vec::new(), Vec::new(), 0_usize);
    for (xpath, reason, text) in findings {
        let sort = if reason.is_failure() { &mut failures } else { &mut warnings };
        if sort.len() < MOST_ISSUES {
            sort.push(issue(xpath.as_ref().map(AsRef::as_ref), reason, text.as_ref()));
        } else {
            left_out += 1;
        }
    }
    let room = MOST_ISSUES - failures.len();
    left_out += warnings.len().saturating_sub(room);
    warnings.truncate(room);
    let mut issues = failures;
    issues.append(&mut warnings);
    issues.extend(further(left_out));
    Rejection::new(description, issues)
}

/// An acceptance with warnings: place and text. If there are too many, the first ones are kept.
pub fn accept<W, T>(findings: impl IntoIterator<Item = (Option<W>, T)>) -> Acceptance
where
    W: AsRef<str>,
    T: AsRef<str>,
{
    let mut findings = findings.into_iter();
    let named = findings.by_ref().take(MOST_ISSUES).map(|(xpath, text)| {
        issue(xpath.as_ref().map(AsRef::as_ref), Reason::Warning, text.as_ref())
    });
    let mut issues: Vec<_> = named.collect();
    issues.extend(further(findings.count()));
    let warning = |Issue { line, description, .. }| Warning { line, description };
    Acceptance { description: None, warnings: issues.into_iter().map(warning).collect() }
}

/// The issue that states how many findings are left out.
fn further(left_out: usize) -> Option<Issue> {
    let text = format!("{left_out} further findings are left out");
    (left_out > 0).then(|| issue(None, Reason::Warning, &text))
}

fn issue(xpath: Option<&str>, reason: Reason, text: &str) -> Issue {
    let xpath = xpath.filter(|xpath| xpath.len() <= LONGEST_XPATH).and_then(Text::new);
    // A finding without text is still reported.
    let description =
        Text::new(&cut(text, LONGEST_DESCRIPTION)).unwrap_or_else(|| Text::code(reason));
    Issue { line: xpath.map_or(Line::NOT_APPLICABLE, Line::at), description, reason }
}
