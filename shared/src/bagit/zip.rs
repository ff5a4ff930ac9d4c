//! The subset of the ZIP format (PKWARE APPNOTE 6.3.10) that bags need: files, each compressed separately, then the
//! central directory. ZIP64 records hold numbers that are too large for the normal fields.
//!
//! ZIP libraries must keep the directory in memory from the first file to the last. Here another process can continue
//! after any file.

use std::io::Write;

use flate2::{Compression, Crc, write::DeflateEncoder};
use serde::{Deserialize, Serialize};

/// A file has 4 GiB or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a file of an archive has 4 GiB or more")]
pub struct TooLarge;

/// A file of the archive, as in its directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its path in the archive.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    crc32: u32,
    /// Its compressed size in bytes.
    packed: u64,
    /// Its offset in the archive.
    offset: u64,
}

/// APPNOTE 4.4.3: version 2.0 supports deflate, version 4.5 supports ZIP64.
const DEFLATED: u16 = 20;
const ZIP64: u16 = 45;
/// APPNOTE 4.4.2: made on UNIX, so the external attributes hold a UNIX mode.
const MADE_BY: u16 = 3 << 8 | ZIP64;
/// APPNOTE 4.4.4, bit 11: names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// APPNOTE 4.4.5: deflate.
const METHOD: u16 = 8;
/// APPNOTE 4.4.6: midnight of 1 January 1980. Equal files give equal archives; the files contain their own dates.
const TIME: u16 = 0;
const DATE: u16 = 1 << 5 | 1;
/// A file mode: readable for all, writable for its owner.
const ATTRIBUTES: u32 = 0o100_644 << 16;
/// APPNOTE 4.5.3: the extra field for a number that is too large; its normal field is then all ones.
const ZIP64_FIELD: u16 = 1;
const ELSEWHERE: u32 = u32::MAX;

/// Writes little-endian fields.
struct Fields<'a>(&'a mut Vec<u8>);

impl Fields<'_> {
    fn short(&mut self, values: &[u16]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn long(&mut self, values: &[u32]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn longer(&mut self, values: &[u64]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }
}

/// Appends a file to `written`; `before` is the number of archive bytes before `written`.
pub(super) fn append(
    written: &mut Vec<u8>,
    before: u64,
    name: String,
    content: &[u8],
) -> Result<Entry, TooLarge> {
    let size = u32::try_from(content.len()).map_err(|_| TooLarge)?;
    let name_bytes = u16::try_from(name.len()).map_err(|_| TooLarge)?;
    let mut crc = Crc::new();
    crc.update(content);
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    // Writing into memory cannot fail.
    let packed =
        encoder.write_all(content).and_then(|()| encoder.finish()).map_err(|_| TooLarge)?;
    let packed_size = u32::try_from(packed.len()).map_err(|_| TooLarge)?;
    let offset = before + written.len() as u64;
    // APPNOTE 4.3.7.
    Fields(written)
        .long(&[0x0403_4b50])
        .short(&[DEFLATED, FLAGS, METHOD, TIME, DATE])
        .long(&[crc.sum(), packed_size, size])
        .short(&[name_bytes, 0]);
    written.extend_from_slice(name.as_bytes());
    written.extend(packed);
    Ok(Entry { name, bytes: size.into(), crc32: crc.sum(), packed: packed_size.into(), offset })
}

/// The central directory, which starts at `offset` and ends the archive.
pub(super) fn directory(entries: &[Entry], offset: u64) -> Vec<u8> {
    let mut written = Vec::new();
    for entry in entries {
        header(&mut written, entry);
    }
    let (count, bytes) = (entries.len() as u64, written.len() as u64);
    let small_count = u16::try_from(count).unwrap_or(u16::MAX);
    let (small_bytes, small_offset) = (small(bytes), small(offset));
    let fields = &mut Fields(&mut written);
    if small_count == u16::MAX || small_bytes == ELSEWHERE || small_offset == ELSEWHERE {
        // APPNOTE 4.3.14 and 4.3.15.
        fields
            .long(&[0x0606_4b50])
            .longer(&[44])
            .short(&[MADE_BY, ZIP64])
            .long(&[0, 0])
            .longer(&[count, count, bytes, offset])
            .long(&[0x0706_4b50, 0])
            .longer(&[offset + bytes])
            .long(&[1]);
    }
    // APPNOTE 4.3.16.
    fields
        .long(&[0x0605_4b50])
        .short(&[0, 0, small_count, small_count])
        .long(&[small_bytes, small_offset])
        .short(&[0]);
    written
}

/// APPNOTE 4.3.12.
fn header(written: &mut Vec<u8>, entry: &Entry) {
    let offset = small(entry.offset);
    let is_far = offset == ELSEWHERE;
    let version = if is_far { ZIP64 } else { DEFLATED };
    let extra = if is_far { 12 } else { 0 };
    let name_bytes = u16::try_from(entry.name.len()).unwrap_or(u16::MAX);
    Fields(written)
        .long(&[0x0201_4b50])
        .short(&[MADE_BY, version, FLAGS, METHOD, TIME, DATE])
        .long(&[entry.crc32, small(entry.packed), small(entry.bytes)])
        .short(&[name_bytes, extra, 0, 0, 0])
        .long(&[ATTRIBUTES, offset]);
    written.extend_from_slice(entry.name.as_bytes());
    if is_far {
        Fields(written).short(&[ZIP64_FIELD, 8]).longer(&[entry.offset]);
    }
}

/// The number, or the marker that the ZIP64 field has it.
fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(ELSEWHERE)
}
