//! Changes of a taxpayer's settings and of an organization's metadata on it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{
    CurrentTaxpayer,
    change::{Now, busy, event, organizations},
    state,
};
use crate::{
    access::{Action, AuditRecord, By, Caller, Connection, Deed, Trail},
    document::check_metadata,
    error::{Code, Failure, Finding},
    i18n::Language,
    peppol::identifiers::Spid,
    service::{Context, RELAY_GRACE, audit, events, grants::ATTEMPTS, later},
    store::{
        EventRecord, Recorded, TaxpayerChanged, TaxpayerSettings, TaxpayerState, TaxpayerWrites,
    },
    types::OrganizationId,
};

/// The longest e-mail address (RFC 5321, section 4.5.3.1.3, without the angle brackets).
pub const MAX_EMAIL: usize = 254;
/// The longest part of an e-mail address before the sign (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL_PART: usize = 64;

/// The requested changes. Other values stay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// The change of the organization's metadata.
    pub metadata: MetadataPatch,
    /// The change of the taxpayer's settings.
    pub settings: SettingsPatch,
}

/// The change of an organization's metadata.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum MetadataPatch {
    /// No change.
    #[default]
    Keep,
    /// Removes all pairs.
    Clear,
    /// Sets the pairs with a value, and removes those without one.
    Merge(BTreeMap<String, Option<String>>),
}

/// The changes of the settings that an organization may change; `None` leaves a setting. The notification address is
/// not among them: an application must not redirect the notices that warn about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsPatch {
    /// The language of mails to the taxpayer.
    pub language: Option<Language>,
    /// The receiver of Message Level Statuses that documents request.
    pub mls_to: Option<Option<Spid>>,
}

impl SettingsPatch {
    /// Resets each setting to its default.
    pub fn to_defaults() -> Self {
        SettingsPatch { language: Some(Language::default()), mls_to: Some(None) }
    }

    fn applied(&self, to: &TaxpayerSettings) -> TaxpayerSettings {
        let SettingsPatch { language, mls_to } = self.clone();
        TaxpayerSettings {
            language: language.unwrap_or(to.language),
            mls_to: mls_to.unwrap_or_else(|| to.mls_to.clone()),
            ..to.clone()
        }
    }
}

