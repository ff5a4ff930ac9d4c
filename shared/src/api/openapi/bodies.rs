//! Request bodies in the OpenAPI document, generated from the document model. Each operation has one schema with its
//! fields, required fields, and the limits of the interface specification.

use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::reference;
use crate::{
    api::header::BodyType,
    document::{
        Body, MAX_DOCUMENT_ID, MAX_METADATA_KEY, MAX_METADATA_KEYS, MAX_SOURCE_ID, MAX_TEXT,
        OBJECTS, Operation,
    },
    service::taxpayers::MAX_EMAIL,
};

/// The fields with decimals, in any object. A test reads a number into each.
const DECIMALS: &[&str] = &[
    "amount",
    "amount_due_for_payment",
    "amount_in_aed",
    "base_amount",
    "base_quantity",
    "currency_exchange_rate",
    "discount",
    "gross_price",
    "net_amount",
    "net_price",
    "paid_amount",
    "percentage",
    "quantity",
    "rate",
    "rounding_amount",
    "sum_of_allowances",
    "sum_of_charges",
    "sum_of_line_net_amounts",
    "tax_amount",
    "taxable_amount",
    "total_amount_with_vat",
    "total_amount_with_vat_in_aed",
    "total_amount_without_vat",
    "total_vat_amount",
    "total_vat_amount_in_accounting_currency",
    "vat_amount_in_aed",
    "vat_rate",
];

/// The name of an operation's body schema.
fn schema_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Invoice => "InvoiceBody",
        Operation::CreditNote => "CreditNoteBody",
        Operation::SelfBilledInvoice => "SelfBilledInvoiceBody",
        Operation::SelfBilledCreditNote => "SelfBilledCreditNoteBody",
    }
}

/// The request body of an operation that takes this kind of document.
pub(super) fn request_body(operation: Operation) -> Value {
    json!({
        "required": true,
        "content": {"application/json": {
            "schema": reference("schemas", schema_name(operation)),
            "example": example(operation),
        }},
    })
}

/// The request body of a business card.
pub(super) fn business_card() -> Value {
    json!({
        "required": true,
        "content": {"application/json": {
            "schema": reference("schemas", "BusinessCardBody"),
            "example": {"entities": [{
                "names": [{"name": "Falcon Trading LLC", "language": "en"}],
                "country_code": "AE",
                "geographical_information": "Dubai",
                "identifiers": [{"scheme": "Trade license", "value": "CN-1234567"}],
                "websites": ["https://falcon.example"],
                "contacts": [{"type": "Accounting", "email": "accounts@falcon.example"}],
            }]},
        }},
    })
}

/// The name of the schema for changes of a taxpayer.
const TAXPAYER_PATCH: &str = "UpdateTaxpayerBody";

/// The request body that changes a taxpayer. Both media types refer to one schema, because generators create two types
/// for a repeated inline schema.
pub(super) fn taxpayer_patch() -> Value {
    let example = json!({
        "metadata": {"erp_customer": "4711", "old_key": null},
        "settings": {"language": "ar"},
    });
    let content = BodyType::MergePatch.media_types().iter().map(|media_type| {
        let schema = reference("schemas", TAXPAYER_PATCH);
        ((*media_type).to_owned(), json!({"schema": schema, "example": example.clone()}))
    });
    json!({"required": true, "content": content.collect::<Map<String, Value>>()})
}

/// The changes of a taxpayer, as a JSON Merge Patch.
fn taxpayer_patch_schema() -> Value {
    let or_null = |mut schema: Value| {
        schema["type"] = json!([schema["type"], "null"]);
        schema
    };
    json!({
        "type": "object",
        "description": "The body of PATCH /taxpayer, a JSON Merge Patch. Fields that are left out stay unchanged.",
        "additionalProperties": false,
        "properties": {
            "metadata": {
                "type": ["object", "null"],
                "maxProperties": MAX_METADATA_KEYS,
                "propertyNames": {"minLength": 1, "maxLength": MAX_METADATA_KEY},
                "additionalProperties": {"type": ["string", "null"]},
                "description": "Key-value pairs of the organization: up to 100 keys of up to 100 characters. The \
                    total, including unchanged pairs, is at most 16 KiB. Null removes a key, or all keys.",
            },
            "settings": {
                "type": ["object", "null"],
                "additionalProperties": false,
                "properties": {
                    // No default: clients would send it for an omitted value.
                    "language": {
                        "enum": ["en", "ar", null],
                        "description": "Language of messages to the taxpayer. Null sets English.",
                    },
                    "mls_to": or_null(json!({
                        "type": "string",
                        "pattern": "^0242:[0-9]{6}(-[0-9A-Za-z_]{3,12}(\\.[0-9A-Za-z._~-]{3,24})?)?$",
                        "description": "Service provider to which Message Level Statuses about the taxpayer's Live \
                            documents are requested to go. Null sets this access point.",
                    })),
                    "notification_email": or_null(json!({
                        "type": "string", "format": "email", "maxLength": MAX_EMAIL,
                        "deprecated": true,
                        "description": "Always refused (AP-SETTINGS-owner). Only the taxpayer sets the address for \
                            its notices, on its page Settings. Leave this field out.",
                    })),
                },
            },
        },
    })
}

