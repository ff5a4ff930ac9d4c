//! A verdict for people.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use crate::{
    error::{Finding, Severity},
    validate::Verdict,
};

use super::{Report, Times, seconds};

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "1;31";
const GREEN: &str = "1;32";
const YELLOW: &str = "1;33";

/// Writes the verdict in a line, then a block for each finding.
pub(super) fn write(out: &mut impl Write, report: &Report<'_>, colour: bool) -> io::Result<()> {
    let paint = Paint(colour);
    let file = plain(report.file);
    match report.verdict {
        Err(why) => writeln!(out, "{file}: {}: {}", paint.with(RED, "unreadable"), plain(why))?,
        Ok(verdict) => {
            writeln!(out, "{file}: {}", summary(verdict, paint))?;
            for found in &verdict.findings {
                writeln!(out, "\n{}", block(&found.finding, paint))?;
            }
            if !verdict.findings.is_empty() {
                writeln!(out)?;
            }
        }
    }
    if let Some(Times { first, next, median }) = report.times {
        let [first, next, median] = [first, next, median].map(seconds);
        writeln!(out, "  parse, schema and rules: {median} s, median")?;
        writeln!(out, "  the first time: {first} s, the next: {next} s")?;
    }
    Ok(())
}

/// `invalid, 2 errors, 1 warning (pint-billing, PINT-AE 1.0.4)`
fn summary(verdict: &Verdict, paint: Paint) -> String {
    let count = |severity| {
        verdict.findings.iter().filter(|found| found.finding.severity == severity).count()
    };
    let mut text = match verdict.is_valid() {
        true => paint.with(GREEN, "valid"),
        false => paint.with(RED, "invalid"),
    };
    let counted = [(count(Severity::Error), "error"), (count(Severity::Warning), "warning")];
    for (number, what) in counted {
        match number {
            0 => {}
            1 => text += &format!(", 1 {what}"),
            _ => text += &format!(", {number} {what}s"),
        }
    }
    if !verdict.complete {
        text += ", judged no further";
    }
    text + &format!(" ({}, {})", verdict.set, verdict.version)
}

/// All that is known of a finding, a line each.
fn block(finding: &Finding, paint: Paint) -> String {
    let severity = match finding.severity {
        Severity::Error => paint.with(RED, "error"),
        Severity::Warning => paint.with(YELLOW, "warning"),
    };
    let rule = paint.with(BOLD, &finding.rule);
    let mut text = format!("  {severity} {rule}\n  {}", plain(&finding.message));
    let mut field = |name: &str, value: &str| {
        let name = paint.with(DIM, &format!("{name:<8}"));
        // Writing to a string does not fail.
        let _ = write!(text, "\n    {name} {}", plain(value));
    };
    if let Some(fix) = &finding.fix {
        field("fix", fix);
    }
    if let Some(term) = &finding.term {
        let name = finding.term_name.as_deref().unwrap_or_default();
        field("term", format!("{term} {name}").trim_end());
    }
    let line = finding.line.map(|line| format!("line {line}"));
    let place: Vec<_> = line.into_iter().chain(finding.location.clone()).collect();
    if !place.is_empty() {
        field("where", &place.join(", "));
    }
    if let Some(value) = &finding.value {
        field("value", &format!("\"{value}\""));
    }
    if let Some(expected) = &finding.expected {
        field("expected", &format!("\"{expected}\""));
    }
    text
}

/// Text of a stranger that moves no cursor and turns no writing round.
fn plain(text: &str) -> String {
    let is_harmful = |c: char| {
        c.is_control()
            || matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => plain.extend(character.escape_default()),
            _ if is_harmful(character) => plain.extend(character.escape_unicode()),
            _ => plain.push(character),
        }
    }
    plain
}

/// Whether to colour: only a terminal shows colours.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\u{1B}[{code}m{text}\u{1B}[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use crate::validate::{Found, Origin};

    use super::*;

    fn text(verdict: Result<&Verdict, &str>, colour: bool) -> String {
        let mut out = Vec::new();
        write(&mut out, &Report { file: "a.xml", verdict, times: None }, colour).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn verdict(findings: Vec<Finding>) -> Verdict {
        let found = |finding| Found { origin: Origin::Rules, order: 0, finding };
        Verdict {
            set: "pint-billing",
            version: "PINT-AE 1.0.4",
            findings: findings.into_iter().map(found).collect(),
            complete: true,
        }
    }

    #[test]
    fn a_valid_document_needs_one_line() {
        let text = text(Ok(&verdict(vec![])), false);
        assert_eq!(text, "a.xml: valid (pint-billing, PINT-AE 1.0.4)\n");
    }

    #[test]
    fn a_verdict_says_that_validation_stopped() {
        let stopped = Verdict { complete: false, ..verdict(vec![]) };
        let text = text(Ok(&stopped), false);
        assert_eq!(text, "a.xml: valid, judged no further (pint-billing, PINT-AE 1.0.4)\n");
    }

    #[test]
    fn a_finding_says_what_where_and_what_to_do() {
        let finding = Finding {
            fix: Some("Give one.".into()),
            term: Some("IBT-126".into()),
            term_name: Some("Invoice line identifier".into()),
            location: Some("/ubl:Invoice/cac:InvoiceLine[2]/cbc:ID".to_owned()),
            line: Some(41),
            value: Some(String::new()),
            expected: Some("2".to_owned()),
            ..Finding::error("", "ibr-021", "The line has no identifier.")
        };
        let warning = Finding::warning("", "AP-1", "Look.");
        assert_eq!(
            text(Ok(&verdict(vec![finding, warning])), false),
            "a.xml: invalid, 1 error, 1 warning (pint-billing, PINT-AE 1.0.4)\n\
             \n\
             \x20 error ibr-021\n\
             \x20 The line has no identifier.\n\
             \x20   fix      Give one.\n\
             \x20   term     IBT-126 Invoice line identifier\n\
             \x20   where    line 41, /ubl:Invoice/cac:InvoiceLine[2]/cbc:ID\n\
             \x20   value    \"\"\n\
             \x20   expected \"2\"\n\
             \n\
             \x20 warning AP-1\n\
             \x20 Look.\n\
             \n"
        );
    }

    #[test]
    fn colours_are_for_terminals_and_not_for_documents() {
        let hostile = Finding {
            value: Some("\u{9B}31m\u{202E}x\n".to_owned()),
            ..Finding::error("", "R", "M")
        };
        let plain = text(Ok(&verdict(vec![hostile.clone()])), false);
        assert!(plain.contains("value    \"\\u{9b}31m\\u{202e}x\\n\""), "{plain}");
        assert!(!plain.contains('\u{1B}'));
        let coloured = text(Ok(&verdict(vec![hostile])), true);
        assert!(coloured.contains("\u{1B}[1;31merror\u{1B}[0m"), "{coloured}");
    }

    #[test]
    fn an_unreadable_document_says_why() {
        assert_eq!(text(Err("line 1: no"), false), "a.xml: unreadable: line 1: no\n");
    }
}
