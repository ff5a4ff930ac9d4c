//! The OpenAPI 3.1 document, generated from the declared routes. Responses come from their types, bodies from the
//! document model, errors from the table of codes.

mod billing;
mod bodies;
mod descriptions;
mod errors;
mod events;
mod oauth;
mod operations;
mod reported;
mod webhooks;

#[cfg(test)]
pub(super) use operations::shown;
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::{
    BASES,
    archives::{ArchiveResponse, ListArchivesResponse},
    attempts::ListAttemptsResponse,
    audit::ListAuditEventsResponse,
    billing::BillingEventBody,
    business_card::{BusinessCardBody, BusinessCardResponse},
    content::ContentResponse,
    error::{ErrorResponse, SIGNATURE_CHALLENGE},
    header::MAX_IDEMPOTENCY_KEY,
    imports::{ImportResponse, ListImportsResponse},
    organization::{ListGrantsResponse, ListTaxpayersResponse, MeResponse},
    registrations::{DirectoryListingResponse, ListRegistrationsResponse},
    reports::{FileReportBody, ListDocumentReportsResponse, ListReportsResponse},
    response::{DocumentResponse, ListDocumentsResponse, ValidationResponse},
    wire::{ViewLanguage, names_of},
};
use crate::{
    access::{CHALLENGE, TOKEN_CHALLENGE},
    error::Code,
};

/// Every code that an error can carry.
pub fn codes() -> Vec<Code> {
    let names = names_of::<Code>().into_iter();
    names.filter_map(|name| serde_json::from_value(name.into()).ok()).collect()
}

/// The document with sorted names.
pub fn document() -> Value {
    let mut schemas = Map::new();
    add::<DocumentResponse>(&mut schemas);
    add::<ListDocumentsResponse>(&mut schemas);
    add::<ValidationResponse>(&mut schemas);
    add::<ListAttemptsResponse>(&mut schemas);
    add::<ContentResponse>(&mut schemas);
    add::<ImportResponse>(&mut schemas);
    add::<ListImportsResponse>(&mut schemas);
    add::<ArchiveResponse>(&mut schemas);
    add::<ListArchivesResponse>(&mut schemas);
    add::<FileReportBody>(&mut schemas);
    add::<ListDocumentReportsResponse>(&mut schemas);
    add::<ListReportsResponse>(&mut schemas);
    add::<BusinessCardBody>(&mut schemas);
    add::<BusinessCardResponse>(&mut schemas);
    add::<DirectoryListingResponse>(&mut schemas);
    add::<ListRegistrationsResponse>(&mut schemas);
    add::<MeResponse>(&mut schemas);
    add::<ListTaxpayersResponse>(&mut schemas);
    add::<ListGrantsResponse>(&mut schemas);
    add::<ListAuditEventsResponse>(&mut schemas);
    webhooks::schemas(&mut schemas);
    add::<BillingEventBody>(&mut schemas);
    // Used only by a query parameter.
    add::<ViewLanguage>(&mut schemas);
    add::<ErrorResponse>(&mut schemas);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "UAE e-invoicing access point",
            "version": "1.0.0",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": descriptions::SERVICE,
        },
        "servers": [
            {"url": BASES[0], "description": "The versioned base address, for new integrations"},
            {"url": BASES[1], "description": "Alias for older integrations"},
            {"url": BASES[2], "description": "Alias for older integrations"},
        ],
        "tags": [
            {"name": "Sending", "description": "Send documents, or validate them without sending."},
            {"name": "Imports", "description": "Send many documents in one file."},
            {"name": "Documents", "description": "Sent and received documents, and their files."},
            {"name": "Archives", "description": "All documents of a period in one file."},
            {"name": "Reports", "description": "Reports to the tax authority, and their outcomes."},
            {"name": "Taxpayer", "description": "The taxpayer, its registrations in the network, and its business \
                card."},
            {"name": "Connections", "description": "The organization, its taxpayers and their grants."},
            {"name": "Webhooks", "description": descriptions::WEBHOOKS},
            {"name": "OAuth", "description": descriptions::OAUTH},
            {"name": "Billing", "description": "Only for the billing provider."},
        ],
        "paths": operations::paths(),
        "components": {
            "schemas": schemas,
            "parameters": shared_parameters(),
            "headers": shared_headers(),
            "securitySchemes": {
                "ApiKey": {
                    "type": "apiKey", "in": "header", "name": "Authorization",
                    "description": descriptions::API_KEY,
                },
                "AccessToken": {
                    "type": "http", "scheme": "bearer", "description": descriptions::ACCESS_TOKEN,
                },
                "ClientSecretBasic": {
                    "type": "http", "scheme": "basic",
                    "description": "client_id and client_secret of the OAuth client (RFC 6749, section 2.3.1).",
                },
            },
        },
    });
    bodies::add(&mut document);
    events::add(&mut document);
    errors::add(&mut document);
    oauth::add(&mut document);
    billing::add(&mut document);
    sorted(document)
}

