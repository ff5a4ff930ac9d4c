//! The functions that send: the API, the stages up to dispatch, and the relay.

use std::time::Duration;

use super::Deployment;
use crate::{
    config::{BillingConfig, ConfigError, QueuesConfig, RequestsConfig, SendConfig, tax_authority},
    service::{
        Live, Relaying, Sending, Serving, Settings,
        archives::{Archiving, Describe},
        imports::{Importing, Pace},
        relay::KnownEndpoints,
        reply::Render,
        requests::RequestLimit,
    },
    store::Freshness,
};

/// How long a worker advances an import before it hands it over. A chunk that was begun by then still ends in time.
const IMPORT_SLICE: Duration = Duration::from_secs(10);

/// How long a worker advances an archive before it hands it over. A part that was begun by then still ends in time.
const ARCHIVE_SLICE: Duration = Duration::from_secs(10);

impl Sending {
    /// For `convert`, which does not use the network.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let environment = deployment.environment();
        let SendConfig { queued_delivery, lease, time } = SendConfig::read(environment)?;
        let BillingConfig { freshness, sandbox_daily_sends } = BillingConfig::read(environment)?;
        let settings = Settings {
            queued_delivery,
            lease,
            time,
            freshness: Freshness(freshness),
            sandbox_daily_sends,
        };
        let (ctx, bucket) = (deployment.context(), deployment.bucket()?);
        Ok(Sending { ctx, bucket, settings, live: None })
    }

    /// For `dispatch`, with the network. `render` writes the response to a send.
    pub fn connected(deployment: &Deployment, render: Render) -> Result<Self, ConfigError> {
        let sending = Self::on(deployment)?;
        let connection = deployment.connection(&sending.bucket)?;
        let authority = tax_authority(deployment.environment())?;
        let live = connection.map(|connection| Live { connection, render, authority });
        Ok(Sending { live, ..sending })
    }
}

impl Serving {
    /// For `api`.
    pub fn on(deployment: &Deployment, render: Render) -> Result<Self, ConfigError> {
        let RequestsConfig { per_minute } = RequestsConfig::read(deployment.environment())?;
        let sending = Sending::connected(deployment, render)?;
        Ok(Serving {
            sending,
            letterheads: deployment.letterheads()?,
            cursors: deployment.cursors()?,
            request_limit: RequestLimit::new(per_minute),
        })
    }
}

impl Relaying {
    /// For `relay` and `sweeper`.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let queues = QueuesConfig::read(deployment.environment())?;
        Ok(Relaying {
            ctx: deployment.context(),
            convert: deployment.queue(queues.convert),
            dispatch: deployment.queue(queues.dispatch),
            deliver: deployment.queue(queues.deliver),
            validate_inbound: deployment.live_queue(queues.validate_inbound),
            mls_outbound: deployment.live_queue(queues.answer),
            register: deployment.live_queue(queues.register.clone()),
            application: deployment.live_queue(queues.register),
            report: deployment.live_queue(queues.report.clone()),
            peppol_reports: deployment.live_queue(queues.report),
            imports: deployment.queue(queues.imports),
            archives: deployment.queue(queues.archives),
            mail: deployment.queue(queues.mail),
            endpoints: KnownEndpoints::default(),
        })
    }
}

impl Importing {
    /// For `imports`. It sends nothing to the network. It only checks whether there is a network, because Live sends
    /// need one.
    pub fn on(deployment: &Deployment, render: Render) -> Result<Self, ConfigError> {
        let sending = Sending::connected(deployment, render)?;
        Ok(Importing { sending, render, slice: IMPORT_SLICE, pace: Pace::default() })
    }
}

impl Archiving {
    /// For `archives`. `describe` writes the record of a document.
    pub fn on(deployment: &Deployment, describe: Describe) -> Result<Self, ConfigError> {
        let SendConfig { lease, .. } = SendConfig::read(deployment.environment())?;
        let (ctx, bucket) = (deployment.context(), deployment.bucket()?);
        Ok(Archiving { ctx, bucket, describe, lease, slice: ARCHIVE_SLICE })
    }
}
