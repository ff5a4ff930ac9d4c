//! The connection to the network, from what the deployment is told and what its secret holds.

use std::{error::Error, sync::Arc};

use aws_config::SdkConfig;
use serde::Deserialize;

use super::{
    kms::{KeyIds, KmsKey},
    start::Secret,
};
use crate::{
    config::{ConfigError, NetworkConfig, RegistryConfig, reach},
    egress::Client,
    peppol::{
        identifiers::SeatId,
        pki::{self, Anchors, Certificate, Key, LocalKey, OurKeys, Trust, newest},
    },
    service::{
        Connection, Dns, Network, Parts, page::SecretText, publish::Publisher, register::Registries,
    },
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
    /// Of our SMP: what it signs with, and shows to the registers in TLS, for which the key must be here.
    smp: Option<KeyHere>,
}

impl Held {
    fn read(secret: &str) -> Result<Self, BoxError> {
        // What is wrong with it must not be quoted.
        let held = serde_json::from_str(secret);
        Ok(held.map_err(|_| "the network's secret is not JSON with keys, authorities and smp")?)
    }

    /// The certificates of our access point.
    fn certificates(&self) -> Result<Vec<Certificate>, BoxError> {
        let read = |key: &HeldKey| Ok(Certificate::from_pem(key.certificate())?);
        self.keys.iter().map(read).collect()
    }
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

impl KeyHere {
    fn open(&self) -> Result<LocalKey, BoxError> {
        let certificate = Certificate::from_pem(&self.certificate)?;
        Ok(LocalKey::from_pem(&self.private_key, certificate)?)
    }
}

impl HeldKey {
    fn certificate(&self) -> &str {
        match self {
            HeldKey::Here(KeyHere { certificate, .. })
            | HeldKey::InKms(KeyInKms { certificate, .. }) => certificate,
        }
    }

    async fn open(self, kms: &aws_sdk_kms::Client) -> Result<Arc<dyn Key>, BoxError> {
        match self {
            HeldKey::Here(key) => Ok(Arc::new(key.open()?)),
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
    let held = Held::read(secret)?;
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
    let smp = held.smp.map(|smp| Certificate::from_pem(&smp.certificate)).transpose()?;
    Ok(Network::new(Parts {
        trust: Trust::new(anchors).with_revocation(config.revocation),
        keys: OurKeys::new(keys),
        smp,
        zone: config.zone,
        dns: Dns::new(config.dns_server)?,
        client: Client::new(config.egress)?,
        egress: config.egress,
        bucket,
    }))
}

/// The registers of the network, from the text of the secret.
pub(super) fn registries(
    secret: &str,
    config: &NetworkConfig,
    registry: RegistryConfig,
) -> Result<Registries, BoxError> {
    let RegistryConfig { smp_url, smp_id, sml_url, directory_url, as4_url: _ } = registry;
    let identity = Held::read(secret)?.smp;
    let client = identity.map(|KeyHere { certificate, private_key }| {
        Client::with_identity(config.egress, &certificate, &private_key)
    });
    Ok(Registries {
        client: client.transpose()?,
        smp_id,
        smp_url,
        sml_url,
        directory_url,
        dns: Dns::new(config.dns_server)?,
        zone: config.zone.clone(),
        reach: reach(config.egress),
    })
}

/// Our SMP, from the text of the secret; what it lacks is named.
pub(super) fn publisher(secret: &str, registry: RegistryConfig) -> Result<Publisher, BoxError> {
    let held = Held::read(secret)?;
    let smp = held.smp.as_ref();
    let smp = smp.ok_or("the network's secret has no certificate and key of an SMP (smp)")?;
    Ok(Publisher {
        smp_url: registry.smp_url.ok_or(ConfigError::Missing("SMP_URL"))?,
        signer: Box::new(smp.open()?),
        as4_url: registry.as4_url.ok_or(ConfigError::Missing("AS4_URL"))?,
        certificates: held.certificates()?,
    })
}

/// Our own seat, from the text of the secret: whom the newest certificate of our access point names.
pub(super) fn own_seat(secret: &str) -> Result<SeatId, BoxError> {
    let certificates = Held::read(secret)?.certificates()?;
    let newest = newest(&certificates);
    let newest = newest.ok_or("the network's secret has no certificate of an access point")?;
    Ok(newest.common_name().parse()?)
}
