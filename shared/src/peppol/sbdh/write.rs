use super::{NAMESPACE, header::Header, scope};
use crate::{peppol::identifiers::PARTICIPANT_SCHEME, xml::Writer};

/// Initial capacity for the envelope without the document; larger than a usual header.
const ENVELOPE_BYTES: usize = 4_096;

/// Puts a document into its envelope. The document is UTF-8 and stays unchanged byte for byte. Only the byte order
/// mark and the XML declaration are removed, because they may only be at the start of a file.
pub fn write(header: &Header, document: &[u8]) -> Vec<u8> {
    let document = without_prolog(document);
    let mut envelope = Writer::indented(ENVELOPE_BYTES);
    envelope.open("StandardBusinessDocument", &[("xmlns", NAMESPACE)]);
    write_header(&mut envelope, header);
    let mut bytes = envelope.finish().into_bytes();
    bytes.reserve_exact(document.len() + END.len());
    bytes.extend_from_slice(document);
    bytes.extend_from_slice(END);
    bytes
}

const END: &[u8] = b"\n</StandardBusinessDocument>\n";

/// The document without byte order mark, XML declaration and the white space after it.
fn without_prolog(document: &[u8]) -> &[u8] {
    let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    // `<?xml` and white space (XML 1.0, production 23): `<?xml-stylesheet` is not a declaration.
    let declared = document
        .strip_prefix(b"<?xml")
        .filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
        .and_then(|rest| memchr::memmem::find(rest, b"?>").and_then(|end| rest.get(end + 2..)));
    declared.map_or(document, <[u8]>::trim_ascii_start)
}

/// Writes the elements in the order of the schema.
fn write_header(out: &mut Writer, header: &Header) {
    let Header { sender, receiver, instance_id, document, process, .. } = header;
    let peppol = [("Authority", PARTICIPANT_SCHEME)];
    out.open("StandardBusinessDocumentHeader", &[]);
    out.text("HeaderVersion", "1.0");
    for (element, participant) in [("Sender", sender), ("Receiver", receiver)] {
        out.group(element, &[], |out| out.leaf("Identifier", peppol, &participant.to_string()));
    }
    out.group("DocumentIdentification", &[], |out| {
        out.text("Standard", document.standard());
        out.text("TypeVersion", document.type_version());
        out.text("InstanceIdentifier", instance_id.as_str());
        out.text("Type", document.type_name());
        // Milliseconds, as other implementations write them.
        out.text("CreationDateAndTime", &format!("{:.3}", header.created_at));
    });
    out.open("BusinessScope", &[]);
    let document_type = document.document_type();
    let scheme = document_type.scheme().as_str();
    write_scope(out, scope::DOCUMENT_ID, &document_type.value(), Some(scheme));
    write_scope(out, scope::PROCESS_ID, process.value(), Some(process.scheme()));
    write_scope(out, scope::COUNTRY_C1, header.country_c1.as_str(), None);
    if let Some(receiver) = &header.mls_to {
        write_scope(out, scope::MLS_TO, &receiver.to_string(), Some(PARTICIPANT_SCHEME));
    }
    if let Some(kind) = header.mls_type {
        write_scope(out, scope::MLS_TYPE, kind.as_str(), None);
    }
    for (kind, said) in &header.others {
        write_scope(out, kind.as_str(), said.value(), said.scheme());
    }
    out.close("BusinessScope");
    out.close("StandardBusinessDocumentHeader");
}

fn write_scope(out: &mut Writer, kind: &str, value: &str, scheme: Option<&str>) {
    out.group("Scope", &[], |out| {
        out.text("Type", kind);
        out.text("InstanceIdentifier", value);
        out.optional("Identifier", scheme);
    });
}
