//! The bodies of operations about webhooks. Each reports all of its errors at once.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{
    api::wire::{WebhookEventType, same},
    document::{read_value, unknown_member},
    error::{Failure, Finding},
    service::webhooks::{
        self, EndpointSettings, MAX_DESCRIPTION, MAX_TAXPAYERS, MAX_URL, Patch,
        tools::{Again, Outcome},
    },
    store::EventType,
    types::{Mode, TaxpayerId},
};

/// The outcome of a simulated report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SimulatedOutcome {
    /// The tax authority takes it: REPORTED.
    Accepted,
    /// The tax authority refuses it: NOT_COMPLIANT.
    Rejected,
    /// It does not get there: FAILED.
    Failed,
}

same!(SimulatedOutcome = Outcome { Accepted Rejected Failed });

/// The settings of a new endpoint.
pub(crate) fn create(body: &[u8]) -> Result<EndpointSettings, Failure> {
    let known = ["url", "event_types", "taxpayer_ids", "description", "enabled"];
    read(body, &known, |reading| {
        let url = reading.url();
        if url.is_none() {
            reading.missing("url");
        }
        EndpointSettings {
            url: url.unwrap_or_default(),
            event_types: reading.event_types().unwrap_or_default(),
            taxpayer_ids: reading.taxpayer_ids().unwrap_or_default(),
            description: reading.description().flatten(),
            disabled: reading.flag("enabled") == Some(false),
        }
    })
}

/// The changes of an endpoint.
pub(super) fn patch(body: &[u8]) -> Result<Patch, Failure> {
    let known = ["url", "event_types", "taxpayer_ids", "description", "enabled", "version"];
    read(body, &known, |reading| Patch {
        url: reading.url(),
        event_types: reading.event_types(),
        taxpayer_ids: reading.taxpayer_ids(),
        description: reading.description(),
        enabled: reading.flag("enabled"),
        version: reading.version(),
    })
}

/// Whether the old secret stops signing immediately.
pub(super) fn rotate(body: &[u8]) -> Result<bool, Failure> {
    read(body, &["immediately"], |reading| reading.flag("immediately").unwrap_or_default())
}

/// Whether delivered events are sent again too.
pub(super) fn retry(body: &[u8]) -> Result<bool, Failure> {
    let name = "include_delivered";
    read(body, &[name], |reading| reading.flag(name).unwrap_or_default())
}

/// The deliveries to repeat, and the cursor to continue with.
pub(super) fn retry_failed(body: &[u8]) -> Result<(Again, Option<String>), Failure> {
    let known = ["since", "include_delivered", "cursor"];
    read(body, &known, |reading| {
        reading.missing("since");
        let since = reading.instant("since").unwrap_or_default();
        let include_delivered = reading.flag("include_delivered").unwrap_or_default();
        let cursor = reading.nullable_text("cursor");
        (Again { since, include_delivered }, cursor)
    })
}

/// The type of a test event, and the outcome that it simulates.
pub(crate) fn test(body: &[u8], mode: Mode) -> Result<(EventType, Option<Outcome>), Failure> {
    read(body, &["event_type", "outcome"], |reading| {
        reading.missing("event_type");
        let event_type = reading.one("event_type", event_type).unwrap_or(EventType::Unknown);
        let outcome = reading.one("outcome", |value| {
            let names = "this must be one of accepted, rejected, failed";
            SimulatedOutcome::deserialize(value).map(Outcome::from).map_err(|_| names.to_owned())
        });
        if outcome.is_some() && event_type != EventType::DocumentReported {
            let message = "only document.reported has an outcome: leave it out";
            reading.wrong("outcome", "AP-WEBHOOK-outcome", message);
        }
        // "simulated document.reported events with outcome accepted, rejected or failed" are the Sandbox's
        // (specification 1, Sandbox 6).
        if outcome.is_some() && mode == Mode::Live {
            let message = "only Sandbox simulates reports: leave the outcome out";
            reading.wrong("outcome", "AP-WEBHOOK-outcome", message);
        }
        (event_type, outcome)
    })
}

/// Reads an object with known members.
fn read<T>(
    body: &[u8],
    known: &[&'static str],
    members: impl FnOnce(&mut Reading<'_>) -> T,
) -> Result<T, Failure> {
    let json = read_value(body)?;
    let Some(object) = json.as_object() else {
        let finding = Finding::error("", "AP-JSON-type", "the body must be an object");
        return Err(webhooks::invalid(vec![finding]));
    };
    let mut reading = Reading { object, found: Vec::new() };
    for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
        reading.found.push(unknown_member("", name, known));
    }
    let value = members(&mut reading);
    if reading.found.is_empty() { Ok(value) } else { Err(webhooks::invalid(reading.found)) }
}

/// An object, and its errors so far.
struct Reading<'j> {
    object: &'j Map<String, Value>,
    found: Vec<Finding>,
}

