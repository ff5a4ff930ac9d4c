//! A document with everything that its conversion needs.

use access_point::{
    document::{self, Document, Issuance, Operation, Original, Profile, ReadError},
    error::Finding,
    types::ParticipantId,
};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use jiff::{ToSpan, civil::Date};
use proptest::prelude::*;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    choices::Choices,
    lines::{self, Frame, Line},
    object::Object,
    parties, payment,
    scenario::Scenario,
};

/// A valid body of a send, with what is known beside it.
#[derive(Debug, Clone)]
pub struct Case {
    /// Which operation the body belongs to.
    pub operation: Operation,
    /// The sender's registered profile, as [`Profile::from_json`] reads it.
    pub taxpayer: Value,
    /// The sender's TIN.
    pub tin: String,
    /// The day of the send.
    pub today: Date,
    /// BTAE-07 for a body that names none.
    pub uuid: Uuid,
    /// The invoice behind the body's `previous_document_id`.
    pub original: Option<Original>,
    /// The body.
    pub body: Value,
}

/// Valid documents of all kinds.
pub fn cases() -> impl Strategy<Value = Case> {
    Choices::strategy().prop_map(|numbers| Case::new(&mut Choices::new(numbers)))
}

impl Case {
    /// The document that the choices give.
    pub fn new(c: &mut Choices) -> Self {
        let scenario = Scenario::new(c);
        let operation = scenario.operation;
        let today = Date::constant(2026, 1, 1).saturating_add(i64::from(c.below(365)).days());
        let tin = parties::tin(c);
        let uuid = uuid::Builder::from_random_bytes(std::array::from_fn(|_| c.below(256) as u8));
        // A registered profile serves both roles: as a buyer it may hold what only sellers have.
        let taxpayer = if operation.is_self_billed() && c.flip(50) {
            parties::registered_buyer(c, &tin, &scenario)
        } else {
            parties::seller(c, &tin, &scenario)
        };
        let mut case = Case {
            operation,
            taxpayer,
            tin,
            today,
            uuid: uuid.into_uuid(),
            original: None,
            body: Value::Null,
        };
        case.body = body(c, &scenario, &mut case);
        if c.flip(40) {
            case.give_amounts(c);
        }
        case
    }

    /// Reads and completes the body.
    pub fn document(&self) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
        let plain = |error| match error {
            ReadError::Malformed(message) => vec![Finding::error("", "AP-JSON-SYNTAX", message)],
            ReadError::Invalid(findings) => findings,
        };
        let body = self.body.to_string();
        let submission = document::read(self.operation, body.as_bytes()).map_err(plain)?;
        let taxpayer = Profile::from_json(self.taxpayer.to_string().as_bytes()).map_err(plain)?;
        let participant = ParticipantId::new(ParticipantId::TIN_SCHEME, &self.tin)
            .map_err(|error| vec![Finding::error("", "GENERATOR", error.to_string())])?;
        let issuance = Issuance {
            taxpayer: &taxpayer,
            participant: &participant,
            today: self.today,
            uuid: self.uuid,
            original: self.original.as_ref(),
        };
        document::complete(submission, &issuance)
    }

    /// The case as one JSON object.
    pub fn to_json(&self) -> Value {
        let original = self.original.as_ref();
        json!({
            "operation": self.operation.as_str(),
            "taxpayer": self.taxpayer,
            "today": self.today.to_string(),
            "uuid": self.uuid.to_string(),
            "original": original.map(|of| json!({
                "number": of.number,
                "issue_date": of.issue_date.to_string(),
            })),
            "body": self.body,
        })
    }

    /// Tells in the body what completing it computed: a caller who computes too.
    fn give_amounts(&mut self, c: &mut Choices) {
        // A body that is refused stays as it is: whoever runs the case sees the findings.
        let Ok((document, _)) = self.document() else { return };
        let Value::Object(body) = &mut self.body else { return };
        if c.flip(70) {
            let totals = body.entry("totals").or_insert_with(|| json!({}));
            give_totals(c, &document, totals);
            if totals.as_object().is_some_and(|totals| totals.is_empty()) {
                body.remove("totals");
            }
        }
        let allowances =
            [("allowances", &document.body.allowances), ("charges", &document.body.charges)];
        for (name, completed) in allowances {
            give_allowances(c, body.get_mut(name), completed.iter().map(|of| of.amount));
        }
        if c.flip(70) {
            let rows = document.vat_breakdown.iter().map(|row| {
                Object::default()
                    .put("vat_category_code", row.category_code.as_str())
                    .maybe("vat_rate", row.rate.map(|rate| c.decimal(rate)))
                    .put("taxable_amount", c.decimal(row.taxable_amount))
                    .put("tax_amount", c.decimal(row.tax_amount))
                    .take()
            });
            let rows = rows.collect();
            body.insert("vat_breakdown".to_owned(), Value::Array(rows));
        }
        let lines = body.get_mut("line_items").and_then(Value::as_array_mut);
        let completed = document.body.line_items.iter().zip(&document.line_amounts);
        for (line, (completed, amounts)) in lines.into_iter().flatten().zip(completed) {
            let Value::Object(line) = line else { continue };
            let allowances =
                [("allowances", &completed.allowances), ("charges", &completed.charges)];
            for (name, completed) in allowances {
                give_allowances(c, line.get_mut(name), completed.iter().map(|of| of.amount));
            }
            let mut give = |name: &str, value: Option<Decimal>| {
                if let Some(value) = value
                    && c.flip(60)
                {
                    line.insert(name.to_owned(), c.decimal(value));
                }
            };
            give("net_amount", Some(amounts.net_amount));
            give("amount_in_aed", Some(amounts.amount_in_aed));
            give("vat_amount_in_aed", amounts.vat_amount_in_aed);
        }
    }
}

