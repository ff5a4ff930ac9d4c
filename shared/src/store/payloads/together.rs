//! Payloads of one exchange that are stored together. A request to the bucket costs as much as several writes of the
//! table. So small payloads share one object: a tar, which tells by itself what it holds, compressed as a whole, since a
//! document and its reports have nearly the same text. A small payload that is alone is compressed too, since the law keeps
//! it for years. Earlier releases stored a ZIP, which compresses each file alone; it is read.

use std::io::{Cursor, Error, Read as _, Write as _};

use bytes::Bytes;
use flate2::{
    Compression,
    read::{DeflateDecoder, GzDecoder},
    write::GzEncoder,
};
use futures_util::future::try_join_all;
use zip::ZipArchive;

use super::{Bucket, Held, PayloadKind, payload_in};
use crate::{
    store::{
        Part, Payload, StoreError,
        dynamo::{corrupt, unavailable},
    },
    types::sha256_hex,
};

/// Maximum bytes of payloads that are stored together. Every payload of so many bytes fits into a response.
const MOST_TOGETHER: usize = 1024 * 1024;
/// Maximum bytes of a tar of such payloads, with its headers.
const MOST_IN_TAR: u64 = MOST_TOGETHER as u64 + 64 * 1024;
/// The ends of names: of a tar of payloads, and of a payload that is compressed by itself. Any other is a ZIP's.
const TAR: &str = ".tar.gz";
const COMPRESSED: &str = ".gz";
/// The bytes before the compressed ones of a GZIP without a name, and those after them (RFC 1952, 2.3).
const GZIP_HEADER: usize = 10;
const GZIP_TRAILER: usize = 8;

/// How a payload is in its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It is the object.
    Alone,
    /// It is compressed by itself.
    Compressed(Part),
    /// It is a file of a tar that is compressed as a whole.
    InTar(Part),
    /// It is a file of a ZIP.
    InZip(Part),
}

impl Form {
    pub(super) fn of(Payload { key, part, .. }: &Payload) -> Self {
        match *part {
            None => Form::Alone,
            Some(part) if key.ends_with(TAR) => Form::InTar(part),
            Some(part) if key.ends_with(COMPRESSED) => Form::Compressed(part),
            Some(part) => Form::InZip(part),
        }
    }

    /// The bytes of the object that have the payload (RFC 9110, section 14.1.2); `None` for all.
    pub(super) fn range(self) -> Option<String> {
        match self {
            Form::Alone | Form::InTar(_) => None,
            // The same payload may have been stored before, and compressed to another length.
            Form::Compressed(Part { offset, .. }) => Some(format!("bytes={offset}-")),
            // The last byte is included. Even nothing has some bytes when it is compressed.
            Form::InZip(Part { offset, packed }) => {
                let last = offset.saturating_add(packed.saturating_sub(1));
                Some(format!("bytes={offset}-{last}"))
            }
        }
    }

    /// The payload, which has so many bytes, from those bytes of the object.
    pub(super) fn unpacked(self, object: Vec<u8>, bytes: u64) -> Result<Vec<u8>, StoreError> {
        match self {
            Form::Alone => Ok(object),
            Form::Compressed(_) | Form::InZip(_) => {
                let mut unpacked = Vec::new();
                let read = DeflateDecoder::new(&*object).take(bytes).read_to_end(&mut unpacked);
                read.map_err(corrupt)?;
                Ok(unpacked)
            }
            Form::InTar(Part { offset, .. }) => {
                let tar = untarred(&object).map_err(corrupt)?;
                let begin = usize::try_from(offset).unwrap_or(usize::MAX);
                let end = begin.saturating_add(usize::try_from(bytes).unwrap_or(usize::MAX));
                let cut = || StoreError::Corrupt("a file is beyond the end of its tar".into());
                tar.get(begin..end).map(<[u8]>::to_vec).ok_or_else(cut)
            }
        }
    }
}