/// The document as text: indented, with a line feed at the end.
pub fn text() -> String {
    let text = serde_json::to_string_pretty(&document()).unwrap_or_default();
    text + "\n"
}

/// Adds the schema of a type and of all types that it refers to.
fn add<T: ToSchema + PartialSchema>(schemas: &mut Map<String, Value>) {
    let mut found = Vec::new();
    T::schemas(&mut found);
    found.push((T::name().into_owned(), T::schema()));
    // The map of `metadata` is defined inline.
    for (name, schema) in found.into_iter().filter(|(name, _)| name != "BTreeMap") {
        schemas.insert(name, serde_json::to_value(schema).unwrap_or_default());
    }
}

fn shared_parameters() -> Value {
    json!({
        "TaxpayerId": {
            // It is required with an API key only. OpenAPI cannot express this for a parameter.
            "name": "x-ae-taxpayer-id", "in": "header", "required": false,
            "schema": {"type": "string", "pattern": "^txpay_[0-9A-Za-z]{1,64}$"},
            "description": descriptions::TAXPAYER_ID,
        },
        "GrantId": {
            "name": "x-ae-grant-id", "in": "header", "required": false,
            "schema": {"type": "string", "pattern": "^tgr_[0-9A-Za-z]{1,64}$"},
            "description": descriptions::GRANT_ID,
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key", "in": "header", "required": false,
            "schema": {
                "type": "string", "minLength": 1, "maxLength": MAX_IDEMPOTENCY_KEY,
                "pattern": "^[\\x21-\\x7E]+$",
            },
            "description": descriptions::IDEMPOTENCY_KEY,
        },
        "Prefer": {
            "name": "Prefer", "in": "header", "required": false,
            "schema": {"type": "string"}, "example": "respond-async",
            "description": descriptions::PREFER,
        },
    })
}

fn shared_headers() -> Value {
    json!({
        "RequestId": {
            "required": true, "schema": {"type": "string"},
            "description": "Identifier of the request, on every response. Include it in support requests.",
        },
        "RateLimitPolicy": {
            "schema": {"type": "string"},
            "description": "Number of requests (q) per number of seconds (w), such as \"request\";q=6000;w=60. The \
                limit applies to an organization in the environment of the credential, across all of its keys and \
                tokens. Without a valid credential, it applies to the IP address (\"stranger\"). See \
                draft-ietf-httpapi-ratelimit-headers. Absent when the request could not be counted.",
        },
        "RateLimit": {
            "schema": {"type": "string"},
            "description": "Number of remaining requests (r), and the seconds until the full number is available \
                again (t), such as \"request\";r=5999;t=42.",
        },
        "Location": {
            "required": true, "schema": {"type": "string"},
            "description": "Path of the document: /v1/invoices/{document_id}.",
        },
        "PayloadLocation": {
            "required": true, "schema": {"type": "string", "format": "uri"},
            "description": "Address of the payload, valid for five minutes. The address itself is the credential: \
                keep it secret.",
        },
        "IdempotentReplayed": {
            "schema": {"type": "string", "enum": ["true"]},
            "description": "Present when the response is the saved one of an earlier request with the same key and \
                payload. For an import, also present when an import of the same file is already running and is \
                returned.",
        },
        "PreferenceApplied": {
            "schema": {"type": "string", "enum": ["respond-async"]},
            "description": "Present when the request has Prefer: respond-async, and the service applied it (RFC \
                7240).",
        },
        "ETag": {
            "required": true, "schema": {"type": "string", "pattern": "^\"[0-9a-f]{64}\"$"},
            "description": "The SHA-256 of the bytes in hex, in quotation marks.",
        },
        "ReprDigest": {
            "required": true, "schema": {"type": "string", "pattern": "^sha-256=:[0-9A-Za-z+/=]{44}:$"},
            "description": "The SHA-256 of the bytes in base64 (RFC 9530).",
        },
        "ContentDisposition": {
            "required": true, "schema": {"type": "string"},
            "example": "attachment; filename=\"Tax-Invoice-INV-1206.pdf\"",
            "description": "File name, made of the kind and number of the document (RFC 6266). A number with letters \
                beyond ASCII is in filename* (RFC 8187). Then filename contains the document_id.",
        },
        "RetryAfter": {
            "schema": {"type": "integer", "minimum": 1},
            "description": "Seconds to wait before repeating the request with the same Idempotency-Key. Present with \
                503, with 429 rate_limited and quota_exceeded, and with 409 idempotency_in_progress and \
                correction_recovery_pending.",
        },
        "WwwAuthenticate": {
            "required": true,
            "schema": {"type": "string", "enum": [CHALLENGE, TOKEN_CHALLENGE, SIGNATURE_CHALLENGE]},
            "description": "Accepted authentication schemes. For an invalid access token, also its error (RFC 6750).",
        },
    })
}

/// A reference to a component.
fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}

