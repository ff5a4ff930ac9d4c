//! The functions of billing.

use std::sync::Arc;

use serde::Deserialize;

use super::{BoxError, Deployment};
use crate::{
    config::{BillingProviderConfig, billing_signing_secret_arn},
    egress::Client,
    service::{
        Reconciling, Subscribing,
        billing::provider::{HttpProvider, Provider as BillingProvider},
    },
    webhook,
};

/// The content of the secret of `BILLING_SIGNING_SECRET_ARN`: the billing provider's signing secrets.
#[derive(Deserialize)]
struct BillingSigning {
    secrets: Vec<String>,
}

impl Subscribing {
    /// For `billing`: the provider's signing secrets from the secret of `BILLING_SIGNING_SECRET_ARN`.
    pub async fn on(deployment: &Deployment) -> Result<Self, BoxError> {
        let arn = billing_signing_secret_arn(deployment.environment())?;
        // Without a value no signature is valid, and every event is refused.
        let text = deployment.secret(arn).value().await?;
        // The error must not quote the secret.
        let read = text.map(|text| serde_json::from_str::<BillingSigning>(&text)).transpose();
        let read = read.map_err(
            |_| r#"BillingSigning is not {"secrets": ["whsec_…"]}: see infra/OPERATE.md, "Billing""#,
        )?;
        let secrets = read.iter().flat_map(|read| &read.secrets).map(|secret| secret.parse());
        let secrets: Vec<webhook::Secret> = secrets.collect::<Result<_, _>>()?;
        Ok(Subscribing { ctx: deployment.context(), secrets: secrets.into() })
    }
}

/// The content of the secret of `BILLING_TOKEN_SECRET_ARN`: our token for the billing provider's API.
#[derive(Deserialize)]
struct BillingToken {
    token: String,
}

impl Reconciling {
    /// For `billing_reconcile`: the provider at `BILLING_URL` (`None` when that is not set), with the token from the
    /// secret of `BILLING_TOKEN_SECRET_ARN`.
    pub async fn on(deployment: &Deployment) -> Result<Self, BoxError> {
        let BillingProviderConfig { url, token_secret_arn, egress } =
            BillingProviderConfig::read(deployment.environment())?;
        let provider: Option<Arc<dyn BillingProvider>> = match url {
            None => None,
            Some(url) => {
                // The error must not quote the secret.
                let wrong =
                    r#"BillingToken is not {"token": "…"}: see infra/OPERATE.md, "Billing""#;
                let text = deployment.secret(&token_secret_arn).value().await?.ok_or(wrong)?;
                let BillingToken { token } = serde_json::from_str(&text).map_err(|_| wrong)?;
                let client = Client::new(egress)?;
                Some(Arc::new(HttpProvider::new(client, &url, &token).ok_or(wrong)?))
            }
        };
        Ok(Reconciling { ctx: deployment.context(), bucket: deployment.bucket()?, provider })
    }
}