impl Bucket {
    /// Stores payloads of a folder, in one object if they are small, with what may be needed `beside` them if that is
    /// small, too. Storing the same bytes again changes nothing.
    pub(super) async fn put_together<const N: usize>(
        &self,
        folder: &str,
        payloads: [(PayloadKind, Bytes); N],
        beside: &[(PayloadKind, Bytes)],
    ) -> Result<[Payload; N], StoreError> {
        let alone = payloads.clone().map(|(kind, bytes)| payload_in(folder, kind, &bytes));
        let length = |of: &[(PayloadKind, Bytes)]| of.iter().map(|(_, it)| it.len()).sum::<usize>();
        let is_all_small = length(&payloads) + length(beside) <= MOST_TOGETHER;
        let beside = if is_all_small { beside } else { &[] };
        if length(&payloads) > MOST_TOGETHER {
            let writes = alone.iter().zip(payloads);
            let writes = writes
                .map(|(payload, (kind, bytes))| self.write_object(payload.clone(), kind, bytes));
            try_join_all(writes).await?;
            return Ok(alone);
        }
        if N + beside.len() == 1 {
            let mut stored = alone;
            for (payload, (kind, bytes)) in stored.iter_mut().zip(payloads) {
                let object = compressed(payload, &bytes).map_err(unavailable)?;
                self.write_object(payload.clone(), kind, object.into()).await?;
            }
            return Ok(stored);
        }
        let kind = PayloadKind::Together;
        let (object, parts) = tarred(&[&payloads, beside].concat()).map_err(unavailable)?;
        let whole = payload_in(folder, kind, &object);
        let mut stored = alone;
        for (payload, part) in stored.iter_mut().zip(parts) {
            payload.key.clone_from(&whole.key);
            payload.part = Some(part);
        }
        self.write_object(whole, kind, object.into()).await?;
        Ok(stored)
    }

    /// The payloads of these kinds in the object that holds another payload, and the room for them. `None` when the other
    /// one has an object of its own, or shares one that does not hold them all.
    pub async fn find_beside<const N: usize>(
        &self,
        other: &Payload,
        kinds: [PayloadKind; N],
    ) -> Result<Option<(Held, [Beside; N])>, StoreError> {
        let files_of: fn(&[u8]) -> Result<Vec<File>, Error> = match Form::of(other) {
            Form::Alone | Form::Compressed(_) => return Ok(None),
            Form::InTar(_) => files_of_tar,
            Form::InZip(_) => files_of_zip,
        };
        let held = self.hold(MOST_TOGETHER as u64).await?;
        let Some(object) = self.read_object(&other.key, None).await? else { return Ok(None) };
        if !other.key.contains(&format!("/{}.", sha256_hex(&object))) {
            return Err(StoreError::Corrupt("an object does not have the hash in its name".into()));
        }
        let mut files = files_of(&object).map_err(corrupt)?;
        let mut found = Vec::with_capacity(N);
        for kind in kinds {
            let named = files.iter().position(|file| file.name == kind.file_name());
            let Some(File { part, bytes, .. }) = named.map(|at| files.swap_remove(at)) else {
                return Ok(None);
            };
            let (sha256, length) = (sha256_hex(&bytes), length_of(&bytes));
            let key = other.key.clone();
            let payload = Payload { key, sha256, bytes: length, part: Some(part) };
            found.push(Beside { payload, bytes });
        }
        Ok(found.try_into().ok().map(|found| (held, found)))
    }
}

/// Compresses a payload that is alone. Its object is still named by the payload, so the name says no second hash that its
/// record would have to keep.
fn compressed(payload: &mut Payload, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    let object = encoder.finish()?;
    let packed = object.len().saturating_sub(GZIP_HEADER + GZIP_TRAILER);
    payload.key.push_str(COMPRESSED);
    payload.part =
        Some(Part { offset: GZIP_HEADER as u64, packed: packed.try_into().unwrap_or(u64::MAX) });
    Ok(object)
}

