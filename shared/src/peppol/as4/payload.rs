//! The processing of the payload: gzip, SHA-256 by [`super::ids::Digest`], AES-128-GCM.

use std::io::{Read, Write};
use std::ops::Range;

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};

use super::{refusal::Refusal, rule::Rule};

/// The bytes of a content key.
pub(super) const KEY_BYTES: usize = 16;
/// The bytes of an initialization vector: XML Encryption 1.1, 5.2.4.
pub(super) const IV_BYTES: usize = NONCE_LEN;
/// The compression level: higher levels cost more time than they save.
const LEVEL: u32 = 6;

/// The encryption failed. The limit of AES-GCM is 64 GiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the payload could not be encrypted")]
pub struct SealError;

/// Appends `payload` to `out` as one gzip member (RFC 1952). It has no name and no time, so equal payloads give equal
/// bytes.
pub(super) fn compress(payload: &[u8], out: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(out, Compression::new(LEVEL));
    encoder.write_all(payload)?;
    encoder.finish()
}

/// Encrypts `content` in place and returns the tag to append.
pub(super) fn seal(
    key: &[u8; KEY_BYTES],
    iv: [u8; IV_BYTES],
    content: &mut [u8],
) -> Result<impl AsRef<[u8]> + use<>, SealError> {
    let key = UnboundKey::new(&AES_128_GCM, key).map_err(|_| SealError)?;
    LessSafeKey::new(key)
        .seal_in_place_separate_tag(Nonce::assume_unique_for_key(iv), Aad::empty(), content)
        .map_err(|_| SealError)
}

/// Decrypts IV, ciphertext and tag in place, and returns the range of the plaintext in `sealed`.
///
/// Without an unwrapped key, the function does the same work with a zero key and fails. Neither the error nor the
/// time tells a failed unwrap from a wrong key.
pub(super) fn open(key: Option<&[u8]>, sealed: &mut [u8]) -> Result<Range<usize>, Refusal> {
    let refused = || Refusal::new(Rule::Decryption, "an attachment that does not open");
    let unwrapped = key.and_then(|key| <&[u8; KEY_BYTES]>::try_from(key).ok());
    let (iv, content) = sealed.split_at_mut_checked(IV_BYTES).ok_or_else(refused)?;
    let iv = Nonce::try_assume_unique_for_key(iv).map_err(|_| refused())?;
    let key = UnboundKey::new(&AES_128_GCM, unwrapped.unwrap_or(&[0; KEY_BYTES]));
    let key = LessSafeKey::new(key.map_err(|_| refused())?);
    let opened = key.open_in_place(iv, Aad::empty(), content).map(|plain| plain.len());
    match (unwrapped, opened) {
        (Some(_), Ok(length)) => Ok(IV_BYTES..IV_BYTES + length),
        _ => Err(refused()),
    }
}

/// Decompresses one gzip member without trailing bytes, up to `limit` bytes.
pub(super) fn inflate(compressed: &[u8], limit: usize) -> Result<Vec<u8>, Refusal> {
    let mut payload = Vec::with_capacity(expected_size(compressed).min(limit));
    let mut decoder = GzDecoder::new(compressed);
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = (&mut decoder).take(most).read_to_end(&mut payload);
    read.map_err(|error| Refusal::new(Rule::Decompression, error.to_string()))?;
    if payload.len() > limit {
        return Err(Refusal::new(Rule::PayloadSize, format!("more than {limit} bytes")));
    }
    match decoder.into_inner() {
        [] => Ok(payload),
        rest => Err(Refusal::new(Rule::Decompression, format!("{} bytes after it", rest.len()))),
    }
}

/// The size in the last four bytes (RFC 1952, 2.3.1), limited to what these bytes can contain. DEFLATE expands one
/// byte to at most 1032.
fn expected_size(compressed: &[u8]) -> usize {
    let size = compressed.last_chunk().map_or(0, |size| u32::from_le_bytes(*size));
    usize::try_from(size).unwrap_or(usize::MAX).min(compressed.len().saturating_mul(1032))
}
