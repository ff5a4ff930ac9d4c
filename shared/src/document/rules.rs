//! Rules across fields of the header: type, flags, dates, currency, references, payment, delivery.

use jiff::civil::{Date, date};

use super::{
    facts::Facts,
    field::is_trn,
    findings::Findings,
    issuance::Issuance,
    limits::is_unseen,
    model::{Body, Operation, Party, PrecedingInvoiceReference},
    party,
    place::Place,
};

/// Checks all rules that concern more than one field of the header.
pub(super) fn check(
    operation: Operation,
    body: &Body,
    seller: &Party,
    facts: &Facts,
    today: Date,
    findings: &mut Findings,
) {
    categories(body, facts, findings);
    flags(body, seller, facts, findings);
    dates(body, facts, today, findings);
    currency(body, facts, findings);
    attachments(body, findings);
    payment(body, findings);
    delivery(operation, body, facts, findings);
    if body.contract_value.is_some() && body.contract_reference.is_none() {
        let message = "a contract value needs the contract reference";
        let place = Place::ROOT.field("contract_reference");
        findings.term(place, "AP-REFERENCE-contract", "IBT-012", message);
    }
}

/// Checks which VAT categories may occur together.
fn categories(body: &Body, facts: &Facts, findings: &mut Findings) {
    let lines = Place::ROOT.field("line_items");
    let out_of_scope = facts.is_out_of_scope();
    let (mut reverse_charge, mut margin) = (None, None);
    for (i, line) in body.line_items.iter().enumerate() {
        let place = lines.index(i);
        let place = place.field("vat");
        let category = line.vat.category_code.as_str();
        category_allowed(category, place.field("category_code"), "IBT-151", facts, findings);
        // ibr-105-ae, aligned-ibrp-ae-08-ae: all lines share one row of the breakdown, so they need one rate.
        let first = match category {
            "AE" => &mut reverse_charge,
            "N" => &mut margin,
            _ => continue,
        };
        let rate = line.vat.rate;
        if *first.get_or_insert(rate) != rate {
            let message = format!(
                "all {category} lines need the same rate (ibr-105-ae, aligned-ibrp-ae-08-ae)"
            );
            findings.term(place.field("rate"), "AP-VAT-one-rate", "IBT-152", message);
        }
    }
    for (list, items, term) in
        [("allowances", &body.allowances, "IBT-095"), ("charges", &body.charges, "IBT-102")]
    {
        let place = Place::ROOT_REF.field(list);
        for (i, item) in items.iter().enumerate() {
            let place = place.index(i);
            let place = place.field("vat_category_code");
            category_allowed(&item.vat_category_code, place, term, facts, findings);
        }
    }
    let taxed = |category: &str| !matches!(category, "E" | "O");
    if !out_of_scope
        && matches!(facts.type_code, "380" | "381")
        && !body.line_items.iter().any(|line| taxed(&line.vat.category_code))
    {
        let other = if facts.type_code == "380" { "480" } else { "81" };
        let message = format!(
            "every line is exempt or out of scope: type {} needs a line of another category (ibr-151-ae); a document \
             out of scope has type {other}",
            facts.type_code
        );
        findings.term(lines, "AP-TYPE-no-taxed-line", "IBT-151", message);
    }
}

fn category_allowed(
    category: &str,
    at: Place<'_>,
    term: &'static str,
    facts: &Facts,
    findings: &mut Findings,
) {
    if facts.is_out_of_scope() && !matches!(category, "E" | "O" | "Z") {
        let message =
            format!("type {} is out of scope of VAT: E, O or Z only (ibr-122-ae)", facts.type_code);
        findings.term(at, "AP-TYPE-out-of-scope", term, message);
    }
    if facts.flags.margin() && category != "N" {
        let message = "under the margin scheme (flag 3) every category must be N (ibr-116-ae)";
        findings.term(at, "AP-FLAG-margin", term, message);
    } else if !facts.flags.margin() && category == "N" {
        let message = "N is for the margin scheme: set flag 3 of transaction_type_code";
        findings.warning(at, "AP-FLAG-margin", term, message);
    }
}

