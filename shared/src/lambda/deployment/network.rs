//! The functions that receive from the network, and that send what is owed to it.

use super::Deployment;
use crate::{
    config::{ConfigError, PeppolReportsConfig, ReportConfig, SendConfig},
    service::{
        PeppolReporting, Receiving, RefreshingTrust, SendingMls, TaxReporting, ValidatingInbound,
        report::Pace,
    },
};

impl Receiving {
    /// For `inbound`.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let bucket = deployment.bucket()?;
        let connection = deployment.connection(&bucket)?;
        Ok(Receiving { ctx: deployment.context(), bucket, connection })
    }
}

impl ValidatingInbound {
    /// For `validate_inbound`.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let SendConfig { lease, .. } = SendConfig::read(deployment.environment())?;
        Ok(ValidatingInbound { ctx: deployment.context(), bucket: deployment.bucket()?, lease })
    }
}

impl RefreshingTrust {
    /// For `trust_refresh`.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let connection = deployment.connection(&deployment.bucket()?)?;
        Ok(RefreshingTrust { ctx: deployment.context(), connection })
    }
}

impl SendingMls {
    /// For `mls`.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let SendConfig { lease, time, .. } = SendConfig::read(deployment.environment())?;
        let bucket = deployment.bucket()?;
        let connection = deployment.connection(&bucket)?;
        Ok(SendingMls { ctx: deployment.context(), bucket, connection, lease, time })
    }
}

impl TaxReporting {
    /// For `report`.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let environment = deployment.environment();
        let ReportConfig { authority, interval, queue } = ReportConfig::read(environment)?;
        let SendConfig { lease, time, .. } = SendConfig::read(environment)?;
        let (ctx, bucket) = (deployment.context(), deployment.bucket()?);
        let connection = deployment.connection(&bucket)?;
        let queue = deployment.live_queue(queue);
        let pace = Pace::new(interval);
        Ok(TaxReporting { ctx, bucket, connection, queue, authority, pace, lease, time })
    }
}

impl PeppolReporting {
    /// For `report`, with the connection of `reporting`, which holds the keys and what was looked up.
    pub fn beside(reporting: &TaxReporting, deployment: &Deployment) -> Result<Self, ConfigError> {
        let PeppolReportsConfig { receiver } = PeppolReportsConfig::read(deployment.environment())?;
        let TaxReporting { ctx, bucket, connection, lease, time, .. } = reporting.clone();
        Ok(PeppolReporting { ctx, bucket, connection, receiver, lease, time })
    }
}
