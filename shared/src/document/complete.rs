//! From a [`Submission`] to a [`Document`].

use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    findings::Findings,
    lines,
    model::{
        Body, Document, LineAmounts, Operation, Party, PaymentMeans, PrecedingInvoiceReference,
        Totals, VatBreakdown,
    },
    party,
    place::Place,
    read::{Submission, without_index},
    roles,
    rules::{self, Flags},
    totals,
};
use crate::{error::Finding, types::ParticipantId};

/// What is known beside the body.
#[derive(Debug, Clone, Copy)]
pub struct Issuance<'a> {
    /// The registered profile of the sender: seller, or buyer in self-billing.
    pub taxpayer: &'a Party,
    /// The sender on the Peppol network.
    pub participant: &'a ParticipantId,
    /// The day in the UAE, for an issue date that was left out.
    pub today: Date,
    /// BTAE-07, for a unique identifier that was left out.
    pub uuid: Uuid,
    /// The invoice behind `previous_document_id`, when there is one.
    pub original: Option<&'a Original>,
}

/// The credited invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// IBT-001 of it.
    pub number: String,
    /// IBT-002 of it.
    pub issue_date: Date,
}

/// What the checks of the parts need to know of the whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// IBT-003
    pub(super) type_code: &'static str,
    /// BTAE-02
    pub(super) flags: Flags,
    /// Whether the document is in another currency than AED.
    pub(super) is_foreign_currency: bool,
    /// BTAE-04; 1 for AED, none when it is missing.
    pub(super) exchange_rate: Option<Decimal>,
    /// IBT-073
    pub(super) period_start: Option<Date>,
    /// IBT-074
    pub(super) period_end: Option<Date>,
    /// IBT-016 is there.
    pub(super) has_despatch_advice: bool,
    /// IBT-048 is there.
    pub(super) buyer_has_vat_identifier: bool,
}

impl Facts {
    fn of(operation: Operation, body: &Body, buyer: &Party) -> Self {
        let is_foreign_currency = body.currency.as_deref() != Some("AED");
        let period = body.invoice_period.as_ref();
        Facts {
            type_code: type_code(operation, body),
            flags: Flags::parse(body.transaction_type_code.as_deref().unwrap_or_default()),
            is_foreign_currency,
            exchange_rate: match is_foreign_currency {
                true => body.currency_exchange_rate,
                false => Some(Decimal::ONE),
            },
            period_start: period.and_then(|period| period.start_date),
            period_end: period.and_then(|period| period.end_date),
            has_despatch_advice: body.despatch_advice_reference.is_some(),
            buyer_has_vat_identifier: buyer.vat_identifier.is_some(),
        }
    }

    /// Types 480 and 81: out of scope of VAT.
    pub(super) fn is_out_of_scope(&self) -> bool {
        matches!(self.type_code, "480" | "81")
    }
}

/// IBT-003, the operation's own where the body says nothing else.
fn type_code(operation: Operation, body: &Body) -> &'static str {
    let given = match operation.is_credit_note() {
        true => body.credit_note_type_code.as_deref(),
        false => body.invoice_type_code.as_deref(),
    };
    let [default, other] = operation.type_codes();
    if given == Some(other) { other } else { default }
}

/// Fills in what was left out, computes and checks. `Ok` has the document and its warnings,
/// `Err` all findings, errors first.
pub fn complete(
    submission: Submission,
    issuance: &Issuance<'_>,
) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
    let Submission { operation, mut body, single_payment_means, .. } = submission;
    let mut findings = Findings::default();
    let document = build(operation, &mut body, issuance, &mut findings);
    let has_errors = findings.has_errors();
    let list = without_index(single_payment_means, findings.into_vec());
    match document {
        Some(parts) if !has_errors => Ok((parts.with(operation, body), list)),
        _ => Err(list),
    }
}

/// A document but for its body.
struct Parts {
    type_code: &'static str,
    seller: Party,
    buyer: Party,
    preceding_invoices: Vec<PrecedingInvoiceReference>,
    totals: Totals,
    vat_breakdown: Vec<VatBreakdown>,
    line_amounts: Vec<LineAmounts>,
}

impl Parts {
    fn with(self, operation: Operation, body: Body) -> Document {
        let number = match operation.is_credit_note() {
            true => body.credit_note_number.clone(),
            false => body.invoice_number.clone(),
        };
        Document {
            operation,
            number: number.unwrap_or_default(),
            body,
            type_code: self.type_code,
            seller: self.seller,
            buyer: self.buyer,
            preceding_invoices: self.preceding_invoices,
            totals: self.totals,
            vat_breakdown: self.vat_breakdown,
            line_amounts: self.line_amounts,
        }
    }
}

