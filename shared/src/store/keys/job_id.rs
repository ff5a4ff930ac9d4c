//! The key of an item that can be due, and its kind.

use std::fmt;

use super::{DELIVERY, Key, REGISTRATION, TAX_REPORT, TRANSMISSION};
use crate::{
    access::Notification,
    peppol::statistics::Kind,
    store::{EnvelopeHash, PeppolReportId, Register},
    types::{
        ApplicationId, ArchiveId, DocumentId, EndpointId, EventId, ImportId, MailId, Mode,
        OrganizationId, ReportId, TaxpayerId,
    },
};

/// Identifies a job: an item that can be due. It is found by its key in a stream record or in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobId {
    /// A document that is converted and dispatched.
    Document(Mode, TaxpayerId, DocumentId),
    /// An event that must become deliveries.
    Event(Mode, TaxpayerId, EventId),
    /// A delivery that must be attempted.
    Delivery(Mode, OrganizationId, EventId, EndpointId),
    /// A message of another access point that must be validated.
    Message(Mode, EnvelopeHash),
    /// The MLS that is owed for a document of another access point.
    MlsOutbound(Mode, DocumentId),
    /// A registration that must be published to a register.
    Registration(Mode, TaxpayerId, Register),
    /// An archive whose documents must be collected.
    Archive(Mode, TaxpayerId, ArchiveId),
    /// An import whose documents must be sent.
    Import(Mode, OrganizationId, TaxpayerId, ImportId),
    /// A report to the tax authority. Live only.
    TaxReport(TaxpayerId, ReportId),
    /// An OpenPeppol report. Live only.
    PeppolReport(PeppolReportId),
    /// A receipt that must be moved to the bucket. It is stored in the transmission that it proves.
    Receipt(Mode, Proves),
    /// A mail that must be sent.
    Mail(Mode, MailId),
    /// An application whose business must be registered.
    Application(Mode, ApplicationId),
    /// A notice that members may have to get by mail.
    Notice(Mode, OrganizationId, Notification),
}

/// The exchange that a receipt proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proves {
    /// A document.
    Document(TaxpayerId, DocumentId),
    /// An MLS about a document.
    MlsOutbound(DocumentId),
    /// A report to the tax authority.
    TaxReport(TaxpayerId, ReportId),
    /// An OpenPeppol report.
    PeppolReport(PeppolReportId),
}

/// Names each kind, for operators.
macro_rules! kinds {
    ($($kind:ident = $name:literal,)+) => {
        impl JobId {
            /// The names of all kinds.
            pub const KINDS: &[&str] = &[$($name),+];

            /// The kind's name.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(JobId::$kind(..) => $name,)+
                }
            }
        }
    };
}

kinds! {
    Document = "document",
    Event = "event",
    Delivery = "delivery",
    Message = "message",
    MlsOutbound = "answer",
    Registration = "registration",
    Application = "application",
    TaxReport = "filing",
    PeppolReport = "monthly",
    Archive = "archive",
    Import = "import",
    Receipt = "receipt",
    Mail = "mail",
    Notice = "notice",
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mode, kind) = (self.mode(), self.kind());
        match self {
            JobId::Document(_, taxpayer, id) => write!(f, "{mode} {kind} {taxpayer} {id}"),
            JobId::Event(_, taxpayer, id) => write!(f, "{mode} {kind} {taxpayer} {id}"),
            JobId::Delivery(_, organization, event, endpoint) => {
                write!(f, "{mode} {kind} {organization} {event} {endpoint}")
            }
            JobId::Message(_, envelope) => write!(f, "{mode} {kind} {envelope}"),
            JobId::MlsOutbound(_, document) => write!(f, "{mode} {kind} {document}"),
            JobId::Registration(_, taxpayer, register) => {
                write!(f, "{mode} {kind} {taxpayer} {}", register.as_str())
            }
            JobId::TaxReport(taxpayer, id) => write!(f, "{mode} {kind} {taxpayer} {id}"),
            JobId::PeppolReport(id) => write!(f, "{mode} {kind} {id}"),
            JobId::Archive(_, taxpayer, id) => write!(f, "{mode} {kind} {taxpayer} {id}"),
            JobId::Import(_, organization, taxpayer, id) => {
                write!(f, "{mode} {kind} {organization} {taxpayer} {id}")
            }
            JobId::Receipt(_, of) => match of {
                Proves::Document(taxpayer, id) => {
                    write!(f, "{mode} {kind} document {taxpayer} {id}")
                }
                Proves::MlsOutbound(id) => write!(f, "{mode} {kind} answer {id}"),
                Proves::TaxReport(taxpayer, id) => {
                    write!(f, "{mode} {kind} filing {taxpayer} {id}")
                }
                Proves::PeppolReport(id) => write!(f, "{mode} {kind} monthly {id}"),
            },
            JobId::Mail(_, id) => write!(f, "{mode} {kind} {id}"),
            JobId::Application(_, id) => write!(f, "{mode} {kind} {id}"),
            JobId::Notice(_, organization, of) => {
                write!(f, "{mode} {kind} {organization} {}", of.as_str())
            }
        }
    }
}

