//! What happens to the payload itself: gzip, SHA-256 by [`super::ids::Digest`], AES-128-GCM.

use std::io::{Read, Write};
use std::ops::Range;

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};

use super::{refusal::Refusal, rule::Rule};

/// The bytes of a content key.
pub(super) const KEY_BYTES: usize = 16;
/// The bytes of an initialization vector: XML Encryption 1.1, 5.2.4.
pub(super) const IV_BYTES: usize = NONCE_LEN;
/// How hard is compressed: higher levels cost more than they save on a line that is not the bottleneck.
const LEVEL: u32 = 6;

/// Cryptography that could not be set up or is given too much: 64 GiB for AES-GCM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the payload could not be encrypted")]
pub struct SealError;

/// Appends `payload` to `out` as one gzip member (RFC 1952) without name or time, so that the same payload always
/// yields the same bytes.
pub(super) fn compress(payload: &[u8], out: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(out, Compression::new(LEVEL));
    encoder.write_all(payload)?;
    encoder.finish()
}

/// Encrypts `content` in place; the tag is to follow it.
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

/// Decrypts IV, ciphertext and tag in place; where the plaintext stands in `sealed`.
///
/// A key that could not be unwrapped is taken too, and fails after as much work as a wrong one: which of them
/// it was is not to be told by the answer nor by the time that it takes.
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

/// Inflates one gzip member that is all of `compressed`, up to `limit` bytes.
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

/// What the last four bytes say (RFC 1952, 2.3.1), as far as a gzip of these bytes can hold it: DEFLATE yields
/// at most 1032 bytes of one.
fn expected_size(compressed: &[u8]) -> usize {
    let size = compressed.last_chunk().map_or(0, |size| u32::from_le_bytes(*size));
    usize::try_from(size).unwrap_or(usize::MAX).min(compressed.len().saturating_mul(1032))
}
