//! The findings about a written document, each at the field that it is about, and its totals.

use super::{
    super::super::{Frame, excerpt::cut},
    entered::{Entered, LINES_SHOWN},
    fields::{ABOVE, BELOW, Group, LINE, LINE_CODE, in_line, of_operation},
    paths::of_pointer,
};
use crate::{
    document::Document,
    error::{Finding, Severity},
    service::submit::Examination,
};

/// Maximum findings on the page.
const MAX_FINDINGS: usize = 15;
/// Characters of a finding's text.
const TEXT_SHOWN: usize = 250;

/// The result of a check.
pub(super) struct Checked {
    pub(super) findings: Vec<PlacedFinding>,
    /// How many further findings there are.
    pub(super) more: u32,
    pub(super) errors: u32,
    /// The totals: the message name of each, and the amount.
    pub(super) totals: Vec<(&'static str, String)>,
}

/// A finding at a place of the form.
pub(super) struct PlacedFinding {
    /// The id of the field, if the form shows it.
    pub(super) field: Option<String>,
    /// The message name of the field's label.
    pub(super) label: Option<&'static str>,
    /// The number of the line, from 1.
    pub(super) line: Option<usize>,
    pub(super) rule: String,
    /// The text and the correction, in English.
    pub(super) text: String,
    pub(super) is_error: bool,
}

impl Checked {
    pub(super) fn of(frame: &Frame<'_>, entered: &Entered, examined: &Examination) -> Self {
        let all = &examined.validation.findings;
        let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
        let is_error = |finding: &&Finding| finding.severity == Severity::Error;
        // A document that was not checked to its end cannot be sent, whatever was found.
        let unfinished = usize::from(!examined.validation.complete);
        let errors = all.iter().filter(is_error).count().max(unfinished);
        let shown = all.iter().take(MAX_FINDINGS);
        Checked {
            findings: shown.map(|finding| PlacedFinding::of(entered, finding)).collect(),
            more: count(all.len().saturating_sub(MAX_FINDINGS)),
            errors: count(errors),
            totals: examined.document.as_deref().map_or(Vec::new(), |it| totals(frame, it)),
        }
    }

    /// Whether the document can be sent.
    pub(super) fn is_sendable(&self) -> bool {
        self.errors == 0
    }

    /// The texts about a field.
    pub(super) fn at(&self, field: &str) -> Vec<&str> {
        let here = self.findings.iter().filter(|it| it.is_error);
        let here = here.filter(|it| it.field.as_deref() == Some(field));
        here.map(|it| it.text.as_str()).collect()
    }
}

impl PlacedFinding {
    fn of(entered: &Entered, finding: &Finding) -> Self {
        let path = of_pointer(&finding.pointer);
        let (line, within) = in_lines(&path);
        let label = match line {
            Some(_) if within.is_empty() => LINE.first().map(|it| (it.path, it.label)),
            Some(_) => nearest(LINE.iter().map(|it| (it.path, it.label)), line_path(within)),
            None => nearest(labels(entered), &path),
        };
        let is_shown =
            line.is_none_or(|line| (entered.first..entered.first + LINES_SHOWN).contains(&line));
        let field = label.filter(|_| is_shown).map(|(path, _)| match line {
            Some(line) => in_line(line, path),
            None => path.to_owned(),
        });
        let fix = finding.fix.as_deref().map(|fix| format!(" – {fix}")).unwrap_or_default();
        PlacedFinding {
            field,
            label: label.map(|(_, label)| label),
            line: line.map(|line| line + 1),
            rule: finding.rule.to_string(),
            text: cut(&format!("{}{fix}", finding.message), TEXT_SHOWN),
            is_error: finding.severity == Severity::Error,
        }
    }
}

/// The line of a path, and the path within it. A finding about all lines is at the first one.
fn in_lines(path: &str) -> (Option<usize>, &str) {
    let Some(rest) = path.strip_prefix("line_items") else { return (None, path) };
    let rest = rest.trim_start_matches('.');
    let (line, within) = rest.split_once('.').unwrap_or((rest, ""));
    (Some(line.parse().unwrap_or(0)), within)
}

/// The form has one field for both kinds of codes of a line.
fn line_path(path: &str) -> &str {
    let codes = ["item.classifications", "item.service_accounting_codes"];
    if codes.iter().any(|it| path.starts_with(it)) { LINE_CODE } else { path }
}

fn labels(entered: &Entered) -> impl Iterator<Item = (&'static str, &'static str)> {
    const GROUPS: [&[Group]; 2] = [&ABOVE, &BELOW];
    let operation = entered.operation;
    let groups = GROUPS.into_iter().flat_map(move |groups| of_operation(groups, operation));
    groups.flat_map(|(_, fields)| fields).map(|field| (field.path, field.label))
}

/// The field at a path, above it, or the first one below it.
fn nearest(
    fields: impl Iterator<Item = (&'static str, &'static str)>,
    path: &str,
) -> Option<(&'static str, &'static str)> {
    let is_below = |outer: &str, inner: &str| {
        outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
    };
    let fields: Vec<_> = fields.collect();
    let exact = fields.iter().find(|(field, _)| *field == path);
    let near = || {
        fields
            .iter()
            .find(|(field, _)| !path.is_empty() && (is_below(path, field) || is_below(field, path)))
    };
    exact.or_else(near).copied()
}

fn totals(frame: &Frame<'_>, document: &Document) -> Vec<(&'static str, String)> {
    let currency = document.body.currency.as_deref().unwrap_or_default();
    let totals = &document.totals;
    let mut shown = vec![
        ("fact-without-vat", frame.amount(currency, &totals.total_amount_without_vat)),
        ("fact-vat", frame.amount(currency, &totals.total_vat_amount)),
        ("fact-total", frame.amount(currency, &totals.total_amount_with_vat)),
    ];
    if totals.amount_due_for_payment != totals.total_amount_with_vat {
        shown.push(("write-due", frame.amount(currency, &totals.amount_due_for_payment)));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Operation;

    #[test]
    fn a_finding_stands_at_the_nearest_field_of_the_form() {
        let entered = Entered::new(Operation::Invoice);
        let place = |pointer: &str| {
            let placed = PlacedFinding::of(&entered, &Finding::error(pointer, "AP-X", "wrong"));
            (placed.field, placed.line)
        };
        for (pointer, field, line) in [
            ("/invoice_number", Some("invoice_number"), None),
            ("/customer", Some("customer.name"), None),
            ("/customer/address/country_code", Some("customer.address.country_code"), None),
            ("/line_items", Some("line_items.0.item.name"), Some(1)),
            ("/line_items/3/quantity", Some("line_items.3.quantity"), Some(4)),
            ("/line_items/0/item/classifications/0/code", Some("line_items.0.item.code"), Some(1)),
            ("/line_items/40/quantity", None, Some(41)),
            ("/original_invoice_number", None, None),
            ("", None, None),
        ] {
            assert_eq!(place(pointer), (field.map(str::to_owned), line), "{pointer}");
        }
    }
}