impl JobId {
    /// Live or Sandbox.
    pub fn mode(&self) -> Mode {
        match self {
            JobId::Document(mode, ..)
            | JobId::Event(mode, ..)
            | JobId::Delivery(mode, ..)
            | JobId::Message(mode, ..)
            | JobId::MlsOutbound(mode, ..)
            | JobId::Registration(mode, ..)
            | JobId::Archive(mode, ..)
            | JobId::Import(mode, ..)
            | JobId::Receipt(mode, _)
            | JobId::Mail(mode, _)
            | JobId::Application(mode, _)
            | JobId::Notice(mode, ..) => *mode,
            JobId::TaxReport(..) | JobId::PeppolReport(..) => Mode::Live,
        }
    }

    /// Parses a key; `None` for an item that is never due.
    pub fn parse(pk: &str, sk: &str) -> Option<JobId> {
        let parts: Vec<_> = pk.split('#').collect();
        let mode = match *parts.first()? {
            "LIVE" => Mode::Live,
            "SANDBOX" => Mode::Sandbox,
            _ => return None,
        };
        let job_id = match parts[1..] {
            ["TAXPAYER", owner, "DOCUMENT", id] if sk == TRANSMISSION => {
                JobId::Receipt(mode, Proves::Document(owner.parse().ok()?, id.parse().ok()?))
            }
            ["TAXPAYER", owner, TAX_REPORT, id] if sk == TRANSMISSION => {
                JobId::Receipt(mode, Proves::TaxReport(owner.parse().ok()?, id.parse().ok()?))
            }
            ["ANSWER", id] => JobId::Receipt(mode, Proves::MlsOutbound(id.parse().ok()?)),
            ["MONTHLY", month, kind, number] => {
                JobId::Receipt(mode, Proves::PeppolReport(peppol_report_id(month, kind, number)?))
            }
            ["TAXPAYER", owner, "DOCUMENT", id] => {
                JobId::Document(mode, owner.parse().ok()?, id.parse().ok()?)
            }
            ["TAXPAYER", owner, "EVENT", id] => {
                JobId::Event(mode, owner.parse().ok()?, id.parse().ok()?)
            }
            ["ORGANIZATION", owner, DELIVERY, endpoint, event] => JobId::Delivery(
                mode,
                owner.parse().ok()?,
                event.parse().ok()?,
                endpoint.parse().ok()?,
            ),
            ["TAXPAYER", owner, REGISTRATION, register] => {
                let register = Register::ALL.into_iter().find(|one| one.as_str() == register)?;
                JobId::Registration(mode, owner.parse().ok()?, register)
            }
            ["TAXPAYER", owner, TAX_REPORT, id] => {
                JobId::TaxReport(owner.parse().ok()?, id.parse().ok()?)
            }
            ["INBOUND", envelope] => JobId::Message(mode, envelope.parse().ok()?),
            ["ANSWER", _, _] => JobId::MlsOutbound(mode, sk.parse().ok()?),
            ["TAXPAYER", owner, "ARCHIVES"] => {
                JobId::Archive(mode, owner.parse().ok()?, sk.parse().ok()?)
            }
            ["ORGANIZATION", owner, "IMPORTS", taxpayer] => {
                JobId::Import(mode, owner.parse().ok()?, taxpayer.parse().ok()?, sk.parse().ok()?)
            }
            ["MAIL", id] => JobId::Mail(mode, id.parse().ok()?),
            ["ORGANIZATION", owner, "NOTICES"] => {
                JobId::Notice(mode, owner.parse().ok()?, sk.parse().ok()?)
            }
            ["APPLICATION", id] => JobId::Application(mode, id.parse().ok()?),
            ["MONTHLY", month] => {
                let (kind, number) = sk.split_once('#')?;
                JobId::PeppolReport(peppol_report_id(month, kind, number)?)
            }
            _ => return None,
        };
        // Other items of the same partition are never due.
        let key = job_id.key();
        (key.pk == pk && key.sk == sk).then_some(job_id)
    }

