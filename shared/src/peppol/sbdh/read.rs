use super::{
    check, cursor::Cursor, error::SbdhError, header::Header, payload::Payload, payload::payload,
    raw,
};

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A parsed message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The header.
    pub header: Header,
    /// The document.
    pub payload: Payload<'a>,
    /// Errors in scopes that are treated as absent. Always empty after [`read()`].
    pub ignored: Vec<SbdhError>,
}

/// Reads an envelope and checks everything that Business Message Envelope 2.0.1 requires.
pub fn read(message: &[u8]) -> Result<Envelope<'_>, SbdhError> {
    let envelope = receive(message)?;
    match envelope.ignored.first() {
        Some(error) => Err(error.clone()),
        None => Ok(envelope),
    }
}

/// Reads an envelope as a receiver. As Peppol MLS requires, a wrong MLS_TO, MLS_TYPE or unknown scope is ignored and
/// listed. Everything else is as in [`read()`].
///
/// One pass in linear time. In the document, only the nesting is checked, to find its end; its own rules check the
/// rest.
pub fn receive(message: &[u8]) -> Result<Envelope<'_>, SbdhError> {
    let message = std::str::from_utf8(message)
        .map_err(|error| SbdhError::NotUtf8 { at: error.valid_up_to() })?;
    let text = message.strip_prefix(BYTE_ORDER_MARK).unwrap_or(message);
    let mut cursor = Cursor::new(text);

    let root = cursor.root()?;
    if root.name() != "StandardBusinessDocument" {
        return Err(SbdhError::Root(root.expanded()));
    }
    match cursor.child()? {
        Some(first) if first.name() == "StandardBusinessDocumentHeader" => {}
        _ => return Err(SbdhError::NoHeader),
    }
    let check::Checked { header, ignored } = check::check(raw::header(&mut cursor)?)?;
    cursor.behind_header();

    let offset = message.len() - text.len();
    let payload = payload(&mut cursor, text, offset, &header.document)?;
    if let Some(second) = cursor.child()? {
        return Err(SbdhError::SecondPayload(second.expanded()));
    }
    cursor.end()?;
    Ok(Envelope { header, payload, ignored })
}
