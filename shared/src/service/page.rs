//! Pages of lists, and the cursors from one to the next.
//!
//! A cursor is opaque: base64url of a version, a tag and the position in the list. The tag is an HMAC-SHA-256 of the
//! position and of everything that defines the list (name, mode, owner and filter). Its key is known to the service
//! alone, and the tag is cut to 128 bits (RFC 2104, section 5). So callers cannot make cursors, and cannot use a cursor
//! for another list.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::mac_key::MacKey;
pub use super::mac_key::SecretText;
use crate::{
    error::{Code, Failure},
    types::Mode,
};

/// Maximum items of a page.
pub const MAX_LIMIT: u8 = 100;

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items. A page may have fewer than requested, or none, without being the last one.
    pub items: Vec<T>,
    /// The cursor of the next page; `None` on the last one.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// An empty list.
    pub fn empty() -> Self {
        Page { items: Vec::new(), next_cursor: None }
    }
}

/// A request for a page of a list.
#[derive(Clone, Copy)]
pub struct PageQuery<'a> {
    /// The key that signs cursors.
    pub cursors: &'a CursorKey,
    /// The cursor of the page; `None` for the first page.
    pub cursor: Option<&'a str>,
    /// Maximum items. The value is limited to the range from 1 to [`MAX_LIMIT`].
    pub limit: u8,
}

impl PageQuery<'_> {
    /// Maximum items of the page.
    pub(super) fn limit(self) -> usize {
        usize::from(self.limit.clamp(1, MAX_LIMIT))
    }

    /// The position that the page begins after; `None` for the first page.
    pub(super) async fn after(self, list: &List<'_>) -> Result<Option<String>, Failure> {
        self.cursors.position(list, self.cursor).await
    }

    /// The page, with the cursor of the next one if there is a next position.
    pub(super) async fn page<T>(
        self,
        list: &List<'_>,
        items: Vec<T>,
        next: Option<String>,
    ) -> Result<Page<T>, Failure> {
        let next_cursor = self.cursors.next(list, next).await?;
        Ok(Page { items, next_cursor })
    }
}

/// The list that a cursor belongs to. A cursor authenticates its `Debug` form.
#[derive(Debug)]
#[expect(dead_code, reason = "the fields are read by Debug")]
pub struct List<'a> {
    /// The name of the list, such as `documents`.
    pub name: &'static str,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The identifier of the tenant that owns the list.
    pub owner: &'a str,
    /// The filter of the list, without the page size.
    pub filter: &'a (dyn fmt::Debug + Sync),
}

/// The key of cursors.
#[derive(Clone)]
pub struct CursorKey(MacKey);

const VERSION: u8 = 2;
const TAG_BYTES: usize = 16;

impl CursorKey {
    /// The key from a secret text.
    pub fn new(secret: impl SecretText + 'static) -> Self {
        CursorKey(MacKey::new(secret))
    }

    /// The position of a request; `None` at the beginning of a list.
    async fn position(
        &self,
        list: &List<'_>,
        cursor: Option<&str>,
    ) -> Result<Option<String>, Failure> {
        match cursor {
            None => Ok(None),
            Some(cursor) => self.open(list, cursor).await.map(Some),
        }
    }

    /// The cursor of the next page; `None` on the last one.
    async fn next(
        &self,
        list: &List<'_>,
        position: Option<String>,
    ) -> Result<Option<String>, Failure> {
        match position {
            None => Ok(None),
            Some(position) => self.seal(list, &position).await.map(Some),
        }
    }