    pub(in crate::store) fn key(&self) -> Key {
        match self {
            JobId::Document(mode, taxpayer_id, id) => Key::document(*mode, taxpayer_id, id),
            JobId::Event(mode, taxpayer_id, id) => Key::event(*mode, taxpayer_id, id),
            JobId::Delivery(mode, organization_id, event, endpoint) => {
                Key::delivery(*mode, organization_id, endpoint, event)
            }
            JobId::Message(mode, envelope) => Key::inbound(*mode, envelope),
            JobId::MlsOutbound(mode, document) => Key::mls_outbound(*mode, document),
            JobId::Registration(mode, taxpayer_id, register) => {
                Key::registration(*mode, taxpayer_id, *register)
            }
            JobId::TaxReport(taxpayer_id, id) => Key::tax_report(taxpayer_id, id),
            JobId::PeppolReport(id) => Key::peppol_report(id),
            JobId::Archive(mode, taxpayer_id, id) => Key::archive(*mode, taxpayer_id, id),
            JobId::Import(mode, organization_id, taxpayer_id, id) => {
                Key::import(*mode, organization_id, taxpayer_id, id)
            }
            JobId::Receipt(mode, of) => match of {
                Proves::Document(taxpayer_id, id) => Key::transmission(*mode, taxpayer_id, id),
                Proves::MlsOutbound(id) => Key::mls_transmission(*mode, id),
                Proves::TaxReport(taxpayer_id, id) => Key::tax_report_transmission(taxpayer_id, id),
                Proves::PeppolReport(id) => Key::peppol_report_transmission(id),
            },
            JobId::Mail(mode, id) => Key::mail(*mode, id),
            JobId::Application(mode, id) => Key::application(*mode, id),
            JobId::Notice(mode, organization_id, kind) => {
                Key::notice(*mode, organization_id, *kind)
            }
        }
    }
}

