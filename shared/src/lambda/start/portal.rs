//! The functions of the portal: its pages, its mails, and the consent of taxpayers.

use std::sync::Arc;

use aws_config::SdkConfig;

use super::{aws, bucket, cursors};
use crate::{
    config::{
        AddressesConfig, BillingConfig, BrandConfig, ConfigError, Environment,
        NationalPortalConfig, PortalConfig, RequestsConfig, SendConfig,
    },
    egress::Client,
    lambda::secret::{BoxError, Secret},
    service::{
        Connecting, Context, Mailing, Notifying, Portal, Printing, Reading,
        onboarding::{HttpPortal, NationalPortal},
    },
    store::{Freshness, Mailer},
    tasks::Boxed,
    types::Addresses,
};

impl Connecting {
    /// For `oauth`. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, ConfigError>> {
        Box::pin(async move {
            let AddressesConfig { addresses } = AddressesConfig::read(environment)?;
            let RequestsConfig { per_minute } = RequestsConfig::read(environment)?;
            let BillingConfig { freshness, .. } = BillingConfig::read(environment)?;
            let ctx = Context::start(environment).await?;
            let freshness = Freshness(freshness);
            Ok(Connecting { ctx, addresses, requests_per_minute: per_minute, freshness })
        })
    }
}

impl Mailing {
    /// For `mail`: `MAIL_FROM` is the sender. While it is not set, mails stay unsent.
    pub async fn start(environment: &Environment) -> Result<Self, BoxError> {
        let PortalConfig { origin } = PortalConfig::read(environment)?;
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let SendConfig { lease, .. } = SendConfig::read(environment)?;
        let mailer = environment
            .get("MAIL_FROM")
            .map(|from| Mailer::new(aws_sdk_sesv2::Client::new(&aws), from));
        let national_portal = national_portal(&aws, environment)?;
        Ok(Mailing { ctx, mailer, origin, national_portal, lease })
    }
}

impl Portal {
    /// For `portal`, which requires `PORTAL_URL`. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, BoxError>> {
        Box::pin(async move {
            let PortalConfig { origin } = PortalConfig::read(environment)?;
            let BillingConfig { freshness, .. } = BillingConfig::read(environment)?;
            let notifying = Notifying::start(environment).await?;
            let ctx = notifying.ctx.clone();
            Ok(Portal {
                origin,
                brand: BrandConfig::read(environment)?.brand,
                freshness: Freshness(freshness),
                queued_delivery: SendConfig::queued_delivery(environment)?,
                national_portal: None,
                bucket: bucket(&aws().await, environment, &ctx)?,
                cursors: notifying.cursors.clone(),
                ctx,
                notifying: Some(Arc::new(notifying)),
            })
        })
    }

    /// For `pdf`, which has no lists. `None` while the deployment's own URL is not set. Boxed, so that it is not
    /// compiled again where it is awaited.
    pub fn printing<'a>(
        printing: &Printing,
        environment: &'a Environment,
    ) -> Boxed<'a, Result<Option<Self>, BoxError>> {
        let Reading { ctx, bucket } = printing.reading.clone();
        Box::pin(async move {
            if environment.get("PORTAL_URL").is_none() {
                return Ok(None);
            }
            let PortalConfig { origin } = PortalConfig::read(environment)?;
            let BillingConfig { freshness, .. } = BillingConfig::read(environment)?;
            let cursors = cursors(&aws().await, environment)?;
            Ok(Some(Portal {
                ctx,
                origin,
                brand: BrandConfig::read(environment)?.brand,
                freshness: Freshness(freshness),
                queued_delivery: SendConfig::queued_delivery(environment)?,
                national_portal: None,
                bucket,
                cursors,
                notifying: None,
            }))
        })
    }

    /// For `oauth`, together with `connecting`. `None` while the deployment's own URL is not set. Boxed, so that it is
    /// not compiled again where it is awaited.
    pub fn beside<'a>(
        connecting: &Connecting,
        environment: &'a Environment,
    ) -> Boxed<'a, Result<Option<Self>, BoxError>> {
        let Connecting { ctx, addresses, freshness, .. } = connecting.clone();
        Box::pin(async move {
            let Some(Addresses { portal_url: origin, .. }) = addresses else { return Ok(None) };
            let aws = aws().await;
            let national_portal = national_portal(&aws, environment)?;
            let (bucket, cursors) = (bucket(&aws, environment, &ctx)?, cursors(&aws, environment)?);
            Ok(Some(Portal {
                ctx,
                origin,
                brand: BrandConfig::read(environment)?.brand,
                freshness,
                queued_delivery: SendConfig::queued_delivery(environment)?,
                national_portal,
                bucket,
                cursors,
                notifying: None,
            }))
        })
    }
}

impl Printing {
    /// For `pdf`. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, ConfigError>> {
        Box::pin(async move {
            let RequestsConfig { per_minute } = RequestsConfig::read(environment)?;
            let aws = aws().await;
            let ctx = Context::over(&aws, environment)?;
            let bucket = bucket(&aws, environment, &ctx)?;
            Ok(Printing { reading: Reading { ctx, bucket }, requests_per_minute: per_minute })
        })
    }
}

/// The national tax portal; `None` when none is configured. Its secret is fetched with the first request to it.
pub(super) fn national_portal(
    aws: &SdkConfig,
    environment: &Environment,
) -> Result<Option<Arc<dyn NationalPortal>>, BoxError> {
    let Some(config) = NationalPortalConfig::read(environment)? else { return Ok(None) };
    let secret = Secret::of(aws, &config.secret_arn);
    Ok(Some(Arc::new(HttpPortal::new(Client::new(config.egress)?, &config.url, secret))))
}
