//! Business cards, version 3: the entry of a participant in the Peppol Directory.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{dom, error::SmpError, names::CARD};
use crate::{
    peppol::{
        dom::El,
        identifiers::{PARTICIPANT_SCHEME, quoted},
    },
    types::{ParticipantError, ParticipantId},
    xml::Writer,
};

/// A business card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusinessCard {
    /// Its participant.
    pub participant: ParticipantId,
    /// The businesses behind the participant; empty when nothing is published.
    pub entities: Vec<BusinessEntity>,
}

/// A business.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BusinessEntity {
    /// Its names, at least one.
    pub names: Vec<EntityName>,
    /// Its country (ISO 3166-1 alpha-2).
    pub country: String,
    /// Its location, as free text.
    pub geographical_information: Option<String>,
    /// Further identifiers.
    pub identifiers: Vec<EntityIdentifier>,
    /// Its websites.
    pub websites: Vec<String>,
    /// Its contacts.
    pub contacts: Vec<Contact>,
    /// Free text.
    pub additional_information: Option<String>,
    /// Its registration date.
    pub registered: Option<Date>,
}

/// A name of a business.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityName {
    /// The name.
    pub text: String,
    /// Its language (ISO 639-1).
    pub language: Option<String>,
}

/// An identifier of a business.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityIdentifier {
    /// Its kind, as free text.
    pub scheme: String,
    /// The identifier.
    pub value: String,
}

/// A contact at a business.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Contact {
    /// Its purpose.
    pub kind: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Its telephone number.
    pub phone_number: Option<String>,
    /// Its e-mail address.
    pub email: Option<String>,
}

impl BusinessCard {
    /// Writes the card.
    pub fn write(&self) -> String {
        let mut out = Writer::compact();
        out.open("BusinessCard", &[("xmlns", CARD)]);
        let scheme = [("scheme", PARTICIPANT_SCHEME)];
        out.leaf("ParticipantIdentifier", scheme, &self.participant.to_string());
        for entity in &self.entities {
            entity.write(&mut out);
        }
        out.close("BusinessCard");
        out.finish()
    }

    /// Reads a card.
    pub fn read(bytes: &[u8]) -> Result<Self, SmpError> {
        const NAME: &str = "ParticipantIdentifier";
        let dom = dom::parse(bytes, CARD, "BusinessCard")?;
        let root = dom.root();
        let text = root.only(CARD, NAME)?.text();
        let participant = text.parse().map_err(|error: ParticipantError| SmpError::Value {
            name: NAME,
            text: quoted(&text),
            reason: error.to_string(),
        })?;
        let entities = root.all(CARD, "BusinessEntity").map(BusinessEntity::of);
        Ok(BusinessCard { participant, entities: entities.collect::<Result<_, _>>()? })
    }
}

impl BusinessEntity {
    /// Writes the elements in the order of the schema.
    fn write(&self, out: &mut Writer) {
        let date = self.registered.map(|date| date.to_string());
        let date = date.as_deref().map(|date| ("registrationDate", date));
        out.open("BusinessEntity", date.as_slice());
        for name in &self.names {
            let language = name.language.as_deref().map(|language| ("language", language));
            out.leaf("Name", language, &name.text);
        }
        out.text("CountryCode", &self.country);
        out.optional("GeographicalInformation", self.geographical_information.as_deref());
        for identifier in &self.identifiers {
            out.leaf("Identifier", [("scheme", identifier.scheme.as_str())], &identifier.value);
        }
        for website in &self.websites {
            out.text("WebsiteURI", website);
        }
        for contact in &self.contacts {
            out.open("Contact", &[]);
            out.optional("Type", contact.kind.as_deref());
            out.optional("Name", contact.name.as_deref());
            out.optional("PhoneNumber", contact.phone_number.as_deref());
            out.optional("Email", contact.email.as_deref());
            out.close("Contact");
        }
        out.optional("AdditionalInformation", self.additional_information.as_deref());
        out.close("BusinessEntity");
    }

    fn of(element: El<'_, '_>) -> Result<Self, SmpError> {
        let optional = |within: El<'_, '_>, name| -> Result<Option<String>, SmpError> {
            Ok(within.optional(CARD, name)?.map(El::text))
        };
        let names = element.all(CARD, "Name").map(|name| EntityName {
            text: name.text(),
            language: name.attribute("language").map(str::to_owned),
        });
        let identifiers = element.all(CARD, "Identifier").map(|one| EntityIdentifier {
            scheme: one.attribute("scheme").unwrap_or_default().to_owned(),
            value: one.text(),
        });
        let contacts = element.all(CARD, "Contact").map(|one| -> Result<_, SmpError> {
            Ok(Contact {
                kind: optional(one, "Type")?,
                name: optional(one, "Name")?,
                phone_number: optional(one, "PhoneNumber")?,
                email: optional(one, "Email")?,
            })
        });
        Ok(BusinessEntity {
            names: names.collect(),
            country: element.only(CARD, "CountryCode")?.text(),
            geographical_information: optional(element, "GeographicalInformation")?,
            identifiers: identifiers.collect(),
            websites: element.all(CARD, "WebsiteURI").map(El::text).collect(),
            contacts: contacts.collect::<Result<_, _>>()?,
            additional_information: optional(element, "AdditionalInformation")?,
            registered: element.attribute("registrationDate").map(date).transpose()?,
        })
    }
}

/// Reads an `xs:date`; a time zone is ignored.
fn date(text: &str) -> Result<Date, SmpError> {
    let day = text.get(..10).unwrap_or(text);
    day.parse().map_err(|error: jiff::Error| SmpError::Value {
        name: "registrationDate",
        text: quoted(text),
        reason: error.to_string(),
    })
}