/// Amounts of allowances or charges that were told by base and percentage.
fn give_allowances(
    c: &mut Choices,
    list: Option<&mut Value>,
    amounts: impl Iterator<Item = Option<Decimal>>,
) {
    let list = list.and_then(Value::as_array_mut).into_iter().flatten();
    for (json, amount) in list.zip(amounts) {
        if let Some(amount) = amount
            && json.get("amount").is_none()
            && c.flip(50)
        {
            json["amount"] = c.decimal(amount);
        }
    }
}

fn give_totals(c: &mut Choices, document: &Document, json: &mut Value) {
    let totals = &document.totals;
    let given = [
        ("sum_of_line_net_amounts", Some(totals.sum_of_line_net_amounts)),
        ("sum_of_allowances", totals.sum_of_allowances),
        ("sum_of_charges", totals.sum_of_charges),
        ("total_amount_without_vat", Some(totals.total_amount_without_vat)),
        ("total_vat_amount", Some(totals.total_vat_amount)),
        ("total_vat_amount_in_accounting_currency", totals.total_vat_amount_in_aed),
        ("total_amount_with_vat", Some(totals.total_amount_with_vat)),
        ("total_amount_with_vat_in_aed", totals.total_amount_with_vat_in_aed),
        ("paid_amount", totals.paid_amount),
        ("rounding_amount", totals.rounding_amount),
        ("amount_due_for_payment", Some(totals.amount_due_for_payment)),
    ];
    for (name, value) in given {
        if let Some(value) = value
            && c.flip(70)
        {
            json[name] = c.decimal(value);
        }
    }
}

fn body(c: &mut Choices, scenario: &Scenario, case: &mut Case) -> Value {
    let mut body = Object::default();
    let issued = if c.flip(60) {
        let date = case.today.saturating_sub(i64::from(c.below(15)).days());
        body.put("issue_date", date.to_string());
        date
    } else {
        case.today
    };
    header(c, scenario, issued, &mut body);
    let period = period(c, scenario, issued, &mut body);
    let despatch_on_lines = references(c, scenario, &mut body);
    originals(c, scenario, issued, case, &mut body);
    senders_side(c, scenario, case, &mut body);
    parties::others(c, scenario, &mut body);
    payment::delivery(c, scenario, issued, &mut body);
    payment::put(c, scenario, issued, &mut body);
    let frame = Frame { scenario, period, despatch_on_lines };
    let lines = line_items(c, &frame);
    // ibr-114-ae, ibr-115-ae: none under the margin scheme.
    if !scenario.flags.margin {
        lines::document_allowances(c, &lines, &mut body);
    }
    paid(c, scenario, issued, &lines, &mut body);
    body.list("line_items", lines.into_iter().map(|line| line.json).collect());
    unfiscal(c, &mut body);
    body.take()
}