/// The file of an import.
pub(super) fn import() -> Value {
    let line = example(Operation::Invoice).to_string();
    let content = BodyType::File.media_types().iter().map(|media_type| {
        let content = match *media_type {
            "application/x-ndjson" => {
                json!({"schema": {"type": "string"}, "example": format!("{line}\n")})
            }
            "text/csv" => json!({
                "schema": {"type": "string"},
                "example": include_str!("../../../../events/imports/invoices.csv"),
            }),
            // Bytes of any kind are a schema without constraints (OpenAPI 3.1.0, section 4.8.14.3).
            _ => json!({"schema": {}}),
        };
        ((*media_type).to_owned(), content)
    });
    json!({"required": true, "content": content.collect::<Map<String, Value>>()})
}

/// The body that resubmits a report.
pub(super) fn file_report() -> Value {
    json!({
        "required": true,
        "content": {"application/json": {
            "schema": reference("schemas", "FileReportBody"),
            "example": {"kind": "R"},
        }},
    })
}

/// Adds the four body schemas and those of the objects within them. A document's content has one of the four.
pub(super) fn add(document: &mut Value) {
    let mut schemas = Vec::new();
    Body::schemas(&mut schemas);
    let components = &mut document["components"]["schemas"];
    for (name, schema) in schemas {
        // The map of `metadata`, which is defined inline.
        if name == "BTreeMap" {
            continue;
        }
        let mut schema = serde_json::to_value(schema).unwrap_or_default();
        refine(&name, &mut schema);
        components[name] = schema;
    }
    let mut whole = serde_json::to_value(Body::schema()).unwrap_or_default();
    refine(&Body::name(), &mut whole);
    for operation in Operation::ALL {
        components[schema_name(operation)] = body_schema(operation, &whole);
    }
    let any = Operation::ALL.map(|operation| reference("schemas", schema_name(operation)));
    let content = &mut components["ContentResponse"]["properties"]["content"];
    *content = json!({"description": content["description"], "anyOf": any});
    components[TAXPAYER_PATCH] = taxpayer_patch_schema();
    components["Decimal"] = json!({
        "description": "An exact decimal, as a string or a number. It has at most 18 digits before the point and 10 \
            after it, and no exponent.",
        "oneOf": [
            {"type": "string", "pattern": "^-?[0-9]{1,18}(\\.[0-9]{1,10})?$"},
            {"type": "number"},
        ],
    });
}

/// Refines the schema of an object: required fields, no unknown fields, decimals by reference.
fn refine(name: &str, schema: &mut Value) {
    let object = OBJECTS.into_iter().flatten().find(|(object, _)| *object == name);
    let Some((_, fields)) = object else { return };
    let required: Vec<&str> = fields.iter().filter(|(_, r)| *r).map(|(field, _)| *field).collect();
    schema["required"] = json!(required);
    if required.is_empty() {
        schema.as_object_mut().map(|members| members.remove("required"));
    }
    schema["additionalProperties"] = json!(false);
    let Some(properties) = schema["properties"].as_object_mut() else { return };
    for (field, property) in properties {
        if DECIMALS.contains(&field.as_str()) {
            *property = decimal(property);
        } else if field == "content_base64" {
            property["contentEncoding"] = json!("base64");
        } else if property["type"] == "string" || property["type"] == json!(["string", "null"]) {
            property["minLength"] = json!(1);
            if property.get("format").is_none() {
                property["maxLength"] = json!(MAX_TEXT);
            }
        }
    }
}

/// Replaces a string by a decimal with the same description and nullability.
fn decimal(property: &Value) -> Value {
    let mut one_of = vec![reference("schemas", "Decimal")];
    if property["type"].is_array() {
        one_of.push(json!({"type": "null"}));
    }
    json!({"description": property["description"], "oneOf": one_of})
}

