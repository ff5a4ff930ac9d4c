//! The ebMS header of a business message: ebMS 3.0 core, 5.2.2, as narrowed by the Peppol AS4 profile.

use std::fmt::Display;

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

use super::{
    ids::MessageId,
    mime,
    names::{self, ns},
    refusal::Refusal,
    rule::Rule,
};
use crate::{
    peppol::{dom::El, identifiers::SeatId, sbdh::Header},
    types::ParticipantId,
};

/// The sender and recipient of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participants {
    /// The property `originalSender`: corner 1.
    pub original_sender: ParticipantId,
    /// The property `finalRecipient`: corner 4.
    pub final_recipient: ParticipantId,
}

/// The purpose of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// A ping: answered and dropped (ebMS 3.0 core, 5.2.2.8).
    Ping,
    /// A document.
    Document(Participants),
}

/// The header of a business message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserMessage {
    /// `MessageInfo/MessageId`.
    pub message_id: MessageId,
    /// `MessageInfo/Timestamp`: milestone M1 of the MLS.
    pub timestamp: Timestamp,
    /// `ConversationId`.
    pub conversation_id: String,
    /// `From/PartyId`.
    pub from: SeatId,
    /// `To/PartyId`.
    pub to: SeatId,
    /// `Service`.
    pub service: String,
    /// The type of `Service`.
    pub service_type: Option<String>,
    /// `Action`.
    pub action: String,
    /// The purpose.
    pub purpose: Purpose,
    pub(super) content_id: Option<String>,
}

/// The id of a message for the response, even when other parts of its header are wrong.
pub(super) fn message_id(messaging: El<'_, '_>) -> Option<MessageId> {
    let message = messaging.children().next()?;
    let info = message.single(ns::EB, "MessageInfo").ok()?;
    info.single(ns::EB, "MessageId").ok()?.text_alone()?.parse().ok()
}

impl UserMessage {
    pub(super) fn read(messaging: El<'_, '_>) -> Result<Self, Refusal> {
        let message = messaging.require(ns::EB, "UserMessage", Rule::UserMessage)?;
        if messaging.children().count() != 1 {
            return Err(Refusal::new(Rule::OnlyOnce, "more than one message in eb:Messaging"));
        }
        let info = message.require(ns::EB, "MessageInfo", Rule::MessageId)?;
        let id = required(info, "MessageId", Rule::MessageId)?;
        let parties = message.require(ns::EB, "PartyInfo", Rule::Party)?;
        let collaboration = message.require(ns::EB, "CollaborationInfo", Rule::Service)?;
        check_agreement(collaboration)?;
        let service = collaboration.require(ns::EB, "Service", Rule::Service)?;
        let service_type = service.attribute("type").map(str::to_owned);
        let service = required(collaboration, "Service", Rule::Service)?;
        let action = required(collaboration, "Action", Rule::Service)?;
        let conversation = collaboration.require(ns::EB, "ConversationId", Rule::Conversation)?;
        let is_ping = service == names::TEST_SERVICE && action == names::TEST_ACTION;
        Ok(UserMessage {
            message_id: id.parse().map_err(|_| Refusal::new(Rule::MessageId, &id))?,
            timestamp: timestamp(info)?,
            // phase4 accepts an empty ConversationId.
            conversation_id: conversation.text_alone().unwrap_or_default(),
            from: party(parties, "From")?,
            to: party(parties, "To")?,
            purpose: if is_ping {
                Purpose::Ping
            } else {
                Purpose::Document(participants(message)?)
            },
            content_id: content_id(message, is_ping)?,
            service,
            service_type,
            action,
        })
    }

    /// Checks that this header and the SBDH name the same participants, document type and process (Peppol AS4 profile
    /// 2.0.3, "SBDH"). A ping is not checked.
    pub fn check_against(&self, sbdh: &Header) -> Result<(), Refusal> {
        let Purpose::Document(Participants { original_sender, final_recipient }) = &self.purpose
        else {
            return Ok(());
        };
        let process = &sbdh.process;
        let scheme = self.service_type.as_deref().unwrap_or(process.scheme());
        let same_process = self.service == process.value() && scheme == process.scheme();
        let document_type = sbdh.document.document_type().to_string();
        let alike: [(Rule, bool, &dyn Display, &dyn Display); 4] = [
            // Participants are compared without regard to case: PFUOI 4.4, POLICY 3.
            (Rule::SenderDiffers, *original_sender == sbdh.sender, original_sender, &sbdh.sender),
            (
                Rule::RecipientDiffers,
                *final_recipient == sbdh.receiver,
                final_recipient,
                &sbdh.receiver,
            ),
            (Rule::DocumentTypeDiffers, self.action == document_type, &self.action, &document_type),
            (Rule::ProcessDiffers, same_process, &self.service, process),
        ];
        match alike.into_iter().find(|(_, same, ..)| !same) {
            Some((rule, _, here, there)) => {
                let found = format!("{here}, where the SBDH has {there}");
                Err(Refusal::new(rule, found).about(Some(self.message_id.clone())))
            }
            None => Ok(()),
        }
    }
}

