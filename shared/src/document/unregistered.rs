//! Completes a body whose sender has no registered profile, for the command line.

use jiff::civil::Date;
use uuid::Uuid;

use super::{
    Issuance, Original, Profile, ReadError,
    complete::complete,
    model::{Body, Document, Operation},
    read::read,
};
use crate::{error::Finding, types::ParticipantId};

/// Facts about such a document that are not in its body.
#[derive(Debug, Clone, Copy)]
pub struct Unregistered<'a> {
    /// The profile of the taxpayer; `None` to use the supplier in the body.
    pub taxpayer: Option<&'a Profile>,
    /// The current day in the UAE, the default of the issue date.
    pub today: Date,
    /// BTAE-07, the default of the unique identifier.
    pub uuid: Uuid,
    /// The invoice that `previous_document_id` names, if any.
    pub original: Option<&'a Original>,
}

/// Reads and completes a body. Returns the document with its warnings, or all errors.
pub fn complete_unregistered(
    operation: Operation,
    json: &[u8],
    beside: Unregistered<'_>,
) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
    let submission = read(operation, json).map_err(of_file)?;
    let taxpayer = match beside.taxpayer {
        Some(profile) => profile.clone(),
        None => own_supplier(operation, json)?,
    };
    let participant = participant(&taxpayer)?;
    let issuance = Issuance {
        taxpayer: &taxpayer,
        participant: &participant,
        today: beside.today,
        uuid: beside.uuid,
        original: beside.original,
    };
    complete(submission, &issuance)
}

/// Converts the errors of a JSON file into findings.
pub fn of_file(error: ReadError) -> Vec<Finding> {
    match error {
        ReadError::Malformed(message) => vec![Finding::error("", "AP-JSON-SYNTAX", message)],
        ReadError::Invalid(findings) => findings,
    }
}

/// Uses the supplier in the body as the profile. Self-billing fails here: its taxpayer is the buyer, and the body has
/// no field for the buyer.
fn own_supplier(operation: Operation, json: &[u8]) -> Result<Profile, Vec<Finding>> {
    let refuse =
        |message: &'static str| vec![Finding::error("/supplier", "AP-CLI-TAXPAYER", message)];
    if operation.is_self_billed() {
        return Err(refuse("In self-billing the taxpayer is the buyer: give --taxpayer."));
    }
    Body::supplier_of(json)
        .map(Profile::from)
        .ok_or_else(|| refuse("The body has no supplier: add one or give --taxpayer."))
}

/// The sender on the network: the electronic address, or the TIN at the start of the TRN.
fn participant(profile: &Profile) -> Result<ParticipantId, Vec<Finding>> {
    let taxpayer = &profile.party;
    let address = taxpayer.electronic_address.as_ref();
    let scheme = address.and_then(|address| address.scheme_id.as_deref());
    let tin = taxpayer.vat_identifier.as_deref().and_then(|trn| trn.get(..10));
    let id = address.map(|address| address.id.as_str());
    let id = id.or(tin).or(taxpayer.tax_registration_identifier.as_deref()).unwrap_or_default();
    ParticipantId::new(scheme.unwrap_or(ParticipantId::TIN_SCHEME), id).map_err(|_| {
        let message = "The taxpayer needs an electronic address, a TRN or a TIN.";
        vec![Finding::error("/supplier/electronic_address", "AP-CLI-TAXPAYER", message)]
    })
}
