//! The OpenAPI document in the form that pages need: with resolved references, and schemas as flat lists of fields.

use std::sync::LazyLock;

use serde_json::Value;

use crate::document::Operation;

/// The downloadable document; a test compares it with the routes.
pub(super) const TEXT: &str = include_str!("../../openapi.json");

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(TEXT).unwrap_or_default());

/// Maximum depth of fields, deeper than any schema of the API.
const DEEPEST: usize = 12;

/// A field of a body or an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    /// Its path, such as `line_items[].item.name`.
    pub(super) path: String,
    /// Its type.
    pub(super) kind: String,
    pub(super) required: bool,
    /// Its place among the required fields of its object, in the order of the schema.
    pub(super) place: Option<u32>,
    /// The limits of its values.
    pub(super) limits: Vec<String>,
    pub(super) description: String,
}

/// The document.
pub(super) fn document() -> &'static Value {
    &DOCUMENT
}

/// Resolves a reference; returns any other value unchanged.
pub(super) fn followed(value: &Value) -> &Value {
    let target = value.get("$ref").and_then(Value::as_str);
    target.and_then(|target| DOCUMENT.pointer(target.strip_prefix('#')?)).unwrap_or(value)
}

/// A text member of an object; empty if it is missing.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The fields of the body of a send.
pub(super) fn fields_of_body(operation: Operation) -> Vec<Field> {
    let body = &DOCUMENT["paths"][operation.path()]["post"]["requestBody"]["content"];
    fields(&body["application/json"]["schema"])
}

/// The fields of a schema and of its nested schemas, in order.
pub(super) fn fields(schema: &Value) -> Vec<Field> {
    let mut found = Vec::new();
    below(schema, "", &mut Vec::new(), &mut found);
    found
}

/// The field that a schema describes, with a name.
pub(super) fn alone(name: &str, schema: &Value) -> Field {
    field(name, schema, None)
}

/// Adds the fields of a schema's members. `within` lists the references on the path, so that recursive schemas end.
fn below<'s>(schema: &'s Value, path: &str, within: &mut Vec<&'s str>, found: &mut Vec<Field>) {
    let reference = schema.get("$ref").and_then(Value::as_str);
    if within.len() > DEEPEST || reference.is_some_and(|name| within.contains(&name)) {
        return;
    }
    within.push(reference.unwrap_or_default());
    let schema = followed(schema);
    if let Some(members) = schema["properties"].as_object() {
        let required: Vec<_> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, member) in members {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let place = required.iter().position(|it| it == name);
            found.push(field(&path, member, place.and_then(|place| u32::try_from(place).ok())));
            below(member, &path, within, found);
        }
    }
    if schema.get("items").is_some() {
        below(&schema["items"], &format!("{path}[]"), within, found);
    }
    // Of several alternatives, the first with fields.
    let forms = ["oneOf", "allOf", "anyOf"].iter().filter_map(|name| schema[*name].as_array());
    for form in forms.flatten() {
        let before = found.len();
        below(form, path, within, found);
        if found.len() > before {
            break;
        }
    }
    within.pop();
}

fn field(path: &str, schema: &Value, place: Option<u32>) -> Field {
    let inner = followed(schema);
    let own = text(schema, "description");
    Field {
        path: path.to_owned(),
        kind: kind(schema),
        required: place.is_some(),
        place,
        limits: limits(schema),
        description: if own.is_empty() { text(inner, "description") } else { own }.to_owned(),
    }
}