/// Checks the fields that each flag requires.
fn flags(body: &Body, seller: &Party, facts: &Facts, findings: &mut Findings) {
    let at = |name| Place::ROOT_REF.field(name);
    let flags = facts.flags;
    if facts.is_out_of_scope() {
        for (set, name) in [
            (flags.deemed(), "deemed supply (flag 2)"),
            (flags.margin(), "margin scheme (flag 3)"),
            (flags.summary(), "summary invoice (flag 4)"),
        ] {
            if set {
                let message =
                    format!("{name} is not allowed for type {} (ibr-157-ae)", facts.type_code);
                let place = at("transaction_type_code");
                findings.term(place, "AP-TYPE-out-of-scope", "BTAE-02", message);
            }
        }
    }
    if flags.free_zone() && body.beneficiary_identifier.is_none() {
        let message = "a free zone supply (flag 1) must name its beneficiary (ibr-007-ae)";
        findings.term(at("beneficiary_identifier"), "AP-FLAG-free-zone", "BTAE-01", message);
    }
    if flags.summary() && body.invoice_period.is_none() {
        let message = "a summary invoice (flag 4) needs an invoice_period (ibr-138-ae)";
        findings.term(at("invoice_period"), "AP-FLAG-summary", "IBG-14", message);
    }
    if flags.continuous() && body.invoice_period.is_none() {
        let message = "a continuous supply (flag 5) should have an invoice_period";
        findings.warning(at("invoice_period"), "AP-FLAG-continuous", "IBG-14", message);
    }
    if flags.agent() {
        match body.principal_identifier.as_deref() {
            None => {
                let message =
                    "disclosed agent billing (flag 6) must name the principal (ibr-137-ae)";
                findings.term(at("principal_identifier"), "AP-FLAG-agent", "BTAE-14", message);
            }
            Some(principal) => {
                let own = [&seller.vat_identifier, &seller.tax_registration_identifier];
                if own.into_iter().flatten().any(|id| same_taxpayer(id, principal)) {
                    let message = "the principal must not be the seller (ibr-176-ae)";
                    let place = at("principal_identifier");
                    findings.term(place, "AP-FLAG-agent", "BTAE-14", message);
                }
            }
        }
    }
    if flags.deemed() && flags.exports() {
        let message = "a deemed supply (flag 2) is unlikely to be an export (flag 8)";
        findings.warning(at("transaction_type_code"), "AP-FLAG-pair", "BTAE-02", message);
    }
    if flags.margin() && flags.exports() {
        let message = "the margin scheme (flag 3) is unlikely together with an export (flag 8)";
        findings.warning(at("transaction_type_code"), "AP-FLAG-pair", "BTAE-02", message);
    }
}

/// Whether two TRNs or TINs belong to one taxpayer: their first 10 digits are equal.
fn same_taxpayer(one: &str, other: &str) -> bool {
    one == other
        || ((is_trn(one) || is_trn(other))
            && one.get(..10).is_some_and(|tin| other.starts_with(tin)))
}

/// Federal Decree-Law 8 of 2017 took effect on this day.
const VAT_BEGAN: Date = date(2018, 1, 1);

/// Maximum payment term in years. A later due date is a typing error.
const LONGEST_TERM: i32 = 30;