impl<'j> Reading<'j> {
    fn wrong(&mut self, at: &str, rule: &'static str, message: impl Into<String>) {
        self.found.push(Finding::error(format!("/{at}"), rule, message.into()));
    }

    fn missing(&mut self, name: &str) {
        if !self.object.contains_key(name) {
            self.wrong(name, "AP-JSON-required", format!("{name} is required"));
        }
    }

    fn flag(&mut self, name: &str) -> Option<bool> {
        let value = self.object.get(name)?;
        if !value.is_boolean() {
            self.wrong(name, "AP-JSON-type", "this must be true or false");
        }
        value.as_bool()
    }

    fn text(&mut self, name: &str, most: usize) -> Option<&'j str> {
        let value = self.object.get(name)?;
        let Some(text) = value.as_str() else {
            self.wrong(name, "AP-JSON-type", "this must be a string");
            return None;
        };
        match text.chars().count() {
            0 => self.wrong(name, "AP-JSON-length", "this must not be empty"),
            count if count > most => {
                let message = format!("this has {count} characters; at most {most} are allowed");
                self.wrong(name, "AP-JSON-length", message);
            }
            _ => {}
        }
        Some(text)
    }

    fn nullable_text(&mut self, name: &str) -> Option<String> {
        self.object.get(name).filter(|value| !value.is_null())?;
        self.text(name, MAX_URL).map(str::to_owned)
    }

    fn instant(&mut self, name: &str) -> Option<Timestamp> {
        let text = self.text(name, MAX_URL)?;
        let instant = text.parse().ok();
        if instant.is_none() {
            let message = "this must be a date and time with an offset (RFC 3339), such as \
                2026-07-01T00:00:00Z";
            self.wrong(name, "AP-JSON-type", message);
        }
        instant
    }

    fn one<T>(&mut self, name: &str, read: impl Fn(&Value) -> Result<T, String>) -> Option<T> {
        match read(self.object.get(name)?) {
            Ok(value) => Some(value),
            Err(message) => {
                self.wrong(name, "AP-JSON-code", message);
                None
            }
        }
    }

    fn url(&mut self) -> Option<String> {
        self.text("url", MAX_URL).map(str::to_owned)
    }

    /// Null removes the description, as in a merge patch (RFC 7396).
    fn description(&mut self) -> Option<Option<String>> {
        if self.object.get("description")?.is_null() {
            return Some(None);
        }
        Some(self.text("description", MAX_DESCRIPTION).map(str::to_owned))
    }

    fn version(&mut self) -> Option<u64> {
        let value = self.object.get("version")?;
        if value.as_u64().is_none() {
            self.wrong("version", "AP-JSON-type", "this must be the version of an endpoint");
        }
        value.as_u64()
    }

    /// A list. `entry` reads each entry or returns what it must be. Duplicates count once.
    fn list<T: PartialEq>(
        &mut self,
        name: &str,
        entry: impl Fn(&Value) -> Result<T, String>,
    ) -> Option<Vec<T>> {
        let value = self.object.get(name)?;
        let Some(entries) = value.as_array() else {
            self.wrong(name, "AP-JSON-type", "this must be a list");
            return None;
        };
        let mut found = Vec::new();
        for (at, value) in entries.iter().enumerate() {
            match entry(value) {
                Ok(entry) if found.contains(&entry) => {}
                Ok(entry) => found.push(entry),
                Err(message) => self.wrong(&format!("{name}/{at}"), "AP-JSON-code", message),
            }
        }
        Some(found)
    }

    fn event_types(&mut self) -> Option<Vec<EventType>> {
        self.list("event_types", event_type)
    }

    fn taxpayer_ids(&mut self) -> Option<Vec<TaxpayerId>> {
        let found = self.list("taxpayer_ids", |value| {
            let id = value.as_str().and_then(|text| text.parse().ok());
            id.ok_or_else(|| "this must be a taxpayer_id, which starts with txpay_".to_owned())
        });
        if let Some(count) = found.as_ref().map(Vec::len).filter(|count| *count > MAX_TAXPAYERS) {
            let message =
                format!("these are {count} taxpayers; at most {MAX_TAXPAYERS} are allowed");
            self.wrong("taxpayer_ids", "AP-JSON-length", message);
        }
        found
    }
}

fn event_type(value: &Value) -> Result<EventType, String> {
    match WebhookEventType::deserialize(value).map(EventType::from) {
        Ok(EventType::Unknown) | Err(_) => {
            let names = EventType::ALL.map(EventType::as_str).join(", ");
            Err(format!("this must be one of {names}"))
        }
        Ok(known) => Ok(known),
    }
}
