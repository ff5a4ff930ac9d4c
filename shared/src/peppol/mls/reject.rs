use super::{Issue, Line, NoFailure, Reason, Rejection, Text};
use crate::peppol::identifiers::cut;

/// Issues of one rejection. One more counts those that are left out.
pub const MOST_ISSUES: usize = 100;

/// Longest description of an issue, in characters.
const LONGEST_DESCRIPTION: usize = 1_000;

/// Longest XPath of an issue, in bytes. One that was cut would lead elsewhere.
const LONGEST_XPATH: usize = 1_000;

/// A rejection for what was found: where, of what sort, and in words. Of too many findings the first
/// are named, and failures before warnings.
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
    if left_out > 0 {
        let more = format!("{left_out} further findings are left out");
        issues.push(issue(None, Reason::Warning, &more));
    }
    Rejection::new(description, issues)
}

fn issue(xpath: Option<&str>, reason: Reason, text: &str) -> Issue {
    let xpath = xpath.filter(|xpath| xpath.len() <= LONGEST_XPATH).and_then(Text::new);
    // A finding without words is a finding all the same.
    let description =
        Text::new(&cut(text, LONGEST_DESCRIPTION)).unwrap_or_else(|| Text::code(reason));
    Issue { line: xpath.map_or(Line::NOT_APPLICABLE, Line::at), description, reason }
}