fn dates(body: &Body, facts: &Facts, today: Date, findings: &mut Findings) {
    let at = |name| Place::ROOT_REF.field(name);
    if let Some(issue) = body.issue_date.filter(|issue| *issue > today) {
        let message = format!("{issue} is in the future: today is {today} in the UAE");
        findings.warning(at("issue_date"), "AP-DATE-future", "IBT-002", message);
    }
    if let Some(issue) = body.issue_date.filter(|issue| *issue < VAT_BEGAN) {
        let message = format!("{issue} is before VAT began in the UAE, on {VAT_BEGAN}");
        findings.warning(at("issue_date"), "AP-DATE-past", "IBT-002", message);
    }
    if let (Some(point), Some(issue)) = (body.vat_point_date, body.issue_date)
        && point >= issue
    {
        let message = format!("must be before the issue date {issue} (ibr-141-ae)");
        findings.term(at("vat_point_date"), "AP-DATE-vat-point", "IBT-007", message);
    }
    if let (Some(due), Some(issue)) = (body.due_date, body.issue_date)
        && due < issue
    {
        let message = format!("before the issue date {issue}");
        findings.warning(at("due_date"), "AP-DATE-due", "IBT-009", message);
    }
    if let (Some(due), Some(issue)) = (body.due_date, body.issue_date)
        && i32::from(due.year()) > i32::from(issue.year()) + LONGEST_TERM
    {
        let message = format!("more than {LONGEST_TERM} years after the issue date {issue}");
        findings.warning(at("due_date"), "AP-DATE-due", "IBT-009", message);
    }
    let Some(period) = &body.invoice_period else { return };
    if facts.period_start.zip(facts.period_end).is_some_and(|(start, end)| end < start) {
        let place = at("invoice_period");
        let message = "the end is before the start (ibr-029)";
        findings.term(place.field("end_date"), "AP-DATE-period", "IBT-074", message);
    }
    if facts.flags.summary() && period.start_date.is_none() && period.end_date.is_none() {
        let message = "a summary invoice (flag 4) needs the start or the end of its period";
        let place = at("invoice_period");
        findings.term(place.field("start_date"), "AP-FLAG-summary", "IBT-073", message);
    }
    if period.frequency_code.as_deref() == Some("OTH") && body.note.is_none() {
        let message = "the frequency OTH needs an explanation in the note (ibr-160-ae)";
        findings.term(at("note"), "AP-PERIOD-frequency", "IBT-022", message);
    }
}

/// Reports attachments that a receiver cannot read or should not open.
fn attachments(body: &Body, findings: &mut Findings) {
    let at = Place::ROOT.field("supporting_documents");
    for (i, document) in body.supporting_documents.iter().enumerate() {
        let place = at.index(i);
        if let Some(scheme) = document.external_uri.as_deref().and_then(running_scheme) {
            let message = format!(
                "{scheme}: can run a program or read a local file of the reader. Give an address that begins with \
                 https://"
            );
            findings.warning(place.field("external_uri"), "AP-ATTACHMENT-uri", "IBT-124", message);
        }
        let Some(attachment) = &document.attachment else { continue };
        let place = place.field("attachment");
        let unseen = attachment.filename.chars().enumerate().find(|(_, c)| is_unseen(*c));
        if let Some((i, c)) = unseen {
            let message = format!(
                "character {} is U+{:04X}: a file name with invisible characters may be refused, or may look like \
                 another name",
                i + 1,
                u32::from(c)
            );
            findings.warning(place.field("filename"), "AP-ATTACHMENT-name", "IBT-125-2", message);
        }
    }
}

/// Returns the scheme of a URI that runs code or opens a local file instead of a document. Schemes are case-insensitive
/// (RFC 3986, section 3.1).
fn running_scheme(uri: &str) -> Option<&'static str> {
    let (scheme, _) = uri.split_once(':')?;
    ["javascript", "vbscript", "data", "file"]
        .into_iter()
        .find(|it| scheme.eq_ignore_ascii_case(it))
}

