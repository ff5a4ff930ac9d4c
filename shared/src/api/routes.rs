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
            description: "The document is sent",
            content: Content::Document,
            headers: SENT_HEADERS,
        },
        Answer {
            status: 202,
            description: "The document is queued (Prefer: respond-async). Its status is accepted, and document.sent \
                follows",
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
        description: "The result: `valid` says whether the document could be sent",
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

const LISTING: Answer =
    Answer { status: 200, description: "The listing", content: Content::Listing, headers: &[] };

pub(super) static ROUTES: [Route; 58] = [
    Route {
        id: "send_invoice",
        path: "/invoices",
        summary: "Send an invoice",
        description: "Converts the body to PINT-AE UBL, checks it, and sends it to the customer. The default \
            supplier is the taxpayer's registered profile.",
        work: Work::Taxpayer(TaxpayerWork::Send(Operation::Invoice)),
        ..SEND
    },
    Route {
        id: "send_credit_note",
        path: "/credit-notes",
        summary: "Send a credit note",
        description: "Credits an invoice of this access point (`previous_document_id`), or an invoice of another \
            system (`original_reference_kind: external`). The interface specification defines no body for this \
            operation. This body has the fields of the self-billed credit note, with `customer` instead of \
            `supplier`. It also has `delivery`, `delivery_address` and `payment_means`, which exports need.",
        work: Work::Taxpayer(TaxpayerWork::Send(Operation::CreditNote)),
        ..SEND
    },
    Route {
        id: "send_self_billed_invoice",
        path: "/self-billing/invoices",
        summary: "Send a self-billed invoice",
        description: "Sends an invoice that the taxpayer issues as the buyer, on behalf of the supplier. The \
            customer is always the taxpayer's registered profile.",
        work: Work::Taxpayer(TaxpayerWork::Send(Operation::SelfBilledInvoice)),
        ..SEND
    },
    Route {
        id: "send_self_billed_credit_note",
        path: "/self-billing/credit-notes",
        summary: "Send a self-billed credit note",
        description: "Credits a self-billed invoice, with the taxpayer as the buyer. The credited invoice is one of \
            this access point (`previous_document_id`) or an external one.",
        work: Work::Taxpayer(TaxpayerWork::Send(Operation::SelfBilledCreditNote)),
        ..SEND
    },
    Route {
        id: "validate_invoice",
        path: "/invoices/validate",
        summary: "Validate an invoice",
        description: "Runs the same conversion and checks as `POST /invoices`, without recording or sending \
            anything. The answer is 200 whether the document is valid or not. `valid` says whether the document \
            could be sent. `errors` contains the errors as in `detail.errors` of a refused send, and `warnings` \
            contains the warnings. Only a request that is unreadable or not permitted is answered with an error. The \
            operation does not use the headers Idempotency-Key and Prefer.",
        work: Work::Taxpayer(TaxpayerWork::Validate(Operation::Invoice)),
        ..VALIDATE
    },
    Route {
        id: "validate_credit_note",
        path: "/credit-notes/validate",
        summary: "Validate a credit note",
        description: "Validates the body of `POST /credit-notes`, like `POST /invoices/validate`.",
        work: Work::Taxpayer(TaxpayerWork::Validate(Operation::CreditNote)),
        ..VALIDATE
    },
    Route {
        id: "validate_self_billed_invoice",
        path: "/self-billing/invoices/validate",
        summary: "Validate a self-billed invoice",
        description: "Validates the body of `POST /self-billing/invoices`, like `POST /invoices/validate`.",
        work: Work::Taxpayer(TaxpayerWork::Validate(Operation::SelfBilledInvoice)),
        ..VALIDATE
    },
    Route {
        id: "validate_self_billed_credit_note",
        path: "/self-billing/credit-notes/validate",
        summary: "Validate a self-billed credit note",
        description: "Validates the body of `POST /self-billing/credit-notes`, like `POST /invoices/validate`.",
        work: Work::Taxpayer(TaxpayerWork::Validate(Operation::SelfBilledCreditNote)),
        ..VALIDATE
    },
    Route {
        id: "list_documents",
        path: "/invoices",
        summary: "List documents",
        description: "Returns the documents of the taxpayer, including those that other organizations issued. With \
            only the scope inbound:read, only received documents are listed.\n\n\
            The order is newest first by creation time. With `issued_from` or `issued_to`, it is newest first by \
            issue date. With `number`, `source_id` or one of the statuses accepted, converted, dispatching and \
            failed, it is always by creation time. A page may be shorter than `limit`, especially with large \
            documents. Continue until `next_cursor` is null.",
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
        description: "Returns the record of a document. A document of another taxpayer or of the other mode is not \
            found. With only the scope invoices:write, you can read the documents that your own organization sent.",
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
        description: "Returns the UBL XML byte for byte as sent or received. ETag and Repr-Digest contain its \
            SHA-256. A UBL document of more than 3,000,000 bytes (`ubl.bytes` of the record) does not fit in a \
            response. The answer is a redirect to the address in Location. The address is valid for five minutes, \
            for everyone who knows it. Request it with GET, without the headers of this API. Its SHA-256 is \
            `ubl.sha256` of the record.",
        answers: &[
            Answer {
                status: 200,
                description: "UBL 2.1",
                content: Content::Xml,
                headers: FILE_HEADERS,
            },
            Answer {
                status: 307,
                description: "Redirect to a UBL document of more than 3,000,000 bytes",
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
        description: "Returns the Standard Business Document as transmitted in the network: the header (SBDH) with \
            the document, byte for byte. A document that was not transmitted has none, and the answer is 404. This \
            applies to all Sandbox documents, to documents for a predefined endpoint, and to documents without a \
            message yet. A Standard Business Document of more than 3,000,000 bytes is returned by a redirect, as \
            with …/ubl.",
        answers: &[
            Answer {
                status: 200,
                description: "Standard Business Document",
                content: Content::Xml,
                headers: FILE_HEADERS,
            },
            Answer {
                status: 307,
                description: "Redirect to a Standard Business Document of more than 3,000,000 bytes",
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
        description: "Returns the AS4 receipt that the recipient's access point signed for a sent document, as \
            received and verified. It contains the non-repudiation information with the digests of the message. \
            Usually it is a SOAP 1.2 envelope. Some access points send it in a multipart message.\n\n\
            If there is no receipt, the answer is 404 with the reason:\n\n\
            - a Sandbox document\n\
            - a received document\n\
            - a document in transit (retry later)\n\
            - a document that was not delivered\n\
            - a recipient's access point that sent no receipt\n\n\
            A receipt of more than 3,000,000 bytes is returned by a redirect, as with …/ubl.",
        answers: &[
            Answer {
                status: 200,
                description: "The receipt",
                content: Content::Bytes,
                headers: FILE_HEADERS,
            },
            Answer {
                status: 307,
                description: "Redirect to a receipt of more than 3,000,000 bytes",
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
        description: "Returns the content of the UBL in the fields of the send bodies. `content` is a body of the \
            operation in `type`. For a document that this service created, sending this body again produces the same \
            UBL. `unmapped` lists values of a received document that no field represents. The answer is 404 if there \
            is no UBL. It is also 404 if the UBL is not well-formed XML, is not an invoice or credit note of \
            PINT-AE, or is larger than 50 MB. A content of more than 3,000,000 bytes is returned by a redirect, as \
            with …/ubl.",
        answers: &[
            Answer {
                status: 200,
                description: "The content",
                content: Content::Body,
                headers: &[],
            },
            Answer {
                status: 307,
                description: "Redirect to a content of more than 3,000,000 bytes",
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
        summary: "Get a document as HTML",
        description: "Returns an HTML page with every value of the UBL, the name of its business term, and the \
            findings. The page is self-contained, has no script, and can be printed. Values that are not business \
            terms of PINT-AE are listed at the end. The page has no legal effect: the UBL is the invoice. The answer \
            is 404 if there is no UBL. It is also 404 if the UBL is not well-formed XML, is not an Invoice or \
            CreditNote of UBL 2.1, or is larger than 10 MiB. A page of more than 3,000,000 bytes is returned by a \
            redirect, as with …/ubl.",
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
                description: "Redirect to a page of more than 3,000,000 bytes",
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
        description: "Returns the content of …/html as PDF/A-3 (ISO 19005-3, level A), for archiving or printing. \
            The UBL is the attachment document.xml. The PDF of a document is the same for every request. Characters \
            outside European scripts and Arabic are shown as U+FFFD, and the attachment contains the originals. The \
            pages have no legal effect: the UBL is the invoice. The answer is 404 in the cases of …/html. It is also \
            404 for more than 1,000 lines, or more than 10,000,000 bytes of text. The text includes the names of all \
            values in both languages. …/html shows such documents. A PDF of more than 3,000,000 bytes is returned by \
            a redirect, as with …/ubl.",
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
                description: "Redirect to a PDF of more than 3,000,000 bytes",
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
        summary: "List transmission attempts",
        description: "Returns every attempt to find the recipient's access point and to send the document, with \
            outcome and cause, oldest first. If there are more than sixty attempts, only the first and the latest \
            ones are listed.\n\n\
            Temporary failures are retried 1, 5, 15 and 30 minutes after the previous attempt, then every hour, for \
            24 hours. A wait may be longer by a tenth. Nothing is sent to a held access point before \
            `held_until`.\n\n\
            The list is empty for a document that was not sent to the network: a Sandbox, inbound or waiting \
            document, or a document for a predefined endpoint. With only the scope invoices:write, you can read the \
            attempts of documents that your own organization sent.",
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
        summary: "List reports about a document",
        description: "Returns every report about the document to the tax authority with its delivery attempts, \
            oldest first. A sent document is reported when it leaves. A received document is reported when its \
            positive Message Level Status is due. A received document that breaks the rules is reported immediately. \
            The list is empty for a Sandbox document, which is never reported. For a queued document, it is empty \
            until its route is decided.",
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
        summary: "File a report again",
        description: "Reports the document to the tax authority again, about the same transaction. The latest report \
            must be NOT_COMPLIANT or FAILED, or its verdict must be overdue without a receipt that proves its \
            arrival.\n\n\
            The new report has kind R. It has kind S if no earlier report can have reached the authority, because \
            there is nothing to revise. After a report of kind F or W, it has the same kind.\n\n\
            Otherwise the answer is 409 report_not_repairable. This applies:\n\n\
            - while a report is in transit or its verdict is pending\n\
            - after a report is REPORTED\n\
            - for a document that was rejected at stage C3 (send a correction)\n\
            - after 20 reports\n\n\
            The document itself does not change. To correct its content, send a credit note and another invoice. The \
            operation is available for documents that the caller can read or that its organization sent. An \
            Idempotency-Key works as for sends.",
        any_of: &[Scope::InvoicesWrite],
        headers: &[RequestHeader::IdempotencyKey],
        answers: &[Answer {
            status: 202,
            description: "The report, which is in progress. document.reported follows",
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
        description: "Imports a file with up to 10,000 documents of one type. The service checks the form of the \
            file, and sends each document as with `Prefer: respond-async`.\n\n\
            The body is the file, of up to 4 MiB. A file compressed with gzip (`Content-Type: application/gzip`) may \
            contain up to 64 MiB. There are two formats:\n\n\
            - A file that begins with `{` is JSON Lines, with the body of a send on each line.\n\
            - Any other file is CSV with up to 1,000 columns. The column names are field names joined by points.\n\n\
            A file with a wrong form is refused as a whole (`422`), and no document is sent. A wrong document, such \
            as a row with an extra comma, is refused in the result with its row. The other documents are sent.\n\n\
            - Rows of CSV with the same number must follow each other. If a number occurs in several places, all of \
            its documents are refused (`AP-IMPORT-apart`).\n\
            - In JSON Lines, documents with the same number are sent in the order of the lines. The first one is \
            sent, and each other one is `already_sent` or refused.\n\n\
            The key of each document is derived from its type and number. Importing the same file again sends \
            nothing again. The exception is a document that was accepted and failed: a new document replaces it.\n\n\
            The header `Idempotency-Key` is optional:\n\n\
            - The same key with the same `type` and content returns the first response again. With another `type` or \
            content, the answer is `409`. `name` does not matter.\n\
            - Without a key, or with a new one, the service recognizes the same file by its SHA-256. While an import \
            of the file runs, the answer is that import, with `Idempotent-Replayed: true`. After its completion, the \
            file starts a new import, which names the previous one in `same_file_import_id`.",
        query: query::CREATE_IMPORT,
        headers: &[RequestHeader::IdempotencyKey],
        answers: &[Answer {
            status: 202,
            description: "The import, whose documents are being sent",
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
        description: "Returns the organization's imports for the taxpayer, newest first. An import is kept for 90 \
            days after its completion.",
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
        description: "Returns an import with its status. An import with the status `failed` failed because of a \
            fault of the service: import the file again. Documents that were sent are not sent again. An import of \
            another organization is not found.",
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
        description: "Returns the outcome of each document, in the order and format of the file.\n\n\
            - For JSON Lines, each object has row, last_row, number, outcome (accepted, already_sent, refused), \
            document_id, code, message and findings.\n\
            - For CSV, there is a row for each finding.\n\n\
            A finding has the row and, for CSV, the column to correct. The answer is 404 until the import is \
            completed. A result of more than 3,000,000 bytes is returned by a redirect (`307`) to an address that is \
            valid for five minutes.",
        answers: &[
            Answer {
                status: 200,
                description: "The result",
                content: Content::Outcomes,
                headers: &[AnswerHeader::ETag, AnswerHeader::ReprDigest],
            },
            Answer {
                status: 307,
                description: "Redirect to the result",
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
        summary: "Create an archive",
        description: "Collects all documents issued in a period in one file, in the background. It contains sent and \
            received documents, up to 100,000 documents and about 10 GB. It contains no document that arrived after \
            the request. If an archive of the same period is already running, that archive is returned. The request \
            has no body.",
        query: query::CREATE_ARCHIVE,
        answers: &[Answer {
            status: 202,
            description: "The archive, whose documents are being collected",
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
        description: "Returns the archives of the taxpayer, newest first, including those that other organizations \
            requested. An archive is kept for 7 days after its completion.",
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
        description: "Returns an archive with its status. An archive with the status `failed` failed because of a \
            fault of the service: request another one. An archive of another taxpayer is not found.",
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
        summary: "Download an archive",
        description: "Redirects to the file, at an address that is valid for five minutes. The answer is 404 until \
            the archive is completed.\n\n\
            The file is a ZIP with a bag (RFC 8493, BagIt): `manifest-sha256.txt` has the SHA-256 of each file. Each \
            document has a folder:\n\n\
            - `document.json` is the record with its attempts and reports, as in this API.\n\
            - The folder also contains the document, its envelope, its receipt, and its Message Level Statuses with \
            their receipts.\n\
            - For a received document, the folder also contains the message that delivered it.\n\
            - Each report has its Tax Data Document, envelope, receipt and verdict.\n\n\
            Missing parts have no file.",
        answers: &[Answer {
            status: 307,
            description: "Redirect to the file",
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
        description: "Returns the reports to the tax authority about documents of the taxpayer, newest first. With \
            only the scope inbound:read, only reports about received documents are listed. A page may be shorter \
            than `limit`. Continue until `next_cursor` is null. The list is always empty in Sandbox.",
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
        description: "Returns a report to the tax authority. A report of another taxpayer is not found. There are no \
            reports in Sandbox.",
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
        description: "Returns the Tax Data Document byte for byte as filed. The answer is 404 until the first \
            attempt has created it. ETag and Repr-Digest contain its SHA-256. A Tax Data Document of more than \
            3,000,000 bytes is returned by a redirect, as with …/ubl.",
        answers: &[
            Answer {
                status: 200,
                description: "The Tax Data Document",
                content: Content::Xml,
                headers: &[AnswerHeader::ETag, AnswerHeader::ReprDigest],
            },
            Answer {
                status: 307,
                description: "Redirect to a Tax Data Document of more than 3,000,000 bytes",
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
        description: "Returns the taxpayer for which the request acts: its registered profile, its settings, the \
            organization's grants and the organization's metadata.",
        any_of: &[Scope::TaxpayerRead],
        answers: &[CURRENT_TAXPAYER],
        work: Work::Taxpayer(TaxpayerWork::GetTaxpayer),
        ..TAXPAYER
    },
    Route {
        id: "update_current_taxpayer",
        method: Method::Patch,
        path: "/taxpayer",
        summary: "Update metadata and settings",
        description: "Changes metadata and settings by a JSON Merge Patch (RFC 7396). Fields that are left out stay \
            unchanged. Null removes a key of the metadata, or resets a setting. Null for metadata or settings \
            applies to all of them. The field notification_email is always refused, because only the taxpayer sets \
            the address for its notices.\n\n\
            - Metadata belong to the organization: other organizations neither see nor change them. A change is \
            published as taxpayer.updated to the organization itself.\n\
            - Settings belong to the taxpayer and are shared by all organizations. A change is published to every \
            organization with an active grant.\n\
            - If nothing changes, nothing is published.\n\n\
            mls_to is written into the envelopes of Live documents (scope MLS_TO). A receiver follows it only if its \
            six digits are those of this access point (Peppol Message Level Status). It ignores another provider, \
            and sends the status here. If it follows mls_to to an address outside this access point, the status does \
            not arrive here: the document stays sent, and no document.status follows.",
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
        description: "Returns the business card of the taxpayer. It is public while the taxpayer is listed in the \
            Peppol Directory.",
        answers: &[BUSINESS_CARD],
        errors: READ.errors,
        work: Work::Taxpayer(TaxpayerWork::GetBusinessCard),
        ..TAXPAYER
    },
    Route {
        id: "put_business_card",
        method: Method::Put,
        path: "/taxpayer/business-card",
        summary: "Replace the business card",
        description: "Replaces the business card of the taxpayer. If the taxpayer is listed in the Directory, the \
            Directory fetches the new card. In Sandbox, no register is notified.",
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
        description: "Returns whether the Peppol Directory shows the taxpayer's business card.",
        answers: &[LISTING],
        work: Work::Taxpayer(TaxpayerWork::GetListing),
        ..TAXPAYER
    },
    Route {
        id: "put_directory_listing",
        method: Method::Put,
        path: "/taxpayer/directory-listing",
        summary: "Create the Directory listing",
        description: "Publishes the taxpayer's business card in the Peppol Directory. The card must exist (404 \
            otherwise). The request has no body. The Directory is notified in the background. In Sandbox no register \
            is notified, and the state is registered immediately.",
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
        summary: "Remove the Directory listing",
        description: "Removes the taxpayer's business card from the Peppol Directory. A taxpayer that was never \
            listed stays unlisted.",
        any_of: &[Scope::InvoicesWrite],
        answers: &[LISTING],
        work: Work::Taxpayer(TaxpayerWork::DeleteListing),
        ..TAXPAYER
    },
    Route {
        id: "list_registrations",
        path: "/taxpayer/registrations",
        summary: "List registrations",
        description: "Returns the registrations of the taxpayer in the registers of the network, with the causes of \
            failures. A registration starts when onboarding ends. In Sandbox, no register is notified.",
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
        summary: "Get the caller",
        description: "Returns the organization and the environment of the credential. For an access token, also \
            returns its taxpayer, grant and scopes.",
        answers: &[Answer {
            status: 200,
            description: "The caller",
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
        description: "Returns the taxpayers on which the organization has an active grant, with any scopes and any \
            status, newest first. Requires only Authorization. Details are included if a grant has the scope \
            taxpayer:read. A page may be shorter than `limit`. Continue until `next_cursor` is null.",
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
        description: "Returns a connected taxpayer. Its registered profile is included if a grant has the scope \
            taxpayer:read. The answer is 403 grant_required if the taxpayer does not exist, gave no grant to the \
            organization, or revoked it.",
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
        description: "Returns all active and revoked grants of the organization, newest first. Use it to find \
            changes whose events you missed. Requires only Authorization. A page may be shorter than `limit`. \
            Continue until `next_cursor` is null.",
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
        description: "Revokes the organization's grant on a taxpayer. The next request through the grant is answered \
            with 403, and all of its tokens are invalid. If the organization has another active grant on the \
            taxpayer, taxpayer.updated follows. If it was the last grant, taxpayer.deleted follows. A grant that is \
            already revoked stays unchanged and is returned again. Requires only Authorization. Only the taxpayer \
            can grant access again.",
        answers: &[Answer {
            status: 200,
            description: "The revoked grant",
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
        summary: "List audit events",
        description: "Returns the audit trail, newest first: actor, action, time and origin. It covers the \
            organization's API keys, OAuth clients and grants. It also covers changes of metadata and settings of \
            taxpayers by the organization. Entries are never changed or removed. An entry about an action of a \
            taxpayer or an operator has no origin. Requires only Authorization. A page may be shorter than `limit`. \
            Continue until `next_cursor` is null.",
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
