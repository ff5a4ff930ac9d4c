//! What the network asks of us without any message: revocation lists at hand before they are needed, and
//! certificates that are changed before they end.

use super::{RefreshingTrust, network::Network};
use crate::{peppol::pki::Certificate, store::StoreError};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustRefreshed {
    /// Whole days until a certificate of ours ends, our access point's or our SMP's; negative when it
    /// has. `None` without one.
    pub days_left: Option<i64>,
    /// The addresses of revocation lists that could not be had.
    pub missing: Vec<String>,
}

/// Refreshes the revocation lists, and looks how long our certificates hold. Nothing where the
/// deployment is not connected.
pub async fn refresh_trust(
    refreshing: &RefreshingTrust,
) -> Result<Option<TrustRefreshed>, StoreError> {
    let RefreshingTrust { ctx, connection } = refreshing;
    let Some(connection) = connection else { return Ok(None) };
    let network = connection.network().await?;
    let missing = network.refresh_revocation(ctx).await;
    Ok(Some(TrustRefreshed { days_left: days_left(refreshing, network), missing }))
}

fn days_left(RefreshingTrust { ctx, .. }: &RefreshingTrust, network: &Network) -> Option<i64> {
    // While a certificate is being changed there are two: what counts is when the last one ends.
    let last = network.keys.certificates().max_by_key(|certificate| certificate.not_after());
    let each = last.into_iter().chain(&network.smp).map(|certificate| {
        let days = certificate.expires_in(ctx.now()).as_secs().div_euclid(DAY);
        report(certificate, days, certificate.expiry_alarm(ctx.now()));
        days
    });
    each.min()
}

/// The template makes a metric of `days_left`, and alarms of that; once one is due the line is logged
/// whatever the level.
fn report(certificate: &Certificate, days_left: i64, alarm: Option<i64>) {
    let seat = certificate.common_name();
    match alarm {
        Some(_) => tracing::error!(certificate.seat = seat, days_left, "our certificate ends soon"),
        None => tracing::info!(certificate.seat = seat, days_left, "our certificate holds"),
    }
}
