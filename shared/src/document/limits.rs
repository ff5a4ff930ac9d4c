//! Rules of single fields: lengths, patterns, ranges, code lists.

use std::collections::BTreeMap;

use base64::Engine as _;

use super::{
    decimal::parse_time,
    field::{Listed, Sign, at_most, code, decimals, form, is_trn_or_tin, official, sign},
    findings::Findings,
    json::Tree,
    model::{
        Address, Body, DocumentAllowanceCharge, Line, LineAllowanceCharge, Operation, PaymentMeans,
        SupportingDocument,
    },
    place::Place,
};
use crate::{codes, error::Finding};

/// Maximum number of lines in a document.
pub const MAX_LINES: usize = 1_000;
/// Maximum length of a document number, in characters.
pub const MAX_NUMBER: usize = 64;
/// Maximum length of a profile, in characters.
pub const MAX_PROFILE: usize = 64;
/// Maximum length of the caller's own id, in characters.
pub const MAX_SOURCE_ID: usize = 255;
/// Maximum length of a reference to a document of this access point, in characters.
pub const MAX_DOCUMENT_ID: usize = 128;
/// Maximum number of metadata keys.
pub const MAX_METADATA_KEYS: usize = 100;
/// Maximum length of a metadata key, in characters.
pub const MAX_METADATA_KEY: usize = 100;
/// Maximum size of metadata: bytes of all keys and values together.
pub const MAX_METADATA_BYTES: usize = 16 * 1024;

pub(super) const CURRENCY: Listed =
    Listed { list: codes::CURRENCIES, name: "ISO 4217", rule: "ibr-cl-04" };
pub(super) const COUNTRY: Listed =
    Listed { list: codes::COUNTRIES, name: "ISO 3166-1 alpha-2", rule: "ibr-cl-14" };
pub(super) const SCHEME: Listed =
    Listed { list: codes::ICD, name: "the ISO 6523 ICD list", rule: "" };
const REFERENCE: Listed =
    Listed { list: codes::REFERENCE_QUALIFIERS, name: "UNTDID 1153", rule: "ibr-cl-07" };
const UNIT: Listed =
    Listed { list: codes::UNITS, name: "UN/ECE Recommendation 20 or 21", rule: "ibr-cl-23" };
const MEANS: Listed = Listed { list: codes::PAYMENT_MEANS, name: "UNTDID 4461", rule: "ibr-cl-16" };
const ALLOWANCE: Listed =
    Listed { list: codes::ALLOWANCE_REASONS, name: "UNTDID 5189", rule: "ibr-cl-19" };
const CHARGE: Listed =
    Listed { list: codes::CHARGE_REASONS, name: "UNTDID 7161", rule: "ibr-cl-20" };
const REASON: Listed = Listed { list: codes::CREDIT_REASONS, name: "", rule: "ibr-001-ae" };
const FREQUENCY: Listed = Listed { list: codes::FREQUENCIES, name: "", rule: "ibr-005-ae" };
const RCM: Listed = Listed { list: codes::RCM_TYPES, name: "", rule: "ibr-006-ae" };
const ITEM_TYPE: Listed = Listed { list: codes::ITEM_TYPES, name: "", rule: "" };
const MIME: Listed = Listed { list: codes::MIME_CODES, name: "", rule: "ibr-cl-24" };
const LINE_CATEGORY: Listed = Listed { list: codes::LINE_CATEGORIES, name: "", rule: "ibr-139-ae" };
const ALLOWANCE_CATEGORY: Listed =
    Listed { list: codes::ALLOWANCE_CATEGORIES, name: "", rule: "ibr-114-ae, ibr-115-ae" };

/// Checks the number of lines before any line is read.
pub(super) fn check_size(tree: &Tree<'_>, findings: &mut Findings) {
    let Some(Tree::List(lines)) = tree.member("line_items") else { return };
    let place = Place::ROOT.field("line_items");
    if lines.is_empty() {
        let message = "a document has at least one line (ibr-016)";
        findings.term(place, "AP-JSON-length", "IBG-25", message);
    } else if lines.len() > MAX_LINES {
        let message = format!("{} lines; at most {MAX_LINES} are allowed", lines.len());
        findings.term(place.index(MAX_LINES), "AP-JSON-length", "IBG-25", message);
    }
}

