//! The JSON of a business card: the OpenAPI schemas and the response.
//! [`business_cards`](crate::service::business_cards) validates the body and reports every error with its location.

#[cfg(test)]
mod tests;

use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use utoipa::ToSchema;

use super::response::three_digits;
use crate::{
    peppol::smp::{BusinessEntity, Contact, EntityIdentifier, EntityName},
    store::BusinessCardRecord,
};

/// What a taxpayer shows of itself. All its texts together have 262,144 bytes in UTF-8 at most. No text has control
/// characters; `geographical_information` and `additional_information` may have line breaks and tabs.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessCardBody {
    /// The businesses that are reached by the taxpayer's participant identifier: 1 to 10.
    #[schema(min_items = 1, max_items = 10)]
    pub entities: Vec<BusinessEntityBody>,
}

/// A business.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessEntityBody {
    /// Its names: 1 to 20.
    #[schema(min_items = 1, max_items = 20)]
    pub names: Vec<EntityNameBody>,
    /// Its country (ISO 3166-1 alpha-2).
    #[schema(pattern = "^[A-Z]{2}$", example = "AE")]
    pub country_code: String,
    /// Where it is, in any words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub geographical_information: Option<String>,
    /// By what else it is known: 20 at most.
    #[schema(required = false, max_items = 20)]
    pub identifiers: Vec<EntityIdentifierBody>,
    /// Its websites: 20 at most, each an address of 500 characters at most that begins with http:// or https:// and names
    /// a host.
    #[schema(required = false, max_items = 20)]
    pub websites: Vec<String>,
    /// Whom to ask: 20 at most.
    #[schema(required = false, max_items = 20)]
    pub contacts: Vec<ContactBody>,
    /// Anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4000)]
    pub additional_information: Option<String>,
    /// Since when it is registered: from 0001-01-01 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub registration_date: Option<Date>,
}

/// A name of a business.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntityNameBody {
    /// The name.
    #[schema(min_length = 1, max_length = 500)]
    pub name: String,
    /// Its language (ISO 639-1).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[a-z]{2}$", example = "en")]
    pub language: Option<String>,
}

/// An identifier of a business.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntityIdentifierBody {
    /// Its kind, in any words.
    #[schema(min_length = 1, max_length = 500, example = "Trade license")]
    pub scheme: String,
    /// The identifier.
    #[schema(min_length = 1, max_length = 500)]
    pub value: String,
}

/// Whom to ask at a business: at least one of these.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContactBody {
    /// What for.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub kind: Option<String>,
    /// Whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub name: Option<String>,
    /// By telephone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub phone_number: Option<String>,
    /// By e-mail: an address of up to 254 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 254, example = "sales@example.com")]
    pub email: Option<String>,
}

/// The business card of a taxpayer.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessCardResponse {
    /// The taxpayer's place on the network.
    #[schema(example = "0235:1001234501")]
    pub participant_id: String,
    /// The businesses.
    pub entities: Vec<BusinessEntityBody>,
    /// When it was last written: UTC with milliseconds.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub updated_at: Timestamp,
}

impl From<BusinessCardRecord> for BusinessCardResponse {
    fn from(card: BusinessCardRecord) -> Self {
        BusinessCardResponse {
            participant_id: card.participant_id.to_string(),
            entities: card.entities.into_iter().map(Into::into).collect(),
            updated_at: card.updated_at,
        }
    }
}

impl From<BusinessEntity> for BusinessEntityBody {
    fn from(entity: BusinessEntity) -> Self {
        let names = entity.names.into_iter();
        let identifiers = entity.identifiers.into_iter();
        let contacts = entity.contacts.into_iter();
        BusinessEntityBody {
            names: names
                .map(|EntityName { text, language }| EntityNameBody { name: text, language })
                .collect(),
            country_code: entity.country,
            geographical_information: entity.geographical_information,
            identifiers: identifiers
                .map(|EntityIdentifier { scheme, value }| EntityIdentifierBody { scheme, value })
                .collect(),
            websites: entity.websites,
            contacts: contacts
                .map(|Contact { kind, name, phone_number, email }| ContactBody {
                    kind,
                    name,
                    phone_number,
                    email,
                })
                .collect(),
            additional_information: entity.additional_information,
            registration_date: entity.registered,
        }
    }
}
