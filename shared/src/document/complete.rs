//! Completes a [`Submission`] to a [`Document`].

use super::{
    facts::{Facts, type_code},
    findings::Findings,
    identifier::is_predefined,
    identity,
    issuance::Issuance,
    lines,
    model::{
        Body, Document, LineAmounts, Operation, Party, PaymentMeans, PrecedingInvoiceReference,
        Totals, VatBreakdown,
    },
    party,
    place::Place,
    read::{Submission, without_index},
    roles, rules, totals,
};
use crate::{error::Finding, types::ParticipantId};

/// Fills in defaults, computes amounts and checks the result. `Ok` holds the document and its warnings. `Err` holds all
/// findings, errors first.
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
        Some(parts) if !has_errors => Ok((parts.with(operation, body, single_payment_means), list)),
        _ => Err(list),
    }
}

/// A document without its body.
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
    fn with(self, operation: Operation, body: Body, single_payment_means: bool) -> Document {
        let number = match operation.is_credit_note() {
            true => body.credit_note_number.clone(),
            false => body.invoice_number.clone(),
        };
        Document {
            operation,
            single_payment_means,
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
    fill(operation, body, issuance, findings);
    let facts = Facts::of(operation, body, &buyer);
    fill_payment_means(operation, body, &facts);
    party::check(operation, body.supplier.is_some(), &seller, &buyer, &facts, findings);
    itself(operation, body, &seller, &buyer, issuance, &facts, findings);
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
    rules::check(operation, body, &seller, &facts, issuance.today, findings);
    // Totals that skip an unknown line would only mislead.
    if !complete || line_amounts.len() != body.line_items.len() {
        return None;
    }
    let (totals, vat_breakdown) =
        totals::compute(operation, body, &line_amounts, &facts, findings)?;
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

/// Reports a seller and a buyer that are the same taxpayer.
fn itself(
    operation: Operation,
    body: &Body,
    seller: &Party,
    buyer: &Party,
    issuance: &Issuance<'_>,
    facts: &Facts,
    findings: &mut Findings,
) {
    let (counterparty, given, field) = match operation.is_self_billed() {
        true => (seller, &body.supplier, "supplier"),
        false => (buyer, &body.customer, "customer"),
    };
    if let Some(given) = given {
        let at = Place::ROOT.field(field);
        identity::itself(counterparty, given, at, issuance.participant, facts, findings);
    }
}

/// The start of every self-billing profile.
const SELF_BILLING: &str = "pint:selfbilling";

/// Fills in the defaults of the header.
fn fill(operation: Operation, body: &mut Body, issuance: &Issuance<'_>, findings: &mut Findings) {
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
    // The document type must agree with the content when the document is sent.
    if !operation.is_self_billed()
        && let Some(profile) = &mut body.profile
        && let Some(rest) = profile.strip_prefix(SELF_BILLING)
    {
        let agreeing = format!("pint:billing{rest}");
        let message = format!(
            "POST {} sends documents of the seller, so the service uses {agreeing}: send self-billed documents to POST \
             {}",
            operation.path(),
            operation.in_self_billing().path()
        );
        let place = Place::ROOT.field("profile");
        findings.warning(place, "AP-PROFILE-operation", "IBT-024", message);
        *profile = agreeing;
    }
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

/// ibr-191-ae demands payment means for an invoice, except a deemed supply. If the caller gave none, the code becomes 1
/// ("instrument not defined").
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

    /// Whether the receiver is a predefined endpoint. Such a document goes to the tax authority only, not to a
    /// recipient.
    pub fn is_predefined_endpoint(&self) -> bool {
        self.receiver().is_some_and(|receiver| is_predefined(&receiver))
    }

    /// Whether the buyer issued the document.
    pub fn is_self_billed(&self) -> bool {
        self.operation.is_self_billed()
    }

    /// Whether the document is a credit note.
    pub fn is_credit_note(&self) -> bool {
        self.operation.is_credit_note()
    }
}

fn participant(party: &Party) -> Option<ParticipantId> {
    let address = party.electronic_address.as_ref()?;
    ParticipantId::new(address.scheme_id.as_deref()?, &address.id).ok()
}