/// The non-empty text of the one child of that name.
fn required(parent: El<'_, '_>, name: &str, rule: Rule) -> Result<String, Refusal> {
    let text = parent.require(ns::EB, name, rule)?.text_alone().filter(|text| !text.is_empty());
    text.ok_or_else(|| Refusal::new(rule, format!("an empty {name}")))
}

/// Reads an `xs:dateTime` with a zone or in UTC. Oxalis writes the zone of its machine.
fn timestamp(info: El<'_, '_>) -> Result<Timestamp, Refusal> {
    let text = required(info, "Timestamp", Rule::Timestamp)?;
    let utc = || text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    let instant = text.parse().ok().or_else(|| utc().map(|zoned| zoned.timestamp()));
    let instant = instant.filter(|_| text.contains('T'));
    instant.ok_or_else(|| Refusal::new(Rule::Timestamp, &text))
}

fn party(parties: El<'_, '_>, side: &str) -> Result<SeatId, Refusal> {
    let side = parties.require(ns::EB, side, Rule::Party)?;
    let id = side.require(ns::EB, "PartyId", Rule::Party)?;
    match id.attribute("type") {
        Some(names::PARTY_TYPE) => {}
        found => {
            let found = format!("type {} in {}", found.unwrap_or("missing"), side.name());
            return Err(Refusal::new(Rule::PartyType, found));
        }
    }
    let text = id.text_alone().unwrap_or_default();
    text.parse().map_err(|_| Refusal::new(Rule::Party, format!("{text} in {}", side.name())))
}

fn check_agreement(collaboration: El<'_, '_>) -> Result<(), Refusal> {
    let agreement = collaboration.require(ns::EB, "AgreementRef", Rule::Agreement)?;
    let text = agreement.text_alone().unwrap_or_default();
    if text != names::AGREEMENT {
        return Err(Refusal::new(Rule::Agreement, text));
    }
    match agreement.attribute("type") {
        Some(found) => Err(Refusal::new(Rule::Agreement, format!("type {found}"))),
        None => Ok(()),
    }
}

/// Peppol AS4 profile 2.0.3: message properties carry corners 1 and 4.
fn participants(message: El<'_, '_>) -> Result<Participants, Refusal> {
    let properties = message.require(ns::EB, "MessageProperties", Rule::Participants)?;
    Ok(Participants {
        original_sender: participant(properties, "originalSender")?,
        final_recipient: participant(properties, "finalRecipient")?,
    })
}

fn participant(properties: El<'_, '_>, name: &str) -> Result<ParticipantId, Refusal> {
    let property = property(properties, name, Rule::Participants)?
        .ok_or_else(|| Refusal::new(Rule::Participants, format!("no {name}")))?;
    match property.attribute("type") {
        Some(names::PARTICIPANT_TYPE) => {}
        found => {
            let found = format!("type {} of {name}", found.unwrap_or("missing"));
            return Err(Refusal::new(Rule::Participants, found));
        }
    }
    let text = property.text_alone().unwrap_or_default();
    text.parse().map_err(|_| Refusal::new(Rule::Participants, format!("{name} {text}")))
}

/// The property of that name; a second one is an error.
fn property<'d, 's>(
    properties: El<'d, 's>,
    name: &str,
    rule: Rule,
) -> Result<Option<El<'d, 's>>, Refusal> {
    let mut named = properties
        .all(ns::EB, "Property")
        .filter(|property| property.attribute("name") == Some(name));
    match (named.next(), named.next()) {
        (found, None) => Ok(found),
        (_, Some(_)) => Err(Refusal::new(rule, format!("{name} twice"))),
    }
}

/// The Content-ID of the one payload. A ping may have no payload.
fn content_id(message: El<'_, '_>, is_ping: bool) -> Result<Option<String>, Refusal> {
    if is_ping && message.all(ns::EB, "PayloadInfo").next().is_none() {
        return Ok(None);
    }
    let part = message.require(ns::EB, "PayloadInfo", Rule::PartInfo)?.require(
        ns::EB,
        "PartInfo",
        Rule::PartInfo,
    )?;
    let href = part.attribute("href").unwrap_or_default();
    let id = mime::content_id_of_url(href).filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| Refusal::new(Rule::PartInfo, format!("href {href:?}")))?;
    check_part_properties(part)?;
    Ok(Some(id.into_owned()))
}

/// AS4 profile 1.0, 3.1: a compressed payload names its compression and its original media type.
fn check_part_properties(part: El<'_, '_>) -> Result<(), Refusal> {
    let properties = part.require(ns::EB, "PartProperties", Rule::PartProperties)?;
    let value = |name| -> Result<String, Refusal> {
        let property = property(properties, name, Rule::PartProperties)?;
        let value = property.and_then(El::text_alone).filter(|value| !value.is_empty());
        value.ok_or_else(|| Refusal::new(Rule::PartProperties, format!("no {name}")))
    };
    value("MimeType")?;
    let compression = value("CompressionType")?;
    if compression == names::GZIP {
        return Ok(());
    }
    Err(Refusal::new(Rule::PartProperties, format!("CompressionType {compression}")))
}