/// The same value with sorted member names, for every map type of the build.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> = members.into_iter().collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            members.into_iter().map(|(name, value)| (name, sorted(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}

/// The headers of every response to an authenticated caller.
fn of_every_answer() -> [(String, Value); 3] {
    [
        ("x-request-id", "RequestId"),
        ("RateLimit-Policy", "RateLimitPolicy"),
        ("RateLimit", "RateLimit"),
    ]
    .map(|(name, component)| (name.to_owned(), reference("headers", component)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a switch of the test run, not configuration")]
    fn rewrite() -> bool {
        std::env::var_os("UPDATE_OPENAPI").is_some()
    }

    #[test]
    fn the_committed_document_is_the_one_that_the_handlers_give() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
        if rewrite() {
            std::fs::write(path, text()).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap();
        assert!(committed == text(), "openapi.json differs; run again with UPDATE_OPENAPI=1");
    }

    /// Every `$ref` anywhere in a value.
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match member {
                        Value::String(text) if name == "$ref" => found.push(text.clone()),
                        _ => references(member, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_to_a_component_and_every_component_is_used() {
        let document = document();
        let mut found = Vec::new();
        references(&document, &mut found);
        for target in &found {
            assert!(document.pointer(&target[1..]).is_some(), "{target} leads nowhere");
        }
        for (kind, components) in document["components"].as_object().unwrap() {
            if kind == "securitySchemes" {
                continue;
            }
            for name in components.as_object().unwrap().keys() {
                let target = format!("#/components/{kind}/{name}");
                assert!(found.contains(&target), "{target} is not used");
            }
        }
    }

    #[test]
    fn an_access_token_alone_names_its_taxpayer() {
        let document = document();
        let header = &document["components"]["parameters"]["TaxpayerId"];
        // Generated clients cannot omit a required parameter.
        assert_eq!(header["required"], false);
        let said = header["description"].as_str().unwrap();
        for part in ["Required with an API key", "Optional with an access token"] {
            assert!(said.contains(part), "{said}");
        }
        let items = document["paths"].as_object().unwrap().values();
        for operation in items.flat_map(|item| item.as_object().unwrap().values()) {
            if operation["parameters"].to_string().contains("TaxpayerId") {
                let taken = operation["security"].as_array().unwrap();
                for scheme in ["ApiKey", "AccessToken"] {
                    assert!(taken.iter().any(|one| one.get(scheme).is_some()), "{operation}");
                }
            }
        }
    }

    #[test]
    fn every_operation_says_what_it_does_and_how_it_fails() {
        let document = document();
        assert_eq!(document["openapi"], "3.1.0");
        let mut ids = Vec::new();
        for item in document["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                let id = operation["operationId"].as_str().unwrap();
                ids.push(id.to_owned());
                assert!(operation["summary"].is_string(), "{id} has no summary");
                assert!(operation["description"].is_string(), "{id} has no description");
                let may_be_forbidden = operation["parameters"].to_string().contains("TaxpayerId");
                let always = ["400", "401", "429", "500", "503"];
                for status in always.into_iter().chain(may_be_forbidden.then_some("403")) {
                    assert!(operation["responses"][status].is_object(), "{id} has no {status}");
                }
            }
        }
        ids.sort();
        assert_eq!(
            ids,
            [
                "create_archive",
                "create_import",
                "create_webhook_endpoint",
                "delete_directory_listing",
                "delete_webhook_endpoint",
                "exchange_token",
                "file_report",
                "get_archive",
                "get_archive_file",
                "get_business_card",
                "get_current_taxpayer",
                "get_directory_listing",
                "get_document",
                "get_document_content",
                "get_document_html",
                "get_document_pdf",
                "get_document_receipt",
                "get_document_sbdh",
                "get_document_ubl",
                "get_event",
                "get_import",
                "get_import_result",
                "get_me",
                "get_report",
                "get_report_xml",
                "get_taxpayer",
                "get_webhook_delivery",
                "get_webhook_endpoint",
                "list_archives",
                "list_attempts",
                "list_audit_events",
                "list_document_reports",
                "list_documents",
                "list_event_deliveries",
                "list_events",
                "list_grants",
                "list_imports",
                "list_registrations",
                "list_reports",
                "list_taxpayers",
                "list_webhook_deliveries",
                "list_webhook_endpoints",
                "put_business_card",
                "put_directory_listing",
                "retry_failed_webhook_deliveries",
                "retry_webhook_delivery",
                "revoke_grant",
                "revoke_token",
                "rotate_webhook_secret",
                "send_credit_note",
                "send_invoice",
                "send_self_billed_credit_note",
                "send_self_billed_invoice",
                "send_test_event",
                "take_billing_event",
                "update_current_taxpayer",
                "update_webhook_endpoint",
                "validate_credit_note",
                "validate_invoice",
                "validate_self_billed_credit_note",
                "validate_self_billed_invoice",
            ]
        );
    }
}