/// The fields of one operation with its limits.
fn body_schema(operation: Operation, whole: &Value) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (field, is_required) in operation.fields() {
        let mut property = whole["properties"][field].clone();
        if let (Some(property), Some(rules)) =
            (property.as_object_mut(), rules(operation, field).as_object())
        {
            if rules.contains_key("type") {
                property.remove("$ref");
            }
            property.extend(rules.clone());
        }
        if field == "payment_means" {
            property = one_or_list(&property);
        }
        if is_required {
            property = not_null(property);
        }
        properties.insert(field.to_owned(), property);
        if is_required {
            required.push(field);
        }
    }
    json!({
        "type": "object",
        "description": format!("The body of POST {}.", operation.path()),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Makes a field non-nullable. The model, which all operations share, declares it nullable, and null counts as omitted.
fn not_null(mut property: Value) -> Value {
    if let Some(types) = property.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            property["type"] = only.clone();
        }
    }
    for list in ["oneOf", "anyOf"] {
        let Some(choices) = property.get_mut(list).and_then(Value::as_array_mut) else { continue };
        choices.retain(|choice| choice["type"] != "null");
        // Members beside a reference remain valid in OpenAPI 3.1.
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            if let Some(members) = property.as_object_mut() {
                members.remove(list);
                members.extend(only);
            }
        }
    }
    property
}

/// A list of objects that may also be a single object.
fn one_or_list(property: &Value) -> Value {
    let mut list = property.clone();
    let description = list.as_object_mut().and_then(|members| members.remove("description"));
    let one = list["items"].clone();
    json!({"description": description, "oneOf": [one, list]})
}

