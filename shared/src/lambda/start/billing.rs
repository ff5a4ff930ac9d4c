//! The functions of billing.

use std::sync::Arc;

use serde::Deserialize;

use super::{aws, bucket};
use crate::{
    config::{BillingProviderConfig, Environment, billing_signing_secret_arn},
    egress::Client,
    lambda::secret::{BoxError, Secret},
    service::{
        Context, Reconciling, Subscribing,
        billing::provider::{HttpProvider, Provider as BillingProvider},
    },
    tasks::Boxed,
    webhook,
};

/// The content of the secret of `BILLING_SIGNING_SECRET_ARN`: the billing provider's signing secrets.
#[derive(Deserialize)]
struct BillingSigning {
    secrets: Vec<String>,
}

impl Subscribing {
    /// For `billing`: the provider's signing secrets from the secret of `BILLING_SIGNING_SECRET_ARN`. Boxed, so that it
    /// is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, BoxError>> {
        Box::pin(async move {
            let arn = billing_signing_secret_arn(environment)?;
            let aws = aws().await;
            let ctx = Context::over(&aws, environment)?;
            // Without a value no signature is valid, and every event is refused.
            let text = Secret::of(&aws, arn).value().await?;
            // The error must not quote the secret.
            let read = text.map(|text| serde_json::from_str::<BillingSigning>(&text)).transpose();
            let read = read.map_err(
                |_| r#"BillingSigning is not {"secrets": ["whsec_…"]}: see infra/OPERATE.md, "Billing""#,
            )?;
            let secrets = read.iter().flat_map(|read| &read.secrets).map(|secret| secret.parse());
            let secrets: Vec<webhook::Secret> = secrets.collect::<Result<_, _>>()?;
            Ok(Subscribing { ctx, secrets: secrets.into() })
        })
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
    pub async fn start(environment: &Environment) -> Result<Self, BoxError> {
        let BillingProviderConfig { url, token_secret_arn, egress } =
            BillingProviderConfig::read(environment)?;
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let provider: Option<Arc<dyn BillingProvider>> = match url {
            None => None,
            Some(url) => {
                // The error must not quote the secret.
                let wrong =
                    r#"BillingToken is not {"token": "…"}: see infra/OPERATE.md, "Billing""#;
                let text = Secret::of(&aws, &token_secret_arn).value().await?.ok_or(wrong)?;
                let BillingToken { token } = serde_json::from_str(&text).map_err(|_| wrong)?;
                let client = Client::new(egress)?;
                Some(Arc::new(HttpProvider::new(client, &url, &token).ok_or(wrong)?))
            }
        };
        Ok(Reconciling { ctx, bucket, provider })
    }
}
