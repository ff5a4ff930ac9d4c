//! The taxpayer of a request: its record, and a JSON Merge Patch of the fields that may change.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{
    error::ApiError, header::BodyType, organization::TaxpayerResponse, request::Call, wire::same,
};
use crate::{
    access::{Caller, Scope},
    api::route::{Answer, Content, HttpMethod, RequestBody, Route, TAXPAYER},
    document::{read_value, unknown_member},
    error::{Failure, Finding},
    i18n::Language,
    peppol::identifiers::Spid,
    service::{
        Connecting,
        taxpayers::{self, CurrentTaxpayer, MetadataPatch, Patch, SettingsPatch, refused},
    },
    store::TaxpayerSettings,
};

const TAXPAYER_ANSWER: Answer = Answer::of(200, "The taxpayer", Content::Taxpayer);

/// The language of messages to a taxpayer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum TaxpayerLanguage {
    /// English.
    #[serde(rename = "en")]
    English,
    /// Arabic.
    #[serde(rename = "ar")]
    Arabic,
}

same!(TaxpayerLanguage = Language { English Arabic });

/// The settings of a taxpayer. They are the same for every organization that may act for it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaxpayerSettingsResponse {
    /// Language of messages to the taxpayer.
    pub language: TaxpayerLanguage,
    /// Service provider to which Message Level Statuses about the taxpayer's Live documents are requested to go. Null
    /// for this access point.
    #[schema(required, example = "0242:000306-MLS")]
    pub mls_to: Option<String>,
    /// E-mail address for notices to the taxpayer. Null for its registered address. The taxpayer sets it on its page
    /// Settings. Security notices also go to the registered address.
    #[schema(required, example = "accounts@falcon.example")]
    pub notification_email: Option<String>,
}

impl From<TaxpayerSettings> for TaxpayerSettingsResponse {
    fn from(settings: TaxpayerSettings) -> Self {
        TaxpayerSettingsResponse {
            language: settings.language.into(),
            mls_to: settings.mls_to.map(|spid| format!("{}:{}", Spid::SCHEME, spid.value())),
            notification_email: settings.notification_email,
        }
    }
}

pub(super) const GET: Route = Route {
    id: "get_current_taxpayer",
    path: "/taxpayer",
    summary: "Get the taxpayer",
    description: "Returns the taxpayer for which the request acts: its registered profile, its settings, the \
        organization's grants and the organization's metadata.",
    any_of: &[Scope::TaxpayerRead],
    answers: &[TAXPAYER_ANSWER],
    ..TAXPAYER
};

/// The taxpayer, with the fields that the caller may read.
pub(super) async fn get(call: Call) -> Result<Response, ApiError> {
    let current = taxpayers::current(call.ctx(), &call.caller).await?;
    Ok(Json(shown(&call.caller, current)).into_response())
}

pub(super) const PATCH: Route = Route {
    id: "update_current_taxpayer",
    method: HttpMethod::Patch,
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
    answers: &[TAXPAYER_ANSWER],
    errors: &[],
    body: Some(RequestBody::TaxpayerPatch),
    ..TAXPAYER
};

pub(super) async fn patch(mut call: Call<Caller, Connecting>) -> Result<Response, ApiError> {
    let patch = read(&call.body(BodyType::MergePatch).await?)?;
    let by = call.by(&call.caller.credential);
    let current = taxpayers::patch(&call.app.ctx, &call.caller, &patch, &by).await?;
    Ok(Json(shown(&call.caller, current)).into_response())
}

fn shown(caller: &Caller, current: CurrentTaxpayer) -> TaxpayerResponse {
    let CurrentTaxpayer { mut connected, settings } = current;
    let profile = serde_json::from_str(&connected.taxpayer.profile).ok();
    // A caller with one grant does not see the organization's other grants.
    let details = caller.has(Scope::TaxpayerRead);
    if !details {
        connected.grants.retain(|grant| caller.grant_ids.contains(&grant.grant_id));
    }
    TaxpayerResponse {
        profile: profile.filter(|_| details),
        settings: details.then(|| settings.into()),
        ..connected.into()
    }
}

