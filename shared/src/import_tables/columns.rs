//! Column names. A name consists of the field names of the document model's schemas, joined by dots
//! (`customer.address.city`). A row is one of the `line_items`. In other lists, a number from 0 selects the item
//! (`allowances.1.amount`); without a number, the first item is meant.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::Value;
use utoipa::ToSchema;

use crate::document::{Body, Operation, meant};

/// The field whose objects are the rows.
pub(super) const LINES: &str = "line_items";
/// The column with the reasons why a document was refused. An import ignores it, so that a table of refused rows can be
/// imported again.
pub(super) const REASONS: &str = "import_errors";
/// The beginning of the names of columns that a person left out.
pub(super) const IGNORED: &str = "ignored_column_";
/// Highest number of an item. A typing error must not create a list of a million items.
const MAX_INDEX: usize = 99;

/// The type of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    Text,
    Flag,
    List(Box<Shape>),
    Object(String),
    /// A map with the caller's own keys.
    Map,
}

/// A step of the path to a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Field(String),
    Index(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    /// Whether it belongs to a line, not to the document.
    pub(super) of_line: bool,
    /// The path to its value, from the document or from the line.
    pub(super) steps: Vec<Step>,
    /// Whether its values are booleans.
    pub(super) is_flag: bool,
}

/// The fields of each object, by the name of its schema.
type Objects = BTreeMap<String, BTreeMap<String, Shape>>;

static OBJECTS: LazyLock<Objects> = LazyLock::new(|| {
    let mut schemas = Vec::new();
    Body::schemas(&mut schemas);
    let mut objects: Objects = schemas
        .into_iter()
        .map(|(name, schema)| (name, fields(&serde_json::to_value(schema).unwrap_or_default())))
        .collect();
    let whole = serde_json::to_value(<Body as utoipa::PartialSchema>::schema()).unwrap_or_default();
    objects.insert(BODY.to_owned(), fields(&whole));
    objects
});

const BODY: &str = "Body";

fn fields(schema: &Value) -> BTreeMap<String, Shape> {
    let properties = schema["properties"].as_object();
    let shaped = |(name, schema): (&String, &Value)| (name.clone(), shape(name, schema));
    properties.map(|them| them.iter().map(shaped).collect()).unwrap_or_default()
}

fn shape(name: &str, schema: &Value) -> Shape {
    if name == "metadata" {
        return Shape::Map;
    }
    if let Some(path) = schema["$ref"].as_str() {
        return Shape::Object(path.rsplit('/').next().unwrap_or_default().to_owned());
    }
    for choices in ["oneOf", "anyOf", "allOf"] {
        let choices = schema[choices].as_array().into_iter().flatten();
        if let Some(choice) = choices.into_iter().find(|choice| choice["type"] != "null") {
            return shape(name, choice);
        }
    }
    let is = |kind: &str| {
        let types = &schema["type"];
        types == kind || types.as_array().is_some_and(|types| types.iter().any(|one| one == kind))
    };
    if is("array") {
        Shape::List(Box::new(shape(name, &schema["items"])))
    } else if is("boolean") {
        Shape::Flag
    } else {
        Shape::Text
    }
}

