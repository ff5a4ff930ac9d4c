//! Building JSON objects.

use serde_json::{Map, Value};

/// A JSON object under construction.
#[derive(Debug, Default)]
pub(crate) struct Object(Map<String, Value>);

impl Object {
    /// Sets a member.
    pub(crate) fn put(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Sets a member that may be absent.
    pub(crate) fn maybe(&mut self, name: &str, value: Option<impl Into<Value>>) -> &mut Self {
        if let Some(value) = value {
            self.put(name, value);
        }
        self
    }

    /// Sets a list unless it is empty.
    pub(crate) fn list(&mut self, name: &str, values: Vec<Value>) -> &mut Self {
        if !values.is_empty() {
            self.put(name, values);
        }
        self
    }

    /// The object; the builder is empty afterwards.
    pub(crate) fn take(&mut self) -> Value {
        Value::Object(std::mem::take(&mut self.0))
    }

    /// The object unless it is empty.
    pub(crate) fn take_some(&mut self) -> Option<Value> {
        (!self.0.is_empty()).then(|| self.take())
    }
}