/// The id of an OpenPeppol report, from the parts of its key.
fn peppol_report_id(month: &str, kind: &str, number: &str) -> Option<PeppolReportId> {
    let kind = Kind::ALL.into_iter().find(|one| one.as_str() == kind)?;
    Some(PeppolReportId { month: month.parse().ok()?, kind, number: number.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::types::{SeededRandom, sha256_hex};

    #[test]
    fn keys_of_due_items_are_read_back() {
        let taxpayer: TaxpayerId = "txpay_1".parse().unwrap();
        let organization: OrganizationId = "org_1".parse().unwrap();
        let event: EventId = "evt_1".parse().unwrap();
        for job_id in [
            JobId::Document(Mode::Sandbox, taxpayer.clone(), "doc_1".parse().unwrap()),
            JobId::TaxReport(taxpayer.clone(), "rep_1".parse().unwrap()),
            JobId::PeppolReport(PeppolReportId::first(
                "2026-10".parse().unwrap(),
                Kind::Transactions,
            )),
            JobId::PeppolReport(PeppolReportId {
                month: "2026-10".parse().unwrap(),
                kind: Kind::EndUsers,
                number: 1_000,
            }),
            JobId::Registration(Mode::Live, taxpayer.clone(), Register::Network),
            JobId::Registration(Mode::Sandbox, taxpayer.clone(), Register::Directory),
            JobId::Event(Mode::Live, taxpayer.clone(), event.clone()),
            JobId::Delivery(Mode::Live, organization.clone(), event, "we_1".parse().unwrap()),
            JobId::Message(Mode::Live, EnvelopeHash::of(&"i-1".parse().unwrap())),
            JobId::Mail(Mode::Sandbox, "mail_1".parse().unwrap()),
            JobId::Receipt(
                Mode::Live,
                Proves::Document(taxpayer.clone(), "doc_1".parse().unwrap()),
            ),
            JobId::Receipt(Mode::Live, Proves::MlsOutbound("doc_1".parse().unwrap())),
            JobId::Receipt(
                Mode::Live,
                Proves::TaxReport(taxpayer.clone(), "rep_1".parse().unwrap()),
            ),
            JobId::Receipt(
                Mode::Live,
                Proves::PeppolReport(PeppolReportId::first(
                    "2026-10".parse().unwrap(),
                    Kind::EndUsers,
                )),
            ),
            JobId::Archive(Mode::Live, taxpayer.clone(), "arc_1".parse().unwrap()),
            JobId::Import(
                Mode::Sandbox,
                organization.clone(),
                taxpayer.clone(),
                "imp_1".parse().unwrap(),
            ),
            JobId::Application(Mode::Live, "apl_1".parse().unwrap()),
            JobId::Notice(Mode::Live, organization.clone(), Notification::Rejected),
            JobId::MlsOutbound(Mode::Live, "doc_1".parse().unwrap()),
            JobId::MlsOutbound(Mode::Live, DocumentId::new(Timestamp::MIN, &SeededRandom::new(1))),
            JobId::MlsOutbound(
                Mode::Live,
                DocumentId::new("2026-11-20T23:59:59.999Z".parse().unwrap(), &SeededRandom::new(1)),
            ),
        ] {
            let key = job_id.key();
            assert_eq!(JobId::parse(&key.pk, &key.sk), Some(job_id));
        }
        for (pk, sk) in [
            ("SANDBOX#TAXPAYER#txpay_1", "PROFILE"),
            ("SANDBOX#TAXPAYER#txpay_1#DOCUMENT#doc_1", "TRANSMISSION#1"),
            ("SANDBOX#TAXPAYER#txpay_1#DOCUMENT#doc_1#doc_2", "DOCUMENT"),
            ("SANDBOX#ORGANIZATION#org_1#DOCUMENT#doc_1", "DOCUMENT"),
            ("SANDBOX#ORGANIZATION#org_1#DELIVERIES#we_1#ALL#0", "POINTER#evt_1"),
            ("SANDBOX#ORGANIZATION#org_1#DELIVERIES#we_1#ALL#1", "POINTER#evt_1"),
            ("TEST#TAXPAYER#txpay_1#DOCUMENT#doc_1", "DOCUMENT"),
            ("LIVE#INBOUND#i-1", "MESSAGE"),
            (&format!("LIVE#INBOUND#{}", sha256_hex(b"i-1")), "AS4"),
            ("LIVE#ORGANIZATION#org_1#NOTICES", "later"),
            ("LIVE#MAIL#mail_1", "USED"),
            ("LIVE#APPLICATION#apl_1", "USED"),
            ("LIVE#PORTAL", "CHANGES"),
            ("LIVE#SIGNIN#mail_1", "USED"),
            ("LIVE#ANSWER#doc_1", "ANSWER"),
            ("LIVE#EXCHANGES#2026-11#7", "EXCHANGE#0a"),
            ("LIVE#ANSWER#2026-11-20#99", "doc_1"),
            ("LIVE#MONTHLY#2026-10", "TSR#1"),
            ("LIVE#MONTHLY#2026-10", "STR#00001"),
            ("LIVE#MONTHLY#2026-13", "TSR#00001"),
            ("SANDBOX#MONTHLY#2026-10", "TSR#00001"),
            ("LIVE#MONTHLY#2026-10#TSR#00001", "REPORT"),
            ("LIVE#MONTHLY#2026-10#TSR#1", "TRANSMISSION"),
            ("LIVE#TAXPAYER#txpay_1#REGISTRATION#elsewhere", "REGISTRATION"),
            ("LIVE#TAXPAYER#txpay_1#CARD", "CARD"),
            ("SANDBOX#TAXPAYER#txpay_1#FILING#rep_1", "TRANSMISSION"),
            ("LIVE#TAXPAYER#txpay_1#FILINGS#ALL#0", "rep_1"),
            ("LIVE#TAXPAYER#txpay_1#FILINGS#ALL#1", "rep_1"),
            ("SANDBOX#TAXPAYER#txpay_1#FILING#rep_1", "FILING"),
            ("", ""),
        ] {
            assert_eq!(JobId::parse(pk, sk), None, "{pk} {sk}");
        }
    }
}