fn currency(body: &Body, facts: &Facts, findings: &mut Findings) {
    let at = |name| Place::ROOT_REF.field(name);
    let none = match body.currency.as_deref() {
        Some("XXX") => Some("XXX means no currency (ISO 4217)"),
        Some("XTS") => Some("XTS is for tests (ISO 4217)"),
        _ => None,
    };
    if let Some(message) = none {
        findings.warning(at("currency"), "AP-CURRENCY-none", "IBT-005", message);
    }
    if facts.is_foreign_currency {
        if body.currency_exchange_rate.is_none() {
            let message = "a currency other than AED needs its rate to AED (ibr-159-ae)";
            let place = at("currency_exchange_rate");
            findings.term(place, "AP-CURRENCY-rate", "BTAE-04", message);
        }
        return;
    }
    if body.currency_exchange_rate.is_some() {
        let message = "a document in AED must not have an exchange rate: leave it out";
        findings.term(at("currency_exchange_rate"), "AP-CURRENCY-rate", "BTAE-04", message);
    }
    if body.tax_accounting_currency_code.is_some() {
        let message = "a document in AED must not have another accounting currency (ibr-077)";
        let place = at("tax_accounting_currency_code");
        findings.term(place, "AP-CURRENCY-accounting", "IBT-006", message);
    }
}

fn payment(body: &Body, findings: &mut Findings) {
    let place = Place::ROOT.field("payment_means");
    let (mut cards, mut mandates) = (0, 0);
    for (i, means) in body.payment_means.iter().enumerate() {
        let place = place.index(i);
        if means.means_code == "30" && means.credit_transfer.is_none() {
            let message = "a credit transfer (30) must name the account (ibr-192-ae)";
            findings.term(place.field("credit_transfer"), "AP-PAYMENT-account", "IBT-084", message);
        }
        if means.due_date.is_some() && body.due_date.is_some() {
            let message = "only for credit notes; an invoice has due_date";
            findings.term(place.field("due_date"), "AP-PAYMENT-due-date", "IBT-009", message);
        }
        cards += usize::from(means.card.is_some());
        if means.card.is_some() && cards == 2 {
            let message = "at most one payment card per document (ibr-066)";
            findings.term(place.field("card"), "AP-PAYMENT-one", "IBG-18", message);
        }
        mandates += usize::from(means.direct_debit.is_some());
        if means.direct_debit.is_some() && mandates == 2 {
            let message = "at most one direct debit per document (ibr-067)";
            findings.term(place.field("direct_debit"), "AP-PAYMENT-one", "IBG-19", message);
        }
    }
}

fn delivery(operation: Operation, body: &Body, facts: &Facts, findings: &mut Findings) {
    let place = Place::ROOT.field("delivery_address");
    let scenario = match (facts.flags.exports(), facts.flags.e_commerce()) {
        (true, _) => Some(("an export (flag 8)", "ibr-152-ae", "AP-FLAG-exports")),
        (false, true) => Some(("e-commerce (flag 7)", "ibr-142-ae", "AP-FLAG-e-commerce")),
        (false, false) => None,
    };
    match (&body.delivery_address, scenario) {
        // Specification 2.6: this operation has no delivery_address, but the official rules demand one.
        (None, Some((name, official, rule))) if operation == Operation::SelfBilledCreditNote => {
            let message = format!(
                "{name} needs the place of delivery ({official}), which POST {} does not accept: the seller credits \
                 such a supply",
                operation.path()
            );
            let place = Place::ROOT.field("transaction_type_code");
            findings.term(place, rule, "BTAE-02", message);
        }
        (None, Some((name, official, rule))) => {
            let message = format!("{name} needs the place of delivery ({official})");
            findings.term(place, rule, "IBG-15", message);
        }
        (Some(address), scenario) => {
            let terms = ["IBT-075", "IBT-077", "IBT-079", "IBT-080"];
            if let Some((_, official, _)) = scenario {
                party::place_lines(address, place, terms, official, findings);
            }
            party::emirate(address, place, terms[2], findings);
            if facts.flags.exports() && address.country_code.as_deref() == Some("AE") {
                let message = "an export (flag 8) goes abroad: give the foreign country";
                let place = place.field("country_code");
                findings.warning(place, "AP-FLAG-exports", "IBT-080", message);
            }
        }
        (None, None) => {}
    }
    if let Some(delivery) = &body.delivery
        && let Some(location) = &delivery.location_identifier
    {
        let place = Place::ROOT.field("delivery");
        let place = place.field("location_identifier");
        // The official rule checks only the scheme (ibr-cl-26).
        let scheme = location.scheme_id.as_deref();
        let listed = super::field::Listed { rule: "ibr-cl-26", ..super::limits::SCHEME };
        super::field::code(findings, place.field("scheme_id"), scheme, "IBT-071-1", listed);
    }
}

