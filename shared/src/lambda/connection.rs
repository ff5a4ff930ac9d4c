//! The connection to the network, from what the deployment is told and what its secret holds.

use std::{error::Error, sync::Arc};

use aws_config::SdkConfig;
use serde::Deserialize;

use super::{
    kms::{KeyIds, KmsKey},
    start::Secret,
};
use crate::{
    config::NetworkConfig,
    egress::Client,
    peppol::pki::{self, Anchors, Certificate, Key, LocalKey, OurKeys, Trust},
    service::{Connection, Dns, Network, Parts, page::SecretText},
    store::Bucket,
};

type BoxError = Box<dyn Error + Send + Sync>;

/// What the secret holds, in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    /// Ours: two while a certificate is being changed.
    keys: Vec<HeldKey>,
    /// Of a network of our own.
    authorities: Option<Authorities>,
}

/// A certificate, and where its key is.
#[derive(Deserialize)]
#[serde(untagged)]
enum HeldKey {
    Here(KeyHere),
    InKms(KeyInKms),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyHere {
    /// In PEM.
    certificate: String,
    /// PKCS #8 in PEM.
    private_key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyInKms {
    /// In PEM.
    certificate: String,
    /// The keys of AWS KMS.
    kms: KeyIds,
}

impl HeldKey {
    async fn open(self, kms: &aws_sdk_kms::Client) -> Result<Arc<dyn Key>, BoxError> {
        match self {
            HeldKey::Here(KeyHere { certificate, private_key }) => {
                let certificate = Certificate::from_pem(&certificate)?;
                Ok(Arc::new(LocalKey::from_pem(&private_key, certificate)?))
            }
            HeldKey::InKms(KeyInKms { certificate, kms: ids }) => {
                let certificate = Certificate::from_pem(&certificate)?;
                Ok(Arc::new(KmsKey::find(kms.clone(), ids, certificate).await?))
            }
        }
    }
}

/// In PEM: the issuing authority, and those above it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Authorities {
    access_point: String,
    publisher: String,
}

/// The connection; its secret is fetched when it is first used.
pub(super) fn connection(
    aws: &SdkConfig,
    config: NetworkConfig,
    bucket: Bucket,
) -> Arc<Connection> {
    let client = aws_sdk_secretsmanager::Client::new(aws);
    let secret = Secret { client, arn: config.secret_arn.clone() };
    let kms = aws_sdk_kms::Client::new(aws);
    Connection::new(move || {
        let (secret, kms) = (secret.clone(), kms.clone());
        let (config, bucket) = (config.clone(), bucket.clone());
        Box::pin(async move { network(&secret.fetch().await?, &kms, config, bucket).await })
    })
}

async fn network(
    secret: &str,
    kms: &aws_sdk_kms::Client,
    config: NetworkConfig,
    bucket: Bucket,
) -> Result<Network, BoxError> {
    // What is wrong with it must not be quoted.
    let held: Held = serde_json::from_str(secret)
        .map_err(|_| "the network's secret is not JSON with keys and authorities")?;
    let mut keys: Vec<Arc<dyn Key>> = Vec::new();
    for key in held.keys {
        keys.push(key.open(kms).await?);
    }
    let anchors = match (config.network, held.authorities) {
        (pki::Network::Production, _) => Anchors::production()?,
        (pki::Network::Test, _) => Anchors::test()?,
        (pki::Network::Local, Some(Authorities { access_point, publisher })) => {
            Anchors::local(access_point.as_bytes(), publisher.as_bytes())?
        }
        (pki::Network::Local, None) => {
            return Err("the network's secret holds no authorities of the local network".into());
        }
    };
    Ok(Network::new(Parts {
        trust: Trust::new(anchors).with_revocation(config.revocation),
        keys: OurKeys::new(keys),
        zone: config.zone,
        dns: Dns::new(config.dns_server)?,
        client: Client::new(config.egress)?,
        egress: config.egress,
        bucket,
    }))
}