fn build(
    operation: Operation,
    body: &mut Body,
    issuance: &Issuance<'_>,
    findings: &mut Findings,
) -> Option<Parts> {
    let (supplier, customer) = (body.supplier.as_ref(), body.customer.as_ref());
    let (seller, buyer) = roles::resolve(operation, supplier, customer, issuance, findings);
    fill(operation, body, issuance);
    let facts = Facts::of(operation, body, &buyer);
    fill_payment_means(operation, body, &facts);
    party::check(operation, body.supplier.is_some(), &seller, &buyer, &facts, findings);
    if let Some(payee) = &body.payee {
        party::payee(payee, &seller, findings);
    }
    if let Some(representative) = &mut body.tax_representative {
        party::tax_representative(representative, findings);
    }
    let preceding_invoices = rules::preceding_invoices(operation, body, issuance, findings);
    let at = Place::ROOT.field("line_items");
    let mut line_amounts = Vec::with_capacity(body.line_items.len());
    for (i, line) in body.line_items.iter_mut().enumerate() {
        line_amounts.extend(lines::complete(line, i + 1, at.index(i), &facts, findings));
    }
    lines::ids(&body.line_items, at, findings);
    let complete = totals::allowances_and_charges(body, findings);
    rules::check(body, &seller, &facts, findings);
    // Totals of lines of which one is unknown would only mislead.
    if !complete || line_amounts.len() != body.line_items.len() {
        return None;
    }
    let (totals, vat_breakdown) = totals::compute(body, &line_amounts, &facts, findings)?;
    Some(Parts {
        type_code: facts.type_code,
        seller,
        buyer,
        preceding_invoices,
        totals,
        vat_breakdown,
        line_amounts,
    })
}

/// The defaults of the header.
fn fill(operation: Operation, body: &mut Body, issuance: &Issuance<'_>) {
    let code = type_code(operation, body).to_owned();
    match operation.is_credit_note() {
        true => body.credit_note_type_code = Some(code),
        false => body.invoice_type_code = Some(code),
    }
    body.uuid.get_or_insert_with(|| issuance.uuid.to_string());
    body.issue_date.get_or_insert(issuance.today);
    body.transaction_type_code.get_or_insert_with(|| "00000000".to_owned());
    body.mls_type.get_or_insert_with(|| "ALWAYS_SEND".to_owned());
    body.profile.get_or_insert_with(|| {
        let profile = if operation.is_self_billed() { "selfbilling" } else { "billing" };
        format!("pint:{profile}-1@ae-1")
    });
    let currency = body.currency.get_or_insert_with(|| "AED".to_owned());
    if currency != "AED" {
        body.tax_accounting_currency_code.get_or_insert_with(|| "AED".to_owned());
    }
    if let Some(address) = &mut body.delivery_address {
        roles::fill_country(address);
    }
    for means in &mut body.payment_means {
        if let Some(transfer) = &mut means.credit_transfer
            && let Some(address) = &mut transfer.institution_address
        {
            roles::fill_country(address);
        }
        if let Some(card) = &mut means.card {
            card.network.get_or_insert_with(|| "NA".to_owned());
        }
    }
}

/// ibr-191-ae wants means of payment of invoices unless the supply is deemed: 1, which is
/// "instrument not defined", where the caller named none.
fn fill_payment_means(operation: Operation, body: &mut Body, facts: &Facts) {
    if body.payment_means.is_empty() && !operation.is_credit_note() && !facts.flags.deemed() {
        body.payment_means.push(PaymentMeans { means_code: "1".to_owned(), ..Default::default() });
    }
}

impl Document {
    /// The sender on the network: the seller, or the buyer in self-billing.
    pub fn sender(&self) -> Option<ParticipantId> {
        participant(if self.is_self_billed() { &self.buyer } else { &self.seller })
    }

    /// The receiver on the network: the buyer, or the seller in self-billing.
    pub fn receiver(&self) -> Option<ParticipantId> {
        participant(if self.is_self_billed() { &self.seller } else { &self.buyer })
    }

    /// Whether the receiver is one of the predefined endpoints, to which nothing is sent: only
    /// the tax authority gets the document.
    pub fn is_predefined_endpoint(&self) -> bool {
        let receiver = self.receiver();
        receiver
            .is_some_and(|r| r.scheme() == ParticipantId::TIN_SCHEME && is_predefined(r.value()))
    }

    /// Whether the buyer issued it.
    pub fn is_self_billed(&self) -> bool {
        self.operation.is_self_billed()
    }

    /// Whether it is a credit note.
    pub fn is_credit_note(&self) -> bool {
        self.operation.is_credit_note()
    }
}

/// 97 deemed supply, 98 buyer outside UAE e-invoicing, 99 export to a buyer who is not on Peppol.
pub(crate) fn is_predefined(value: &str) -> bool {
    matches!(value, "9900000097" | "9900000098" | "9900000099")
}

fn participant(party: &Party) -> Option<ParticipantId> {
    let address = party.electronic_address.as_ref()?;
    ParticipantId::new(address.scheme_id.as_deref()?, &address.id).ok()
}
