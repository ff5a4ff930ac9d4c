//! The fields of the four send operations, named after PINT business terms. Each field's comment
//! gives its term; `reference` tables of PINT-AE give the UBL place.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::json::objects;

objects! {
    /// The body of a send or a validation: the union of the four operations' fields. Which
    /// operation has which field, and which it requires, is told by [`Operation`].
    struct Body {
        /// IBT-001 of an invoice or self-billed invoice; at most 64 characters.
        invoice_number: Option<String>,
        /// IBT-001 of a credit note; at most 64 characters.
        credit_note_number: Option<String>,
        /// BTAE-07 Unique identifier; an RFC 9562 UUID, made by the service when left out.
        uuid: Option<String>,
        /// IBT-002 Issue date; today in the UAE when left out.
        issue_date: Option<Date>,
        /// IBT-168 Issue time: `hh:mm:ss`, with or without a zone.
        issue_time: Option<String>,
        /// IBT-009 Payment due date.
        due_date: Option<Date>,
        /// IBT-003 Type code of an invoice: 380 (default) or 480; self-billed 389 (default) or 480.
        invoice_type_code: Option<String>,
        /// IBT-003 Type code of a credit note: 381 (default) or 81; self-billed 261 (default) or 81.
        credit_note_type_code: Option<String>,
        /// BTAE-02 Transaction type code: eight flags, `00000000` when left out.
        transaction_type_code: Option<String>,
        /// PINT profile, used for the Peppol document type and the SMP lookup.
        profile: Option<String>,
        /// Message Level Status preference: ALWAYS_SEND (default) or FAILURE_ONLY.
        mls_type: Option<String>,
        /// IBT-005 Currency, ISO 4217; AED when left out.
        currency: Option<String>,
        /// IBT-006 Tax accounting currency: AED, and only when the currency is another one.
        tax_accounting_currency_code: Option<String>,
        /// BTAE-04 Exchange rate to AED, at most 6 decimals; required when the currency is not AED.
        currency_exchange_rate: Option<Decimal>,
        /// IBT-007 VAT point date, before the issue date; not on credit notes.
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
        /// IBT-018 Invoiced object identifier; its scheme is a UNTDID 1153 code.
        invoiced_object_identifier: Option<Identifier>,
        /// IBT-011 Project reference.
        project_reference: Option<String>,
        /// IBG-24 Supporting documents.
        supporting_documents: Vec<SupportingDocument>,
        /// IBG-04 Seller; the taxpayer's registered profile when left out, except in self-billing.
        supplier: Option<Party>,
        /// IBG-07 Buyer; in self-billing always the taxpayer's registered profile.
        customer: Option<Party>,
        /// IBG-10 Payee.
        payee: Option<Payee>,
        /// IBG-11 Seller's tax representative.
        tax_representative: Option<TaxRepresentative>,
        /// BTAE-01 Beneficiary identifier (TRN or TIN); required for a free zone supply.
        beneficiary_identifier: Option<String>,
        /// BTAE-14 Principal identifier (TRN or TIN); required for disclosed agent billing.
        principal_identifier: Option<String>,
        /// IBG-13 Delivery information beside the address.
        delivery: Option<Delivery>,
        /// IBG-15 Actual delivery location; required for exports, never inferred from the buyer.
        delivery_address: Option<Address>,
        /// IBG-16 Payment instructions: one object, or a list of them. An invoice that is no deemed
        /// supply gets code 1 (instrument not defined) when they are left out.
        payment_means: Vec<PaymentMeans>,
        /// IBG-33 Payment terms.
        payment_terms: Vec<PaymentTerms>,
        /// IBG-35 Amounts paid beforehand; not on credit notes.
        paid_amounts: Vec<PaidAmount>,
        /// IBG-20 Document level allowances.
        allowances: Vec<DocumentAllowanceCharge>,
        /// IBG-21 Document level charges.
        charges: Vec<DocumentAllowanceCharge>,
        /// IBG-22 Totals: computed when left out, compared when given.
        totals: Option<GivenTotals>,
        /// IBG-23 VAT breakdown: computed when left out, compared when given.
        vat_breakdown: Vec<GivenVatBreakdown>,
        /// IBG-25 Lines, 1 to 1000.
        line_items: Vec<Line>,
        /// BTAE-03 Credit note reason code.
        credit_note_reason_code: Option<String>,
        /// Where the credited invoice was issued: `ap` (default) or `external`.
        original_reference_kind: Option<String>,
        /// IBT-025 Number of the credited invoice; external references only.
        original_invoice_number: Option<String>,
        /// IBT-026 Issue date of the credited invoice; external references only.
        original_issue_date: Option<Date>,
        /// document_id of the credited invoice; required when the reference kind is `ap`.
        previous_document_id: Option<String>,
        /// document_id of a document rejected at stage C3 that this one corrects.
        corrects_document_id: Option<String>,
        /// The caller's own document id: stored, and echoed in every event.
        source_id: Option<String>,
        /// The caller's own key-value pairs: up to 100 keys of 100 characters, 16 KiB in all.
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

    /// IBG-26 Line period.
    struct Period {
        /// IBT-134 Start date.
        start_date: Option<Date>,
        /// IBT-135 End date.
        end_date: Option<Date>,
    }

    /// An identifier with the scheme that it belongs to.
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

    /// IBG-04 Seller or IBG-07 Buyer.
    struct Party {
        /// IBT-034 / IBT-049 Electronic address; scheme 0235 when left out.
        electronic_address: Option<Identifier>,
        /// IBT-029 / IBT-046 Identifiers; at most one for a buyer.
        identifiers: Vec<Identifier>,
        /// IBT-028 / IBT-045 Trading name.
        trading_name: Option<String>,
        /// IBG-05 / IBG-08 Postal address.
        address: Option<Address>,
        /// IBT-031 / IBT-048 VAT identifier (TRN).
        vat_identifier: Option<String>,
        /// IBT-032 Tax registration identifier (TIN) of a seller.
        tax_registration_identifier: Option<String>,
        /// IBT-032-1 Its scheme; TIN when left out.
        tax_registration_scheme_id: Option<String>,
        /// IBT-027 / IBT-044 Name.
        name: Option<String>,
        /// IBT-030 / IBT-047 Legal registration.
        legal_registration: Option<LegalRegistration>,
        /// IBT-033 Additional legal information of a seller.
        additional_legal_information: Option<String>,
        /// IBG-06 / IBG-09 Contact.
        contact: Option<Contact>,
    }

    /// IBT-030 / IBT-047 Legal registration.
    struct LegalRegistration {
        /// The identifier.
        id: String,
        /// Its ISO 6523 scheme.
        scheme_id: Option<String>,
        /// BTAE-15 / BTAE-16 Type: TL, EID, PAS, CD; a buyer also CL.
        r#type: Option<String>,
        /// BTAE-12 / BTAE-11 Authority that issued a trade licence (TL).
        authority_name: Option<String>,
        /// BTAE-18 / BTAE-19 Country that issued a passport (PAS).
        passport_country_code: Option<String>,
    }

    /// A postal or delivery address.
    struct Address {
        /// IBT-035, -050, -064, -075, -169 Line 1.
        line_1: Option<String>,
        /// IBT-036, -051, -065, -076, -170 Line 2.
        line_2: Option<String>,
        /// IBT-162, -163, -164, -165 Line 3.
        line_3: Option<String>,
        /// IBT-037, -052, -066, -077, -171 City.
        city: Option<String>,
        /// IBT-038, -053, -067, -078 Post code.
        post_code: Option<String>,
        /// IBT-039, -054, -068, -079 Country subdivision; in the UAE an emirate:
        /// AUH DXB SHJ UAQ FUJ AJM RAK.
        country_subdivision: Option<String>,
        /// IBT-040, -055, -069, -080 Country, ISO 3166-1; AE when left out.
        country_code: Option<String>,
    }

    /// IBG-06 / IBG-09 Contact.
    struct Contact {
        /// IBT-041 / IBT-056 Name.
        name: Option<String>,
        /// IBT-042 / IBT-057 Telephone.
        telephone: Option<String>,
        /// IBT-043 / IBT-058 E-mail.
        email: Option<String>,
    }

    /// IBG-10 Payee.
    struct Payee {
        /// IBT-059 Name.
        name: String,
        /// IBT-060 Identifier.
        identifier: Option<Identifier>,
        /// IBT-061 Legal registration identifier.
        legal_registration_identifier: Option<Identifier>,
    }

    /// IBG-11 Seller's tax representative.
    struct TaxRepresentative {
        /// IBT-062 Name.
        name: String,
        /// IBT-063 VAT identifier.
        vat_identifier: String,
        /// IBG-12 Address.
        address: Address,
    }

    /// IBG-13 Delivery information.
    struct Delivery {
        /// IBT-072 Actual delivery date.
        actual_delivery_date: Option<Date>,
        /// IBT-071 Location identifier.
        location_identifier: Option<Identifier>,
        /// BTAE-23 Deliver-to party identifier (TRN or TIN).
        party_identifier: Option<String>,
        /// IBT-070 Deliver-to party name.
        party_name: Option<String>,
        /// BTAE-22 Incoterms code.
        incoterms_code: Option<String>,
    }

    /// IBG-16 Payment instructions.
    struct PaymentMeans {
        /// IBT-178 Instructions identifier.
        id: Option<String>,
        /// IBT-081 Payment means type code (UNCL 4461).
        means_code: String,
        /// IBT-082 Payment means text.
        means_text: Option<String>,
        /// IBT-009 Payment due date of a credit note, which has no `due_date`.
        due_date: Option<Date>,
        /// IBT-083 Remittance information.
        remittance_information: Vec<Identifier>,
        /// IBG-17 Credit transfer; required for means code 30.
        credit_transfer: Option<CreditTransfer>,
        /// IBG-18 Payment card.
        card: Option<PaymentCard>,
        /// IBG-19 Direct debit.
        direct_debit: Option<DirectDebit>,
    }

    /// IBG-17 Credit transfer.
    struct CreditTransfer {
        /// IBT-084 Account identifier, such as an IBAN with scheme `IBAN`.
        account_identifier: Identifier,
        /// IBT-085 Account name.
        account_name: Option<String>,
        /// IBT-086 Payment service provider identifier (BIC).
        service_provider_identifier: Option<String>,
        /// IBT-169 to IBT-175 Address of the institution.
        institution_address: Option<Address>,
    }

    /// IBG-18 Payment card.
    struct PaymentCard {
        /// IBT-087 Primary account number: at most the first six and last four digits.
        primary_account_number: String,
        /// Card network; `NA` when left out, since UBL wants one.
        network: Option<String>,
        /// IBT-088 Holder name.
        holder_name: Option<String>,
    }

    /// IBG-19 Direct debit.
    struct DirectDebit {
        /// IBT-089 Mandate reference.
        mandate_reference: Option<String>,
        /// IBT-090 Creditor identifier: written as a seller's identifier with scheme SEPA.
        creditor_identifier: Option<String>,
        /// IBT-091 Debited account.
        debited_account_identifier: Option<String>,
    }

    /// IBG-33 Payment terms.
    struct PaymentTerms {
        /// IBT-187 Identifier of the instructions that these terms belong to.
        instructions_id: Option<String>,
        /// IBT-020 Note.
        note: Option<String>,
        /// IBT-176 Amount of the instalment.
        amount: Option<Decimal>,
        /// IBT-177 Due date of the instalment.
        due_date: Option<Date>,
    }

    /// IBG-35 Paid amount.
    struct PaidAmount {
        /// IBT-179 Payment identifier.
        id: Option<String>,
        /// IBT-180 Amount.
        amount: Decimal,
        /// IBT-181 Date received.
        received_date: Option<Date>,
    }

    /// IBG-20 allowance or IBG-21 charge on the document.
    struct DocumentAllowanceCharge {
        /// IBT-092 / IBT-099 Amount; base × percentage when left out.
        amount: Option<Decimal>,
        /// IBT-093 / IBT-100 Base amount; goes with the percentage.
        base_amount: Option<Decimal>,
        /// IBT-094 / IBT-101 Percentage.
        percentage: Option<Decimal>,
        /// IBT-097 / IBT-104 Reason; this or the code.
        reason: Option<String>,
        /// IBT-098 / IBT-105 Reason code: UNCL 5189 / UNCL 7161.
        reason_code: Option<String>,
        /// IBT-095 / IBT-102 VAT category code: S, Z, E, O or AE.
        vat_category_code: String,
        /// IBT-096 / IBT-103 VAT rate; the category's own when left out.
        vat_rate: Option<Decimal>,
        /// IBT-196 / IBT-198 VAT exemption reason code.
        vat_exemption_reason_code: Option<String>,
        /// IBT-197 / IBT-199 VAT exemption reason.
        vat_exemption_reason: Option<String>,
    }

    /// IBG-27 allowance or IBG-28 charge on a line.
    struct LineAllowanceCharge {
        /// IBT-136 / IBT-141 Amount; base × percentage when left out.
        amount: Option<Decimal>,
        /// IBT-137 / IBT-142 Base amount; goes with the percentage.
        base_amount: Option<Decimal>,
        /// IBT-138 / IBT-143 Percentage.
        percentage: Option<Decimal>,
        /// IBT-139 / IBT-144 Reason; this or the code.
        reason: Option<String>,
        /// IBT-140 / IBT-145 Reason code: UNCL 5189 / UNCL 7161.
        reason_code: Option<String>,
    }

    /// IBG-22 Totals as the caller sees them. Paid and rounding amounts are taken as they are,
    /// all others are compared with what the lines give.
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
        /// IBT-200 Tax-included indicator; only false, as amounts here are without VAT.
        tax_included: Option<bool>,
        /// IBT-112 Total with VAT.
        total_amount_with_vat: Option<Decimal>,
        /// BTAE-20 Total with VAT in AED.
        total_amount_with_vat_in_aed: Option<Decimal>,
        /// IBT-113 Paid amount; the sum of `paid_amounts` when left out.
        paid_amount: Option<Decimal>,
        /// IBT-114 Rounding amount.
        rounding_amount: Option<Decimal>,
        /// IBT-115 Amount due for payment.
        amount_due_for_payment: Option<Decimal>,
    }

    /// IBG-23 One row of the VAT breakdown as the caller sees it.
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

    /// IBG-25 Line.
    struct Line {
        /// IBT-126 Line identifier; the line's place, from 1, when left out.
        id: Option<String>,
        /// IBT-127 Note.
        note: Option<String>,
        /// IBT-129 Quantity.
        quantity: Decimal,
        /// IBT-130 Unit of measure, UN/ECE Rec 20 or 21; `C62` (one) when left out.
        unit_code: Option<String>,
        /// IBT-131 Net amount: computed when left out, compared when given.
        net_amount: Option<Decimal>,
        /// IBT-133 Buyer accounting reference.
        buyer_accounting_reference: Option<String>,
        /// IBG-26 Period.
        period: Option<Period>,
        /// IBT-132 Purchase order line reference.
        purchase_order_line_reference: Option<String>,
        /// IBT-183 Purchase order reference.
        purchase_order_reference: Option<String>,
        /// IBT-184 Despatch advice reference; not together with the document's.
        despatch_advice_reference: Option<String>,
        /// IBT-128 Object identifier; its scheme is a UNTDID 1153 code.
        object_identifier: Option<Identifier>,
        /// IBG-27 Allowances.
        allowances: Vec<LineAllowanceCharge>,
        /// IBG-28 Charges.
        charges: Vec<LineAllowanceCharge>,
        /// IBG-31 Item.
        item: Item,
        /// IBG-30 VAT.
        vat: LineVat,
        /// IBG-29 Price.
        price: Price,
        /// BTAE-10 Line amount with VAT in AED: computed when left out, compared when given.
        amount_in_aed: Option<Decimal>,
        /// BTAE-08 Line VAT in AED: computed when left out, compared when given.
        vat_amount_in_aed: Option<Decimal>,
    }

    /// IBG-31 Item.
    struct Item {
        /// IBT-153 Name.
        name: String,
        /// IBT-154 Description; the name when left out, since PINT-AE wants one.
        description: Option<String>,
        /// IBT-156 Buyer's identifier.
        buyer_identifier: Option<String>,
        /// IBT-155 Seller's identifier.
        seller_identifier: Option<String>,
        /// IBT-157 Standard identifier with its ISO 6523 scheme; 0160 (GTIN) when left out.
        standard_identifier: Option<Identifier>,
        /// BTAE-17 Service accounting codes; required for services.
        service_accounting_codes: Vec<ServiceAccountingCode>,
        /// IBT-159 Country of origin.
        origin_country_code: Option<String>,
        /// BTAE-09 Type of goods or services under reverse charge.
        rcm_goods_type_code: Option<String>,
        /// BTAE-13 Item type: G goods, S services, B both.
        type_code: Option<String>,
        /// IBT-158 Classifications; HS codes, required for goods.
        classifications: Vec<Classification>,
        /// IBG-32 Attributes.
        attributes: Vec<ItemAttribute>,
        /// BTAE-24 Batch number.
        batch_number: Option<String>,
    }

    /// BTAE-17 Service accounting code.
    struct ServiceAccountingCode {
        /// The code.
        code: String,
        /// BTAE-17-2 Version of the list.
        version: Option<String>,
    }

    /// IBT-158 Classification.
    struct Classification {
        /// The code.
        code: String,
        /// IBT-158-1 Scheme; HS (the default) is the only one allowed.
        scheme_id: Option<String>,
        /// IBT-158-2 Version of the scheme.
        version: Option<String>,
    }

    /// IBG-32 Item attribute.
    struct ItemAttribute {
        /// IBT-160 Name.
        name: String,
        /// IBT-161 Value.
        value: String,
    }

    /// IBG-30 Line VAT.
    struct LineVat {
        /// IBT-151 Category code: S, Z, E, O, AE or N.
        category_code: String,
        /// IBT-152 Rate; the category's own when left out (S 5, Z 0, AE and N 5, E and O none).
        rate: Option<Decimal>,
        /// IBT-186 Exemption reason code; required for E.
        exemption_reason_code: Option<String>,
        /// IBT-185 Exemption reason.
        exemption_reason: Option<String>,
    }

    /// IBG-29 Price. Give the net price, or the gross price with or without a discount.
    struct Price {
        /// IBT-146 Net price: gross − discount when left out.
        net_price: Option<Decimal>,
        /// IBT-149 Base quantity; 1 when left out.
        base_quantity: Option<Decimal>,
        /// IBT-150 Base quantity unit; the line's unit when left out.
        base_quantity_unit_code: Option<String>,
        /// IBT-147 Discount; 0 when left out.
        discount: Option<Decimal>,
        /// IBT-148 Gross price; net + discount when left out.
        gross_price: Option<Decimal>,
    }
}

