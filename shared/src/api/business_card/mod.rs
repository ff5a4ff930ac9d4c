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

/// The public information about a taxpayer. All texts together have at most 262,144 bytes in UTF-8. Texts must not
/// contain control characters. `geographical_information` and `additional_information` may contain line breaks and
/// tabs.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessCardBody {
    /// The businesses that the taxpayer's participant identifier reaches, 1 to 10.
    #[schema(min_items = 1, max_items = 10)]
    pub entities: Vec<BusinessEntityBody>,
}

/// A business.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessEntityBody {
    /// Names of the business, 1 to 20.
    #[schema(min_items = 1, max_items = 20)]
    pub names: Vec<EntityNameBody>,
    /// Country of the business (ISO 3166-1 alpha-2).
    #[schema(pattern = "^[A-Z]{2}$", example = "AE")]
    pub country_code: String,
    /// Location of the business, as free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub geographical_information: Option<String>,
    /// Other identifiers of the business, at most 20.
    #[schema(required = false, max_items = 20)]
    pub identifiers: Vec<EntityIdentifierBody>,
    /// Websites of the business, at most 20. Each is an address of at most 500 characters that begins with http:// or
    /// https:// and contains a host.
    #[schema(required = false, max_items = 20)]
    pub websites: Vec<String>,
    /// Contacts of the business, at most 20.
    #[schema(required = false, max_items = 20)]
    pub contacts: Vec<ContactBody>,
    /// Any other information.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4000)]
    pub additional_information: Option<String>,
    /// Registration date of the business, 0001-01-01 or later.
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
    /// Language of the name (ISO 639-1).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[a-z]{2}$", example = "en")]
    pub language: Option<String>,
}

/// An identifier of a business.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntityIdentifierBody {
    /// Type of the identifier, as free text.
    #[schema(min_length = 1, max_length = 500, example = "Trade license")]
    pub scheme: String,
    /// The identifier.
    #[schema(min_length = 1, max_length = 500)]
    pub value: String,
}

/// A contact of a business. At least one field is required.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContactBody {
    /// Purpose of the contact.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub kind: Option<String>,
    /// Name of the contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub name: Option<String>,
    /// Telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub phone_number: Option<String>,
    /// E-mail address of at most 254 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 254, example = "sales@example.com")]
    pub email: Option<String>,
}

/// The business card of a taxpayer.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessCardResponse {
    /// Peppol participant identifier of the taxpayer.
    #[schema(example = "0235:1001234501")]
    pub participant_id: String,
    /// The businesses.
    pub entities: Vec<BusinessEntityBody>,
    /// Time of the last change, in UTC with milliseconds.
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
