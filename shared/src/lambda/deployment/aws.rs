//! The SDK: region and credentials of the environment, timeouts, retries and trusted roots.

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::config::SharedHttpClient;
use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};

use crate::egress::roots_of_aws;

/// Attempts at one call.
const ATTEMPTS: u32 = 8;
/// The first wait between them is a random part of this. It doubles with each attempt, up to the longest. The SDK's own
/// first wait of a second would make a call slow that the table throttles once.
const BACKOFF: Duration = Duration::from_millis(50);
const LONGEST_BACKOFF: Duration = Duration::from_secs(2);

/// The configuration of all clients. A call that hangs is aborted and repeated while the waiting request can still be
/// answered.
pub(super) async fn sdk() -> SdkConfig {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(2))
        .operation_attempt_timeout(Duration::from_secs(4))
        .operation_timeout(Duration::from_secs(12))
        .build();
    let retries = RetryConfig::standard()
        .with_max_attempts(ATTEMPTS)
        .with_initial_backoff(BACKOFF)
        .with_max_backoff(LONGEST_BACKOFF);
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(https(trusting(roots_of_aws())))
        .retry_config(retries)
        .timeout_config(timeouts)
        .load()
        .await
}

/// TLS to AWS's own endpoints, or plain HTTP to local ones.
pub(super) fn https(trusting: TlsContext) -> SharedHttpClient {
    let builder = Builder::new().tls_provider(Provider::Rustls(CryptoMode::AwsLc));
    builder.tls_context(trusting).build_https()
}

/// A trust store of root certificates in PEM.
#[expect(clippy::expect_used, reason = "a context of compiled-in roots is always complete")]
pub(super) fn trusting(roots: impl Iterator<Item = String>) -> TlsContext {
    let mut trusted = TrustStore::empty();
    for root in roots {
        trusted.add_pem_certificate(root);
    }
    TlsContext::builder().with_trust_store(trusted).build().expect("a context of compiled-in roots")
}
