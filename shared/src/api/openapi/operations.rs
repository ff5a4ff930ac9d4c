//! The operations in the OpenAPI document, generated from the declared routes.

use crate::access::Scope;
use serde_json::{Map, Value, json};

use super::{bodies, errors, of_every_answer, reference, webhooks};
use crate::api::{
    ROUTES,
    query::{DEFAULT_LIMIT, Form, MAX_LIMIT, Parameter},
    route::{
        ActsFor, Answer, AnswerHeader, Content, HttpMethod, RequestBody, RequestHeader, Route, Tag,
    },
};

/// Every path with its operations.
pub(super) fn paths() -> Value {
    let mut paths = json!({});
    for route in ROUTES {
        let method = match route.method {
            HttpMethod::Get => "get",
            HttpMethod::Post => "post",
            HttpMethod::Put => "put",
            HttpMethod::Patch => "patch",
            HttpMethod::Delete => "delete",
        };
        paths[route.path][method] = operation(route);
    }
    paths
}

fn operation(route: &Route) -> Value {
    let tag = match route.tag {
        Tag::Sending => "Sending",
        Tag::Imports => "Imports",
        Tag::Documents => "Documents",
        Tag::Archives => "Archives",
        Tag::Reports => "Reports",
        Tag::Taxpayer => "Taxpayer",
        Tag::Connections => "Connections",
        Tag::Webhooks => "Webhooks",
    };
    let mut parameters = match route.acts_for {
        ActsFor::Itself | ActsFor::Either => Vec::new(),
        ActsFor::Taxpayer => {
            vec![reference("parameters", "TaxpayerId"), reference("parameters", "GrantId")]
        }
    };
    parameters.extend(route.headers.iter().map(|header| match header {
        RequestHeader::IdempotencyKey => reference("parameters", "IdempotencyKey"),
        RequestHeader::Prefer => reference("parameters", "Prefer"),
    }));
    parameters.extend(route.variables().map(|name| {
        json!({
            "name": name, "in": "path", "required": true, "schema": {"type": "string"},
            "description": match name {
                "archive_id" => "Identifier of the archive, arc_…",
                "import_id" => "Identifier of the import, imp_…",
                "report_id" => "Identifier of the report, rep_…",
                "taxpayer_id" => "Identifier of the taxpayer, txpay_…",
                "grant_id" => "Identifier of the grant, tgr_…",
                "endpoint_id" => "Identifier of the webhook endpoint, we_…",
                "event_id" => "Identifier of the event, evt_…",
                _ => "Identifier of the document, doc_…",
            },
        })
    }));
    parameters.extend(route.query.iter().map(parameter));
    let mut responses = errors::responses(route);
    for answer in route.answers {
        responses.insert(answer.status.to_string(), response(answer));
    }
    let mut operation = json!({
        "operationId": route.id,
        "tags": [tag],
        "summary": route.summary,
        "description": route.description,
        "security": security(route),
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(body) = route.body {
        operation["requestBody"] = request_body(body);
    }
    operation
}

fn request_body(body: RequestBody) -> Value {
    match body {
        RequestBody::Document(kind) => bodies::request_body(kind),
        RequestBody::Import => bodies::import(),
        RequestBody::BusinessCard => bodies::business_card(),
        RequestBody::Resubmission => bodies::file_report(),
        RequestBody::TaxpayerPatch => bodies::taxpayer_patch(),
        RequestBody::NewEndpoint => webhooks::new_endpoint(),
        RequestBody::EndpointPatch => webhooks::endpoint_patch(),
        RequestBody::SecretRotation => webhooks::secret_rotation(),
        RequestBody::Retry => webhooks::retry(),
        RequestBody::RetryFailed => webhooks::retry_failed(),
        RequestBody::TestEvent => webhooks::test_event(),
    }
}

/// The alternative credentials. Each needs a scope of a grant on the taxpayer.
fn security(route: &Route) -> Value {
    match route.acts_for {
        ActsFor::Itself => json!([{"ApiKey": []}]),
        ActsFor::Either => json!([{"ApiKey": []}, {"AccessToken": []}]),
        ActsFor::Taxpayer => {
            let schemes = |scope: &Scope| {
                ["ApiKey", "AccessToken"].map(|scheme| json!({scheme: [scope.as_str()]}))
            };
            route.any_of.iter().flat_map(schemes).collect()
        }
    }
}

fn parameter(parameter: &Parameter) -> Value {
    let schema = match parameter.form {
        Form::Direction => reference("schemas", "DocumentDirection"),
        Form::Type => reference("schemas", "DocumentType"),
        Form::Status => reference("schemas", "DocumentStatus"),
        Form::ReportOutcome => reference("schemas", "ReportOutcome"),
        Form::ReportKind => reference("schemas", "ReportKind"),
        Form::ReportStatus => reference("schemas", "ReportStatus"),
        Form::TaxpayerStatus => reference("schemas", "TaxpayerStatus"),
        Form::GrantStatus => reference("schemas", "GrantStatus"),
        Form::AuditAction => reference("schemas", "AuditAction"),
        Form::EventType => reference("schemas", "WebhookEventType"),
        Form::DeliveryStatus => reference("schemas", "WebhookDeliveryStatus"),
        Form::DocumentId => json!({"type": "string", "pattern": "^doc_[0-9A-Za-z]{1,64}$"}),
        Form::ParticipantId => json!({"type": "string", "pattern": "^[0-9]{4}:.+$"}),
        Form::TaxpayerId => json!({"type": "string", "pattern": "^txpay_[0-9A-Za-z]{1,64}$"}),
        Form::Text => json!({"type": "string"}),
        Form::Date => json!({"type": "string", "format": "date"}),
        Form::Instant => json!({"type": "string", "format": "date-time"}),
        Form::Languages => reference("schemas", "ViewLanguage"),
        Form::Flag => json!({"type": "boolean", "default": true}),
        Form::Limit => json!({
            "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT,
        }),
    };
    json!({
        "name": parameter.name, "in": "query", "required": parameter.required,
        "schema": schema, "description": parameter.description,
    })
}

fn response(answer: &Answer) -> Value {
    let mut headers = Map::new();
    headers.extend(of_every_answer());
    for header in answer.headers {
        let (name, component) = shown(*header);
        headers.insert(name.to_owned(), reference("headers", component));
    }
    let mut response = json!({"description": answer.description, "headers": headers});
    let json_of = |name| Some(("application/json", reference("schemas", name)));
    let content = match answer.content {
        Content::Document => json_of("DocumentResponse"),
        Content::Documents => json_of("ListDocumentsResponse"),
        Content::Validation => json_of("ValidationResponse"),
        Content::Html => Some(("text/html", json!({"type": "string"}))),
        Content::Xml => Some(("application/xml", json!({"type": "string"}))),
        // Bytes of any kind are a schema without constraints (OpenAPI 3.1.0, section 4.8.14.3). Some generators
        // interpret that as any JSON, but recognize this form as bytes.
        Content::Pdf => Some(("application/pdf", json!({"type": "string", "format": "binary"}))),
        Content::Bytes => {
            Some(("application/octet-stream", json!({"type": "string", "format": "binary"})))
        }
        Content::Body => json_of("ContentResponse"),
        Content::Attempts => json_of("ListAttemptsResponse"),
        Content::Import => json_of("ImportResponse"),
        Content::Imports => json_of("ListImportsResponse"),
        Content::Outcomes => {
            response["content"]["text/csv"]["schema"] = json!({"type": "string"});
            Some(("application/x-ndjson", json!({"type": "string"})))
        }
        Content::Archive => json_of("ArchiveResponse"),
        Content::Archives => json_of("ListArchivesResponse"),
        Content::Report => json_of("ReportResponse"),
        Content::DocumentReports => json_of("ListDocumentReportsResponse"),
        Content::Reports => json_of("ListReportsResponse"),
        Content::BusinessCard => json_of("BusinessCardResponse"),
        Content::Listing => json_of("DirectoryListingResponse"),
        Content::Registrations => json_of("ListRegistrationsResponse"),
        Content::Me => json_of("MeResponse"),
        Content::Taxpayer => json_of("TaxpayerResponse"),
        Content::Taxpayers => json_of("ListTaxpayersResponse"),
        Content::Grants => json_of("ListGrantsResponse"),
        Content::Grant => json_of("GrantResponse"),
        Content::AuditEvents => json_of("ListAuditEventsResponse"),
        Content::Endpoint => json_of("WebhookEndpointResponse"),
        Content::Endpoints => json_of("ListWebhookEndpointsResponse"),
        Content::Event => json_of("EventResponse"),
        Content::Events => json_of("ListEventsResponse"),
        Content::Delivery => json_of("WebhookDeliveryResponse"),
        Content::Deliveries => json_of("ListWebhookDeliveriesResponse"),
        Content::Retried => json_of("RetriedWebhookDeliveriesResponse"),
        Content::Nothing => None,
    };
    if let Some((media_type, schema)) = content {
        response["content"][media_type]["schema"] = schema;
    }
    response
}

/// The names of a header and of its component.
pub(in crate::api) fn shown(header: AnswerHeader) -> (&'static str, &'static str) {
    match header {
        AnswerHeader::Location => ("Location", "Location"),
        AnswerHeader::PayloadLocation => ("Location", "PayloadLocation"),
        AnswerHeader::IdempotentReplayed => ("Idempotent-Replayed", "IdempotentReplayed"),
        AnswerHeader::PreferenceApplied => ("Preference-Applied", "PreferenceApplied"),
        AnswerHeader::ETag => ("ETag", "ETag"),
        AnswerHeader::ReprDigest => ("Repr-Digest", "ReprDigest"),
        AnswerHeader::ContentDisposition => ("Content-Disposition", "ContentDisposition"),
    }
}