/// The type of a schema in a word or two.
fn kind(schema: &Value) -> String {
    let schema = followed(schema);
    let named = match &schema["type"] {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let forms = ["oneOf", "allOf", "anyOf"].iter().filter_map(|name| schema[*name].as_array());
    let mut kinds: Vec<String> = match named.as_slice() {
        [] => forms.flatten().map(kind).collect(),
        names => names.iter().map(|name| of_type(name, schema)).collect(),
    };
    kinds.dedup();
    match kinds.as_slice() {
        [] => "any".to_owned(),
        kinds => kinds.join(" or "),
    }
}

fn of_type(name: &str, schema: &Value) -> String {
    match (name, text(schema, "format")) {
        ("array", _) => format!("list of {}", kind(&schema["items"])),
        ("object", _) if schema["additionalProperties"].is_object() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        (name, "") => name.to_owned(),
        (name, format) => format!("{name} ({format})"),
    }
}

/// The limits of a schema's values, and of the items of a list.
fn limits(schema: &Value) -> Vec<String> {
    let mut limits = Vec::new();
    collect(schema, &mut limits);
    limits.dedup();
    limits
}

fn collect(schema: &Value, limits: &mut Vec<String>) {
    let schema = followed(schema);
    let number = |name: &str| schema.get(name).filter(|it| it.is_number()).map(Value::to_string);
    let bounds = [
        ("minLength", "maxLength", "characters"),
        ("minItems", "maxItems", "entries"),
        ("minProperties", "maxProperties", "members"),
        ("minimum", "maximum", ""),
    ];
    for (least, most, what) in bounds {
        let said = match (number(least), number(most)) {
            (Some(least), Some(most)) => format!("{least} to {most} {what}"),
            (Some(least), None) => format!("at least {least} {what}"),
            (None, Some(most)) => format!("at most {most} {what}"),
            (None, None) => continue,
        };
        limits.push(said.trim_end().to_owned());
    }
    let words = |name: &str| schema[name].as_array().map(|values| listed(values));
    if let Some(values) = words("enum") {
        limits.push(format!("one of {values}"));
    }
    if let Some(value) = schema.get("const") {
        limits.push(format!("always {}", plain(value)));
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        limits.push(format!("matches {pattern}"));
    }
    if let Some(value) = schema.get("default") {
        limits.push(format!("{} unless given", plain(value)));
    }
    if let Some(value) = schema.get("example") {
        limits.push(format!("such as {}", plain(value)));
    }
    if schema.get("items").is_some_and(|items| followed(items).get("properties").is_none()) {
        collect(&schema["items"], limits);
    }
    for form in schema["oneOf"].as_array().into_iter().flatten() {
        if followed(form).get("properties").is_none() {
            collect(form, limits);
        }
    }
}

fn listed(values: &[Value]) -> String {
    values.iter().map(plain).collect::<Vec<_>>().join(", ")
}

/// A value for people: a text without quotation marks.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_reference_of_the_document_leads_somewhere() {
        fn walk(value: &Value, count: &mut usize) {
            if let Some(target) = value.get("$ref").and_then(Value::as_str) {
                *count += 1;
                assert_ne!(followed(value), value, "{target}");
            }
            match value {
                Value::Object(members) => members.values().for_each(|value| walk(value, count)),
                Value::Array(items) => items.iter().for_each(|value| walk(value, count)),
                _ => {}
            }
        }
        let mut count = 0;
        walk(document(), &mut count);
        assert!(count > 500, "{count}");
    }

    #[test]
    fn the_fields_of_a_body_are_listed_with_their_path_type_and_limits() {
        let fields = fields_of_body(Operation::Invoice);
        let of = |path: &str| {
            fields.iter().find(|field| field.path == path).unwrap_or_else(|| panic!("no {path}"))
        };
        let number = of("invoice_number");
        assert!(number.required && number.kind.starts_with("string"), "{number:?}");
        assert!(number.limits.iter().any(|limit| limit.contains("64 characters")), "{number:?}");
        let name = of("line_items[].item.name");
        assert!(name.required && name.description.contains("IBT-153"), "{name:?}");
        assert!(!of("note").required);
        // `oneOf` an object and a list of objects.
        assert!(of("payment_means.means_code").required);
    }

    #[test]
    fn a_schema_that_holds_itself_has_an_end() {
        let schema = json!({"properties": {
            "inner": {"type": "array", "items": {"type": ["string", "null"], "enum": ["a", "b"]}},
            "any": {},
        }, "required": ["any"]});
        let fields = fields(&schema);
        let listed: Vec<_> = fields.iter().map(|it| (it.path.as_str(), it.kind.as_str())).collect();
        assert_eq!(listed, [("any", "any"), ("inner", "list of string or null")]);
        assert_eq!(fields[1].limits, ["one of a, b"]);
        assert!(fields[0].required && !fields[1].required);
    }
}
