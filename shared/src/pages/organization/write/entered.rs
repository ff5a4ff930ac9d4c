//! What a person has entered: the body of a send. The form shows some of its fields, and 10 of its lines at a time.
//! Everything else travels in a hidden field, so that a copied document loses nothing.

use std::io::{Read, Write};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::{
    super::super::{Form, PageError},
    fields::{
        CORRECTED, LINE, LINE_CODE, LINE_CONTENT, NOT_COPIED, NOT_COPIED_OF_LINE, NOT_CREDITED,
        SELLER, in_line, party, paths,
    },
    paths::{prune, put, remove, value_at},
};
use crate::{document::Operation, error::Failure, service::buyers::Published, store::StoreError};

/// Maximum lines of a document in the form.
pub(super) const MAX_LINES: usize = 100;
/// Lines that the form shows at a time.
pub(super) const LINES_SHOWN: usize = 10;
/// Maximum bytes of what the form does not show: as JSON, and compressed in the page.
const MAX_REST: usize = 256 * 1024;
const MAX_PACKED: usize = 12 * 1024;
/// The fields with the first shown line, and with what the form does not show.
pub(super) const FIRST: &str = "first";
pub(super) const REST: &str = "rest";

const LINES: &str = "line_items";
const CORRECTS: &str = "corrects_document_id";
/// Where the code of a line stands: of goods, and of services.
const GOODS_CODE: &str = "item.classifications.0.code";
const SERVICE_CODE: &str = "item.service_accounting_codes.0.code";
const SERVICE: &str = "S";

/// A document that is being written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entered {
    pub(super) operation: Operation,
    /// The body of the send.
    pub(super) body: Value,
    /// The first line that the form shows.
    pub(super) first: usize,
}

impl Entered {
    /// An empty document.
    pub(super) fn new(operation: Operation) -> Self {
        Entered { operation, body: Value::Object(Map::new()), first: 0 }
    }

    /// The content of a form.
    pub(super) fn of_form(form: &Form, operation: Operation) -> Result<Self, PageError> {
        let mut body = rest_of(form.field(REST))?;
        let first = form.field(FIRST).parse().unwrap_or(0).min(MAX_LINES - LINES_SHOWN);
        for path in paths(operation) {
            put(&mut body, path, form.field(path).trim());
        }
        for line in first..first + LINES_SHOWN {
            for field in &LINE {
                let name = in_line(line, field.path);
                put(&mut body, &name, form.field(&name).trim());
            }
        }
        let lines = body.get_mut(LINES).and_then(Value::as_array_mut);
        lines.into_iter().flatten().for_each(put_code);
        Ok(Entered { operation, body, first }.tidied())
    }

    /// The stored body of a draft, or of a document that was refused.
    pub(super) fn of_stored(operation: Operation, body: &[u8]) -> Result<Self, Failure> {
        let body = serde_json::from_slice(body);
        let body = body.map_err(|error| Failure::from(StoreError::Corrupt(error.into())))?;
        Ok(Entered { operation, body, first: 0 })
    }

    /// A copy of a document, from its content in the vocabulary of the send bodies.
    pub(super) fn copy(operation: Operation, content: Value) -> Self {
        let mut body = content;
        NOT_COPIED.iter().for_each(|path| remove(&mut body, path));
        if !operation.is_self_billed() {
            remove(&mut body, SELLER);
        }
        let lines = body.get_mut(LINES).and_then(Value::as_array_mut);
        for line in lines.into_iter().flatten() {
            NOT_COPIED_OF_LINE.iter().for_each(|path| remove(line, path));
            // A discount of nothing would tie the price to the gross price of the copied line.
            let is = |path: &str, value: Decimal| value_at(line, path).parse() == Ok(value);
            let (no_discount, one) =
                (is("price.discount", Decimal::ZERO), is("price.base_quantity", Decimal::ONE));
            if no_discount {
                remove(line, "price.discount");
            }
            if one {
                remove(line, "price.base_quantity");
            }
            if value_at(line, "item.description") == value_at(line, "item.name") {
                remove(line, "item.description");
            }
        }
        if let Some(members) = body.as_object_mut() {
            members.retain(|name, _| operation.fields().any(|(field, _)| field == name));
        }
        Entered { operation, body, first: 0 }.tidied()
    }

    /// A correction of a document, which is named if it was rejected (specification 2.5 A).
    pub(super) fn correction(operation: Operation, rejected: Option<&str>, content: Value) -> Self {
        let kept = CORRECTED.map(|path| (path, value_at(&content, path)));
        let mut correction = Entered::copy(operation, content);
        kept.iter().for_each(|(path, value)| put(&mut correction.body, path, value));
        put(&mut correction.body, CORRECTS, rejected.unwrap_or_default());
        correction
    }

    /// The document that this one corrects.
    pub(super) fn corrects(&self) -> Option<String> {
        Some(self.value(CORRECTS)).filter(|id| !id.is_empty())
    }

    /// A credit note on an invoice that was sent here; `operation` is that of the credit note.
    pub(super) fn credit(operation: Operation, document_id: &str, content: Value) -> Self {
        let mut credit = Entered::copy(operation, content);
        NOT_CREDITED.iter().for_each(|path| remove(&mut credit.body, path));
        put(&mut credit.body, "previous_document_id", document_id);
        credit
    }

