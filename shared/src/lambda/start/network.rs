//! The functions that receive from the network, and that send what is owed to it.

use super::{aws, bucket};
use crate::{
    config::{
        ConfigError, Environment, NetworkConfig, PeppolReportsConfig, ReportConfig, SendConfig,
    },
    lambda::connection,
    service::{
        Context, PeppolReporting, Receiving, RefreshingTrust, SendingMls, TaxReporting,
        ValidatingInbound,
    },
    store::Queue,
    tasks::Boxed,
};

impl Receiving {
    /// For `inbound`. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, ConfigError>> {
        Box::pin(async move {
            let aws = aws().await;
            let ctx = Context::over(&aws, environment)?;
            let bucket = bucket(&aws, environment, &ctx)?;
            let connection = NetworkConfig::read(environment)?
                .map(|config| connection::connection(&aws, config, bucket.clone()));
            Ok(Receiving { ctx, bucket, connection })
        })
    }
}

impl ValidatingInbound {
    /// For `validate_inbound`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let SendConfig { lease, .. } = SendConfig::read(environment)?;
        Ok(ValidatingInbound { ctx, bucket, lease })
    }
}

impl RefreshingTrust {
    /// For `trust_refresh`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let connection = NetworkConfig::read(environment)?
            .map(|config| connection::connection(&aws, config, bucket));
        Ok(RefreshingTrust { ctx, connection })
    }
}

impl SendingMls {
    /// For `mls`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let SendConfig { lease, time, .. } = SendConfig::read(environment)?;
        let connection = NetworkConfig::read(environment)?
            .map(|config| connection::connection(&aws, config, bucket.clone()));
        Ok(SendingMls { ctx, bucket, connection, lease, time })
    }
}

impl TaxReporting {
    /// For `report`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let ReportConfig { authority, interval, queue } = ReportConfig::read(environment)?;
        let SendConfig { lease, time, .. } = SendConfig::read(environment)?;
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let connection = NetworkConfig::read(environment)?
            .map(|config| connection::connection(&aws, config, bucket.clone()));
        let queue = Queue::of_live(aws_sdk_sqs::Client::new(&aws), queue);
        Ok(TaxReporting { ctx, bucket, connection, queue, authority, interval, lease, time })
    }
}

impl PeppolReporting {
    /// For `report`, with the clients of `reporting`.
    pub fn beside(
        reporting: &TaxReporting,
        environment: &Environment,
    ) -> Result<Self, ConfigError> {
        let PeppolReportsConfig { receiver } = PeppolReportsConfig::read(environment)?;
        let TaxReporting { ctx, bucket, connection, lease, time, .. } = reporting.clone();
        Ok(PeppolReporting { ctx, bucket, connection, receiver, lease, time })
    }
}