fn header(c: &mut Choices, scenario: &Scenario, issued: Date, body: &mut Object) {
    let (number, type_code) = if scenario.operation.is_credit_note() {
        ("credit_note_number", "credit_note_type_code")
    } else {
        ("invoice_number", "invoice_type_code")
    };
    body.put(number, c.reference("DOC"));
    if scenario.out_of_scope || c.flip(40) {
        body.put(type_code, scenario.type_code());
    }
    let flags = scenario.flags.code();
    if flags != "00000000" || c.flip(40) {
        body.put("transaction_type_code", flags);
    }
    if scenario.currency != "AED" {
        let rate = c.scaled(1, 9_999_999, 6);
        body.put("currency", scenario.currency)
            .put("currency_exchange_rate", c.decimal(rate))
            .maybe("tax_accounting_currency_code", c.maybe(40, |_| "AED"));
    } else if c.flip(40) {
        body.put("currency", "AED");
    }
    if !scenario.operation.is_credit_note() {
        body.put("due_date", c.day_after(issued, 60).to_string())
            .maybe("vat_point_date", c.maybe(20, |c| c.day_before(issued, 20).to_string()));
    }
    let profile = if scenario.operation.is_self_billed() { "selfbilling" } else { "billing" };
    let suffix = c.pick(&["-1@ae-1", "-1@ae-1*", "-1", "-1*"]);
    body.maybe("uuid", c.maybe(20, |_| "b3a2c1d4-0000-4000-8000-00000000abcd"))
        .maybe("issue_time", c.maybe(30, |c| c.pick(&["09:30:00", "17:38:00+04:00", "05:00:00Z"])))
        .maybe("profile", c.maybe(30, |_| format!("pint:{profile}{suffix}")))
        .maybe("mls_type", c.maybe(30, |c| c.pick(&["ALWAYS_SEND", "FAILURE_ONLY"])))
        .maybe("note", c.maybe(30, Choices::text))
        .maybe("buyer_accounting_reference", c.maybe(20, |c| c.reference("COST")))
        .maybe("buyer_reference", c.maybe(40, |c| c.reference("DEPT")));
}

/// IBG-14, and the days that a line's period may name.
fn period(c: &mut Choices, scenario: &Scenario, issued: Date, body: &mut Object) -> (Date, Date) {
    let start = c.day_before(issued, 60);
    let end = c.day_after(start, 28);
    if scenario.flags.summary || scenario.flags.continuous || c.flip(20) {
        let frequency = if scenario.flags.continuous || c.flip(50) {
            let list = ["MTH", "DLY", "WKY", "Q15", "Q45", "Q60", "QTR", "YRL", "HYR", "OTH"];
            Some(c.pick(&list))
        } else {
            None
        };
        if frequency == Some("OTH") {
            // ibr-160-ae
            body.put("note", c.text());
        }
        let period = Object::default()
            .put("start_date", start.to_string())
            .put("end_date", end.to_string())
            .maybe("frequency_code", frequency)
            .take();
        body.put("invoice_period", period);
    }
    (start, end)
}

/// References to other documents; whether the despatch advice is left to the lines.
fn references(c: &mut Choices, scenario: &Scenario, body: &mut Object) -> bool {
    let contract = if scenario.flags.continuous { 100 } else { 15 };
    let despatch_on_lines = c.flip(50);
    body.maybe("purchase_order_reference", c.maybe(40, |c| c.reference("PO")))
        .maybe("sales_order_reference", c.maybe(20, |c| c.reference("SO")))
        .maybe("receiving_advice_reference", c.maybe(15, |c| c.reference("GRN")))
        .maybe("customs_reference_number", c.maybe(15, |c| c.reference("CUSTOMS")))
        .maybe("tender_or_lot_reference", c.maybe(15, |c| c.reference("LOT")))
        .maybe("project_reference", c.maybe(15, |c| c.reference("PROJECT")))
        .maybe("invoiced_object_identifier", c.maybe(15, parties::object_identifier))
        .list("supporting_documents", (0..c.below(3)).map(|_| supporting(c)).collect());
    if !despatch_on_lines && c.flip(30) {
        body.put("despatch_advice_reference", c.reference("DESPATCH"));
    }
    if let Some(contract) = c.maybe(contract, |c| c.reference("CONTRACT")) {
        body.put("contract_reference", contract)
            .maybe("contract_value", c.maybe(60, |c| format!("AED{}", c.between(1, 999_999))));
    }
    despatch_on_lines
}

fn supporting(c: &mut Choices) -> Value {
    let attachment = c.maybe(40, |c| {
        let (mime_code, filename) = c.pick(&[
            ("application/pdf", "order.pdf"),
            ("image/png", "photo.png"),
            ("image/jpeg", "photo & plan.jpeg"),
            ("text/csv", "lines.csv"),
            ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "lines.xlsx"),
            ("application/vnd.oasis.opendocument.spreadsheet", "lines.ods"),
            ("application/xml", "order.xml"),
        ]);
        let size = c.between(1, 64);
        let content: Vec<_> = (0..size).map(|_| c.below(256) as u8).collect();
        json!({
            "content_base64": BASE64.encode(content),
            "mime_code": mime_code,
            "filename": filename,
        })
    });
    Object::default()
        .put("id", c.reference("ATT"))
        .maybe("description", c.maybe(50, Choices::text))
        .maybe("external_uri", c.maybe(40, |_| "https://falcon.example/documents?id=1&v=2"))
        .maybe("attachment", attachment)
        .take()
}