    /// Takes the other party of another document over.
    pub(super) fn set_party(&mut self, content: &Value) {
        let name = party(self.operation);
        let party = content.get(name).cloned().unwrap_or_default();
        if let Some(members) = self.body.as_object_mut() {
            members.insert(name.to_owned(), party);
        }
        prune(&mut self.body);
    }

    /// Fills in what the other party has published.
    pub(super) fn name_party(&mut self, published: &Published) {
        let party = party(self.operation);
        put(&mut self.body, &format!("{party}.name"), &published.name);
        if let Some(country) = &published.country {
            put(&mut self.body, &format!("{party}.address.country_code"), country);
        }
    }

    /// Without lines that have no content, and without empty values.
    fn tidied(mut self) -> Self {
        if let Some(lines) = self.body.get_mut(LINES).and_then(Value::as_array_mut) {
            let has = |line: &Value, path: &&str| match **path == *LINE_CODE {
                true => !code(line).is_empty(),
                false => !value_at(line, path).is_empty(),
            };
            lines.retain(|line| LINE_CONTENT.iter().any(|path| has(line, path)));
        }
        let account = "payment_means.0.credit_transfer.account_identifier";
        // ISO 13616: an IBAN begins with the letters of its country.
        if value_at(&self.body, &format!("{account}.id"))
            .starts_with(|c: char| c.is_ascii_alphabetic())
        {
            put(&mut self.body, &format!("{account}.scheme_id"), "IBAN");
        } else {
            remove(&mut self.body, &format!("{account}.scheme_id"));
        }
        prune(&mut self.body);
        self.first = self.first.min(self.lines() / LINES_SHOWN * LINES_SHOWN);
        self
    }

    /// How many lines the document has.
    pub(super) fn lines(&self) -> usize {
        self.body.get(LINES).and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// The value of a field.
    pub(super) fn value(&self, path: &str) -> String {
        value_at(&self.body, path)
    }

    /// The value of a line's field.
    pub(super) fn value_in_line(&self, line: usize, path: &str) -> String {
        match (path == LINE_CODE, self.body.get(LINES).and_then(|lines| lines.get(line))) {
            (true, Some(line)) => code(line),
            (false, Some(line)) => value_at(line, path),
            (_, None) => String::new(),
        }
    }

    /// The number of the document.
    pub(super) fn number(&self) -> String {
        self.value(self.operation.number_field())
    }

    /// The text of the hidden field: what the form does not show. `None` if it is too much.
    pub(super) fn rest(&self) -> Option<String> {
        let mut rest = self.body.clone();
        paths(self.operation).for_each(|path| remove(&mut rest, path));
        let lines = rest.get_mut(LINES).and_then(Value::as_array_mut);
        let shown = lines.into_iter().flatten().skip(self.first).take(LINES_SHOWN);
        for line in shown {
            LINE.iter().for_each(|field| remove(line, field.path));
            [GOODS_CODE, SERVICE_CODE].iter().for_each(|path| remove(line, path));
        }
        let rest = rest.to_string();
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        packer.write_all(rest.as_bytes()).ok()?;
        let text = URL_SAFE_NO_PAD.encode(packer.finish().ok()?);
        (rest.len() <= MAX_REST && text.len() <= MAX_PACKED).then_some(text)
    }

    /// The names of the top-level fields that the form does not show.
    pub(super) fn hidden(&self) -> Vec<String> {
        let mut rest = self.body.clone();
        paths(self.operation).for_each(|path| remove(&mut rest, path));
        remove(&mut rest, LINES);
        prune(&mut rest);
        let is_shown =
            |name: &str| paths(self.operation).any(|path| path.split('.').next() == Some(name));
        let members = rest.as_object().into_iter().flatten();
        let hidden = members.map(|(name, _)| name.clone());
        hidden.filter(|name| name != CORRECTS && !is_shown(name)).collect()
    }
}

/// The code of a line.
fn code(line: &Value) -> String {
    let place = if value_at(line, "item.type_code") == SERVICE { SERVICE_CODE } else { GOODS_CODE };
    value_at(line, place)
}

/// Puts the code of a line to its place, which depends on whether the line is about a service.
fn put_code(line: &mut Value) {
    let is_service = value_at(line, "item.type_code") == SERVICE;
    let entered = value_at(line, LINE_CODE);
    let is_shown = line.pointer("/item/code").is_some();
    remove(line, LINE_CODE);
    if !is_shown {
        return;
    }
    let place = if is_service { SERVICE_CODE } else { GOODS_CODE };
    put(line, place, &entered);
}

/// The body that the hidden field holds.
fn rest_of(text: &str) -> Result<Value, PageError> {
    if text.is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    let unreadable = || PageError::Unreadable("the field rest is invalid".to_owned());
    let packed = URL_SAFE_NO_PAD.decode(text).map_err(|_| unreadable())?;
    let mut bytes = Vec::new();
    // One byte more than the limit is enough to see that there is too much.
    let read = DeflateDecoder::new(&*packed).take(MAX_REST as u64 + 1).read_to_end(&mut bytes);
    if read.map_err(|_| unreadable())? > MAX_REST {
        return Err(unreadable());
    }
    let body: Value = serde_json::from_slice(&bytes).map_err(|_| unreadable())?;
    let lines = body.get(LINES).and_then(Value::as_array).map_or(0, Vec::len);
    if !body.is_object() || lines > MAX_LINES {
        return Err(unreadable());
    }
    Ok(body)
}
