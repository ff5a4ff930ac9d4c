//! The header: the whole body, its references, allowances, charges and totals.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::{
    Address, Delivery, Line, PaidAmount, Party, Payee, PaymentMeans, PaymentTerms,
    TaxRepresentative,
};
use crate::document::json::objects;

objects! {
    /// The body of a send or a validation. It has the fields of all four operations.
    /// [`Operation`](super::Operation) lists the fields of each operation, and which of them are
    /// required.
    struct Body {
        /// IBT-001 Number of an invoice or self-billed invoice, at most 64 characters.
        invoice_number: Option<String>,
        /// IBT-001 Number of a credit note, at most 64 characters.
        credit_note_number: Option<String>,
        /// BTAE-07 Unique identifier, a UUID (RFC 9562). The service generates it when left out.
        uuid: Option<String>,
        /// IBT-002 Issue date. Default: today in the UAE.
        issue_date: Option<Date>,
        /// IBT-168 Issue time, `hh:mm:ss`, with or without a time zone.
        issue_time: Option<String>,
        /// IBT-009 Payment due date.
        due_date: Option<Date>,
        /// IBT-003 Type code of an invoice: 380 (default) or 480. For a self-billed invoice: 389
        /// (default) or 480.
        invoice_type_code: Option<String>,
        /// IBT-003 Type code of a credit note: 381 (default) or 81. For a self-billed credit note:
        /// 261 (default) or 81.
        credit_note_type_code: Option<String>,
        /// BTAE-02 Transaction type code, eight flags. Default: `00000000`.
        transaction_type_code: Option<String>,
        /// PINT profile. It determines the Peppol document type and where the SMP lookup starts.
        /// The suffix `@ae-1` is optional here. The document, its envelope and the AS4 message
        /// always name the full type, `…@ae-1` without `*`. Without `*`, the lookup selects the
        /// narrowest registration of the recipient that covers the document: `…@ae-1`, then
        /// `…@ae-1*`, then `…-1*`. With `*`, the lookup starts at the named registration and skips
        /// narrower ones. For example, `pint:billing-1@ae-1*` reaches a test receiver that has this
        /// registration in addition to its exact one. If no registration matches from that point
        /// on, the send fails with 422 `recipient_not_capable`. `pint:selfbilling-1` on an invoice
        /// or credit note of the seller counts as `pint:billing-1`, with a warning. Document type
        /// and content must agree.
        profile: Option<String>,
        /// Message Level Status preference: ALWAYS_SEND (default) or FAILURE_ONLY.
        mls_type: Option<String>,
        /// IBT-005 Currency, ISO 4217. Default: AED.
        currency: Option<String>,
        /// IBT-006 Tax accounting currency. It must be AED, and is allowed only when the document
        /// currency is not AED.
        tax_accounting_currency_code: Option<String>,
        /// BTAE-04 Exchange rate to AED, at most 6 decimals. Required when the currency is not AED.
        currency_exchange_rate: Option<Decimal>,
        /// IBT-007 VAT point date, before the issue date. Not allowed on credit notes.
        vat_point_date: Option<Date>,
        /// IBT-022 Note.
        note: Option<String>,
        /// IBT-019 Buyer accounting reference.
        buyer_accounting_reference: Option<String>,
        /// IBT-010 Buyer reference.
        buyer_reference: Option<String>,
        /// IBG-14 Invoicing period.
        invoice_period: Option<InvoicePeriod>,
        /// IBT-013 Purchase order reference.
        purchase_order_reference: Option<String>,
        /// IBT-014 Sales order reference.
        sales_order_reference: Option<String>,
        /// IBG-03 Preceding invoices.
        preceding_invoice_references: Vec<PrecedingInvoiceReference>,
        /// IBT-016 Despatch advice reference.
        despatch_advice_reference: Option<String>,
        /// IBT-015 Receiving advice reference.
        receiving_advice_reference: Option<String>,
        /// BTAE-21 Customs reference number.
        customs_reference_number: Option<String>,
        /// IBT-017 Tender or lot reference.
        tender_or_lot_reference: Option<String>,
        /// IBT-012 Contract reference.
        contract_reference: Option<String>,
        /// BTAE-05 Contract value, as text such as `AED200000`.
        contract_value: Option<String>,
        /// IBT-018 Invoiced object identifier. Its scheme is a UNTDID 1153 code.
        invoiced_object_identifier: Option<Identifier>,
        /// IBT-011 Project reference.
        project_reference: Option<String>,
        /// IBG-24 Supporting documents.
        supporting_documents: Vec<SupportingDocument>,
        /// IBG-04 Seller. Default: the registered profile of the taxpayer. Required for
        /// self-billing. A supplier given instead of the profile must have the same name, TIN, TRN
        /// and legal registration. Its address, contact, trading name and identifiers may be those
        /// of a branch.
        supplier: Option<Party>,
        /// IBG-07 Buyer. For self-billing, the buyer is always the registered profile of the
        /// taxpayer.
        customer: Option<Party>,
        /// IBG-10 Payee.
        payee: Option<Payee>,
        /// IBG-11 Seller's tax representative.
        tax_representative: Option<TaxRepresentative>,
        /// BTAE-01 Beneficiary identifier (TRN or TIN). Required for a free zone supply.
        beneficiary_identifier: Option<String>,
        /// BTAE-14 Principal identifier (TRN or TIN). Required for disclosed agent billing.
        principal_identifier: Option<String>,
        /// IBG-13 Delivery information, without the delivery address.
        delivery: Option<Delivery>,
        /// IBG-15 Actual delivery location. Required for exports. It is never derived from the
        /// buyer.
        delivery_address: Option<Address>,
        /// IBG-16 Payment instructions: one object, or a list of objects. When left out, an invoice
        /// that is not a deemed supply gets code 1 (instrument not defined).
        payment_means: Vec<PaymentMeans>,
        /// IBG-33 Payment terms.
        payment_terms: Vec<PaymentTerms>,
        /// IBG-35 Amounts paid in advance. Not allowed on credit notes.
        paid_amounts: Vec<PaidAmount>,
        /// IBG-20 Document level allowances.
        allowances: Vec<DocumentAllowanceCharge>,
        /// IBG-21 Document level charges.
        charges: Vec<DocumentAllowanceCharge>,
        /// IBG-22 Totals. The service computes them. Given values are compared with the computed
        /// ones.
        totals: Option<GivenTotals>,
        /// IBG-23 VAT breakdown. The service computes it. Given values are compared with the
        /// computed ones.
        vat_breakdown: Vec<GivenVatBreakdown>,
        /// IBG-25 Lines, 1 to 1000.
        line_items: Vec<Line>,
        /// BTAE-03 Credit note reason code.
        credit_note_reason_code: Option<String>,
        /// Where the credited invoice was issued: `ap` (this access point, the default) or
        /// `external`.
        original_reference_kind: Option<String>,
        /// IBT-025 Number of the credited invoice. Only for external references.
        original_invoice_number: Option<String>,
        /// IBT-026 Issue date of the credited invoice. Only for external references.
        original_issue_date: Option<Date>,
        /// document_id of the credited invoice. Required when the reference kind is `ap`.
        previous_document_id: Option<String>,
        /// document_id of the document that this one corrects. The corrected document was rejected
        /// at stage C3.
        corrects_document_id: Option<String>,
        /// The caller's own document id. It is stored, and returned in every event of the document.
        source_id: Option<String>,
        /// The caller's own key-value pairs: up to 100 keys of up to 100 characters, 16 KiB in
        /// total.
        metadata: Metadata,
    }

    /// IBG-14 Invoicing period.
    struct InvoicePeriod {
        /// IBT-073 Start date.
        start_date: Option<Date>,
        /// IBT-074 End date.
        end_date: Option<Date>,
        /// BTAE-06 Frequency of billing: DLY WKY Q15 MTH Q45 Q60 QTR YRL HYR OTH.
        frequency_code: Option<String>,
    }

    /// An identifier with its scheme.
    struct Identifier {
        /// The identifier.
        id: String,
        /// The scheme.
        scheme_id: Option<String>,
    }

    /// IBG-03 Preceding invoice.
    struct PrecedingInvoiceReference {
        /// IBT-025 Number.
        id: String,
        /// IBT-026 Issue date.
        issue_date: Option<Date>,
    }

    /// IBG-24 Supporting document.
    struct SupportingDocument {
        /// IBT-122 Reference.
        id: String,
        /// IBT-123 Description.
        description: Option<String>,
        /// IBT-124 External location.
        external_uri: Option<String>,
        /// IBT-125 Attached document.
        attachment: Option<Attachment>,
    }

    /// IBT-125 Attached document.
    struct Attachment {
        /// The content in base64.
        content_base64: String,
        /// IBT-125-1 MIME code: PDF, PNG, JPEG, CSV, XLSX, ODS or XML.
        mime_code: String,
        /// IBT-125-2 File name.
        filename: String,
    }

    /// IBG-20 Allowance or IBG-21 charge at document level.
    struct DocumentAllowanceCharge {
        /// IBT-092 / IBT-099 Amount. Default: base amount × percentage.
        amount: Option<Decimal>,
        /// IBT-093 / IBT-100 Base amount, given together with the percentage.
        base_amount: Option<Decimal>,
        /// IBT-094 / IBT-101 Percentage.
        percentage: Option<Decimal>,
        /// IBT-097 / IBT-104 Reason. A reason or a reason code is required.
        reason: Option<String>,
        /// IBT-098 / IBT-105 Reason code: UNCL 5189 / UNCL 7161.
        reason_code: Option<String>,
        /// IBT-095 / IBT-102 VAT category code: S, Z, E, O or AE.
        vat_category_code: String,
        /// IBT-096 / IBT-103 VAT rate. Default: the rate of the category.
        vat_rate: Option<Decimal>,
        /// IBT-196 / IBT-198 VAT exemption reason code.
        vat_exemption_reason_code: Option<String>,
        /// IBT-197 / IBT-199 VAT exemption reason.
        vat_exemption_reason: Option<String>,
    }

    /// IBG-22 Totals as the caller computed them. The paid amount and the rounding amount are used
    /// as given. All other values are compared with the totals computed from the lines.
    struct GivenTotals {
        /// IBT-106 Sum of line net amounts.
        sum_of_line_net_amounts: Option<Decimal>,
        /// IBT-107 Sum of document allowances.
        sum_of_allowances: Option<Decimal>,
        /// IBT-108 Sum of document charges.
        sum_of_charges: Option<Decimal>,
        /// IBT-109 Total without VAT.
        total_amount_without_vat: Option<Decimal>,
        /// IBT-110 Total VAT.
        total_vat_amount: Option<Decimal>,
        /// IBT-111 Total VAT in AED.
        total_vat_amount_in_accounting_currency: Option<Decimal>,
        /// IBT-200 Tax-included indicator. It must be false, because amounts exclude VAT.
        tax_included: Option<bool>,
        /// IBT-112 Total with VAT.
        total_amount_with_vat: Option<Decimal>,
        /// BTAE-20 Total with VAT in AED.
        total_amount_with_vat_in_aed: Option<Decimal>,
        /// IBT-113 Paid amount. Default: the sum of `paid_amounts`.
        paid_amount: Option<Decimal>,
        /// IBT-114 Rounding amount.
        rounding_amount: Option<Decimal>,
        /// IBT-115 Amount due for payment.
        amount_due_for_payment: Option<Decimal>,
    }

    /// IBG-23 One row of the VAT breakdown as the caller computed it.
    struct GivenVatBreakdown {
        /// IBT-118 VAT category code.
        vat_category_code: String,
        /// IBT-119 VAT rate.
        vat_rate: Option<Decimal>,
        /// IBT-116 Taxable amount.
        taxable_amount: Option<Decimal>,
        /// IBT-117 Tax amount.
        tax_amount: Option<Decimal>,
    }
}

/// The caller's own key-value pairs.
pub type Metadata = std::collections::BTreeMap<String, String>;