impl MetadataPatch {
    /// The pairs after the change. A null member removes its pair (RFC 7396, section 2).
    fn applied(&self, to: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Failure> {
        let pairs = match self {
            MetadataPatch::Keep => return Ok(to.clone()),
            MetadataPatch::Clear => return Ok(BTreeMap::new()),
            MetadataPatch::Merge(pairs) => pairs,
        };
        let mut merged = to.clone();
        for (key, value) in pairs {
            match value {
                Some(value) => merged.insert(key.clone(), value.clone()),
                None => merged.remove(key),
            };
        }
        let findings = check_metadata(&merged);
        if findings.is_empty() { Ok(merged) } else { Err(refused(findings)) }
    }
}

/// The refusal of a patch.
pub(crate) fn refused(findings: Vec<Finding>) -> Failure {
    let message = "The update of the taxpayer is not valid; see errors.".to_owned();
    Failure { message, ..Failure::invalid(findings) }
}

/// Changes settings and metadata of the caller's taxpayer. A change without effect writes nothing and notifies nobody.
pub async fn patch(
    ctx: &Context,
    caller: &Caller,
    patch: &Patch,
    by: &By,
) -> Result<CurrentTaxpayer, Failure> {
    for attempt in 0..ATTEMPTS {
        let read = state(ctx, caller).await?;
        let Some(draft) = Draft::of(ctx, caller, &read, patch)? else {
            return Ok(CurrentTaxpayer::of(&caller.organization_id, read));
        };
        let events = draft.events(ctx, &read).await?;
        let entries = draft.entries(ctx, &read, by);
        let writes = TaxpayerWrites {
            connection: draft.connection.as_ref(),
            settings: draft.settings.as_ref(),
            taxpayer: None,
        };
        let sweep_at = later(draft.at, RELAY_GRACE);
        let change = TaxpayerChanged {
            read: &read,
            writes,
            events: &events,
            sweep_at,
            entries: &entries,
            mails: &[],
        };
        if ctx.store.change_taxpayer(change).await? == Recorded::Done {
            return Ok(CurrentTaxpayer::of(&caller.organization_id, draft.applied(read)));
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

/// A change with an effect: at least one of the two is present.
struct Draft<'a> {
    organization_id: &'a OrganizationId,
    /// The connection with its new metadata.
    connection: Option<Connection>,
    /// The new settings.
    settings: Option<TaxpayerSettings>,
    at: Timestamp,
}

impl<'a> Draft<'a> {
    /// `None` if the change has no effect.
    fn of(
        ctx: &Context,
        caller: &'a Caller,
        read: &TaxpayerState,
        patch: &Patch,
    ) -> Result<Option<Self>, Failure> {
        let at = ctx.now();
        let connection = read.connection.as_ref().ok_or_else(|| {
            Failure::new(Code::InternalError, "an active grant has no connection")
        })?;
        let metadata = patch.metadata.applied(&connection.metadata)?;
        let connection = (metadata != connection.metadata).then(|| Connection {
            metadata,
            version: connection.version + 1,
            updated_at: at,
            ..connection.clone()
        });
        let settings = patch.settings.applied(&read.settings);
        let settings = (!settings.say_the_same_as(&read.settings)).then(|| TaxpayerSettings {
            version: read.settings.version + 1,
            updated_at: Some(at),
            ..settings
        });
        let organization_id = &caller.organization_id;
        let nothing = connection.is_none() && settings.is_none();
        Ok((!nothing).then_some(Draft { organization_id, connection, settings, at }))
    }

    /// A change of metadata notifies its own organization only. A change of settings notifies all.
    async fn events(
        &self,
        ctx: &Context,
        read: &TaxpayerState,
    ) -> Result<Vec<EventRecord>, Failure> {
        let notified = match self.settings {
            Some(_) => organizations(read),
            None => vec![self.organization_id.clone()],
        };
        let taxpayer = &read.taxpayer;
        let id = &taxpayer.taxpayer_id;
        let mut metadata = match self.settings {
            Some(_) => ctx.store.get_metadata(taxpayer.mode, id, &notified).await?,
            None => BTreeMap::new(),
        };
        let own = self.connection.as_ref().or(read.connection.as_ref());
        let own = own.map(|own| own.metadata.clone()).unwrap_or_default();
        metadata.insert(self.organization_id.clone(), own);
        let settings = self.settings.as_ref().unwrap_or(&read.settings);
        let now = Now { taxpayer, settings, metadata: &metadata };
        let of = |organization: &OrganizationId| {
            let is_own = organization == self.organization_id;
            let pairs = self.connection.as_ref().and(read.connection.as_ref());
            let before = events::Before {
                metadata: pairs.filter(|_| is_own).map(|before| &before.metadata),
                settings: self.settings.as_ref().map(|_| &read.settings),
                ..Default::default()
            };
            event(ctx, read, &now, organization, before, self.at)
        };
        notified.iter().map(of).collect()
    }

    /// The audit entries: in the organization's trail, and in the taxpayer's if its settings changed.
    fn entries(&self, ctx: &Context, read: &TaxpayerState, by: &By) -> Vec<AuditRecord> {
        let taxpayer_id = &read.taxpayer.taxpayer_id;
        let deed = Deed {
            mode: read.taxpayer.mode,
            by,
            action: Action::TaxpayerUpdated,
            subject: taxpayer_id.as_str(),
            at: self.at,
        };
        let own = Trail::Organization(self.organization_id.clone());
        let theirs = self.settings.as_ref().map(|_| Trail::Taxpayer(taxpayer_id.clone()));
        let trails = [Some(own), theirs].into_iter().flatten();
        trails.map(|trail| audit::entry(ctx, &deed, trail)).collect()
    }

    /// The state after the change.
    fn applied(self, mut read: TaxpayerState) -> TaxpayerState {
        if let Some(connection) = self.connection {
            read.connection = Some(connection);
        }
        if let Some(settings) = self.settings {
            read.settings = settings;
        }
        read
    }
}

/// Whether a text can be an e-mail address. It has one @ between a local part and a domain with a dot, in printable
/// ASCII without spaces. Only a message to the address shows whether it exists.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= MAX_EMAIL
        && (1..=MAX_LOCAL_PART).contains(&local.len())
        && local.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"(),:;<>@[\\]".contains(&byte))
        && domain.contains('.')
        && domain.split('.').all(label)
}
