//! What a set of generated documents covers.

use std::{collections::BTreeMap, fmt};

use access_point::document::{Body, Document};
use serde_json::Value;
use utoipa::{PartialSchema, ToSchema, openapi::RefOr, openapi::schema::Schema};

use crate::case::Case;

/// How often each field, flag, category, type and currency appeared.
#[derive(Debug)]
pub struct Coverage {
    /// Every field of the model by its path in a body, lists written as `[]`.
    fields: BTreeMap<String, usize>,
    /// Operations, types, flags, categories and so on, by kind and name.
    values: BTreeMap<(&'static str, String), usize>,
    documents: usize,
}

/// What the schema of a party has for sellers alone; a body's customer is refused with it.
const SELLERS_ONLY: [&str; 3] = [
    "/customer/tax_registration_identifier",
    "/customer/tax_registration_scheme_id",
    "/customer/additional_legal_information",
];

const FLAGS: [&str; 8] = [
    "1 free trade zone",
    "2 deemed supply",
    "3 margin scheme",
    "4 summary invoice",
    "5 continuous supply",
    "6 disclosed agent",
    "7 e-commerce",
    "8 exports",
];

impl Default for Coverage {
    fn default() -> Self {
        Coverage { fields: model_fields(), values: BTreeMap::new(), documents: 0 }
    }
}

impl Coverage {
    /// Counts one document.
    pub fn count(&mut self, case: &Case, document: &Document) {
        self.documents += 1;
        let mut seen = Vec::new();
        paths(&case.body, "", &mut seen);
        seen.sort_unstable();
        seen.dedup();
        for path in seen {
            if let Some(count) = self.fields.get_mut(&path) {
                *count += 1;
            }
        }
        let body = &document.body;
        self.value("operation", case.operation.as_str());
        self.value("type", document.type_code);
        let flags = body.transaction_type_code.as_deref().unwrap_or_default();
        for (flag, name) in flags.chars().zip(FLAGS) {
            if flag == '1' {
                self.value("flag", name);
            }
        }
        match flags.chars().filter(|flag| *flag == '1').count() {
            0 => self.value("flags", "none"),
            1 => self.value("flags", "one"),
            _ => self.value("flags", "several"),
        }
        for row in &document.vat_breakdown {
            self.value("category", &row.category_code);
        }
        self.value("currency", body.currency.as_deref().unwrap_or_default());
        for means in &body.payment_means {
            self.value("payment means", &means.means_code);
        }
        if let Some(reason) = &body.credit_note_reason_code {
            self.value("credit note reason", reason);
        }
        let buyer = document.buyer.electronic_address.as_ref().map(|address| &address.id);
        match buyer {
            Some(id) if id.starts_with("99") => self.value("predefined endpoint", id),
            _ => {}
        }
        self.value(
            "lines",
            match body.line_items.len() {
                1 => "1",
                2..=20 => "2 to 20",
                _ => "more",
            },
        );
    }

    /// The fields of the model that no document had.
    pub fn missing(&self) -> Vec<&str> {
        let never = self.fields.iter().filter(|(_, count)| **count == 0);
        never.map(|(path, _)| path.as_str()).collect()
    }

    fn value(&mut self, kind: &'static str, name: &str) {
        *self.values.entry((kind, name.to_owned())).or_default() += 1;
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "documents {}", self.documents)?;
        for ((kind, name), count) in &self.values {
            writeln!(f, "{count:7} {kind}: {name}")?;
        }
        for (path, count) in &self.fields {
            writeln!(f, "{count:7} {path}")?;
        }
        let covered = self.fields.len() - self.missing().len();
        writeln!(f, "fields covered {covered} of {}", self.fields.len())
    }
}

/// The paths of a value's members.
fn paths(value: &Value, prefix: &str, into: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let path = format!("{prefix}/{name}");
                paths(value, &path, into);
                into.push(path);
            }
        }
        Value::Array(items) => {
            let path = format!("{prefix}[]");
            items.iter().for_each(|item| paths(item, &path, into));
        }
        _ => {}
    }
}

/// Every path that the published schema of a body allows.
fn model_fields() -> BTreeMap<String, usize> {
    let mut schemas = Vec::new();
    Body::schemas(&mut schemas);
    let schemas: BTreeMap<_, _> = schemas.into_iter().collect();
    let mut fields = BTreeMap::new();
    schema_paths(&Body::schema(), "", &schemas, &mut fields);
    fields.retain(|path, _| !SELLERS_ONLY.contains(&path.as_str()));
    fields
}

fn schema_paths(
    schema: &RefOr<Schema>,
    prefix: &str,
    schemas: &BTreeMap<String, RefOr<Schema>>,
    into: &mut BTreeMap<String, usize>,
) {
    match schema {
        RefOr::Ref(reference) => {
            let name = reference.ref_location.rsplit('/').next().unwrap_or_default();
            if let Some(schema) = schemas.get(name) {
                schema_paths(schema, prefix, schemas, into);
            }
        }
        RefOr::T(Schema::Object(object)) => {
            for (name, schema) in &object.properties {
                let path = format!("{prefix}/{name}");
                schema_paths(schema, &path, schemas, into);
                into.insert(path, 0);
            }
        }
        RefOr::T(Schema::Array(array)) => {
            if let utoipa::openapi::schema::ArrayItems::RefOrSchema(item) = &array.items {
                schema_paths(item, &format!("{prefix}[]"), schemas, into);
            }
        }
        RefOr::T(Schema::OneOf(one_of)) => {
            one_of.items.iter().for_each(|schema| schema_paths(schema, prefix, schemas, into));
        }
        _ => {}
    }
}
