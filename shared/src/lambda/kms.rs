//! Our private key in AWS KMS, which it never leaves. A KMS key either signs or decrypts (its `KeyUsage`), but one
//! certificate of the network does both. So there are two KMS keys with the same imported key material.

use aws_sdk_kms::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
    primitives::Blob,
    types::{EncryptionAlgorithmSpec, MessageType, SigningAlgorithmSpec},
};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::peppol::pki::{Certificate, Decrypter, KeyError, Pending, Signer};

/// The two keys, by id, ARN or alias.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyIds {
    /// RSA_2048 or longer, SIGN_VERIFY.
    sign: String,
    /// The same key material, ENCRYPT_DECRYPT.
    decrypt: String,
}

/// A key pair in KMS.
pub(super) struct KmsKey {
    client: Client,
    ids: KeyIds,
    certificate: Certificate,
}

impl KmsKey {
    /// Finds both keys and verifies that they belong to the certificate.
    pub(super) async fn find(
        client: Client,
        ids: KeyIds,
        certificate: Certificate,
    ) -> Result<Self, KeyError> {
        for id in [&ids.sign, &ids.decrypt] {
            let answer = client.get_public_key().key_id(id).send().await.map_err(unavailable)?;
            let key = answer.public_key.map(Blob::into_inner);
            if key.is_none_or(|key| key != certificate.public_key_info()) {
                return Err(KeyError::Mismatch(certificate.subject()));
            }
        }
        Ok(KmsKey { client, ids, certificate })
    }
}

impl Signer for KmsKey {
    fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    fn sign<'a>(&'a self, message: &'a [u8]) -> Pending<'a, Vec<u8>> {
        // KMS accepts at most 4,096 bytes of a message, but the digest of any message.
        let digest = Blob::new(Sha256::digest(message).to_vec());
        Box::pin(async move {
            let request = self.client.sign().key_id(&self.ids.sign);
            let request = request.message(digest).message_type(MessageType::Digest);
            let request = request.signing_algorithm(SigningAlgorithmSpec::RsassaPkcs1V15Sha256);
            let answer = request.send().await.map_err(unavailable)?;
            answer.signature.map(Blob::into_inner).ok_or(KeyError::Sign)
        })
    }
}

impl Decrypter for KmsKey {
    fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    fn decrypt<'a>(&'a self, wrapped: &'a [u8]) -> Pending<'a, Vec<u8>> {
        let wrapped = Blob::new(wrapped);
        Box::pin(async move {
            let request = self.client.decrypt().key_id(&self.ids.decrypt).ciphertext_blob(wrapped);
            let request = request.encryption_algorithm(EncryptionAlgorithmSpec::RsaesOaepSha256);
            let answer = request.send().await.map_err(|error| match error.code() {
                // The sender's encryption is wrong. KMS reports a ciphertext whose length differs from the key's as
                // invalid input.
                Some("InvalidCiphertextException" | "ValidationException") => KeyError::Decrypt,
                _ => unavailable(error),
            })?;
            answer.plaintext.map(Blob::into_inner).ok_or(KeyError::Decrypt)
        })
    }
}

/// Only the error code, because messages of KMS contain the caller's identity.
fn unavailable<E: ProvideErrorMetadata, R>(error: SdkError<E, R>) -> KeyError {
    KeyError::Unavailable(format!("AWS KMS: {}", error.code().unwrap_or("no answer")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        peppol::pki::testing::PKI,
        testing::kms::{client, serve},
    };

    fn ids(sign: &str, decrypt: &str) -> KeyIds {
        KeyIds { sign: sign.to_owned(), decrypt: decrypt.to_owned() }
    }

    #[tokio::test]
    async fn a_key_of_kms_signs_and_decrypts_for_its_certificate() {
        let seat = PKI.seat("PAE000001");
        let client = client(serve(&seat).await);
        let ids = ids("alias/sign", "alias/decrypt");
        let key = KmsKey::find(client, ids, seat.certificate.clone()).await.unwrap();

        let message = vec![7; 10_000];
        let signature = key.sign(&message).await.unwrap();
        assert_eq!(seat.certificate.verify(&message, &signature), Ok(()));
        assert_eq!(signature, seat.key().sign(&message).await.unwrap());

        let wrapped = seat.certificate.encrypt(&[9; 16]).unwrap();
        assert_eq!(key.decrypt(&wrapped).await.unwrap(), [9; 16]);
        assert_eq!(key.decrypt(&[1; 256]).await, Err(KeyError::Decrypt));
    }

    #[tokio::test]
    async fn a_key_of_another_certificate_is_refused_at_once() {
        let (seat, other) = (PKI.seat("PAE000001"), PKI.seat("PAE000002"));
        let client = client(serve(&seat).await);
        let ids = ids("alias/sign", "alias/decrypt");
        let found = KmsKey::find(client, ids, other.certificate.clone()).await;
        let mismatch = KeyError::Mismatch(other.certificate.subject());
        assert_eq!(found.err(), Some(mismatch));
    }

    #[tokio::test]
    async fn a_key_that_is_not_there_is_out_of_reach_and_says_why() {
        let seat = PKI.seat("PAE000001");
        let client = client(serve(&seat).await);
        let ids = ids("alias/sign", "alias/gone");
        let found = KmsKey::find(client, ids, seat.certificate.clone()).await;
        let gone = KeyError::Unavailable("AWS KMS: NotFoundException".to_owned());
        assert_eq!(found.err(), Some(gone));
    }
}