/// Checks every rule that concerns one field alone.
pub(super) fn check(operation: Operation, body: &Body, findings: &mut Findings) {
    header(operation, body, findings);
    references(body, findings);
    own_fields(body, findings);
    payment(body, findings);
    let at = Place::ROOT.field("delivery_address");
    if let Some(address) = &body.delivery_address {
        country(address, at, "IBT-080", findings);
    }
    if let Some(delivery) = &body.delivery {
        let at = Place::ROOT.field("delivery");
        let at = at.field("party_identifier");
        trn_or_tin(findings, at, delivery.party_identifier.as_deref(), "BTAE-23");
    }
    let (at, value) = (Place::ROOT.field("beneficiary_identifier"), &body.beneficiary_identifier);
    trn_or_tin(findings, at, value.as_deref(), "BTAE-01");
    let (at, value) = (Place::ROOT.field("principal_identifier"), &body.principal_identifier);
    trn_or_tin(findings, at, value.as_deref(), "BTAE-14");
    for (list, items, listed, terms) in [
        ("allowances", &body.allowances, ALLOWANCE, ["IBT-092", "IBT-093", "IBT-098", "IBT-095"]),
        ("charges", &body.charges, CHARGE, ["IBT-099", "IBT-100", "IBT-105", "IBT-102"]),
    ] {
        let at = Place::ROOT.field(list);
        for (i, item) in items.iter().enumerate() {
            document_allowance_charge(item, at.index(i), listed, terms, findings);
        }
    }
    let at = Place::ROOT.field("line_items");
    for (i, item) in body.line_items.iter().enumerate().take(MAX_LINES) {
        line(item, at.index(i), findings);
    }
}

fn header(operation: Operation, body: &Body, findings: &mut Findings) {
    let at = |name| Place::ROOT_REF.field(name);
    let number = [
        ("invoice_number", &body.invoice_number),
        ("credit_note_number", &body.credit_note_number),
    ];
    for (name, value) in number {
        at_most(findings, at(name), value.as_deref(), MAX_NUMBER, "IBT-001");
        document_number(findings, at(name), value.as_deref(), "IBT-001");
    }
    let is_uuid = |text: &str| text.len() == 36 && uuid::Uuid::try_parse(text).is_ok();
    let expected = "an RFC 9562 UUID with hyphens";
    form(findings, at("uuid"), body.uuid.as_deref(), "BTAE-07", is_uuid, expected);
    let expected = "a time: hh:mm:ss, optionally with Z or an offset such as +04:00 (ibr-119)";
    form(findings, at("issue_time"), body.issue_time.as_deref(), "IBT-168", parse_time, expected);
    let type_codes = [
        ("invoice_type_code", &body.invoice_type_code),
        ("credit_note_type_code", &body.credit_note_type_code),
    ];
    for (name, value) in type_codes {
        let allowed = operation.type_codes();
        if let Some(value) = value.as_deref().filter(|value| !allowed.contains(value)) {
            let message = format!(
                "{} is not one of {} for POST {} (ibr-cl-01)",
                super::field::quoted(value),
                allowed.join(", "),
                operation.path()
            );
            findings.term(at(name), "AP-JSON-code", "IBT-003", message);
        }
    }
    let is_flags = |text: &str| text.len() == 8 && text.bytes().all(|b| b == b'0' || b == b'1');
    let (place, value) = (at("transaction_type_code"), &body.transaction_type_code);
    let expected = "8 characters, each 0 or 1 (ibr-154-ae)";
    form(findings, place, value.as_deref(), "BTAE-02", is_flags, expected);
    at_most(findings, at("profile"), body.profile.as_deref(), MAX_PROFILE, "IBT-024");
    if operation.is_self_billed() {
        let expected = "pint:selfbilling-1, optionally followed by @ae-1 and *";
        let is_profile = |text: &str| is_profile(text, &["pint:selfbilling-1"]);
        form(findings, at("profile"), body.profile.as_deref(), "IBT-024", is_profile, expected);
    } else {
        let expected = "pint:billing-1 or pint:selfbilling-1, optionally followed by @ae-1 and *";
        let is_profile = |text: &str| is_profile(text, &["pint:billing-1", "pint:selfbilling-1"]);
        form(findings, at("profile"), body.profile.as_deref(), "IBT-024", is_profile, expected);
    }
    let is_mls = |text: &str| matches!(text, "ALWAYS_SEND" | "FAILURE_ONLY");
    let expected = "ALWAYS_SEND or FAILURE_ONLY";
    form(findings, at("mls_type"), body.mls_type.as_deref(), "", is_mls, expected);
    code(findings, at("currency"), body.currency.as_deref(), "IBT-005", CURRENCY);
    let (place, value) = (at("tax_accounting_currency_code"), &body.tax_accounting_currency_code);
    let expected = "AED, the only tax accounting currency (ibr-140-ae)";
    form(findings, place, value.as_deref(), "IBT-006", |text| text == "AED", expected);
    let (place, value) = (at("currency_exchange_rate"), body.currency_exchange_rate);
    // ibr-002-ae: at most 6 decimals.
    decimals(findings, place, value, 6, "BTAE-04");
    sign(findings, place, value, Sign::Positive, "BTAE-04");
    if let Some(period) = &body.invoice_period {
        let place = at("invoice_period");
        let value = period.frequency_code.as_deref();
        code(findings, place.field("frequency_code"), value, "BTAE-06", FREQUENCY);
    }
    if let Some(totals) = &body.totals {
        let place = at("totals");
        // IBT-200 true would disable the checks of the sums (ibr-co-13, ibr-co-15).
        if totals.tax_included == Some(true) {
            let message = "amounts exclude VAT here: leave the indicator out or set it to false";
            findings.term(place.field("tax_included"), "AP-JSON-range", "IBT-200", message);
        }
        let (paid, rounding) = (totals.paid_amount, totals.rounding_amount);
        decimals(findings, place.field("paid_amount"), paid, 2, "IBT-113");
        decimals(findings, place.field("rounding_amount"), rounding, 2, "IBT-114");
    }
    for (i, row) in body.vat_breakdown.iter().enumerate() {
        let place = at("vat_breakdown");
        let (place, value) = (place.index(i), row.vat_category_code.as_str());
        code(findings, place.field("vat_category_code"), Some(value), "IBT-118", LINE_CATEGORY);
    }
}