impl Column {
    /// Reads a name; the error is a sentence.
    pub(super) fn read(operation: Operation, name: &str) -> Result<Self, String> {
        if name == REASONS || name.starts_with(IGNORED) {
            let (name, steps) = (name.to_owned(), Vec::new());
            return Ok(Column { name, of_line: true, steps, is_flag: false });
        }
        let mut parts = name.split('.').peekable();
        let (mut steps, mut of_line) = (Vec::new(), false);
        let mut shape = Shape::Object(BODY.to_owned());
        let mut so_far = String::new();
        loop {
            match shape {
                Shape::Text | Shape::Flag => {
                    if let Some(further) = parts.next() {
                        return Err(format!(
                            "{name:?} is not a column: {so_far} has no {further:?}"
                        ));
                    }
                    let is_flag = shape == Shape::Flag;
                    return Ok(Column { name: name.to_owned(), of_line, steps, is_flag });
                }
                Shape::List(of) => {
                    let index = parts.peek().and_then(|part| part.parse::<usize>().ok());
                    if index.is_some() {
                        parts.next();
                    }
                    match index {
                        _ if so_far == LINES => {
                            if index.is_some() {
                                return Err(format!(
                                    "{name:?} is not a column: each row is a line, so leave the line number out"
                                ));
                            }
                            (of_line, steps) = (true, Vec::new());
                        }
                        Some(index) if index > MAX_INDEX => {
                            return Err(format!(
                                "{name:?} is not a column: {MAX_INDEX} is the last number"
                            ));
                        }
                        index => steps.push(Step::Index(index.unwrap_or(0))),
                    }
                    shape = *of;
                }
                Shape::Map => {
                    let key = parts.by_ref().collect::<Vec<_>>().join(".");
                    if key.is_empty() {
                        return Err(format!(
                            "{name:?} is not a column: add a key, as in {so_far}.key"
                        ));
                    }
                    steps.push(Step::Field(key));
                    shape = Shape::Text;
                }
                Shape::Object(object) => {
                    let known = OBJECTS.get(&object).into_iter().flatten();
                    let known = known.map(|(field, _)| field.as_str());
                    let known: Vec<&str> = match object.as_str() {
                        BODY => operation.fields().map(|(field, _)| field).collect(),
                        _ => known.collect(),
                    };
                    let Some(part) = parts.next() else {
                        let first = known.first().copied().unwrap_or_default();
                        return Err(format!(
                            "{name:?} is not a column but an object: name one of its fields, such as {name}.{first}"
                        ));
                    };
                    let prefix =
                        if so_far.is_empty() { String::new() } else { format!("{so_far}.") };
                    let field = OBJECTS.get(&object).and_then(|fields| fields.get(part));
                    let Some(field) = field.filter(|_| known.contains(&part)) else {
                        return Err(match meant(part, known.into_iter()) {
                            Some(meant) => {
                                format!("{name:?} is not a column: did you mean {prefix}{meant}?")
                            }
                            None => format!("{name:?} is not a column: there is no {prefix}{part}"),
                        });
                    };
                    so_far = format!("{prefix}{part}");
                    steps.push(Step::Field(part.to_owned()));
                    shape = field.clone();
                }
            }
        }
    }

    /// Sets a value at its path.
    pub(super) fn put(&self, root: &mut Value, value: &str) {
        if self.steps.is_empty() {
            return;
        }
        // Other values stay text; the validation reports them.
        let value = match value {
            "true" | "TRUE" if self.is_flag => Value::Bool(true),
            "false" | "FALSE" if self.is_flag => Value::Bool(false),
            text => Value::from(text),
        };
        let mut at = root;
        for step in &self.steps {
            at = match step {
                Step::Field(field) => {
                    if !at.is_object() {
                        *at = Value::Object(serde_json::Map::new());
                    }
                    &mut at[field.as_str()]
                }
                Step::Index(index) => {
                    if !at.is_array() {
                        *at = Value::Array(Vec::new());
                    }
                    if let Some(list) = at.as_array_mut()
                        && list.len() <= *index
                    {
                        list.resize(index + 1, Value::Null);
                    }
                    &mut at[*index]
                }
            };
        }
        *at = value;
    }
}

/// The column name for a place in a body, and its line. The first item of a list needs no number.
pub(super) fn name_of(pointer: &str) -> (Option<usize>, String) {
    let parts = pointer.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~"));
    let mut line = None;
    let mut name: Vec<String> = Vec::new();
    for part in parts {
        let of_lines = name.len() == 1 && name.first().is_some_and(|first| first == LINES);
        match part.parse::<usize>() {
            Ok(index) if of_lines && line.is_none() => line = Some(index),
            Ok(0) => {}
            _ => name.push(part),
        }
    }
    (line, name.join("."))
}