/// IBG-03: what a credit note credits, and what an invoice follows.
fn originals(
    c: &mut Choices,
    scenario: &Scenario,
    issued: Date,
    case: &mut Case,
    body: &mut Object,
) {
    if scenario.operation.is_credit_note() {
        let reason =
            c.pick(&["DL8.61.1.A", "DL8.61.1.B", "DL8.61.1.C", "DL8.61.1.D", "DL8.61.1.E", "VD"]);
        body.put("credit_note_reason_code", reason);
        let date = c.day_before(issued, 90);
        match c.below(2) {
            // ibr-055-ae: a volume discount has no preceding invoice.
            _ if reason == "VD" => return,
            0 => {
                body.put("original_reference_kind", "external")
                    .put("original_invoice_number", c.reference("INV"))
                    .maybe("original_issue_date", c.maybe(70, |_| date.to_string()));
            }
            _ => {
                let number = c.reference("INV");
                case.original = Some(Original { number, issue_date: date });
                body.maybe("original_reference_kind", c.maybe(50, |_| "ap"))
                    .put("previous_document_id", "doc_0192f0c1a2b37c4d8e9fa0b1c2d3e4f5");
            }
        }
    }
    let further = (0..if c.flip(15) { c.between(1, 2) } else { 0 }).map(|place| {
        let date = c.maybe(60, |c| c.day_before(issued, 90).to_string());
        Object::default().put("id", format!("PREVIOUS-{place}")).maybe("issue_date", date).take()
    });
    let further = further.collect();
    body.list("preceding_invoice_references", further);
}

/// Seller and buyer, as far as the body names them.
fn senders_side(c: &mut Choices, scenario: &Scenario, case: &Case, body: &mut Object) {
    if scenario.operation.is_self_billed() {
        let tin = parties::other_tin(c);
        body.put("supplier", parties::seller(c, &tin, scenario));
    } else {
        body.put("customer", parties::customer(c, scenario))
            .maybe("supplier", c.maybe(20, |_| case.taxpayer.clone()));
    }
}

fn line_items(c: &mut Choices, frame: &Frame<'_>) -> Vec<Line> {
    let count = match c.below(50) {
        0..20 => c.between(1, 2),
        20..49 => c.between(1, 20),
        _ => 200,
    };
    let mut lines = Vec::new();
    let mut before = Decimal::ZERO;
    for place in 0..count as usize {
        let line = lines::line(c, frame, place, before);
        // A tenth of it stays whatever is given back and allowed.
        before += line.net / Decimal::TEN;
        lines.push(line);
    }
    lines
}

/// What was paid beforehand, and the rounding of what is due.
fn paid(c: &mut Choices, scenario: &Scenario, issued: Date, lines: &[Line], body: &mut Object) {
    // Document allowances take at most a fifth.
    let sum: Decimal = lines.iter().map(|line| line.net).sum();
    let limit = sum / Decimal::TWO;
    let mut totals = Object::default();
    if !scenario.operation.is_credit_note() && c.flip(20) {
        body.list("paid_amounts", payment::paid_amounts(c, issued, limit));
    } else if c.flip(15) {
        let paid = limit.trunc_with_scale(2);
        totals.put("paid_amount", c.decimal(paid));
    }
    if c.flip(15) {
        let rounding = c.scaled(1, 49, 2);
        let rounding = if c.flip(50) && sum > Decimal::TEN { -rounding } else { rounding };
        totals.put("rounding_amount", c.decimal(rounding));
    }
    totals.maybe("tax_included", c.maybe(15, |_| false));
    body.maybe("totals", totals.take_some());
}

/// What is stored and echoed, but is no part of the fiscal document.
fn unfiscal(c: &mut Choices, body: &mut Object) {
    body.maybe("source_id", c.maybe(20, |c| c.reference("erp")))
        .maybe("metadata", c.maybe(20, |c| json!({ "branch": c.text(), "batch": "7" })))
        .maybe("corrects_document_id", c.maybe(5, |_| "doc_0192f0c1a2b37c4d8e9fa0b1c2d3e4f6"));
}