/// The caller's own key-value pairs.
pub type Metadata = std::collections::BTreeMap<String, String>;

/// The four send operations; validation is [`Operation::Invoice`] without effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `POST /invoices`
    Invoice,
    /// `POST /credit-notes`
    CreditNote,
    /// `POST /self-billing/invoices`
    SelfBilledInvoice,
    /// `POST /self-billing/credit-notes`
    SelfBilledCreditNote,
}

/// A document with every value that its UBL needs: defaults filled in, amounts computed, checks
/// passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Which operation made it.
    pub operation: Operation,
    /// What the caller said, with defaults of codes and texts filled in: type code, flags,
    /// currency, UUID, issue date, line ids, units, VAT rates, prices and amounts of allowances
    /// and charges are all present.
    pub body: Body,
    /// IBT-001 Number.
    pub number: String,
    /// IBT-003 Type code: 380, 480, 381, 81, 389 or 261.
    pub type_code: &'static str,
    /// IBG-04 Seller.
    pub seller: Party,
    /// IBG-07 Buyer.
    pub buyer: Party,
    /// IBG-03 Preceding invoices, with the credited one.
    pub preceding_invoices: Vec<PrecedingInvoiceReference>,
    /// IBG-22 Totals.
    pub totals: Totals,
    /// IBG-23 VAT breakdown, in the order of first appearance.
    pub vat_breakdown: Vec<VatBreakdown>,
    /// The computed amounts of each line, in the order of `body.line_items`.
    pub line_amounts: Vec<LineAmounts>,
}

