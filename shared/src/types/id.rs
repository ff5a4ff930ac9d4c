//! Identifiers over UUID version 7, with a prefix for each kind. They are opaque to callers and ordered by time in
//! storage.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Random;

/// Why a string is not an identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an identifier of this kind starts with {prefix}, followed by 1 to 64 letters or digits")]
pub struct IdError {
    prefix: &'static str,
}

/// A time-ordered UUID (RFC 9562, version 7) from an instant and random bytes.
fn uuid_v7(now: Timestamp, random: &dyn Random) -> Uuid {
    let mut bytes = [0; 10];
    random.fill(&mut bytes);
    let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The prefix of this kind.
            pub const PREFIX: &'static str = $prefix;

            /// A new identifier. It sorts after identifiers of earlier instants.
            pub fn new(now: Timestamp, random: &dyn Random) -> Self {
                Self(format!("{}{}", $prefix, uuid_v7(now, random).simple()))
            }

            /// The smallest possible identifier of `instant`, as the bound of a time range.
            pub fn floor(instant: Timestamp) -> Self {
                let millis = u64::try_from(instant.as_millisecond()).unwrap_or(0);
                Self(format!("{}{:012x}", $prefix, millis))
            }

            /// The time of creation; `None` if [`Self::new`] did not create it.
            pub fn made_at(&self) -> Option<Timestamp> {
                let millis = self.0.strip_prefix($prefix)?.get(..12)?;
                Timestamp::from_millisecond(i64::from_str_radix(millis, 16).ok()?).ok()
            }

            /// The identifier's text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let rest = text.strip_prefix($prefix).unwrap_or_default();
                if (1..=64).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_alphanumeric())
                {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(IdError { prefix: $prefix })
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(/// A business registered for e-invoicing. It is not its TIN.
    TaxpayerId, "txpay_");
id!(/// An organization's approval by a taxpayer.
    GrantId, "tgr_");
id!(/// An integrator's account.
    OrganizationId, "org_");
id!(/// The name of an API key in logs and for people. It is not the key, and useless to a thief.
    KeyId, "key_");
id!(/// An integrator's application, the client id of OAuth (RFC 6749, section 2.2). It is not a secret.
    ClientId, "client_");
id!(/// The tokens of one approval; a refresh creates each from the one before.
    FamilyId, "fam_");
id!(/// An entry of an audit trail.
    AuditId, "aud_");
id!(/// A document on this access point. Its UUID is the document's own (BTAE-07), unless the sender gave that one.
    DocumentId, "doc_");
id!(/// An event; equal to the `webhook-id` header of its deliveries.
    EventId, "evt_");
id!(/// A webhook endpoint.
    EndpointId, "we_");
id!(/// An import: a file of many documents to send.
    ImportId, "imp_");
id!(/// An archive: all documents of a period in one file.
    ArchiveId, "arc_");
id!(/// A tax report: one report about one document to the tax authority.
    ReportId, "rep_");
id!(/// A request to onboard a business, until the taxpayer exists. It is not a secret: only its browser can continue it.
    ApplicationId, "apl_");
id!(/// A member of an organization.
    MemberId, "mbr_");
id!(/// An outgoing mail.
    MailId, "mail_");

impl DocumentId {
    /// The UUID in an identifier that [`Self::new`] created.
    pub fn uuid(&self) -> Option<Uuid> {
        Uuid::try_parse(self.0.strip_prefix(Self::PREFIX)?).ok()
    }

    /// The identifier with a UUID in it; `None` for a UUID that [`Self::new`] does not create.
    pub fn of_uuid(uuid: Uuid) -> Option<Self> {
        (uuid.get_version_num() == 7).then(|| Self(format!("{}{}", Self::PREFIX, uuid.simple())))
    }
}

impl ReportId {
    /// The first report about a document. Its id is derived from the document's id, so it is unique and can be found
    /// from the document.
    pub fn first_of(document: &DocumentId) -> Self {
        let name = document.as_str().strip_prefix(DocumentId::PREFIX).unwrap_or_default();
        ReportId(format!("{}{name}", ReportId::PREFIX))
    }

    /// The document whose first report this is, if it is a first one.
    pub fn as_first_of(&self) -> DocumentId {
        let name = self.as_str().strip_prefix(ReportId::PREFIX).unwrap_or_default();
        DocumentId(format!("{}{name}", DocumentId::PREFIX))
    }
}

/// The SBDH InstanceIdentifier of one transmission: a plain UUID, fixed before the first attempt.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(Uuid);

impl MessageId {
    /// A new message identifier.
    pub fn new(now: Timestamp, random: &dyn Random) -> Self {
        MessageId(uuid_v7(now, random))
    }

    /// The identifier as a UUID.
    pub fn uuid(&self) -> Uuid {
        self.0
    }
}

impl From<Uuid> for MessageId {
    fn from(id: Uuid) -> Self {
        MessageId(id)
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SeededRandom;

    #[test]
    fn identifiers_sort_by_the_time_they_were_made() {
        let random = SeededRandom::new(1);
        let at = |ms| Timestamp::from_millisecond(ms).unwrap();
        let early = DocumentId::new(at(1_000), &random);
        let late = DocumentId::new(at(2_000), &random);
        assert!(early < late);
        assert!(DocumentId::floor(at(1_000)) <= early && early < DocumentId::floor(at(1_001)));
        assert_eq!((early.made_at(), late.made_at()), (Some(at(1_000)), Some(at(2_000))));
        assert_eq!("doc_1aB".parse::<DocumentId>().unwrap().made_at(), None);
    }

    #[test]
    fn the_first_report_about_a_document_has_its_name() {
        let document: DocumentId = "doc_1aB".parse().unwrap();
        let report = ReportId::first_of(&document);
        assert_eq!(report, "rep_1aB".parse().unwrap());
        assert_eq!(report.as_first_of(), document);
    }

    #[test]
    fn an_identifier_of_another_kind_is_refused() {
        for text in ["", "doc_", "tgr_1", "doc_a b", "doc_a#b", "DOC_1"] {
            assert!(text.parse::<DocumentId>().is_err(), "{text:?}");
        }
        assert_eq!("doc_1aB".parse::<DocumentId>().unwrap().as_str(), "doc_1aB");
    }
}
