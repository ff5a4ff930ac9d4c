//! The kinds of payloads.

/// The kind of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadKind {
    /// A UBL document.
    Ubl,
    /// The body of a queued send.
    Request,
    /// The fields of a document, when they are too large for a response.
    Content,
    /// A document as HTML, when it is too large for a response.
    View,
    /// A document as PDF, when it is too large for a response.
    Pdf,
    /// PDFs of documents in a ZIP, when it is too large for a response.
    Pdfs,
    /// A document in its envelope, as it is sent.
    Envelope,
    /// The receipt of another access point as received, or our own as sent.
    Receipt,
    /// The message of another access point as received.
    Message,
    /// A Tax Data Document.
    TaxData,
    /// A Tax Data Document in its envelope, beside the document that it reports.
    TaxEnvelope,
    /// Several small documents and evidence of one exchange, in a compressed tar.
    Together,
    /// Items of a closed document that are retired from the table.
    Retired,
    /// An OpenPeppol report.
    PeppolReport,
    /// The file of an import, compressed.
    Import,
    /// Outcomes of an import as JSON Lines.
    Outcomes,
    /// All outcomes of an import as CSV.
    OutcomesTable,
    /// The files in a part of an archive, as JSON Lines.
    ArchivedFiles,
    /// The logo of a taxpayer.
    Logo,
}

impl PayloadKind {
    pub(super) fn extension(self) -> &'static str {
        match self {
            PayloadKind::Ubl => "xml",
            PayloadKind::Request => "json",
            PayloadKind::Content => "content",
            PayloadKind::View => "html",
            PayloadKind::Pdf => "pdf",
            PayloadKind::Pdfs => "zip",
            PayloadKind::Envelope => "sbdh",
            PayloadKind::Receipt => "receipt",
            PayloadKind::Message => "as4",
            PayloadKind::TaxData => "tdd",
            PayloadKind::TaxEnvelope => "tdd-sbdh",
            PayloadKind::Together => "tar.gz",
            PayloadKind::Retired => "jsonl.gz",
            PayloadKind::PeppolReport => "report",
            PayloadKind::Import => "gz",
            PayloadKind::Outcomes => "ndjson",
            PayloadKind::OutcomesTable => "csv",
            PayloadKind::ArchivedFiles => "files",
            PayloadKind::Logo => "png",
        }
    }

    /// Its file in an object that holds several payloads. Archives have the same names.
    pub(super) fn file_name(self) -> &'static str {
        match self {
            PayloadKind::Ubl => "document.xml",
            PayloadKind::Envelope => "envelope.xml",
            PayloadKind::Message => "message.as4",
            PayloadKind::Receipt => "receipt.xml",
            PayloadKind::TaxData => "tax-data.xml",
            PayloadKind::TaxEnvelope => "tax-envelope.xml",
            other => other.extension(),
        }
    }

    /// Whether it is a document or evidence, which the law requires to be kept. Other payloads can be made again or are
    /// no longer needed.
    pub(super) fn is_kept(self) -> bool {
        match self {
            PayloadKind::Ubl
            | PayloadKind::Envelope
            | PayloadKind::Receipt
            | PayloadKind::Message
            | PayloadKind::TaxData
            | PayloadKind::TaxEnvelope
            | PayloadKind::Together
            | PayloadKind::Retired
            | PayloadKind::PeppolReport => true,
            PayloadKind::Request
            | PayloadKind::Content
            | PayloadKind::View
            | PayloadKind::Pdf
            | PayloadKind::Pdfs
            | PayloadKind::Import
            | PayloadKind::Outcomes
            | PayloadKind::OutcomesTable
            | PayloadKind::ArchivedFiles
            | PayloadKind::Logo => false,
        }
    }

    /// Whether a failed attempt removes the object. This holds only for the body of a queued send, which no document
    /// needs once it is converted. No role may remove documents and evidence. Those of a failed attempt have an
    /// identifier that no document has, and stay until the bucket's lifecycle rule removes them.
    pub(super) fn is_removed_with_a_failed_attempt(self) -> bool {
        self == PayloadKind::Request
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            PayloadKind::Ubl | PayloadKind::TaxData | PayloadKind::PeppolReport => {
                "application/xml"
            }
            PayloadKind::Request | PayloadKind::Content => "application/json",
            PayloadKind::View => "text/html; charset=utf-8",
            PayloadKind::Pdf => "application/pdf",
            PayloadKind::Pdfs => "application/zip",
            PayloadKind::Import | PayloadKind::Retired | PayloadKind::Together => {
                "application/gzip"
            }
            PayloadKind::Outcomes | PayloadKind::ArchivedFiles => "application/x-ndjson",
            PayloadKind::OutcomesTable => "text/csv; charset=utf-8",
            PayloadKind::Logo => "image/png",
            PayloadKind::Envelope | PayloadKind::TaxEnvelope => "application/xml",
            PayloadKind::Receipt | PayloadKind::Message => "application/octet-stream",
        }
    }
}