    /// The cursor of a position.
    async fn seal(&self, list: &List<'_>, position: &str) -> Result<String, Failure> {
        let tag = self.mac(list, position).await?.finalize().into_bytes();
        let mut bytes = vec![VERSION];
        bytes.extend(&tag[..TAG_BYTES]);
        bytes.extend(position.bytes());
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The position of a cursor, if the cursor belongs to this list.
    async fn open(&self, list: &List<'_>, cursor: &str) -> Result<String, Failure> {
        let foreign = || {
            Failure::new(
                Code::InvalidRequest,
                "The cursor does not belong to this list: use next_cursor of a page of the same taxpayer and filter, \
                 or leave it out to start again.",
            )
        };
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| foreign())?;
        let (tag, position) = bytes
            .strip_prefix(&[VERSION])
            .and_then(|rest| rest.split_at_checked(TAG_BYTES))
            .ok_or_else(foreign)?;
        let position = std::str::from_utf8(position).map_err(|_| foreign())?;
        // The comparison takes constant time.
        let genuine = self.mac(list, position).await?.verify_truncated_left(tag);
        genuine.map(|()| position.to_owned()).map_err(|_| foreign())
    }

    async fn mac(&self, list: &List<'_>, position: &str) -> Result<Hmac<Sha256>, Failure> {
        let mut mac = self.0.mac("The list cannot be paged at the moment: retry.").await?;
        // Debug text distinguishes every value and quotes strings, so different lists have different texts.
        mac.update(format!("{VERSION} {list:?} {position:?}").as_bytes());
        Ok(mac)
    }
}

impl fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CursorKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::StoredSecret;

    fn list<'a>(owner: &'a str, filter: &'a (dyn fmt::Debug + Sync)) -> List<'a> {
        List { name: "documents", mode: Mode::Sandbox, owner, filter }
    }

    #[tokio::test]
    async fn a_cursor_is_good_for_its_own_list_and_under_its_own_key_alone() {
        let key = CursorKey::new(StoredSecret("0123456789abcdef0123456789abcdef"));
        let other_key = CursorKey::new(StoredSecret("1123456789abcdef0123456789abcdef"));
        let mine = list("txpay_1", &"all");
        let cursor = key.seal(&mine, "doc_1").await.unwrap();
        assert_eq!(key.open(&mine, &cursor).await.unwrap(), "doc_1");
        let others = [
            list("txpay_2", &"all"),
            list("txpay_1", &"some"),
            List { name: "deliveries", ..list("txpay_1", &"all") },
            List { mode: Mode::Live, ..list("txpay_1", &"all") },
        ];
        let mut refused = vec![other_key.open(&mine, &cursor).await];
        for other in &others {
            refused.push(key.open(other, &cursor).await);
        }
        for result in refused {
            assert_eq!(result.unwrap_err().code, Code::InvalidRequest);
        }
    }

    #[tokio::test]
    async fn a_change_of_any_bit_a_shorter_tag_and_one_without_a_key_are_refused() {
        let key = CursorKey::new(StoredSecret("0123456789abcdef0123456789abcdef"));
        let list = list("txpay_1", &"all");
        let cursor = key.seal(&list, "doc_1").await.unwrap();
        let bytes = URL_SAFE_NO_PAD.decode(&cursor).unwrap();
        let mut forged: Vec<Vec<u8>> = (0..bytes.len() * 8)
            .map(|bit| {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                changed
            })
            .collect();
        forged.extend((0..bytes.len()).map(|length| bytes[..length].to_vec()));
        // A cursor of an earlier version, which anybody could make: a hash without a key.
        forged.push([&[1][..], &[0; 12], b"=doc_1"].concat());
        for bytes in forged {
            let refused = key.open(&list, &URL_SAFE_NO_PAD.encode(bytes)).await;
            assert_eq!(refused.unwrap_err().code, Code::InvalidRequest);
        }
    }

    #[tokio::test]
    async fn a_key_that_cannot_be_used_is_a_fault_of_ours() {
        let key = CursorKey::new(StoredSecret("too short"));
        let failure = key.seal(&list("txpay_1", &"all"), "doc_1").await.unwrap_err();
        assert_eq!(failure.code, Code::ServiceUnavailable);
    }
}
