//! ServiceGroup: the registrations of a participant (Peppol SMP 1.4).

use super::{
    dom,
    error::SmpError,
    names::{ID, SMP},
};
use crate::{
    peppol::{
        dom::El,
        identifiers::{
            DocumentType, PARTICIPANT_SCHEME, participant_uri, path_segment, quoted, segment_text,
        },
    },
    types::ParticipantId,
    xml::Writer,
};

/// The part of a path between participant and document type.
const SERVICES: &str = "/services/";

/// The registrations of a participant at one SMP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceGroup {
    /// The participant.
    pub participant: ParticipantId,
    /// Its document types, including wildcards.
    pub document_types: Vec<DocumentType>,
}

impl ServiceGroup {
    /// Writes the document. Its addresses start with `base`, the address of the SMP without a final slash.
    pub fn write(&self, base: &str) -> String {
        let mut out = Writer::compact();
        out.open("ServiceGroup", &[("xmlns", SMP), ("xmlns:id", ID)]);
        write_participant(&mut out, &self.participant);
        out.open("ServiceMetadataReferenceCollection", &[]);
        for document_type in &self.document_types {
            let href = format!("{base}{}", metadata_path(&self.participant, document_type));
            out.leaf("ServiceMetadataReference", [("href", href.as_str())], "");
        }
        out.close("ServiceMetadataReferenceCollection");
        out.close("ServiceGroup");
        out.finish()
    }

    /// Reads the document of another SMP. References to identifiers that are no document types of the network are
    /// skipped: no document can match them.
    pub fn read(bytes: &[u8]) -> Result<Self, SmpError> {
        let dom = dom::parse(bytes, SMP, "ServiceGroup")?;
        let root = dom.root();
        let participant = participant(root)?;
        let references = root.only(SMP, "ServiceMetadataReferenceCollection")?;
        let references = references.all(SMP, "ServiceMetadataReference");
        let document_types = references.filter_map(|one| named(one.attribute("href")?)).collect();
        Ok(ServiceGroup { participant, document_types })
    }
}

/// The path of a participant's ServiceGroup (Peppol SMP 1.4).
pub(in crate::peppol) fn group_path(participant: &ParticipantId) -> String {
    format!("/{}", path_segment(&participant_uri(participant)))
}

/// The path of the SignedServiceMetadata of one registration.
pub(in crate::peppol) fn metadata_path(
    participant: &ParticipantId,
    registration: &DocumentType,
) -> String {
    let registration = path_segment(&registration.to_string());
    format!("{}{SERVICES}{registration}", group_path(participant))
}

/// The document type at the end of an address, percent-encoded or not.
fn named(href: &str) -> Option<DocumentType> {
    let (_, segment) = href.trim_ascii().rsplit_once(SERVICES)?;
    segment_text(segment)?.parse().ok()
}

/// The ParticipantIdentifier in an element.
pub(super) fn participant(within: El<'_, '_>) -> Result<ParticipantId, SmpError> {
    const NAME: &str = "ParticipantIdentifier";
    let element = within.only(ID, NAME)?;
    let (scheme, text) = (element.attribute("scheme").unwrap_or_default(), element.text());
    let wrong = |reason: String| SmpError::Value {
        name: NAME,
        text: quoted(&format!("{scheme}::{text}")),
        reason,
    };
    // PFUOI, POLICY 5: schemes of the network are compared without regard to case.
    if !scheme.eq_ignore_ascii_case(PARTICIPANT_SCHEME) {
        return Err(wrong(format!("the scheme is not {PARTICIPANT_SCHEME}")));
    }
    text.parse().map_err(|error: crate::types::ParticipantError| wrong(error.to_string()))
}

/// Writes an element ParticipantIdentifier.
pub(in crate::peppol) fn write_participant(out: &mut Writer, participant: &ParticipantId) {
    out.leaf(
        "id:ParticipantIdentifier",
        [("scheme", PARTICIPANT_SCHEME)],
        &participant.to_string(),
    );
}