fn is_profile(text: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| {
        let Some(rest) = text.strip_prefix(start) else { return false };
        matches!(rest, "" | "*" | "@ae-1" | "@ae-1*")
    })
}

fn references(body: &Body, findings: &mut Findings) {
    let at = |name| Place::ROOT_REF.field(name);
    if let Some(object) = &body.invoiced_object_identifier {
        let (place, value) = (at("invoiced_object_identifier"), object.scheme_id.as_deref());
        code(findings, place.field("scheme_id"), value, "IBT-018-1", REFERENCE);
    }
    let value = body.credit_note_reason_code.as_deref();
    code(findings, at("credit_note_reason_code"), value, "BTAE-03", REASON);
    let value = body.original_reference_kind.as_deref();
    let is_kind = |text: &str| matches!(text, "ap" | "external");
    form(findings, at("original_reference_kind"), value, "", is_kind, "ap or external");
    let value = body.original_invoice_number.as_deref();
    document_number(findings, at("original_invoice_number"), value, "IBT-025");
    let place = at("preceding_invoice_references");
    for (i, preceding) in body.preceding_invoice_references.iter().enumerate() {
        document_number(findings, place.index(i).field("id"), Some(&preceding.id), "IBT-025");
    }
    let place = at("supporting_documents");
    for (i, document) in body.supporting_documents.iter().enumerate() {
        supporting_document(document, place.index(i), findings);
    }
}

/// Checks a document number. People and systems read, type and compare it, so it has no invisible characters and no
/// white space at its ends.
fn document_number(
    findings: &mut Findings,
    at: Place<'_>,
    value: Option<&str>,
    term: &'static str,
) {
    let Some(value) = value else { return };
    let rule = "AP-JSON-character";
    if let Some((i, c)) = value.chars().enumerate().find(|(_, c)| is_unseen(*c)) {
        let message = format!(
            "character {} is U+{:04X}: a document number must not have line breaks, tabs, control characters or \
             invisible characters",
            i + 1,
            u32::from(c)
        );
        findings.term(at, rule, term, message);
    } else if !value.is_empty() && value.trim() != value {
        findings.term(at, rule, term, "a document number must not begin or end with a space");
    }
}

/// Whether a character is invisible:
/// - controls, line and paragraph separators;
/// - Default_Ignorable_Code_Point of UAX #44, which includes Bidi_Control of UAX #9;
/// - interlinear annotation marks and the empty Braille pattern.
///
/// Arabic and Indic scripts need the joiners U+200C and U+200D, so these are allowed.
pub(super) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}'
            | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'
            | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

