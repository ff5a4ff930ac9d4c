//! The functions of webhooks.

use std::sync::Arc;

use super::{BoxError, Deployment};
use crate::{
    config::{DeliverQueuesConfig, RequestsConfig, egress},
    egress::Client,
    service::{Delivering, Notifying, deliver::OpenBreakers, requests::RequestLimit},
};

impl Notifying {
    /// For `webhook_api`. Endpoint URLs are checked by the egress rules of `EGRESS`.
    pub async fn on(deployment: &Deployment) -> Result<Self, BoxError> {
        let environment = deployment.environment();
        let RequestsConfig { per_minute } = RequestsConfig::read(environment)?;
        Ok(Notifying {
            ctx: deployment.context(),
            client: Client::new(egress(environment)?)?,
            sealing_keys: Arc::new(deployment.sealing_keys().await?),
            cursors: deployment.cursors()?,
            request_limit: RequestLimit::new(per_minute),
        })
    }
}

impl Delivering {
    /// For `deliver`, with the egress rules of `EGRESS`.
    pub async fn on(deployment: &Deployment) -> Result<Self, BoxError> {
        let environment = deployment.environment();
        let DeliverQueuesConfig { deliver } = DeliverQueuesConfig::read(environment)?;
        Ok(Delivering {
            ctx: deployment.context(),
            queue: deployment.queue(deliver),
            client: Client::keeping(egress(environment)?)?,
            sealing_key: Arc::new(deployment.sealing_keys().await?),
            open_breakers: OpenBreakers::default(),
        })
    }
}
