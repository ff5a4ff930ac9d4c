//! Seller and buyer of the reported document, with only their tax identifiers.

use super::{IN_DOCUMENT, has_none_of, is_in};
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// The children of a UBL party.
pub(super) const CHILDREN: &[&str] = &[
    "MarkCareIndicator",
    "MarkAttentionIndicator",
    "WebsiteURI",
    "LogoReferenceID",
    "EndpointID",
    "IndustryClassificationCode",
    "PartyIdentification",
    "PartyName",
    "Language",
    "PostalAddress",
    "PhysicalLocation",
    "PartyTaxScheme",
    "PartyLegalEntity",
    "Contact",
    "Person",
    "AgentParty",
    "ServiceProviderParty",
    "PowerOfAttorney",
    "FinancialAccount",
];

/// The further children of a UBL seller, beside the party.
const SELLER_CHILDREN: &[&str] = &[
    "CustomerAssignedAccountID",
    "AdditionalAccountID",
    "DataSendingCapability",
    "DespatchContact",
    "AccountingContact",
    "SellerContact",
];

/// The further children of a UBL buyer, beside the party.
const BUYER_CHILDREN: &[&str] = &[
    "CustomerAssignedAccountID",
    "SupplierAssignedAccountID",
    "AdditionalAccountID",
    "DeliveryContact",
    "AccountingContact",
    "BuyerContact",
];

/// The further children of a UBL tax registration, beside identifier and scheme.
const TAX_CHILDREN: &[&str] = &[
    "RegistrationName",
    "TaxLevelCode",
    "ExemptionReasonCode",
    "ExemptionReason",
    "RegistrationAddress",
];

/// `…/pxs:ReportedDocument/cac:AccountingSupplierParty`
pub(super) const SELLER: Group<()> = &[
    Rule {
        id: "ibr-tdd-39",
        term: "IBG-04",
        about: &[],
        message: "The seller has more than the party.",
        fix: "Remove all but cac:Party.",
        holds: |seller, _| has_none_of(seller, SELLER_CHILDREN, &[]),
    },
    Rule {
        id: "ibr-tdd-40",
        term: "IBG-04",
        about: &[cac::PARTY],
        message: "The seller has no party.",
        fix: "Add cac:Party with the tax identifier.",
        holds: |seller, _| seller.child(cac::PARTY).is_some(),
    },
];

/// `…/pxs:ReportedDocument/cac:AccountingSupplierParty/cac:Party`
pub(super) const SELLER_PARTY: Group<()> = &[
    Rule {
        id: "ibr-tdd-41",
        term: "IBG-04",
        about: &[],
        message: "The seller has more than a tax identifier.",
        fix: "Remove all but cac:PartyTaxScheme.",
        holds: |party, _| has_none_of(party, CHILDREN, &["PartyTaxScheme"]),
    },
    Rule {
        id: "ibr-tdd-42",
        term: "IBT-031",
        about: &[cac::PARTY_TAX_SCHEME],
        message: "The seller does not have exactly one tax identifier.",
        fix: "Give the first tax identifier of the seller in the source document.",
        holds: |party, _| party.all(cac::PARTY_TAX_SCHEME).count() == 1,
    },
];

/// `…/pxs:ReportedDocument/cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme`
pub(super) const SELLER_TAX: Group<()> = &[
    Rule {
        id: "ibr-tdd-43",
        term: "IBT-031",
        about: &[],
        message: "The tax identifier of the seller comes with more than its scheme.",
        fix: "Remove all but cbc:CompanyID and cac:TaxScheme.",
        holds: |tax, _| has_none_of(tax, TAX_CHILDREN, &[]),
    },
    Rule {
        id: "ibr-tdd-44",
        term: "IBT-031",
        about: &[cbc::COMPANY_ID],
        message: "The seller's tax identifier is missing.",
        fix: "Give the TRN, or the TIN of a seller who has none.",
        holds: |tax, _| tax.child(cbc::COMPANY_ID).is_some(),
    },
    Rule {
        id: "ibr-tdd-45",
        term: "IBT-031-1",
        about: &[cac::TAX_SCHEME, cbc::ID],
        message: "The scheme of the seller's tax identifier is missing.",
        fix: "Give VAT for a TRN, else the scheme of the source document.",
        holds: |tax, _| tax.find(&[cac::TAX_SCHEME, cbc::ID]).is_some(),
    },
];

/// `…/pxs:ReportedDocument/cac:AccountingCustomerParty`
pub(super) const BUYER: Group<()> = &[
    Rule {
        id: "ibr-tdd-46",
        term: "IBG-07",
        about: &[],
        message: "The buyer has more than the party.",
        fix: "Remove all but cac:Party.",
        holds: |buyer, _| has_none_of(buyer, BUYER_CHILDREN, &[]),
    },
    Rule {
        id: "ibr-tdd-47",
        term: "IBG-07",
        about: &[cac::PARTY],
        message: "The buyer has no party.",
        fix: "Add cac:Party with the identifiers of the buyer.",
        holds: |buyer, _| buyer.child(cac::PARTY).is_some(),
    },
];

/// `…/pxs:ReportedDocument/cac:AccountingCustomerParty/cac:Party`
pub(super) const BUYER_PARTY: Group<()> = &[Rule {
    id: "ibr-tdd-48",
    term: "IBG-07",
    about: &[],
    message: "The buyer has more than identifiers.",
    fix: "Remove all but cac:PartyIdentification and cac:PartyTaxScheme.",
    holds: |party, _| has_none_of(party, CHILDREN, &["PartyIdentification", "PartyTaxScheme"]),
}];

/// `…/pxs:ReportedDocument/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme`
pub(super) const BUYER_TAX: Group<()> = &[Rule {
    id: "ibr-tdd-49",
    term: "IBT-048",
    about: &[],
    message: "The tax identifier of the buyer comes with more than its scheme.",
    fix: "Remove all but cbc:CompanyID and cac:TaxScheme.",
    holds: |tax, _| has_none_of(tax, TAX_CHILDREN, &[]),
}];

/// The group of a party or its tax registration, if it belongs to the seller or the buyer.
pub(super) fn group(node: Node<'_>) -> Option<Group<()>> {
    let of_party = |party: Node<'_>, of_seller, of_buyer| {
        let role = party.parent().filter(|role| is_in(*role, IN_DOCUMENT))?;
        match role.name() {
            cac::ACCOUNTING_SUPPLIER_PARTY => Some(of_seller),
            cac::ACCOUNTING_CUSTOMER_PARTY => Some(of_buyer),
            _ => None,
        }
    };
    if node.name() == cac::PARTY {
        return of_party(node, SELLER_PARTY, BUYER_PARTY);
    }
    let party = node.parent().filter(|parent| parent.name() == cac::PARTY)?;
    of_party(party, SELLER_TAX, BUYER_TAX)
}