fn supporting_document(document: &SupportingDocument, at: Place<'_>, findings: &mut Findings) {
    // `xs:anyURI` accepts almost any text, but white space and quotes break a link.
    let is_uri =
        |text: &str| !text.contains(|c: char| c.is_whitespace() || "<>\"{}|\\^`".contains(c));
    let (place, value) = (at.field("external_uri"), document.external_uri.as_deref());
    form(findings, place, value, "IBT-124", is_uri, "a URI");
    let Some(attachment) = &document.attachment else { return };
    let place = at.field("attachment");
    let value = Some(attachment.mime_code.as_str());
    code(findings, place.field("mime_code"), value, "IBT-125-1", MIME);
    if !attachment.content_base64.is_empty() {
        let engine = base64::engine::general_purpose::STANDARD;
        if let Err(error) = engine.decode(&attachment.content_base64) {
            let message = match attachment.content_base64.find(char::is_whitespace) {
                // "Implementations MUST NOT add line feeds to base-encoded data" (RFC 4648, section 3.1).
                Some(at) => format!(
                    "character {} is white space: base64 must not have line breaks here (RFC 4648, section 3.1). \
                     `base64 -w 0` and Base64.getEncoder() of Java write none",
                    at + 1
                ),
                None => format!("not base64 with padding (RFC 4648, section 4): {error}"),
            };
            findings.term(place.field("content_base64"), "AP-JSON-pattern", "IBT-125", message);
        }
    }
}

/// Checks the fields that are stored beside the document and never written into it.
fn own_fields(body: &Body, findings: &mut Findings) {
    let at = |name| Place::ROOT_REF.field(name);
    at_most(findings, at("source_id"), body.source_id.as_deref(), MAX_SOURCE_ID, "");
    for (name, value) in [
        ("previous_document_id", &body.previous_document_id),
        ("corrects_document_id", &body.corrects_document_id),
    ] {
        at_most(findings, at(name), value.as_deref(), MAX_DOCUMENT_ID, "");
    }
    metadata(&body.metadata, findings);
}

/// Checks the key-value pairs in the member `metadata` of a document or a taxpayer (specification 2.5).
pub fn check_metadata(pairs: &BTreeMap<String, String>) -> Vec<Finding> {
    let mut findings = Findings::default();
    metadata(pairs, &mut findings);
    findings.into_vec()
}

fn metadata(pairs: &BTreeMap<String, String>, findings: &mut Findings) {
    let place = Place::ROOT_REF.field("metadata");
    let count = pairs.len();
    if count > MAX_METADATA_KEYS {
        let message = format!("{count} keys; at most {MAX_METADATA_KEYS} are allowed");
        findings.error(place, "AP-JSON-length", message);
    }
    for key in pairs.keys() {
        let length = key.chars().count();
        if length == 0 {
            let message = "a key must have at least one character";
            findings.error(place.field(key), "AP-JSON-length", message);
        } else if length > MAX_METADATA_KEY {
            let message =
                format!("a key of {length} characters; at most {MAX_METADATA_KEY} are allowed");
            let place = if key.len() <= 400 { place.field(key) } else { place };
            findings.error(place, "AP-JSON-length", message);
        }
    }
    let bytes: usize = pairs.iter().map(|(k, v)| k.len() + v.len()).sum();
    if bytes > MAX_METADATA_BYTES {
        let message =
            format!("{bytes} bytes of keys and values; at most {MAX_METADATA_BYTES} are allowed");
        findings.error(place, "AP-JSON-length", message);
    }
}

fn payment(body: &Body, findings: &mut Findings) {
    let at = |name| Place::ROOT_REF.field(name);
    let place = at("payment_means");
    for (i, means) in body.payment_means.iter().enumerate() {
        payment_means(means, place.index(i), findings);
    }
    let place = at("payment_terms");
    for (i, terms) in body.payment_terms.iter().enumerate() {
        let place = place.index(i);
        decimals(findings, place.field("amount"), terms.amount, 2, "IBT-176");
    }
    let place = at("paid_amounts");
    for (i, paid) in body.paid_amounts.iter().enumerate() {
        let place = place.index(i);
        decimals(findings, place.field("amount"), Some(paid.amount), 2, "IBT-180");
    }
}

fn payment_means(means: &PaymentMeans, at: Place<'_>, findings: &mut Findings) {
    code(findings, at.field("means_code"), Some(&means.means_code), "IBT-081", MEANS);
    if let Some(transfer) = &means.credit_transfer
        && let Some(address) = &transfer.institution_address
    {
        let place = at.field("credit_transfer");
        country(address, place.field("institution_address"), "IBT-175", findings);
    }
    if let Some(card) = &means.card {
        // A full card number must not be sent: PCI DSS allows the first six and last four digits.
        let digits = card.primary_account_number.bytes().filter(u8::is_ascii_digit).count();
        if digits > 10 {
            let place = at.field("card");
            let message = "a full card number: mask it, at most the first six and last four digits";
            let place = place.field("primary_account_number");
            findings.term(place, "AP-JSON-card-number", "IBT-087", message);
        }
    }
}

