//! The functions of the portal: its pages, its mails, and the consent of taxpayers.

use std::sync::Arc;

use super::{BoxError, Deployment};
use crate::{
    config::{
        AddressesConfig, BillingConfig, BrandConfig, ConfigError, NationalPortalConfig,
        PortalConfig, RequestsConfig, SendConfig, sandbox_sign_up,
    },
    egress::Client,
    service::{
        Connecting, Mailing, Notifying, Portal,
        onboarding::{HttpPortal, NationalPortal},
        requests::RequestLimit,
    },
    store::{Freshness, Mailer, sender},
};

impl Connecting {
    /// For `oauth`.
    pub fn on(deployment: &Deployment) -> Result<Self, ConfigError> {
        let environment = deployment.environment();
        let AddressesConfig { addresses } = AddressesConfig::read(environment)?;
        let RequestsConfig { per_minute } = RequestsConfig::read(environment)?;
        Ok(Connecting {
            ctx: deployment.context(),
            addresses,
            request_limit: RequestLimit::new(per_minute),
        })
    }
}

impl Mailing {
    /// For `mail`: `MAIL_FROM` is the sender. While it is not set, mails stay unsent.
    pub fn on(deployment: &Deployment) -> Result<Self, BoxError> {
        let environment = deployment.environment();
        let PortalConfig { origin } = PortalConfig::read(environment)?;
        let SendConfig { lease, .. } = SendConfig::read(environment)?;
        let BrandConfig { brand } = BrandConfig::read(environment)?;
        let mailer = environment.get("MAIL_FROM").map(|from| {
            let ses = aws_sdk_sesv2::Client::new(&deployment.aws);
            Mailer::new(ses, &sender(brand.name.as_deref(), from))
        });
        let national_portal = deployment.national_portal()?;
        Ok(Mailing { ctx: deployment.context(), mailer, origin, brand, national_portal, lease })
    }
}

impl Portal {
    /// For `portal`, which requires `PORTAL_URL`.
    pub async fn of_organizations(deployment: &Deployment) -> Result<Self, BoxError> {
        let PortalConfig { origin } = PortalConfig::read(deployment.environment())?;
        let notifying = Notifying::on(deployment).await?;
        let cursors = notifying.cursors.clone();
        let portal = Self::at(origin, deployment)?;
        let sign_up = sandbox_sign_up(deployment.environment())?;
        Ok(Portal { cursors, notifying: Some(Arc::new(notifying)), sign_up, ..portal })
    }

    /// For `oauth`, with the national tax portal. `None` while the deployment's own URLs are not set.
    pub fn of_taxpayers(deployment: &Deployment) -> Result<Option<Self>, BoxError> {
        let AddressesConfig { addresses } = AddressesConfig::read(deployment.environment())?;
        let Some(addresses) = addresses else { return Ok(None) };
        let portal = Self::at(addresses.portal_url, deployment)?;
        let sign_up = sandbox_sign_up(deployment.environment())?;
        let national_portal = deployment.national_portal()?;
        Ok(Some(Portal { national_portal, sign_up, ..portal }))
    }

    pub(super) fn at(origin: String, deployment: &Deployment) -> Result<Self, ConfigError> {
        let environment = deployment.environment();
        let BillingConfig { freshness, .. } = BillingConfig::read(environment)?;
        Ok(Portal {
            ctx: deployment.context(),
            origin,
            brand: BrandConfig::read(environment)?.brand,
            freshness: Freshness(freshness),
            queued_delivery: SendConfig::queued_delivery(environment)?,
            sign_up: false,
            national_portal: None,
            bucket: deployment.bucket()?,
            letterheads: deployment.letterheads()?,
            cursors: deployment.cursors()?,
            notifying: None,
        })
    }
}

impl Deployment {
    /// The national tax portal; `None` when none is configured. Its secret is fetched with the first request to it.
    pub(super) fn national_portal(&self) -> Result<Option<Arc<dyn NationalPortal>>, BoxError> {
        let Some(config) = NationalPortalConfig::read(&self.environment)? else { return Ok(None) };
        let secret = self.secret(&config.secret_arn);
        Ok(Some(Arc::new(HttpPortal::new(Client::new(config.egress)?, &config.url, secret))))
    }
}