/// The rules of top-level fields: tables A and B of the interface specification, sections 2.5 and
/// 2.6.
fn rules(operation: Operation, field: &str) -> Value {
    let [default_code, other_code] = operation.type_codes();
    match field {
        "invoice_number" | "credit_note_number" => json!({"maxLength": 64, "minLength": 1}),
        "due_date" | "issue_date" | "original_issue_date" | "vat_point_date" => {
            json!({"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "maxLength": 10})
        }
        "invoice_type_code" | "credit_note_type_code" => {
            json!({"enum": [default_code, other_code], "default": default_code})
        }
        "profile" if operation.is_self_billed() => json!({
            "maxLength": 64, "pattern": "^pint:selfbilling-1(@ae-1)?\\*?$",
            "default": "pint:selfbilling-1@ae-1",
        }),
        "profile" => json!({
            "maxLength": 64, "pattern": "^pint:(billing|selfbilling)-1(@ae-1)?\\*?$",
            "default": "pint:billing-1@ae-1",
        }),
        "mls_type" => json!({"enum": ["ALWAYS_SEND", "FAILURE_ONLY"], "default": "ALWAYS_SEND"}),
        "currency" => json!({"minLength": 3, "maxLength": 3, "default": "AED"}),
        "transaction_type_code" => json!({
            "minLength": 8, "maxLength": 8, "pattern": "^[01]{8}$", "default": "00000000",
            "description": "BTAE-02 Transaction type code: eight flags. From left to right: free zone, deemed \
                supply, margin scheme, summary invoice, continuous supply, disclosed agent billing, e-commerce, \
                exports. 1 means that the scenario applies.",
        }),
        "line_items" => json!({"minItems": 1, "maxItems": 1000}),
        "source_id" => json!({"maxLength": MAX_SOURCE_ID}),
        "previous_document_id" | "corrects_document_id" => json!({"maxLength": MAX_DOCUMENT_ID}),
        "metadata" => json!({
            "type": "object", "maxProperties": 100, "propertyNames": {"maxLength": 100},
            "additionalProperties": {"type": "string"},
            "description": "The caller's own key-value pairs: up to 100 keys of up to 100 characters, 16 KiB in \
                total. They are stored apart from the fiscal document, and never sent to Peppol or the tax \
                authority.",
        }),
        "credit_note_reason_code" => json!({"enum": [
            "DL8.61.1.A", "DL8.61.1.B", "DL8.61.1.C", "DL8.61.1.D", "DL8.61.1.E", "VD",
        ]}),
        "original_reference_kind" => json!({"enum": ["ap", "external"], "default": "ap"}),
        _ => json!({}),
    }
}

/// A sample that is valid for the demo taxpayer without changes.
fn example(operation: Operation) -> Value {
    let sample = match operation {
        Operation::Invoice => include_str!("../../../../events/invoices/minimal.json"),
        Operation::CreditNote => include_str!("../../../../events/credit-notes/external.json"),
        Operation::SelfBilledInvoice => {
            include_str!("../../../../events/self-billing/invoices/standard.json")
        }
        Operation::SelfBilledCreditNote => {
            include_str!("../../../../events/self-billing/credit-notes/external.json")
        }
    };
    serde_json::from_str(sample).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{ReadError, read};

    /// Whether a field of an object accepts a number, tested with the reader itself.
    fn takes_a_number(object: &str, field: &str) -> bool {
        // The path to each object from a body, with `{}` for the object.
        let path = match object {
            "Body" => "{}",
            "InvoicePeriod" => r#"{"invoice_period":{}}"#,
            "Period" => r#"{"line_items":[{"period":{}}]}"#,
            "Identifier" => r#"{"invoiced_object_identifier":{}}"#,
            "PrecedingInvoiceReference" => r#"{"preceding_invoice_references":[{}]}"#,
            "SupportingDocument" => r#"{"supporting_documents":[{}]}"#,
            "Attachment" => r#"{"supporting_documents":[{"attachment":{}}]}"#,
            "Party" => r#"{"supplier":{}}"#,
            "LegalRegistration" => r#"{"supplier":{"legal_registration":{}}}"#,
            "Address" => r#"{"delivery_address":{}}"#,
            "Contact" => r#"{"supplier":{"contact":{}}}"#,
            "Payee" => r#"{"payee":{}}"#,
            "TaxRepresentative" => r#"{"tax_representative":{}}"#,
            "Delivery" => r#"{"delivery":{}}"#,
            "PaymentMeans" => r#"{"payment_means":[{}]}"#,
            "CreditTransfer" => r#"{"payment_means":[{"credit_transfer":{}}]}"#,
            "PaymentCard" => r#"{"payment_means":[{"card":{}}]}"#,
            "DirectDebit" => r#"{"payment_means":[{"direct_debit":{}}]}"#,
            "PaymentTerms" => r#"{"payment_terms":[{}]}"#,
            "PaidAmount" => r#"{"paid_amounts":[{}]}"#,
            "DocumentAllowanceCharge" => r#"{"allowances":[{}]}"#,
            "LineAllowanceCharge" => r#"{"line_items":[{"allowances":[{}]}]}"#,
            "GivenTotals" => r#"{"totals":{}}"#,
            "GivenVatBreakdown" => r#"{"vat_breakdown":[{}]}"#,
            "Line" => r#"{"line_items":[{}]}"#,
            "Item" => r#"{"line_items":[{"item":{}}]}"#,
            "ServiceAccountingCode" => {
                r#"{"line_items":[{"item":{"service_accounting_codes":[{}]}}]}"#
            }
            "Classification" => r#"{"line_items":[{"item":{"classifications":[{}]}}]}"#,
            "ItemAttribute" => r#"{"line_items":[{"item":{"attributes":[{}]}}]}"#,
            "LineVat" => r#"{"line_items":[{"vat":{}}]}"#,
            "Price" => r#"{"line_items":[{"price":{}}]}"#,
            other => panic!("say where {other} is in a body"),
        };
        let json = path.replacen("{}", &format!(r#"{{"{field}":1.5}}"#), 1);
        let ReadError::Invalid(findings) = read(Operation::Invoice, json.as_bytes()).unwrap_err()
        else {
            panic!("{json} is JSON");
        };
        let end = format!("/{field}");
        !findings.iter().any(|f| f.pointer.ends_with(&end) && f.rule == "AP-JSON-type")
    }

    #[test]
    fn decimals_are_the_fields_that_take_numbers() {
        let credit_notes_only: Vec<&str> = Operation::CreditNote
            .fields()
            .map(|(field, _)| field)
            .filter(|field| !Operation::Invoice.fields().any(|(other, _)| other == *field))
            .collect();
        for (object, fields) in OBJECTS.into_iter().flatten() {
            for (field, _) in *fields {
                if *object == "Body" && credit_notes_only.contains(field) {
                    continue;
                }
                let is_decimal = DECIMALS.contains(field);
                assert_eq!(takes_a_number(object, field), is_decimal, "{object}.{field}");
            }
        }
    }

    #[test]
    fn bodies_have_the_fields_of_their_operation() {
        let document = super::super::document();
        for operation in Operation::ALL {
            let schema = &document["components"]["schemas"][schema_name(operation)];
            let properties = schema["properties"].as_object().unwrap();
            assert_eq!(properties.len(), operation.fields().count());
            assert!(properties.values().all(Value::is_object), "{operation}");
            let typed_null = |property: &Value| property.get("type") == Some(&Value::Null);
            assert!(!properties.values().any(typed_null), "{operation}");
        }
        let schema = &document["components"]["schemas"]["SelfBilledCreditNoteBody"];
        for absent in ["customer", "delivery_address", "payment_means", "due_date"] {
            assert!(schema["properties"].get(absent).is_none(), "{absent}");
        }
        assert_eq!(schema["required"], json!(["credit_note_number", "supplier", "line_items"]));
    }

    #[test]
    fn the_examples_are_read_without_a_finding() {
        for operation in Operation::ALL {
            let body = serde_json::to_vec(&example(operation)).unwrap();
            assert_eq!(read(operation, &body).err(), None, "{operation}");
        }
    }
}
