//! Determines the reporting taxpayer, and whether both parties are in the UAE.

use super::{Role, Scope};
use crate::{
    codes::PREDEFINED_ENDPOINTS,
    types::ParticipantId,
    xml::{
        Name, Node,
        names::{attr, cac, cbc},
    },
};

/// The country code of the UAE in IBT-040 and IBT-055.
const UAE: &str = "AE";

/// Predefined endpoint for a buyer abroad that Peppol does not reach (PINT-AE, electronic address).
const EXPORT_ENDPOINT: &str = "9900000099";

/// The start of the business process of self-billing (IBT-023), in which the buyer is the sender.
const SELF_BILLING: &str = "urn:peppol:bis:selfbilling";

/// Returns whether both parties are in the UAE, and if not, whether Peppol delivered the document. A party without a
/// country counts as in the UAE.
pub(super) fn scope(document: Node<'_>) -> Scope {
    let endpoint = endpoint(document, cac::ACCOUNTING_CUSTOMER_PARTY);
    let endpoint = endpoint.as_ref().filter(|of| of.scheme() == ParticipantId::TIN_SCHEME);
    let endpoint = endpoint.map(ParticipantId::value).unwrap_or_default();
    let is_abroad = [cac::ACCOUNTING_SUPPLIER_PARTY, cac::ACCOUNTING_CUSTOMER_PARTY]
        .into_iter()
        .filter_map(|role| country(document, role))
        .any(|country| country.normalized() != UAE);
    if endpoint == EXPORT_ENDPOINT || is_abroad && PREDEFINED_ENDPOINTS.contains(endpoint) {
        Scope::InternationalOutside
    } else if is_abroad {
        Scope::International
    } else {
        Scope::Domestic
    }
}

/// Returns the taxpayer in this role. The sender is the seller, or the buyer in self-billing (PINT-AE, self-billing:
/// the buyer is corner 1).
pub(super) fn reporter(document: Node<'_>, role: Role) -> Option<ParticipantId> {
    let process = document.child(cbc::PROFILE_ID).map(Node::normalized);
    let is_self_billed = process.is_some_and(|process| process.starts_with(SELF_BILLING));
    endpoint(
        document,
        match (role, is_self_billed) {
            (Role::Sender, false) | (Role::Receiver, true) => cac::ACCOUNTING_SUPPLIER_PARTY,
            (Role::Sender, true) | (Role::Receiver, false) => cac::ACCOUNTING_CUSTOMER_PARTY,
        },
    )
}

/// IBT-034 or IBT-049
fn endpoint(document: Node<'_>, role: Name) -> Option<ParticipantId> {
    let endpoint = document.child(role)?.child(cac::PARTY)?.child(cbc::ENDPOINT_ID)?;
    ParticipantId::new(endpoint.attribute(attr::SCHEME_ID)?, &endpoint.normalized()).ok()
}

/// IBT-040 or IBT-055
fn country(document: Node<'_>, role: Name) -> Option<Node<'_>> {
    const COUNTRY: &[Name] =
        &[cac::PARTY, cac::POSTAL_ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE];
    document.child(role)?.find(COUNTRY)
}