/// IBG-22 Totals; all in the document currency unless named otherwise, rounded to 2 decimals.
#[derive(Debug, Clone, PartialEq)]
pub struct Totals {
    /// IBT-106
    pub sum_of_line_net_amounts: Decimal,
    /// IBT-107; present only when the document has allowances.
    pub sum_of_allowances: Option<Decimal>,
    /// IBT-108; present only when the document has charges.
    pub sum_of_charges: Option<Decimal>,
    /// IBT-109
    pub total_amount_without_vat: Decimal,
    /// IBT-110
    pub total_vat_amount: Decimal,
    /// IBT-111, in AED; present only when the currency is another one.
    pub total_vat_amount_in_aed: Option<Decimal>,
    /// IBT-112
    pub total_amount_with_vat: Decimal,
    /// BTAE-20, in AED; present only when the currency is another one.
    pub total_amount_with_vat_in_aed: Option<Decimal>,
    /// IBT-113
    pub paid_amount: Option<Decimal>,
    /// IBT-114
    pub rounding_amount: Option<Decimal>,
    /// IBT-115
    pub amount_due_for_payment: Decimal,
    /// IBT-200, when the caller gave it.
    pub tax_included: Option<bool>,
}

/// IBG-23 One row of the VAT breakdown: a category and a rate.
#[derive(Debug, Clone, PartialEq)]
pub struct VatBreakdown {
    /// IBT-118
    pub category_code: String,
    /// IBT-119; none for E and O.
    pub rate: Option<Decimal>,
    /// IBT-116
    pub taxable_amount: Decimal,
    /// IBT-117
    pub tax_amount: Decimal,
}

/// What is computed for a line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineAmounts {
    /// IBT-131 Net amount, in the document currency.
    pub net_amount: Decimal,
    /// BTAE-08 VAT in AED; none for E.
    pub vat_amount_in_aed: Option<Decimal>,
    /// BTAE-10 Amount with VAT in AED.
    pub amount_in_aed: Decimal,
}
