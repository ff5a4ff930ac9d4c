//! A verdict as one line of JSON.

use std::io::{self, Write};

use crate::{
    error::Finding,
    validate::{Found, Origin, Verdict},
};
use serde::Serialize;

use super::{Report, Times, seconds};

#[derive(Serialize)]
struct Validated<'r> {
    file: &'r str,
    set: &'r str,
    version: &'r str,
    /// False when the validation stopped after 10,000 findings of one origin.
    complete: bool,
    xsd: Vec<String>,
    fired: Vec<&'r str>,
    findings: Vec<Sourced<'r>>,
}

#[derive(Serialize)]
struct Unvalidated<'r> {
    file: &'r str,
    error: &'r str,
}

/// A finding with who says so.
#[derive(Serialize)]
struct Sourced<'r> {
    origin: &'static str,
    #[serde(flatten)]
    finding: &'r Finding,
}

/// Writes the line.
pub(super) fn write(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let file = report.file;
    let mut line = match report.verdict {
        Ok(verdict) => serde_json::to_vec(&validated(file, verdict)),
        Err(error) => serde_json::to_vec(&Unvalidated { file, error }),
    }?;
    if let Some(Times { first, next, median }) = report.times {
        // As numbers with all their digits, which no float holds.
        let [first, next, median] = [first, next, median].map(seconds);
        line.pop();
        write!(line, ",\"first_s\":{first},\"next_s\":{next},\"median_s\":{median}}}")?;
    }
    line.push(b'\n');
    out.write_all(&line)
}

fn validated<'r>(file: &'r str, verdict: &'r Verdict) -> Validated<'r> {
    let of = |origin| verdict.findings.iter().filter(move |found| found.origin == origin);
    let mut schema: Vec<_> = of(Origin::Schema).collect();
    schema.sort_by_key(|found| found.order);
    let mut fired: Vec<_> = of(Origin::Rules).map(|found| &*found.finding.rule).collect();
    fired.sort_unstable();
    Validated {
        file,
        set: verdict.set,
        version: verdict.version,
        complete: verdict.complete,
        xsd: schema.into_iter().map(schema_error).collect(),
        fired,
        findings: verdict.findings.iter().map(sourced).collect(),
    }
}

fn schema_error(found: &Found) -> String {
    format!("{}: {}", found.finding.line.unwrap_or_default(), found.finding.message)
}

fn sourced(found: &Found) -> Sourced<'_> {
    let origin = match found.origin {
        Origin::Schema => "schema",
        Origin::Rules => "rules",
        Origin::Own => "own",
    };
    Sourced { origin, finding: &found.finding }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn line(verdict: Result<&Verdict, &str>, times: Option<Times>) -> String {
        let mut out = Vec::new();
        write(&mut out, &Report { file: "a.xml", verdict, times }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_verdict_is_one_line() {
        let found = |origin, order, rule: &'static str| Found {
            origin,
            order,
            finding: Finding { line: Some(3), ..Finding::error("", rule, "No.") },
        };
        let findings = vec![
            found(Origin::Rules, 2, "ibr-2"),
            found(Origin::Schema, 0, "xml-schema"),
            found(Origin::Rules, 1, "ibr-1"),
            found(Origin::Own, 3, "AP-1"),
        ];
        let verdict = Verdict { set: "mls", version: "MLS 1", findings, complete: true };
        let [first, next, median] = [2_000_000_000, 3, 1_000_020].map(Duration::from_nanos);
        let line = line(Ok(&verdict), Some(Times { first, next, median }));
        let start = "{\"file\":\"a.xml\",\"set\":\"mls\",\"version\":\"MLS 1\",\"complete\":true,\
                     \"xsd\":[\"3: No.\"],\
                     \"fired\":[\"ibr-1\",\"ibr-2\"],\"findings\":[{\"origin\":\"rules\",";
        assert!(line.starts_with(start), "{line}");
        let end = "}],\"first_s\":2.000000000,\"next_s\":0.000000003,\"median_s\":0.001000020}\n";
        assert!(line.ends_with(end), "{line}");
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok());
    }

    #[test]
    fn a_document_that_cannot_be_validated_has_an_error() {
        let line = line(Err("line 1, column 1: \"no\""), None);
        assert_eq!(line, "{\"file\":\"a.xml\",\"error\":\"line 1, column 1: \\\"no\\\"\"}\n");
    }
}