/// IBG-03: the credited invoice of a credit note, and further preceding invoices in the body.
pub(super) fn preceding_invoices(
    operation: Operation,
    body: &Body,
    issuance: &Issuance<'_>,
    findings: &mut Findings,
) -> Vec<PrecedingInvoiceReference> {
    let mut references = body.preceding_invoice_references.clone();
    if !operation.is_credit_note() {
        return references;
    }
    let at = |name| Place::ROOT_REF.field(name);
    let has_number = body.original_invoice_number.is_some();
    let has_date = body.original_issue_date.is_some();
    let mut forbid = |fields: [(&'static str, bool); 4], message: &str| {
        for (field, _) in fields.into_iter().filter(|(_, given)| *given) {
            findings.term(at(field), "AP-REFERENCE-original", "IBG-03", message);
        }
    };
    if body.credit_note_reason_code.as_deref() == Some("VD") {
        let message = "a volume discount (VD) must not name an invoice: leave it out (ibr-055-ae)";
        forbid(
            [
                ("previous_document_id", body.previous_document_id.is_some()),
                ("original_invoice_number", has_number),
                ("original_issue_date", has_date),
                ("preceding_invoice_references", !references.is_empty()),
            ],
            message,
        );
        return Vec::new();
    }
    let credited = if body.original_reference_kind.as_deref() == Some("external") {
        let given = body.previous_document_id.is_some();
        let message = "not for external references: give original_invoice_number";
        forbid([("previous_document_id", given), ("", false), ("", false), ("", false)], message);
        if !has_number {
            let message = "an external reference needs the number of the invoice (ibr-055-ae)";
            let place = at("original_invoice_number");
            findings.term(place, "AP-REFERENCE-original", "IBT-025", message);
        }
        body.original_invoice_number.as_ref().map(|id| PrecedingInvoiceReference {
            id: id.clone(),
            issue_date: body.original_issue_date,
        })
    } else {
        let message = "only for external references; for an ap reference the service reads it from the original";
        forbid(
            [
                ("original_invoice_number", has_number),
                ("original_issue_date", has_date),
                ("", false),
                ("", false),
            ],
            message,
        );
        match (&body.previous_document_id, issuance.original) {
            (Some(_), Some(original)) => Some(PrecedingInvoiceReference {
                id: original.number.clone(),
                issue_date: Some(original.issue_date),
            }),
            (Some(_), None) => {
                let message = "no document of the taxpayer has this id; for an invoice issued elsewhere, set \
                               original_reference_kind to external";
                findings.term(
                    at("previous_document_id"),
                    "AP-REFERENCE-original",
                    "IBT-025",
                    message,
                );
                None
            }
            (None, _) => {
                let message = "the document_id of the credited invoice is required, unless \
                               original_reference_kind is external or the reason is VD";
                findings.term(
                    at("previous_document_id"),
                    "AP-REFERENCE-original",
                    "IBT-025",
                    message,
                );
                None
            }
        }
    };
    if body.credit_note_reason_code.is_none() {
        let message = "a credit note needs a reason (ibr-158-ae, ibr-055-ae)";
        let place = at("credit_note_reason_code");
        findings.term(place, "AP-REFERENCE-reason", "BTAE-03", message);
    }
    if let Some(credited) = credited {
        references.retain(|reference| reference.id != credited.id);
        references.insert(0, credited);
    }
    references
}
