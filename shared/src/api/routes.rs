//! Every operation of the HTTP API, declared once: name, path, scopes, headers, query, body, responses and errors. The
//! router, the OpenAPI document, the check of every request and the authorization tests are derived from it.

mod webhooks;

use super::query::{self, Parameter};
use crate::{
    access::Scope,
    document::Operation,
    error::Code::{self, *},
};

/// The path below a base path.
pub(super) const TOKEN_PATH: &str = "/oauth/token";
/// The path below a base path.
pub(super) const REVOCATION_PATH: &str = "/oauth/revoke";
/// The path below a base path.
pub(super) const EVENTS_PATH: &str = "/billing/events";

#[derive(Debug)]
pub(super) struct Route {
    /// `operationId`
    pub(super) id: &'static str,
    pub(super) method: Method,
    /// The path below the base path. Variables are in braces.
    pub(super) path: &'static str,
    pub(super) tag: Tag,
    /// A few words.
    pub(super) summary: &'static str,
    /// Its description for callers.
    pub(super) description: &'static str,
    /// The sufficient scopes on the taxpayer: the caller needs one of them. Empty for an organization's own affairs
    /// ([`Work::Organization`]). For a taxpayer's operation, an empty list permits nobody.
    pub(super) any_of: &'static [Scope],
    /// The query parameters. Other names are refused.
    pub(super) query: &'static [Parameter],
    /// The request headers that it reads, apart from the credential.
    pub(super) headers: &'static [RequestHeader],
    /// The responses on success.
    pub(super) answers: &'static [Answer],
    /// The possible errors.
    pub(super) errors: &'static [Code],
    /// The handler.
    pub(super) work: Work,
}

/// The handler of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// An operation for a taxpayer, of the function `api`.
    Taxpayer(TaxpayerWork),
    /// An operation in the organization's own affairs, of the function `api`.
    Organization(OrganizationWork),
    /// An operation about the credential itself, of any kind, of the function `api`.
    Anybody(AnybodyWork),
    /// An operation that changes access, of the function `oauth`. Only that function may write access.
    Connecting(ConnectingWork),
    /// The PDF of a taxpayer's document, of the function `pdf`, which has the dependencies for it.
    Printing,
    /// An operation on the organization's webhooks, of the function `webhook_api`, which can read their secrets.
    Notifying(NotifyingWork),
}

/// For whom an organization acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ActsFor {
    /// For a taxpayer that granted it access.
    Taxpayer,
    /// For itself.
    Itself,
    /// For either, with any kind of credential.
    Either,
}

/// An operation for a taxpayer, with its kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaxpayerWork {
    Send(Operation),
    Validate(Operation),
    ListDocuments,
    GetDocument,
    GetDocumentUbl,
    GetDocumentSbdh,
    GetDocumentReceipt,
    GetDocumentContent,
    GetDocumentHtml,
    ListAttempts,
    CreateImport,
    ListImports,
    GetImport,
    GetImportResult,
    CreateArchive,
    ListArchives,
    GetArchive,
    GetArchiveFile,
    ListDocumentReports,
    ListReports,
    GetReport,
    GetReportXml,
    FileReport,
    GetTaxpayer,
    GetBusinessCard,
    PutBusinessCard,
    GetListing,
    PutListing,
    DeleteListing,
    ListRegistrations,
}

/// An operation of an organization in its own affairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OrganizationWork {
    ListTaxpayers,
    GetTaxpayer,
    ListGrants,
    ListAuditEvents,
}

/// An operation that changes access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectingWork {
    PatchTaxpayer,
    RevokeGrant,
}

/// An operation on an organization's webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotifyingWork {
    CreateEndpoint,
    ListEndpoints,
    GetEndpoint,
    PatchEndpoint,
    DeleteEndpoint,
    RotateSecret,
    ListEvents,
    GetEvent,
    ListEventDeliveries,
    ListDeliveries,
    GetDelivery,
    RetryDelivery,
    RetryFailed,
    SendTest,
}

impl NotifyingWork {
    fn takes_a_body(self) -> bool {
        match self {
            NotifyingWork::CreateEndpoint
            | NotifyingWork::PatchEndpoint
            | NotifyingWork::RotateSecret
            | NotifyingWork::RetryDelivery
            | NotifyingWork::RetryFailed
            | NotifyingWork::SendTest => true,
            NotifyingWork::ListEndpoints
            | NotifyingWork::GetEndpoint
            | NotifyingWork::DeleteEndpoint
            | NotifyingWork::ListEvents
            | NotifyingWork::GetEvent
            | NotifyingWork::ListEventDeliveries
            | NotifyingWork::ListDeliveries
            | NotifyingWork::GetDelivery => false,
        }
    }
}

/// An operation for every valid credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnybodyWork {
    Me,
}

impl Work {
    /// For whom the operation acts.
    pub(super) fn acts_for(self) -> ActsFor {
        match self {
            Work::Taxpayer(_)
            | Work::Printing
            | Work::Connecting(ConnectingWork::PatchTaxpayer) => ActsFor::Taxpayer,
            Work::Organization(_)
            | Work::Connecting(ConnectingWork::RevokeGrant)
            | Work::Notifying(_) => ActsFor::Itself,
            Work::Anybody(_) => ActsFor::Either,
        }
    }

    /// The kind of document in the request body.
    pub(super) fn body(self) -> Option<Operation> {
        match self {
            Work::Taxpayer(TaxpayerWork::Send(kind) | TaxpayerWork::Validate(kind)) => Some(kind),
            _ => None,
        }
    }