/// Reads a patch and collects all its errors.
pub(crate) fn read(body: &[u8]) -> Result<Patch, Failure> {
    let json = read_value(body)?;
    let mut reading = Reading::default();
    let mut patch = Patch::default();
    if let Some(members) = reading.object("", &json) {
        for (name, value) in members {
            match name.as_str() {
                "metadata" => patch.metadata = reading.metadata(value),
                "settings" => patch.settings = reading.settings(value),
                _ => reading.0.push(unknown_member("", name, &["metadata", "settings"])),
            }
        }
    }
    if reading.0.is_empty() { Ok(patch) } else { Err(refused(reading.0)) }
}

/// The errors so far.
#[derive(Default)]
struct Reading(Vec<Finding>);

impl Reading {
    fn wrong(&mut self, at: impl Into<String>, rule: &'static str, message: impl Into<String>) {
        self.0.push(Finding::error(at, rule, message.into()));
    }

    fn object<'j>(&mut self, at: &str, json: &'j Value) -> Option<&'j Map<String, Value>> {
        let object = json.as_object();
        if object.is_none() {
            self.wrong(at, "AP-JSON-type", "this must be an object");
        }
        object
    }

    /// "Null values in the merge patch are given special meaning to indicate the removal of existing values in the
    /// target" (RFC 7396, section 1).
    fn metadata(&mut self, json: &Value) -> MetadataPatch {
        const AT: &str = "/metadata";
        if json.is_null() {
            return MetadataPatch::Clear;
        }
        let mut pairs = BTreeMap::new();
        for (key, value) in self.object(AT, json).into_iter().flatten() {
            match value {
                Value::Null => pairs.insert(key.clone(), None),
                Value::String(text) => pairs.insert(key.clone(), Some(text.clone())),
                _ => {
                    self.wrong(member(AT, key), "AP-JSON-type", "this must be a string or null");
                    None
                }
            };
        }
        MetadataPatch::Merge(pairs)
    }

    fn settings(&mut self, json: &Value) -> SettingsPatch {
        const AT: &str = "/settings";
        if json.is_null() {
            return SettingsPatch::to_defaults();
        }
        let mut settings = SettingsPatch::default();
        for (name, value) in self.object(AT, json).into_iter().flatten() {
            let at = member(AT, name);
            match name.as_str() {
                "language" => {
                    settings.language = self.text(&at, value).map(|text| match text {
                        None => Language::default(),
                        Some("en") => Language::English,
                        Some("ar") => Language::Arabic,
                        Some(_) => {
                            self.wrong(&at, "AP-JSON-code", "the language is en or ar");
                            Language::default()
                        }
                    });
                }
                "mls_to" => {
                    let text = self.text(&at, value);
                    settings.mls_to = text.map(|text| text.and_then(|text| self.spid(&at, text)));
                }
                // Security notices go to this address, so an application must not be able to change it.
                "notification_email" => {
                    let message =
                        "only the taxpayer can change this, on its page Settings: leave it out";
                    self.wrong(at, "AP-SETTINGS-owner", message);
                }
                _ => self.0.push(unknown_member(AT, name, &["language", "mls_to"])),
            }
        }
        settings
    }

    /// A text or null; `None` and an error for other types.
    fn text<'j>(&mut self, at: &str, json: &'j Value) -> Option<Option<&'j str>> {
        match json {
            Value::Null => Some(None),
            Value::String(text) => Some(Some(text)),
            _ => {
                self.wrong(at, "AP-JSON-type", "this must be a string or null");
                None
            }
        }
    }

    /// Peppol Message Level Status: MLS_TO names a service provider, in scheme 0242.
    fn spid(&mut self, at: &str, text: &str) -> Option<Spid> {
        let spid = text.parse();
        if let Err(error) = &spid {
            let message = format!("{error}. Write, for example, 0242:000306-MLS");
            self.wrong(at, "AP-JSON-pattern", message);
        }
        spid.ok()
    }
}

/// The pointer to a member (RFC 6901, section 3).
fn member(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}