/// A payload that is stored beside another one.
#[derive(Debug)]
pub struct Beside {
    /// The payload.
    pub payload: Payload,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A file of an object that holds several payloads, and where it is.
struct File {
    name: String,
    part: Part,
    bytes: Vec<u8>,
}

fn length_of(bytes: &[u8]) -> u64 {
    bytes.len().try_into().unwrap_or(u64::MAX)
}

/// A compressed tar of payloads, and where each of them is in the tar.
fn tarred(payloads: &[(PayloadKind, Bytes)]) -> Result<(Vec<u8>, Vec<Part>), Error> {
    let mut builder = tar::Builder::new(Vec::new());
    let mut parts = Vec::with_capacity(payloads.len());
    for (kind, bytes) in payloads {
        let mut header = tar::Header::new_ustar();
        header.set_size(length_of(bytes));
        header.set_mode(0o644);
        builder.append_data(&mut header, kind.file_name(), &**bytes)?;
        // A file begins at a whole block after its header, and is filled up to one.
        let end = length_of(builder.get_ref());
        let packed = length_of(bytes);
        parts.push(Part { offset: end - packed.next_multiple_of(TAR_BLOCK), packed });
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&builder.into_inner()?)?;
    Ok((encoder.finish()?, parts))
}

/// The bytes of a block of a tar (POSIX.1-2017, pax, "ustar Interchange Format").
const TAR_BLOCK: u64 = 512;

fn untarred(object: &[u8]) -> Result<Vec<u8>, Error> {
    let mut tar = Vec::new();
    GzDecoder::new(object).take(MOST_IN_TAR).read_to_end(&mut tar)?;
    Ok(tar)
}

fn files_of_tar(object: &[u8]) -> Result<Vec<File>, Error> {
    let mut files = Vec::new();
    for file in tar::Archive::new(&*untarred(object)?).entries()? {
        let mut file = file?;
        let name = file.path()?.to_string_lossy().into_owned();
        let part = Part { offset: file.raw_file_position(), packed: file.size() };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        files.push(File { name, part, bytes });
    }
    Ok(files)
}

fn files_of_zip(object: &[u8]) -> Result<Vec<File>, Error> {
    let mut archive = ZipArchive::new(Cursor::new(object))?;
    let mut files = Vec::new();
    for number in 0..archive.len() {
        let file = archive.by_index(number)?;
        let name = file.name()?.into_owned();
        let offset = file.data_start().unwrap_or_default();
        let part = Part { offset, packed: file.compressed_size() };
        let mut bytes = Vec::new();
        file.take(MOST_TOGETHER as u64).read_to_end(&mut bytes)?;
        files.push(File { name, part, bytes });
    }
    Ok(files)
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
        let [message, receipt] = bucket.put_together("live/status/aa", SMALL, &[]).await.unwrap();
        assert_eq!(message.key, receipt.key);
        assert_eq!(bucket.get(&message).await.unwrap(), b"a signed message");
        assert_eq!(bucket.get(&receipt).await.unwrap(), b"its receipt");
        let again = bucket.put_together("live/status/aa", SMALL, &[]).await.unwrap();
        assert_eq!(again, [message.clone(), receipt.clone()]);
        assert_eq!(world.cloud.objects().len(), 1);
        let whole = bucket.read_object(&message.key, None).await.unwrap().unwrap();
        let mut archive = tar::Archive::new(GzDecoder::new(&*whole));
        let mut files = archive.entries().unwrap().map(Result::unwrap);
        let mut last = files.nth(1).unwrap();
        let mut content = String::new();
        last.read_to_string(&mut content).unwrap();
        assert_eq!(
            (last.path().unwrap().to_str(), &*content),
            (Some("receipt.xml"), "its receipt")
        );
        // The hash of a part is compared as well, and a file ends before its tar does.
        let shifted = Payload { part: message.part, ..receipt.clone() };
        assert!(matches!(bucket.get(&shifted).await, Err(StoreError::Corrupt(_))));
        let beyond = Payload { bytes: 1 << 20, ..receipt };
        assert!(matches!(bucket.get(&beyond).await, Err(StoreError::Corrupt(_))));
    }

    #[tokio::test]
    async fn what_has_nearly_the_same_text_is_stored_once() {
        let world = World::new().await;
        let bucket = &world.sending.bucket;
        let text: String = (0..2_000).map(|number| format!("{:x}", number * 7_919)).collect();
        let nearly = |kind, end| (kind, Bytes::from(format!("{text}{end}")));
        let [ubl, _] = bucket
            .put_together(
                "live/x",
                [nearly(PayloadKind::Ubl, "1"), nearly(PayloadKind::Envelope, "2")],
                &[nearly(PayloadKind::TaxData, "3"), nearly(PayloadKind::TaxEnvelope, "4")],
            )
            .await
            .unwrap();
        let whole = bucket.read_object(&ubl.key, None).await.unwrap().unwrap();
        assert!(whole.len() < text.len(), "{} of {}", whole.len(), text.len());
    }

