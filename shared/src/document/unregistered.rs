//! A body whose sender is not registered anywhere, as the command line converts it.

use jiff::civil::Date;
use uuid::Uuid;

use super::{
    Issuance, Original, Profile, ReadError,
    complete::complete,
    model::{Body, Document, Operation},
    read::read,
};
use crate::{error::Finding, types::ParticipantId};

/// What is known beside such a body.
#[derive(Debug, Clone, Copy)]
pub struct Unregistered<'a> {
    /// The profile of the taxpayer; without it the body's own supplier.
    pub taxpayer: Option<&'a Profile>,
    /// The day in the UAE, for an issue date that was left out.
    pub today: Date,
    /// BTAE-07, for a unique identifier that was left out.
    pub uuid: Uuid,
    /// The invoice behind `previous_document_id`, when there is one.
    pub original: Option<&'a Original>,
}

/// Reads a body and completes it: the document with its warnings, or everything that is wrong.
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

/// What is wrong with a file of JSON.
pub fn of_file(error: ReadError) -> Vec<Finding> {
    match error {
        ReadError::Malformed(message) => vec![Finding::error("", "AP-JSON-SYNTAX", message)],
        ReadError::Invalid(findings) => findings,
    }
}

/// The profile of a taxpayer who is not told: the body's own supplier. In self-billing the
/// taxpayer is the buyer, who is no field of the body.
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

/// The sender on the network: its electronic address, or the TIN that opens its TRN.
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