    /// Whether the operation has a request body.
    pub(super) fn takes_a_body(self) -> bool {
        if let Work::Notifying(work) = self {
            return work.takes_a_body();
        }
        let others =
            [TaxpayerWork::PutBusinessCard, TaxpayerWork::FileReport, TaxpayerWork::CreateImport];
        self.body().is_some()
            || self == Work::Connecting(ConnectingWork::PatchTaxpayer)
            || others.into_iter().any(|other| self == Work::Taxpayer(other))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

/// The heading in the OpenAPI document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Sending,
    Imports,
    Documents,
    Archives,
    Reports,
    Taxpayer,
    Connections,
    Webhooks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestHeader {
    IdempotencyKey,
    Prefer,
}

/// A response on success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) description: &'static str,
    pub(super) content: Content,
    /// Its headers, apart from those of every response.
    pub(super) headers: &'static [AnswerHeader],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Document,
    Documents,
    Validation,
    Xml,
    Html,
    Pdf,
    Bytes,
    Body,
    Attempts,
    Import,
    Imports,
    Outcomes,
    Archive,
    Archives,
    Report,
    DocumentReports,
    Reports,
    BusinessCard,
    Listing,
    Registrations,
    Me,
    Taxpayer,
    Taxpayers,
    Grants,
    Grant,
    AuditEvents,
    Endpoint,
    Endpoints,
    Event,
    Events,
    Delivery,
    Deliveries,
    Retried,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerHeader {
    Location,
    PayloadLocation,
    IdempotentReplayed,
    PreferenceApplied,
    ETag,
    ReprDigest,
    ContentDisposition,
}

/// The headers of a document's file.
const FILE_HEADERS: &[AnswerHeader] =
    &[AnswerHeader::ETag, AnswerHeader::ReprDigest, AnswerHeader::ContentDisposition];

const SENT_HEADERS: &[AnswerHeader] = &[AnswerHeader::Location, AnswerHeader::IdempotentReplayed];

const QUEUED_HEADERS: &[AnswerHeader] =
    &[AnswerHeader::Location, AnswerHeader::IdempotentReplayed, AnswerHeader::PreferenceApplied];

const SEND: Route = Route {
    id: "",
    method: Method::Post,
    path: "",
    tag: Tag::Sending,
    summary: "",
    description: "",
    any_of: &[Scope::InvoicesWrite],
    query: &[],
    headers: &[RequestHeader::IdempotencyKey, RequestHeader::Prefer],
    answers: &[
        Answer {
            status: 201,
            description: "Sent",
            content: Content::Document,
            headers: SENT_HEADERS,
        },
        Answer {
            status: 202,
            description: "Accepted for queued delivery (Prefer: respond-async): the status is \
                accepted, and document.sent follows",
            content: Content::Document,
            headers: QUEUED_HEADERS,
        },
    ],
    errors: &[
        MalformedJson,
        InvalidRequest,
        IdempotencyKeyRequired,
        QueuedDeliveryDisabled,
        Unauthorized,
        InvalidToken,
        SubscriptionRequired,
        GrantRequired,
        InsufficientScope,
        TaxpayerInactive,
        IdempotencyKeyReused,
        IdempotencyInProgress,
        NotCorrectable,
        AlreadyCorrected,
        CorrectionRecoveryPending,
        PayloadTooLarge,
        UnsupportedMediaType,
        ValidationFailed,
        RecipientNotRegistered,
        RecipientNotCapable,
        RecipientRegistrationDefective,
        TransmissionRefused,
        RateLimited,
        QuotaExceeded,
        InternalError,
        BillingStatusUnavailable,
        IdempotencyUnavailable,
        RecipientLookupFailed,
        RecipientUnreachable,
        TransmissionUnconfirmed,
        ServiceUnavailable,
    ],
    work: Work::Taxpayer(TaxpayerWork::Send(Operation::Invoice)),
};

/// The errors of an operation that checks a body.
const CHECK_ERRORS: &[Code] = &[
    MalformedJson,
    InvalidRequest,
    Unauthorized,
    InvalidToken,
    GrantRequired,
    InsufficientScope,
    TaxpayerInactive,
    PayloadTooLarge,
    UnsupportedMediaType,
    ValidationFailed,
    RateLimited,
    InternalError,
    ServiceUnavailable,
];

const VALIDATE: Route = Route {
    headers: &[],
    answers: &[Answer {
        status: 200,
        description: "What was found: `valid` says whether the document could be sent",
        content: Content::Validation,
        headers: &[],
    }],
    errors: &[
        MalformedJson,
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        GrantRequired,
        InsufficientScope,
        TaxpayerInactive,
        PayloadTooLarge,
        UnsupportedMediaType,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    work: Work::Taxpayer(TaxpayerWork::Validate(Operation::Invoice)),
    ..SEND
};

/// The errors of a list, which always exists but may be empty.
const LIST_ERRORS: &[Code] = &[
    InvalidRequest,
    Unauthorized,
    InvalidToken,
    GrantRequired,
    InsufficientScope,
    TaxpayerInactive,
    RateLimited,
    InternalError,
    ServiceUnavailable,
];

const READ: Route = Route {
    id: "",
    method: Method::Get,
    path: "",
    tag: Tag::Documents,
    summary: "",
    description: "",
    any_of: &[Scope::InvoicesRead, Scope::InboundRead],
    query: &[],
    headers: &[],
    answers: &[],
    errors: &[
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        GrantRequired,
        InsufficientScope,
        TaxpayerInactive,
        NotFound,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    work: Work::Taxpayer(TaxpayerWork::GetDocument),
};

/// A sender may read the status of its documents, because its events contain it.
const RECORD_SCOPES: &[Scope] = &[Scope::InvoicesRead, Scope::InboundRead, Scope::InvoicesWrite];

/// The defaults of imports. Only the importing organization sees them.
const IMPORT: Route = Route { tag: Tag::Imports, any_of: &[Scope::InvoicesWrite], ..READ };

/// The defaults of archives. Callers that may read all documents of the taxpayer see them.
const ARCHIVE: Route = Route { tag: Tag::Archives, any_of: &[Scope::InvoicesRead], ..READ };

/// The defaults of tax reports. Callers that may read a document see its reports.
const REPORT: Route = Route { tag: Tag::Reports, ..READ };

/// The defaults of the taxpayer itself. The specification (5.1) names Business Card and Directory listing without their
/// scopes. Here any of these scopes may read them, and the scope that writes documents may change them.
const TAXPAYER: Route = Route {
    tag: Tag::Taxpayer,
    any_of: &[Scope::TaxpayerRead, Scope::InvoicesRead, Scope::InvoicesWrite],
    errors: LIST_ERRORS,
    ..READ
};

/// The defaults of an organization's own affairs.
const OWN: Route = Route {
    tag: Tag::Connections,
    any_of: &[],
    errors: &[
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        ApiKeyRequired,
        GrantRequired,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    ..READ
};

const BUSINESS_CARD: Answer = Answer {
    status: 200,
    description: "The business card",
    content: Content::BusinessCard,
    headers: &[],
};

const CURRENT_TAXPAYER: Answer =
    Answer { status: 200, description: "The taxpayer", content: Content::Taxpayer, headers: &[] };

const LISTING: Answer = Answer {
    status: 200,
    description: "How far the listing is",
    content: Content::Listing,
    headers: &[],
};

pub(super) static ROUTES: [Route; 58] = [
    Route {
        id: "send_invoice",
        path: "/invoices",
        summary: "Send an invoice",
        description: "Converts the body to PINT-AE UBL, checks it, and sends it to the customer. \
            The supplier is the taxpayer's registered profile when left out.",
        work: Work::Taxpayer(TaxpayerWork::Send(Operation::Invoice)),
        ..SEND
    },
    Route {
        id: "send_credit_note",
        path: "/credit-notes",
        summary: "Send a credit note",
        description: "Credits an invoice: one of this access point (`previous_document_id`) or, \
            with `original_reference_kind: external`, one of another system. The interface \
            specification shows no body for it; this one mirrors the self-billed credit note with \
            `customer` in place of `supplier`, and has `delivery`, `delivery_address` and \
            `payment_means` as well, which exports need.",
        work: Work::Taxpayer(TaxpayerWork::Send(Operation::CreditNote)),
        ..SEND
    },
    Route {
        id: "send_self_billed_invoice",
        path: "/self-billing/invoices",
        summary: "Send a self-billed invoice",
        description: "The taxpayer is the buyer and issues the invoice for the supplier; the \
            customer is always the taxpayer's registered profile.",
        work: Work::Taxpayer(TaxpayerWork::Send(Operation::SelfBilledInvoice)),
        ..SEND
    },
    Route {
        id: "send_self_billed_credit_note",
        path: "/self-billing/credit-notes",
        summary: "Send a self-billed credit note",
        description: "The taxpayer is the buyer and credits a self-billed invoice: one of this \
            access point (`previous_document_id`) or an external one.",
        work: Work::Taxpayer(TaxpayerWork::Send(Operation::SelfBilledCreditNote)),
        ..SEND
    },
    Route {
        id: "validate_invoice",
        path: "/invoices/validate",
        summary: "Validate an invoice",
        description: "Takes the body of `POST /invoices`, runs the same conversion and checks, \
            and delivers nothing: nothing is recorded or transmitted. The answer is 200 whatever \
            they find: `valid` says whether the document could be sent, `errors` is what is wrong, \
            finding by finding as in `detail.errors` of a send that is refused, and warnings \
            stand apart in `warnings`. Only what cannot be read, or may not be asked, \
            is an error. Takes neither Idempotency-Key nor Prefer.",
        work: Work::Taxpayer(TaxpayerWork::Validate(Operation::Invoice)),
        ..VALIDATE
    },
    Route {
        id: "validate_credit_note",
        path: "/credit-notes/validate",
        summary: "Validate a credit note",
        description: "The same for the body of `POST /credit-notes`.",
        work: Work::Taxpayer(TaxpayerWork::Validate(Operation::CreditNote)),
        ..VALIDATE
    },
    Route {
        id: "validate_self_billed_invoice",
        path: "/self-billing/invoices/validate",
        summary: "Validate a self-billed invoice",
        description: "The same for the body of `POST /self-billing/invoices`.",
        work: Work::Taxpayer(TaxpayerWork::Validate(Operation::SelfBilledInvoice)),
        ..VALIDATE
    },
    Route {
        id: "validate_self_billed_credit_note",
        path: "/self-billing/credit-notes/validate",
        summary: "Validate a self-billed credit note",
        description: "The same for the body of `POST /self-billing/credit-notes`.",
        work: Work::Taxpayer(TaxpayerWork::Validate(Operation::SelfBilledCreditNote)),
        ..VALIDATE
    },
    Route {
        id: "list_documents",
        path: "/invoices",
        summary: "List documents",
        description: "The documents of the taxpayer, those that other organizations issued among \
            them. With the scope inbound:read alone, only received ones are listed. Newest first: \
            by creation; where `issued_from` or `issued_to` is given by issue date, unless \
            `number`, `source_id` or one of the statuses accepted, converted, dispatching and \
            failed is given too. A page may be shorter than `limit`, and large documents make it \
            so; go on until `next_cursor` is null.",
        query: query::LIST_DOCUMENTS,
        answers: &[Answer {
            status: 200,
            description: "A page",
            content: Content::Documents,
            headers: &[],
        }],
        errors: LIST_ERRORS,
        work: Work::Taxpayer(TaxpayerWork::ListDocuments),
        ..READ
    },
    Route {
        id: "get_document",
        path: "/invoices/{document_id}",
        summary: "Get a document",
        description: "The record of one document. A document of another taxpayer or of the other \
            mode is not found. With the scope invoices:write alone, you read what your own organization sent.",
        any_of: RECORD_SCOPES,
        answers: &[Answer {
            status: 200,
            description: "The document",
            content: Content::Document,
            headers: &[],
        }],
        work: Work::Taxpayer(TaxpayerWork::GetDocument),
        ..READ
    },
    Route {
        id: "get_document_ubl",
        path: "/invoices/{document_id}/ubl",
        summary: "Get the UBL of a document",
        description: "The UBL XML byte for byte as it was sent or received. ETag and Repr-Digest \
            carry its SHA-256. A UBL document of more than 3,000,000 bytes (`ubl.bytes` of the \
            record) does not fit an answer: it is at the address in Location, which works for five \
            minutes and for whoever has it. Fetch it with GET, without the headers of this API; \
            its SHA-256 is `ubl.sha256` of the record.",
        answers: &[
            Answer {
                status: 200,
                description: "UBL 2.1",
                content: Content::Xml,
                headers: FILE_HEADERS,
            },
            Answer {
                status: 307,
                description: "UBL 2.1 of more than 3,000,000 bytes, elsewhere",
                content: Content::Nothing,
                headers: &[AnswerHeader::PayloadLocation],
            },
        ],
        work: Work::Taxpayer(TaxpayerWork::GetDocumentUbl),
        ..READ
    },
    Route {
        id: "get_document_sbdh",
        path: "/invoices/{document_id}/sbdh",
        summary: "Get the envelope of a document",
        description: "The Standard Business Document as it went through the network: the header \
            (SBDH) with the document in it, byte for byte. A document that went through no network \
            has none and is 404: every one of the Sandbox, one for a predefined endpoint, and one \
            that no message was made of yet. Large ones are elsewhere, as with …/ubl.",
        answers: &[
            Answer {
                status: 200,
                description: "Standard Business Document",
                content: Content::Xml,
                headers: FILE_HEADERS,
            },
            Answer {
                status: 307,
                description: "A Standard Business Document of more than 3,000,000 bytes, elsewhere",
                content: Content::Nothing,
                headers: &[AnswerHeader::PayloadLocation],
            },
        ],
        work: Work::Taxpayer(TaxpayerWork::GetDocumentSbdh),
        ..READ
    },
    Route {
        id: "get_document_receipt",
        path: "/invoices/{document_id}/receipt",
        summary: "Get the receipt of a document",
        description: "The AS4 receipt that the recipient's access point signed for a document that \
            was sent, as it came and as it was verified: the non-repudiation information with the \
            digests of the message. Mostly a SOAP 1.2 envelope; some access points send one in a \
            multipart message. 404 where there is none, with the reason: a document of the \
            Sandbox, one that was received, one that is still on its way (retry later), one that \
            was not delivered, or whose recipient's access point gave none. Large ones are \
            elsewhere, as with …/ubl.",
        answers: &[
            Answer {
                status: 200,
                description: "The receipt",
                content: Content::Bytes,
                headers: FILE_HEADERS,
            },
            Answer {
                status: 307,
                description: "A receipt of more than 3,000,000 bytes, elsewhere",
                content: Content::Nothing,
                headers: &[AnswerHeader::PayloadLocation],
            },
        ],
        work: Work::Taxpayer(TaxpayerWork::GetDocumentReceipt),
        ..READ
    },
    Route {
        id: "get_document_content",
        path: "/invoices/{document_id}/content",
        summary: "Get the content of a document",
        description: "What the UBL says, in the vocabulary of the send bodies: `content` is a body \
            of the operation that `type` names. That of a document that was made here, sent again, \
            gives the same UBL. What a received document holds beyond the vocabulary is listed in \
            `unmapped`. 404 where there is no UBL, and where it is none that can be read: no \
            well-formed XML, no invoice or credit note of PINT-AE, or larger than 50 MB. An \
            answer of more than 3,000,000 bytes is elsewhere, as with …/ubl.",
        answers: &[
            Answer {
                status: 200,
                description: "The content",
                content: Content::Body,
                headers: &[],
            },
            Answer {
                status: 307,
                description: "A content of more than 3,000,000 bytes, elsewhere",
                content: Content::Nothing,
                headers: &[AnswerHeader::PayloadLocation],
            },
        ],
        work: Work::Taxpayer(TaxpayerWork::GetDocumentContent),
        ..READ
    },
    Route {
        id: "get_document_html",
        path: "/invoices/{document_id}/html",
        summary: "Get a document as people read it",
        description: "Every value of the UBL with the name of its business term, and what was found in \
            the document, as one page of HTML: it needs nothing from elsewhere, has no script, and is \
            made to be printed, too. What is no business term of PINT-AE is listed at its end. The page \
            has no legal effect: the UBL is the invoice. 404 where there is no UBL, and where it is no \
            well-formed XML, no Invoice or CreditNote of UBL 2.1, or larger than 10 MiB. A page of more \
            than 3,000,000 bytes is elsewhere, as with …/ubl.",
        query: query::VIEW,
        answers: &[
            Answer {
                status: 200,
                description: "The page",
                content: Content::Html,
                headers: &[AnswerHeader::ContentDisposition],
            },
            Answer {
                status: 307,
                description: "A page of more than 3,000,000 bytes, elsewhere",
                content: Content::Nothing,
                headers: &[AnswerHeader::PayloadLocation],
            },
        ],
        work: Work::Taxpayer(TaxpayerWork::GetDocumentHtml),
        ..READ
    },
    Route {
        id: "get_document_pdf",
        path: "/invoices/{document_id}/pdf",
        summary: "Get a document as PDF",
        description: "What …/html shows, as PDF/A-3 (ISO 19005-3, level A) to be kept or printed, with the \
            UBL within as the attachment document.xml. A document's PDF is the same whenever it is asked \
            for. Characters other than of European scripts and Arabic are shown as U+FFFD; the attachment \
            has them. The pages have no legal effect: the UBL is the invoice. 404 as of …/html, and of more than \
            1,000 lines or 10,000,000 bytes of text, with the names of all values in both languages, which …/html shows. A PDF of more than 3,000,000 bytes is elsewhere, as with …/ubl.",
        query: query::VIEW,
        answers: &[
            Answer {
                status: 200,
                description: "The PDF",
                content: Content::Pdf,
                headers: FILE_HEADERS,
            },
            Answer {
                status: 307,
                description: "A PDF of more than 3,000,000 bytes, elsewhere",
                content: Content::Nothing,
                headers: &[AnswerHeader::PayloadLocation],
            },
        ],
        work: Work::Printing,
        ..READ
    },
    Route {
        id: "list_attempts",
        path: "/invoices/{document_id}/attempts",
        summary: "List the attempts at a document's transmission",
        description: "Every attempt to find the recipient's access point and to send it the \
            document, the first one first, with what came of it and why. What may succeed later is \
            tried again 1, 5, 15 and 30 minutes after the attempt before, then after an hour each, \
            for 24 hours; a wait may be a tenth longer. An access point that is left alone is not \
            asked before `held_until`. Of more than sixty the first and the latest. Empty for a document that did not go to the network: a Sandbox, \
            inbound or waiting one, or one for a predefined endpoint. With the scope invoices:write alone, you read \
            those of what your own organization sent.",
        any_of: RECORD_SCOPES,
        answers: &[Answer {
            status: 200,
            description: "The attempts",
            content: Content::Attempts,
            headers: &[],
        }],
        work: Work::Taxpayer(TaxpayerWork::ListAttempts),
        ..READ
    },
    Route {
        id: "list_document_reports",
        path: "/invoices/{document_id}/reports",
        summary: "List the reports about a document",
        description: "Every report about the document to the tax authority, the first one first, with the \
            attempts to deliver it. A document that is sent is reported as it leaves, a received one when \
            its positive Message Level Status is due, a received one that breaks the rules at once. Empty \
            for a Sandbox document, which is never reported, and until the way of a queued one is decided.",
        answers: &[Answer {
            status: 200,
            description: "The reports",
            content: Content::DocumentReports,
            headers: &[],
        }],
        work: Work::Taxpayer(TaxpayerWork::ListDocumentReports),
        ..REPORT
    },
    Route {
        id: "file_report",
        method: Method::Post,
        path: "/invoices/{document_id}/reports",
        summary: "File the report about a document again",
        description: "Has the document reported to the tax authority again, about the same transaction, after \
            its latest report was NOT_COMPLIANT or FAILED; or when its verdict is overdue and no receipt \
            proves that it arrived. The new report is of kind R. It is of kind S where no earlier report \
            can have reached the authority, which then has nothing to revise. After a report of kind F or W it is of \
            that kind. 409 report_not_repairable otherwise: while a report is on its way or its verdict is \
            awaited, once one is REPORTED, for a document that was rejected at stage C3 (send a correction), \
            and after 20 reports. Nothing of the document itself changes: what is wrong in its content is \
            mended by a credit note and another invoice. For documents that the caller may read, or that its \
            organization sent. An Idempotency-Key works as for sends.",
        any_of: &[Scope::InvoicesWrite],
        headers: &[RequestHeader::IdempotencyKey],
        answers: &[Answer {
            status: 202,
            description: "The report, which is on its way: document.reported follows",
            content: Content::Report,
            headers: &[AnswerHeader::IdempotentReplayed],
        }],
        errors: &[
            MalformedJson,
            InvalidRequest,
            Unauthorized,
            InvalidToken,
            GrantRequired,
            InsufficientScope,
            TaxpayerInactive,
            NotFound,
            IdempotencyKeyReused,
            IdempotencyInProgress,
            ReportNotRepairable,
            PayloadTooLarge,
            UnsupportedMediaType,
            ValidationFailed,
            RateLimited,
            InternalError,
            IdempotencyUnavailable,
            ServiceUnavailable,
        ],
        work: Work::Taxpayer(TaxpayerWork::FileReport),
        ..REPORT
    },
    Route {
        id: "create_import",
        method: Method::Post,
        path: "/imports",
        summary: "Import documents",
        description: "Takes a file of up to 10,000 documents of one kind, checks its form, and sends each document as \
            `Prefer: respond-async` does, under a key that follows from its kind and number: the same file twice sends \
            nothing twice, but for a document that was accepted and failed: another is sent in its place. The body is the file, of up to 4 MiB; compressed by gzip (`Content-Type: application/gzip`) \
            it may hold up to 64 MiB. What begins with `{` is JSON Lines, the body of a send on each line; anything else \
            is CSV of up to 1,000 columns, which are the names of fields joined by points. A file with a wrong form is refused as a whole \
            (`422`), and nothing of it is sent. A wrong document, such as a row with a comma too many, stands in the result \
            by its row, and the others go on. Rows of CSV with one number follow each other: a number that stands in \
            several places of a table refuses all its documents (`AP-IMPORT-apart`). Documents of one number in JSON Lines are \
            sent in the order of their lines: the first is sent, another one is `already_sent` or refused. \
            An `Idempotency-Key` is optional: the same key with the same `type` and content replays the first answer, with \
            another one it is `409`; `name` does not matter. Without a key, or under a new one, the same file is known by its \
            SHA-256: while an import of it runs, the answer is that import as it stands, with `Idempotent-Replayed: true`. Once it is \
            completed the file makes another import, which names it in `same_file_import_id`.",
        query: query::CREATE_IMPORT,
        headers: &[RequestHeader::IdempotencyKey],
        answers: &[Answer {
            status: 202,
            description: "Its documents are being sent",
            content: Content::Import,
            headers: &[AnswerHeader::Location, AnswerHeader::IdempotentReplayed],
        }],
        errors: &[
            InvalidRequest,
            IdempotencyKeyReused,
            IdempotencyInProgress,
            IdempotencyUnavailable,
            QueuedDeliveryDisabled,
            Unauthorized,
            InvalidToken,
            SubscriptionRequired,
            GrantRequired,
            InsufficientScope,
            TaxpayerInactive,
            PayloadTooLarge,
            UnsupportedMediaType,
            ValidationFailed,
            RateLimited,
            InternalError,
            BillingStatusUnavailable,
            ServiceUnavailable,
        ],
        work: Work::Taxpayer(TaxpayerWork::CreateImport),
        ..IMPORT
    },
    Route {
        id: "list_imports",
        path: "/imports",
        summary: "List imports",
        description: "The organization's imports for the taxpayer, newest first. They are kept for 90 days after they \
            were completed.",
        query: query::LIST_IMPORTS,
        answers: &[Answer {
            status: 200,
            description: "A page",
            content: Content::Imports,
            headers: &[],
        }],
        errors: LIST_ERRORS,
        work: Work::Taxpayer(TaxpayerWork::ListImports),
        ..IMPORT
    },
    Route {
        id: "get_import",
        path: "/imports/{import_id}",
        summary: "Get an import",
        description: "How far an import is. The service gave up one that is `failed`, by a fault of its own: import the file again. What was sent is not sent again. One of another organization is not found.",
        answers: &[Answer {
            status: 200,
            description: "The import",
            content: Content::Import,
            headers: &[],
        }],
        work: Work::Taxpayer(TaxpayerWork::GetImport),
        ..IMPORT
    },
    Route {
        id: "get_import_result",
        path: "/imports/{import_id}/result",
        summary: "Get the result of an import",
        description: "What became of each document, in the order of the file and in its format: JSON Lines with an object \
            of row, last_row, number, outcome (accepted, already_sent, refused), document_id, code, message and findings; \
            or CSV with a row for each finding. A finding has the row and, of CSV, the column to mend. Not found \
            until the import is completed. Beyond 3,000,000 bytes `307`, with an address that works for five minutes.",
        answers: &[
            Answer {
                status: 200,
                description: "The result",
                content: Content::Outcomes,
                headers: &[AnswerHeader::ETag, AnswerHeader::ReprDigest],
            },
            Answer {
                status: 307,
                description: "Where the result is",
                content: Content::Nothing,
                headers: &[AnswerHeader::PayloadLocation],
            },
        ],
        work: Work::Taxpayer(TaxpayerWork::GetImportResult),
        ..IMPORT
    },
    Route {
        id: "create_archive",
        method: Method::Post,
        path: "/archives",
        summary: "Archive the documents of a period",
        description: "Gathers every document that was issued in a period in one file, in the background: sent and \
            received ones, up to 100,000 and about 10 GB. No document is in it that came after it was asked for. While one of the same \
            period is gathered, that one is the answer. There is nothing in the body.",
        query: query::CREATE_ARCHIVE,
        answers: &[Answer {
            status: 202,
            description: "Its documents are being gathered",
            content: Content::Archive,
            headers: &[AnswerHeader::Location],
        }],
        errors: LIST_ERRORS,
        work: Work::Taxpayer(TaxpayerWork::CreateArchive),
        ..ARCHIVE
    },
    Route {
        id: "list_archives",
        path: "/archives",
        summary: "List archives",
        description: "The archives of the taxpayer, newest first, whoever asked for them. They are kept for 7 days after \
            they were completed.",
        query: query::LIST_ARCHIVES,
        answers: &[Answer {
            status: 200,
            description: "A page",
            content: Content::Archives,
            headers: &[],
        }],
        errors: LIST_ERRORS,
        work: Work::Taxpayer(TaxpayerWork::ListArchives),
        ..ARCHIVE
    },
    Route {
        id: "get_archive",
        path: "/archives/{archive_id}",
        summary: "Get an archive",
        description: "How far an archive is. The service gave up one that is `failed`, by a fault of its own: ask for another. One of another taxpayer is not found.",
        answers: &[Answer {
            status: 200,
            description: "The archive",
            content: Content::Archive,
            headers: &[],
        }],
        work: Work::Taxpayer(TaxpayerWork::GetArchive),
        ..ARCHIVE
    },
    Route {
        id: "get_archive_file",
        path: "/archives/{archive_id}/file",
        summary: "Get the file of an archive",
        description: "Where the file is, at an address that works for five minutes; not found until the archive is \
            completed. The file is a ZIP that is a bag (RFC 8493, BagIt): `manifest-sha256.txt` has the SHA-256 of each \
            file. Each document has a folder. `document.json` is the record with its attempts and reports, as this interface \
            shows them. Beside it stand the document, its envelope, its receipt and its Message Level Statuses with their \
            receipts; for a received document also the message that brought it. Each report has its Tax Data Document, \
            envelope, receipt and verdict. Missing parts have no file.",
        answers: &[Answer {
            status: 307,
            description: "Where the file is",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        }],
        work: Work::Taxpayer(TaxpayerWork::GetArchiveFile),
        ..ARCHIVE
    },
    Route {
        id: "list_reports",
        path: "/reports",
        summary: "List reports",
        description: "The reports to the tax authority about documents of the taxpayer, newest first. With \
            the scope inbound:read alone, only those about received documents. A page may be shorter than \
            `limit`; go on until `next_cursor` is null. Always empty in Sandbox.",
        query: query::LIST_REPORTS,
        answers: &[Answer {
            status: 200,
            description: "A page",
            content: Content::Reports,
            headers: &[],
        }],
        errors: LIST_ERRORS,
        work: Work::Taxpayer(TaxpayerWork::ListReports),
        ..REPORT
    },
    Route {
        id: "get_report",
        path: "/reports/{report_id}",
        summary: "Get a report",
        description: "One report to the tax authority. One of another taxpayer is not found, and there is \
            none in Sandbox.",
        answers: &[Answer {
            status: 200,
            description: "The report",
            content: Content::Report,
            headers: &[],
        }],
        work: Work::Taxpayer(TaxpayerWork::GetReport),
        ..REPORT
    },
    Route {
        id: "get_report_xml",
        path: "/reports/{report_id}/xml",
        summary: "Get the Tax Data Document of a report",
        description: "The Tax Data Document byte for byte as it was filed; 404 until the first attempt made \
            it. ETag and Repr-Digest carry its SHA-256. One of more than 3,000,000 bytes is elsewhere, as \
            with …/ubl.",
        answers: &[
            Answer {
                status: 200,
                description: "The Tax Data Document",
                content: Content::Xml,
                headers: &[AnswerHeader::ETag, AnswerHeader::ReprDigest],
            },
            Answer {
                status: 307,
                description: "A Tax Data Document of more than 3,000,000 bytes, elsewhere",
                content: Content::Nothing,
                headers: &[AnswerHeader::PayloadLocation],
            },
        ],
        work: Work::Taxpayer(TaxpayerWork::GetReportXml),
        ..REPORT
    },
    Route {
        id: "get_current_taxpayer",
        path: "/taxpayer",
        summary: "Get the taxpayer",
        description: "The taxpayer that the request acts for: its registered profile, its settings, the organization's \
            grants on it and what the organization keeps with it.",
        any_of: &[Scope::TaxpayerRead],
        answers: &[CURRENT_TAXPAYER],
        work: Work::Taxpayer(TaxpayerWork::GetTaxpayer),
        ..TAXPAYER
    },
    Route {
        id: "update_current_taxpayer",
        method: Method::Patch,
        path: "/taxpayer",
        summary: "Change metadata and settings of the taxpayer",
        description: "A JSON Merge Patch (RFC 7396): what is left out stays, null removes a key of the metadata or sets \
            a setting back, and null for metadata or settings does so for all of them. Where notices to the taxpayer go \
            (notification_email) is refused, whatever its value: the taxpayer alone sets it. Metadata are the organization's \
            own: another organization neither sees nor changes them. Settings are the taxpayer's: one for all. \
            taxpayer.updated tells the organization of its metadata, and every organization with an active grant of \
            settings; where nothing becomes otherwise nobody is told. mls_to is written into the envelopes of Live \
            documents (scope MLS_TO). A receiver follows it only where its six digits are those of this access point \
            (Peppol Message Level Status): another provider's is ignored, and the status comes here. Where it is \
            followed to another address than this access point's own, the status does not come here: the document \
            stays sent, and no document.status follows.",
        any_of: &[Scope::InvoicesWrite],
        answers: &[CURRENT_TAXPAYER],
        errors: CHECK_ERRORS,
        work: Work::Connecting(ConnectingWork::PatchTaxpayer),
        ..TAXPAYER
    },
    Route {
        id: "get_business_card",
        path: "/taxpayer/business-card",
        summary: "Get the business card",
        description: "What the taxpayer shows of itself, once it is listed in the Peppol Directory.",
        answers: &[BUSINESS_CARD],
        errors: READ.errors,
        work: Work::Taxpayer(TaxpayerWork::GetBusinessCard),
        ..TAXPAYER
    },
    Route {
        id: "put_business_card",
        method: Method::Put,
        path: "/taxpayer/business-card",
        summary: "Write the business card",
        description: "Replaces what the taxpayer shows of itself. Where the Directory lists it, it \
            fetches the card anew. In Sandbox nobody is told.",
        any_of: &[Scope::InvoicesWrite],
        answers: &[BUSINESS_CARD],
        errors: CHECK_ERRORS,
        work: Work::Taxpayer(TaxpayerWork::PutBusinessCard),
        ..TAXPAYER
    },
    Route {
        id: "get_directory_listing",
        path: "/taxpayer/directory-listing",
        summary: "Get the Directory listing",
        description: "Whether the Peppol Directory shows the taxpayer's business card.",
        answers: &[LISTING],
        work: Work::Taxpayer(TaxpayerWork::GetListing),
        ..TAXPAYER
    },
    Route {
        id: "put_directory_listing",
        method: Method::Put,
        path: "/taxpayer/directory-listing",
        summary: "List in the Directory",
        description: "Has the Peppol Directory show the taxpayer's business card, which must be \
            there (404 otherwise). Takes no body. The Directory is told in the background; in \
            Sandbox nobody is told, and the state is registered at once.",
        any_of: &[Scope::InvoicesWrite],
        answers: &[LISTING],
        errors: READ.errors,
        work: Work::Taxpayer(TaxpayerWork::PutListing),
        ..TAXPAYER
    },
    Route {
        id: "delete_directory_listing",
        method: Method::Delete,
        path: "/taxpayer/directory-listing",
        summary: "Take out of the Directory",
        description: "Has the Peppol Directory show the taxpayer's business card no more. What was \
            never listed stays so.",
        any_of: &[Scope::InvoicesWrite],
        answers: &[LISTING],
        work: Work::Taxpayer(TaxpayerWork::DeleteListing),
        ..TAXPAYER
    },
    Route {
        id: "list_registrations",
        path: "/taxpayer/registrations",
        summary: "List the registrations",
        description: "How far the taxpayer is in the registers of the network, and why not further. \
            A registration begins when onboarding ends. In Sandbox nobody is told.",
        answers: &[Answer {
            status: 200,
            description: "The registrations",
            content: Content::Registrations,
            headers: &[],
        }],
        work: Work::Taxpayer(TaxpayerWork::ListRegistrations),
        ..TAXPAYER
    },
    Route {
        id: "get_me",
        path: "/me",
        summary: "Get who calls",
        description: "The organization behind the credential, and in which environment it works. For an access token also \
            the taxpayer that it acts for, the grant and the scopes.",
        answers: &[Answer {
            status: 200,
            description: "Who calls",
            content: Content::Me,
            headers: &[],
        }],
        errors: &[
            InvalidRequest,
            Unauthorized,
            InvalidToken,
            GrantRequired,
            TaxpayerInactive,
            RateLimited,
            InternalError,
            ServiceUnavailable,
        ],
        work: Work::Anybody(AnybodyWork::Me),
        ..OWN
    },
    Route {
        id: "list_taxpayers",
        path: "/taxpayers",
        summary: "List connected taxpayers",
        description: "The taxpayers on whom the organization holds an active grant, whatever its scopes and \
            however far their onboarding is; the youngest first. Needs Authorization only. Details are \
            shown where a grant has the scope taxpayer:read. A page may be shorter than `limit`; go on \
            until `next_cursor` is null.",
        query: query::LIST_TAXPAYERS,
        answers: &[Answer {
            status: 200,
            description: "A page",
            content: Content::Taxpayers,
            headers: &[],
        }],
        work: Work::Organization(OrganizationWork::ListTaxpayers),
        ..OWN
    },
    Route {
        id: "get_taxpayer",
        path: "/taxpayers/{taxpayer_id}",
        summary: "Get a connected taxpayer",
        description: "One of them, with its registered profile where a grant has the scope taxpayer:read. A \
            taxpayer that gave the organization no grant, took it back, or does not exist is 403 \
            grant_required.",
        answers: &[Answer {
            status: 200,
            description: "The taxpayer",
            content: Content::Taxpayer,
            headers: &[],
        }],
        errors: &[
            InvalidRequest,
            Unauthorized,
            InvalidToken,
            ApiKeyRequired,
            GrantRequired,
            RateLimited,
            InternalError,
            ServiceUnavailable,
        ],
        work: Work::Organization(OrganizationWork::GetTaxpayer),
        ..OWN
    },
    Route {
        id: "list_grants",
        path: "/grants",
        summary: "List grants",
        description: "Every grant that the organization was ever given, active and revoked, the youngest \
            first: with it you find what changed while you did not listen. Needs Authorization only. A page \
            may be shorter than `limit`; go on until `next_cursor` is null.",
        query: query::LIST_GRANTS,
        answers: &[Answer {
            status: 200,
            description: "A page",
            content: Content::Grants,
            headers: &[],
        }],
        work: Work::Organization(OrganizationWork::ListGrants),
        ..OWN
    },
    Route {
        id: "revoke_grant",
        method: Method::Delete,
        path: "/grants/{grant_id}",
        summary: "Revoke a grant",
        description: "Disconnects the organization from the taxpayer as far as this grant goes: the next request \
            through it is 403, and so is every token of it. taxpayer.updated follows if the organization holds another \
            active grant on the taxpayer, taxpayer.deleted if it was the last. A grant that is revoked already stays \
            as it is and is answered again. Needs Authorization only; the taxpayer alone can grant access again.",
        answers: &[Answer {
            status: 200,
            description: "The grant, which is revoked",
            content: Content::Grant,
            headers: &[],
        }],
        errors: &[
            InvalidRequest,
            Unauthorized,
            InvalidToken,
            ApiKeyRequired,
            GrantRequired,
            NotFound,
            RateLimited,
            InternalError,
            ServiceUnavailable,
        ],
        work: Work::Connecting(ConnectingWork::RevokeGrant),
        ..OWN
    },
    Route {
        id: "list_audit_events",
        path: "/audit-events",
        summary: "List the audit trail",
        description: "Who did what, when and from where: to the organization's API keys and OAuth clients, to its \
            grants, and to the metadata and settings of taxpayers by the organization; the youngest first. Entries are \
            never changed or removed. Where a taxpayer or an operator did something the entry does not say from where. \
            Needs Authorization only. A page may be shorter than `limit`; go on until `next_cursor` is null.",
        query: query::LIST_AUDIT_EVENTS,
        answers: &[Answer {
            status: 200,
            description: "A page",
            content: Content::AuditEvents,
            headers: &[],
        }],
        work: Work::Organization(OrganizationWork::ListAuditEvents),
        ..OWN
    },
    webhooks::CREATE_ENDPOINT,
    webhooks::LIST_ENDPOINTS,
    webhooks::GET_ENDPOINT,
    webhooks::UPDATE_ENDPOINT,
    webhooks::DELETE_ENDPOINT,
    webhooks::ROTATE_SECRET,
    webhooks::LIST_EVENTS,
    webhooks::GET_EVENT,
    webhooks::LIST_EVENT_DELIVERIES,
    webhooks::LIST_DELIVERIES,
    webhooks::GET_DELIVERY,
    webhooks::RETRY_DELIVERY,
    webhooks::RETRY_FAILED,
    webhooks::SEND_TEST,
];

impl Route {
    /// The names of the path variables, in order.
    pub(super) fn variables(&self) -> impl Iterator<Item = &'static str> {
        let segments = self.path.split('/');
        segments.filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::api::{BASES, oauth::METADATA_PATHS};

    const TEMPLATE: &str = include_str!("../../../template.yaml");

    /// The method and path of each event of a function in the template.
    fn events(function: &str) -> Vec<(String, String)> {
        let resource = TEMPLATE.split_once(&format!("\n  {function}Function:\n")).unwrap().1;
        let resource = resource.split_once("Policy:\n").unwrap().0;
        let lines = resource.lines().filter(|line| line.contains("ApiId: !Ref HttpApi"));
        let value = |line: &str, name: &str| {
            let rest = line.split_once(&format!("{name}: ")).unwrap().1;
            rest.split([',', ' ']).next().unwrap().trim_matches('"').to_owned()
        };
        lines.map(|line| (value(line, "Method"), value(line, "Path"))).collect()
    }

    fn sorted(mut routes: Vec<(String, String)>) -> Vec<(String, String)> {
        routes.sort();
        routes
    }

    #[test]
    fn every_operation_is_routed_to_its_function_under_every_base() {
        let served = |route: &&Route| matches!(route.work, Work::Connecting(_));
        let expected = ROUTES.iter().filter(served).flat_map(|route| {
            let method = format!("{:?}", route.method).to_uppercase();
            BASES.map(|base| (method.clone(), format!("{base}{}", route.path)))
        });
        let endpoint = |path: &str| BASES.map(|base| ("POST".to_owned(), format!("{base}{path}")));
        let mut expected: Vec<_> = expected.collect();
        expected.extend([TOKEN_PATH, REVOCATION_PATH].map(endpoint).concat());
        let metadata = METADATA_PATHS.map(|(path, _)| ("GET".to_owned(), path.to_owned()));
        expected.extend(metadata);
        // Pages receive every method, and check it themselves.
        let (pages, mut found): (Vec<_>, Vec<_>) =
            events("OAuth").into_iter().partition(|(method, _)| method == "ANY");
        assert!(
            pages.iter().all(|(_, path)| !path.starts_with("/v1") && !path.starts_with("/api"))
        );
        expected.sort();
        found.sort();
        let printed = ROUTES.iter().filter(|route| route.work == Work::Printing);
        let printed = printed.flat_map(|route| {
            BASES.map(|base| ("GET".to_owned(), format!("{base}{}", route.path)))
        });
        let of_api = |(_, path): &(String, String)| BASES.iter().any(|base| path.starts_with(base));
        let found_of_pdf = events("Pdf").into_iter().filter(of_api).collect();
        assert_eq!(sorted(found_of_pdf), sorted(printed.collect()));
        let hooks = ROUTES.iter().filter(|route| matches!(route.work, Work::Notifying(_)));
        let roots: BTreeSet<&str> =
            hooks.filter_map(|route| route.path.split('/').nth(1)).collect();
        let expected_of_hooks: Vec<_> = roots
            .iter()
            .flat_map(|root| BASES.map(|base| format!("{base}/{root}")))
            .flat_map(|path| [path.clone(), format!("{path}/{{proxy+}}")])
            .map(|path| ("ANY".to_owned(), path))
            .collect();
        let mut hooked = events("Hooks");
        hooked.sort();
        assert_eq!(hooked, sorted(expected_of_hooks));
        // Of several matching routes, API Gateway takes the most specific one.
        assert_eq!(found, expected);
        let rest = [("ANY", "/v1/{proxy+}"), ("ANY", "/api/{proxy+}")];
        assert_eq!(events("Api"), rest.map(|(method, path)| (method.to_owned(), path.to_owned())));
    }
}
