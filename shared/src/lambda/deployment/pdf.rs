//! The function `pdf`.

use super::Deployment;
use crate::{
    config::{ConfigError, PortalConfig, RequestsConfig},
    service::{Portal, Printing, Reading, requests::RequestLimit},
};

impl Printing {
    /// For `pdf`.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let RequestsConfig { per_minute } = RequestsConfig::read(deployment.environment())?;
        let letterheads = deployment.letterheads()?;
        let reading =
            Reading { ctx: deployment.context(), bucket: deployment.bucket()?, letterheads };
        Ok(Printing { reading, request_limit: RequestLimit::new(per_minute) })
    }
}

impl Portal {
    /// For `pdf`, which has no lists. `None` while `PORTAL_URL` is not set.
    pub fn of_documents(deployment: &Deployment) -> Result<Option<Self>, ConfigError> {
        let environment = deployment.environment();
        if environment.get("PORTAL_URL").is_none() {
            return Ok(None);
        }
        let PortalConfig { origin } = PortalConfig::read(environment)?;
        Self::at(origin, deployment).map(Some)
    }
}