fn trn_or_tin(findings: &mut Findings, at: Place<'_>, value: Option<&str>, term: &'static str) {
    let expected = "a TRN (15 digits, 1…03) or a TIN (10 digits, 1…)";
    form(findings, at, value, term, is_trn_or_tin, expected);
}

fn country(address: &Address, at: Place<'_>, term: &'static str, findings: &mut Findings) {
    code(findings, at.field("country_code"), address.country_code.as_deref(), term, COUNTRY);
}

fn document_allowance_charge(
    item: &DocumentAllowanceCharge,
    at: Place<'_>,
    listed: Listed,
    [amount, base, reason, category]: [&'static str; 4],
    findings: &mut Findings,
) {
    decimals(findings, at.field("amount"), item.amount, 2, amount);
    decimals(findings, at.field("base_amount"), item.base_amount, 2, base);
    code(findings, at.field("reason_code"), item.reason_code.as_deref(), reason, listed);
    let value = Some(item.vat_category_code.as_str());
    code(findings, at.field("vat_category_code"), value, category, ALLOWANCE_CATEGORY);
}

fn line_allowance_charge(
    item: &LineAllowanceCharge,
    at: Place<'_>,
    listed: Listed,
    [amount, base, reason]: [&'static str; 3],
    findings: &mut Findings,
) {
    decimals(findings, at.field("amount"), item.amount, 2, amount);
    decimals(findings, at.field("base_amount"), item.base_amount, 2, base);
    code(findings, at.field("reason_code"), item.reason_code.as_deref(), reason, listed);
}

fn line(line: &Line, at: Place<'_>, findings: &mut Findings) {
    code(findings, at.field("unit_code"), line.unit_code.as_deref(), "IBT-130", UNIT);
    if let Some(object) = &line.object_identifier {
        let (place, value) = (at.field("object_identifier"), object.scheme_id.as_deref());
        code(findings, place.field("scheme_id"), value, "IBT-128-1", REFERENCE);
    }
    for (name, items, listed, terms) in [
        ("allowances", &line.allowances, ALLOWANCE, ["IBT-136", "IBT-137", "IBT-140"]),
        ("charges", &line.charges, CHARGE, ["IBT-141", "IBT-142", "IBT-145"]),
    ] {
        let place = at.field(name);
        for (i, item) in items.iter().enumerate() {
            line_allowance_charge(item, place.index(i), listed, terms, findings);
        }
    }
    item(line, at.field("item"), findings);
    let place = at.field("vat");
    let value = Some(line.vat.category_code.as_str());
    code(findings, place.field("category_code"), value, "IBT-151", LINE_CATEGORY);
    let place = at.field("price");
    let price = &line.price;
    // ibr-027, ibr-028, ibr-087.
    sign(findings, place.field("net_price"), price.net_price, Sign::NotNegative, "IBT-146");
    sign(findings, place.field("gross_price"), price.gross_price, Sign::NotNegative, "IBT-148");
    sign(findings, place.field("discount"), price.discount, Sign::NotNegative, "IBT-147");
    sign(findings, place.field("base_quantity"), price.base_quantity, Sign::Positive, "IBT-149");
    let value = price.base_quantity_unit_code.as_deref();
    code(findings, place.field("base_quantity_unit_code"), value, "IBT-150", UNIT);
}

fn item(line: &Line, at: Place<'_>, findings: &mut Findings) {
    let item = &line.item;
    let value = item.origin_country_code.as_deref();
    let listed = Listed { rule: "ibr-cl-15", ..COUNTRY };
    code(findings, at.field("origin_country_code"), value, "IBT-159", listed);
    let value = item.rcm_goods_type_code.as_deref();
    code(findings, at.field("rcm_goods_type_code"), value, "BTAE-09", RCM);
    code(findings, at.field("type_code"), item.type_code.as_deref(), "BTAE-13", ITEM_TYPE);
    if let Some(identifier) = &item.standard_identifier {
        let (place, value) = (at.field("standard_identifier"), identifier.scheme_id.as_deref());
        let listed = Listed { rule: "ibr-cl-21", ..SCHEME };
        code(findings, place.field("scheme_id"), value, "IBT-157-1", listed);
    }
    let place = at.field("classifications");
    for (i, classification) in item.classifications.iter().enumerate() {
        let place = place.index(i);
        let value = classification.scheme_id.as_deref();
        let expected = format!("HS, the only scheme{}", official("ibr-188-ae"));
        form(findings, place.field("scheme_id"), value, "IBT-158-1", |t| t == "HS", &expected);
    }
}
