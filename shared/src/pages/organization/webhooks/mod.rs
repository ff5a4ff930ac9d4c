//! The webhook endpoints of the organization: create, change, test, and recover failing ones.

mod change;
mod endpoint;
mod fields;
mod list;
mod verify;

pub(super) use self::{
    change::{change, changing},
    endpoint::{delete, one, retry_failed, rotate, test},
    list::{create, show},
    verify::verify,
};

use super::deliveries;
use crate::{
    pages::{App, PageError, excerpt::cut},
    service::Notifying,
    store::{DisabledReason, EndpointStatus, Watched},
    types::EndpointId,
};

const PATH: &str = "/organization/webhooks";

/// Characters of an endpoint's description in a row.
const DESCRIPTION_SHOWN: usize = 60;

/// The path of an endpoint's page, below the path of the mode.
fn path_of(id: &EndpointId) -> String {
    format!("{PATH}/{id}")
}

/// The use cases for endpoints; only the function of the portal has them.
fn notifying(app: &App) -> Result<&Notifying, PageError> {
    app.notifying.as_deref().ok_or(PageError::NotFound)
}

/// An endpoint on the page.
pub(super) struct ShownEndpoint {
    pub(super) watched: Watched,
    /// The CSS class of its state, and the name of its message.
    pub(super) tone: &'static str,
    pub(super) state: &'static str,
}

impl ShownEndpoint {
    pub(super) fn of(watched: Watched) -> Self {
        let reason = watched.endpoint.disabled.map(|disabled| disabled.reason);
        let (tone, state) = match (watched.endpoint.status, reason, watched.failing_since) {
            (EndpointStatus::Enabled, _, None) => ("good", "webhooks-enabled"),
            (EndpointStatus::Enabled, _, Some(_)) => ("warn", "webhooks-failing"),
            (_, Some(DisabledReason::Failing), _) => ("bad", "webhooks-disabled-failing"),
            (_, Some(DisabledReason::Gone), _) => ("bad", "webhooks-disabled-gone"),
            _ => ("", "webhooks-disabled"),
        };
        ShownEndpoint { watched, tone, state }
    }

    /// Whether it fails, or was disabled for failures.
    pub(super) fn wants_attention(&self) -> bool {
        ["warn", "bad"].contains(&self.tone)
    }

    /// Its shortened URL, for headings and rows.
    pub(super) fn address(&self) -> String {
        deliveries::address(&self.watched.endpoint.url)
    }

    /// Its shortened description, for rows.
    fn description(&self) -> Option<String> {
        let description = self.watched.endpoint.description.as_deref()?;
        Some(cut(description, DESCRIPTION_SHOWN))
    }

    fn is_enabled(&self) -> bool {
        self.watched.endpoint.status == EndpointStatus::Enabled
    }
}
