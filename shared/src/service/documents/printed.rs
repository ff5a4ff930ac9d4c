//! The PDFs of several documents in one ZIP.

use std::collections::BTreeMap;

use super::{
    is_seen,
    read::ViewChoice,
    renderings::{MadeOf, printed},
};
use crate::{
    access::Reader,
    bagit,
    error::{Code, Failure},
    service::{Context, Reading, file_name::FileName},
    store::{DocumentRecord, PayloadKind},
    types::{DocumentId, Mode},
};

use super::{ADDRESS_VALID, MAX_PRINTED, MAX_PRINTED_BYTES, Stored};

/// The file that names the documents without a PDF, and the reasons.
const LEFT_OUT: &str = "not-included.txt";

/// The documents with these identifiers that the reader may see, in their order.
pub async fn some(
    ctx: &Context,
    reader: Reader<'_>,
    ids: &[DocumentId],
) -> Result<Vec<DocumentRecord>, Failure> {
    check_count(ids.len())?;
    let found = ctx.store.get_documents(reader.mode, reader.taxpayer_id, ids).await?;
    let mut found: BTreeMap<_, _> = found
        .into_iter()
        .filter(|document| is_seen(reader, document))
        .map(|document| (document.document_id.clone(), document))
        .collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// Checks that a file can have the PDFs of so many documents.
pub(in crate::service) fn check_count(documents: usize) -> Result<(), Failure> {
    match documents {
        1..=MAX_PRINTED => Ok(()),
        _ => {
            let message = format!("A file has the PDFs of 1 to {MAX_PRINTED} documents.");
            Err(Failure::new(Code::InvalidRequest, message))
        }
    }
}

/// The PDFs of documents in a ZIP. A ZIP of more than `here` bytes is stored, and returned by its address.
///
/// The typesetter takes a time that grows with the UBL, and a person waits for the answer. So there are at most
/// [`MAX_PRINTED`] documents, with [`MAX_PRINTED_BYTES`] of UBL.
pub async fn pdfs(
    reading: &Reading,
    mode: Mode,
    documents: &[DocumentRecord],
    here: usize,
    choice: ViewChoice,
) -> Result<Stored, Failure> {
    let first = documents.first().ok_or_else(super::missing)?;
    let bytes: u64 = documents.iter().filter_map(|it| it.ubl.as_ref()).map(|it| it.bytes).sum();
    if bytes > MAX_PRINTED_BYTES {
        let message = format!(
            "The documents have {bytes} bytes of UBL together. The PDFs of at most {MAX_PRINTED_BYTES} bytes are made at \
             once."
        );
        return Err(Failure::new(Code::InvalidRequest, message));
    }
    let zip = zip_of(reading, mode, documents, choice).await?;
    if zip.len() <= here {
        return Ok(Stored::Here(zip));
    }
    let DocumentRecord { taxpayer_id, document_id, .. } = first;
    let (bucket, kind, begun) = (&reading.bucket, PayloadKind::Pdfs, &mut Vec::new());
    let payload = bucket.put(mode, taxpayer_id, document_id, kind, zip, begun).await?;
    let address = bucket.address(&payload, crate::store::PayloadMethod::Get, ADDRESS_VALID).await?;
    Ok(Stored::Elsewhere(address))
}

async fn zip_of(
    reading: &Reading,
    mode: Mode,
    documents: &[DocumentRecord],
    choice: ViewChoice,
) -> Result<Vec<u8>, Failure> {
    let (mut files, mut left_out) = (Vec::with_capacity(documents.len()), String::new());
    let mut names = BTreeMap::new();
    for document in documents {
        match printed(reading, mode, document, choice).await? {
            MadeOf::Bytes(pdf) => {
                let name = FileName::of(document).text().to_owned();
                let count = names.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
                let name = if *count == 1 { name } else { format!("{name}-{count}") };
                files.push((format!("{name}.pdf"), pdf));
            }
            MadeOf::Nothing(why) => {
                left_out.push_str(&format!("{}: {why}\r\n", document.number));
            }
        }
    }
    if !left_out.is_empty() {
        files.push((LEFT_OUT.to_owned(), left_out.into_bytes()));
    }
    bagit::packed(files).map_err(|error| {
        Failure::new(Code::InternalError, "The file could not be written.").because(error)
    })
}
