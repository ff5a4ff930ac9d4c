//! Which documents the form can correct.

use crate::{
    service::references::is_correctable,
    store::{Direction, DocumentRecord, Status},
};

/// How the form corrects a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) enum Correction {
    /// The document was rejected at stage C3: the correction names it.
    OfRejected,
    /// The document never arrived: another one is sent under its number.
    OfFailed,
}

impl Correction {
    /// The correction of a document; `None` if it needs none or the form cannot write it.
    pub(in crate::pages) fn of(document: &DocumentRecord) -> Option<Self> {
        let is_written =
            document.direction == Direction::Outbound && document.corrected_by.is_none();
        match document.status {
            _ if !is_written => None,
            Status::Failed => Some(Correction::OfFailed),
            _ => is_correctable(document).then_some(Correction::OfRejected),
        }
    }
}
