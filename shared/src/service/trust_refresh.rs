//! Scheduled work for the network: fetches revocation lists before they are needed, and warns before our certificates
//! expire.

use super::{RefreshingTrust, network::Network};
use crate::{peppol::pki::Certificate, store::StoreError};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// The result of a refresh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustRefreshed {
    /// Whole days until the first of our certificates (access point or SMP) expires. Negative when it has expired.
    /// `None` without a certificate.
    pub days_left: Option<i64>,
    /// The addresses of revocation lists that could not be fetched.
    pub missing: Vec<String>,
}

/// Refreshes the revocation lists, and checks the expiry of our certificates. `None` where the deployment is not
/// connected.
pub async fn refresh_trust(
    refreshing: &RefreshingTrust,
) -> Result<Option<TrustRefreshed>, StoreError> {
    let RefreshingTrust { ctx, connection } = refreshing;
    let Some(connection) = connection else { return Ok(None) };
    let network = connection.network().await?;
    let missing = network.refresh_revocation(ctx).await;
    if let Some(end) = current(network).map(Certificate::not_after).min() {
        ctx.store.put_certificate_end(end).await?;
    }
    Ok(Some(TrustRefreshed { days_left: days_left(refreshing, network), missing }))
}

/// The current certificates of the access point and the SMP. During a change of certificates there are two of a kind.
/// The last expiry counts.
fn current(network: &Network) -> impl Iterator<Item = &Certificate> {
    let last = network.keys.certificates().max_by_key(|certificate| certificate.not_after());
    last.into_iter().chain(&network.smp)
}

fn days_left(RefreshingTrust { ctx, .. }: &RefreshingTrust, network: &Network) -> Option<i64> {
    let each = current(network).map(|certificate| {
        let days = certificate.expires_in(ctx.now()).as_secs().div_euclid(DAY);
        report(certificate, days, certificate.expiry_alarm(ctx.now()));
        days
    });
    each.min()
}

/// The template makes a metric of `days_left`, with an alarm. From the time of the alarm on, the line is logged at any
/// log level.
fn report(certificate: &Certificate, days_left: i64, alarm: Option<i64>) {
    let seat = certificate.common_name();
    match alarm {
        Some(_) => tracing::warn!(
            certificate.seat = seat,
            days_left,
            "the service's certificate expires soon"
        ),
        None => {
            tracing::info!(certificate.seat = seat, days_left, "the service's certificate is valid")
        }
    }
}
