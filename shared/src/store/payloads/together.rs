//! Payloads of one exchange that are stored together. A request to the bucket costs as much as several writes of the
//! table. So small payloads share one object: a ZIP, which tells by itself what it holds. A payload is then a range of it,
//! and can be read without the rest.

use std::io::{Cursor, Read as _, Write as _};

use bytes::Bytes;
use flate2::read::DeflateDecoder;
use futures_util::future::try_join_all;
use zip::{CompressionMethod, ZipArchive, ZipWriter, result::ZipResult, write::SimpleFileOptions};

use super::{Bucket, PayloadKind, payload_in};
use crate::store::{Part, Payload, StoreError};

/// Maximum bytes of payloads that are stored together. Every payload of so many bytes fits into a response.
const MOST_TOGETHER: usize = 1024 * 1024;

impl Bucket {
    /// Stores payloads of a folder, in one object if they are small. Storing the same bytes again changes nothing.
    pub(super) async fn put_together<const N: usize>(
        &self,
        folder: &str,
        payloads: [(PayloadKind, Bytes); N],
    ) -> Result<[Payload; N], StoreError> {
        let alone = payloads.clone().map(|(kind, bytes)| payload_in(folder, kind, &bytes));
        if N == 1 || payloads.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_TOGETHER {
            let writes = alone.iter().zip(payloads);
            let writes = writes
                .map(|(payload, (kind, bytes))| self.write_object(payload.clone(), kind, bytes));
            try_join_all(writes).await?;
            return Ok(alone);
        }
        let kind = PayloadKind::Together;
        let object = packed(&payloads);
        let object = object.map_err(|error| StoreError::Unavailable(error.into()))?;
        let whole = payload_in(folder, kind, &object.bytes);
        let mut stored = alone;
        for (payload, part) in stored.iter_mut().zip(object.parts) {
            payload.key.clone_from(&whole.key);
            payload.part = Some(part);
        }
        self.write_object(whole, kind, object.bytes.into()).await?;
        Ok(stored)
    }
}

/// A ZIP, and where each of its files is.
struct Packed {
    bytes: Vec<u8>,
    parts: Vec<Part>,
}

fn packed(payloads: &[(PayloadKind, Bytes)]) -> ZipResult<Packed> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (kind, bytes) in payloads {
        writer.start_file(kind.file_name(), options)?;
        writer.write_all(bytes)?;
    }
    let mut archive = ZipArchive::new(writer.finish()?)?;
    let mut parts = Vec::with_capacity(archive.len());
    for number in 0..archive.len() {
        let file = archive.by_index_raw(number)?;
        let offset = file.data_start().unwrap_or_default();
        parts.push(Part { offset, packed: file.compressed_size() });
    }
    Ok(Packed { bytes: archive.into_inner().into_inner(), parts })
}

/// A payload from its part of an object. It has so many bytes.
pub(super) fn unpacked(packed: &[u8], bytes: u64) -> Result<Vec<u8>, StoreError> {
    let mut unpacked = Vec::new();
    DeflateDecoder::new(packed)
        .take(bytes)
        .read_to_end(&mut unpacked)
        .map_err(|error| StoreError::Corrupt(error.into()))?;
    Ok(unpacked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    const SMALL: [(PayloadKind, Bytes); 2] = [
        (PayloadKind::Message, Bytes::from_static(b"a signed message")),
        (PayloadKind::Receipt, Bytes::from_static(b"its receipt")),
    ];

    #[tokio::test]
    async fn small_payloads_share_an_object_that_tells_what_it_holds() {
        let world = World::new().await;
        let bucket = &world.sending.bucket;
        let [message, receipt] = bucket.put_together("live/status/aa", SMALL).await.unwrap();
        assert_eq!(message.key, receipt.key);
        assert_eq!(bucket.get(&message).await.unwrap(), b"a signed message");
        assert_eq!(bucket.get(&receipt).await.unwrap(), b"its receipt");
        let again = bucket.put_together("live/status/aa", SMALL).await.unwrap();
        assert_eq!(again, [message.clone(), receipt.clone()]);
        assert_eq!(world.cloud.objects().len(), 1);
        let whole = bucket.read_object(&message.key, None).await.unwrap().unwrap();
        let mut archive = ZipArchive::new(Cursor::new(whole)).unwrap();
        let mut content = String::new();
        archive.by_name("receipt.xml").unwrap().read_to_string(&mut content).unwrap();
        assert_eq!(content, "its receipt");
        // The hash of a part is compared as well.
        let shifted = Payload { part: message.part, ..receipt };
        assert!(matches!(bucket.get(&shifted).await, Err(StoreError::Corrupt(_))));
    }

    #[tokio::test]
    async fn large_payloads_have_objects_of_their_own() {
        let world = World::new().await;
        let large = Bytes::from(vec![b'a'; MOST_TOGETHER]);
        let payloads = [(PayloadKind::Message, large), SMALL[1].clone()];
        let bucket = &world.sending.bucket;
        let [message, receipt] = bucket.put_together("live/status/aa", payloads).await.unwrap();
        assert!(message.key.ends_with(".as4") && receipt.key.ends_with(".receipt"));
        assert_eq!(bucket.get(&receipt).await.unwrap(), b"its receipt");
        assert_eq!(world.cloud.objects().len(), 2);
    }
}
