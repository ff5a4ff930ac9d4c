//! The SDK: region and credentials of the environment, timeouts, retries and trusted roots.

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::config::SharedHttpClient;
use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};

use crate::egress::roots_of_aws;

/// Attempts at one call, with the SDK's exponential backoff between them.
const ATTEMPTS: u32 = 4;

/// The configuration of all clients. A call that hangs is aborted and repeated while the waiting request can still be
/// answered.
pub(super) async fn sdk() -> SdkConfig {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(2))
        .operation_attempt_timeout(Duration::from_secs(4))
        .operation_timeout(Duration::from_secs(12))
        .build();
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(https(trusting(roots_of_aws())))
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
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