    #[tokio::test]
    async fn a_zip_of_an_earlier_release_is_read() {
        let world = World::new().await;
        let bucket = &world.sending.bucket;
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (kind, bytes) in &SMALL {
            writer.start_file(kind.file_name(), zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        let object = writer.finish().unwrap().into_inner();
        let key = format!("live/x/{}.parts", sha256_hex(&object));
        let files = files_of_zip(&object).unwrap();
        bucket.create(&key, PayloadKind::Together, object.into()).await.unwrap();
        let [message, receipt] = &*files else { panic!("two files") };
        let of = |file: &File| Payload {
            key: key.clone(),
            sha256: sha256_hex(&file.bytes),
            bytes: length_of(&file.bytes),
            part: Some(file.part),
        };
        assert_eq!(bucket.get(&of(message)).await.unwrap(), SMALL[0].1);
        let kinds = [PayloadKind::Receipt];
        let (_held, [found]) = bucket.find_beside(&of(message), kinds).await.unwrap().unwrap();
        assert_eq!((found.payload, &*found.bytes), (of(receipt), &*SMALL[1].1));
    }

    #[tokio::test]
    async fn what_is_stored_beside_a_payload_is_found_by_its_kind_if_all_is_small() {
        let world = World::new().await;
        let bucket = &world.sending.bucket;
        let of = |length| [(PayloadKind::TaxData, Bytes::from(vec![b'a'; length]))];
        let [message, receipt] = bucket.put_together("live/x", SMALL, &of(9)).await.unwrap();
        let kinds = [PayloadKind::TaxData, PayloadKind::Receipt];
        let (_held, [tax, same]) = bucket.find_beside(&message, kinds).await.unwrap().unwrap();
        assert_eq!((tax.bytes, &same.payload), (vec![b'a'; 9], &receipt));
        assert_eq!(bucket.get(&tax.payload).await.unwrap(), vec![b'a'; 9]);
        let absent = bucket.find_beside(&message, [PayloadKind::Ubl]).await.unwrap();
        assert!(absent.is_none());
        // What does not fit is not stored, and what is needed still shares one object.
        let [message, receipt] =
            bucket.put_together("live/y", SMALL, &of(MOST_TOGETHER)).await.unwrap();
        assert_eq!(message.key, receipt.key);
        let absent = bucket.find_beside(&message, [PayloadKind::TaxData]).await.unwrap();
        assert!(absent.is_none());
        // One that is alone has nothing beside it.
        let alone = [SMALL[0].clone()];
        let [message] = bucket.put_together("live/z", alone.clone(), &[]).await.unwrap();
        assert!(message.part.is_some());
        assert!(bucket.find_beside(&message, [PayloadKind::TaxData]).await.unwrap().is_none());
        let [message] = bucket.put_together("live/z", alone, &of(9)).await.unwrap();
        assert!(bucket.find_beside(&message, [PayloadKind::TaxData]).await.unwrap().is_some());
        // The hash in the name is that of the whole object.
        let other = Payload { key: receipt.key.replace("live/y", "live/x"), ..receipt };
        assert!(bucket.find_beside(&other, [PayloadKind::TaxData]).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_small_payload_that_is_alone_is_a_gzip_with_its_name() {
        let world = World::new().await;
        let bucket = &world.sending.bucket;
        let text = "<Receipt/>".repeat(1000);
        let alone = [(PayloadKind::Receipt, Bytes::from(text.clone()))];
        let [receipt] = bucket.put_together("live/x", alone.clone(), &[]).await.unwrap();
        assert_eq!(receipt.key, format!("live/x/{}.receipt.gz", sha256_hex(text.as_bytes())));
        assert_eq!(bucket.get(&receipt).await.unwrap(), text.as_bytes());
        let whole = bucket.read_object(&receipt.key, None).await.unwrap().unwrap();
        let mut content = String::new();
        GzDecoder::new(&*whole).read_to_string(&mut content).unwrap();
        assert_eq!(content, text);
        assert!(whole.len() < text.len() / 50, "{}", whole.len());
        // It was compressed by another version to another length.
        let part = receipt.part.map(|it| Part { packed: it.packed - 1, ..it });
        let other = Payload { part, ..receipt.clone() };
        assert_eq!(bucket.get(&other).await.unwrap(), text.as_bytes());
        assert_eq!(bucket.put_together("live/x", alone, &[]).await.unwrap(), [receipt]);
        assert_eq!(world.cloud.objects().len(), 1);
    }

    #[tokio::test]
    async fn large_payloads_have_objects_of_their_own() {
        let world = World::new().await;
        let large = Bytes::from(vec![b'a'; MOST_TOGETHER + 1]);
        let bucket = &world.sending.bucket;
        let alone = [(PayloadKind::Receipt, large.clone())];
        let [receipt] = bucket.put_together("live/x", alone, &[]).await.unwrap();
        assert_eq!(receipt.part, None);
        let payloads = [(PayloadKind::Message, large), SMALL[1].clone()];
        let [message, receipt] =
            bucket.put_together("live/status/aa", payloads, &[]).await.unwrap();
        assert!(message.key.ends_with(".as4") && receipt.key.ends_with(".receipt"));
        assert_eq!(bucket.get(&receipt).await.unwrap(), b"its receipt");
        assert_eq!(world.cloud.objects().len(), 3);
    }
}
