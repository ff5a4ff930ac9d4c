//! Bags: files with checksums in the archive format BagIt 1.0 (RFC 8493), packed as a ZIP. The ZIP is written from
//! start to end by several workers. A worker needs only the position where the previous one stopped.
//!
//! ```text
//! <name>/bagit.txt                 the format
//! <name>/bag-info.txt              owner, number of files, time of creation
//! <name>/manifest-sha256.txt       SHA-256 of each file, in the format of `sha256sum -c`
//! <name>/tagmanifest-sha256.txt    SHA-256 of the three files above
//! <name>/data/…                    the files
//! ```

mod zip;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::types::sha256_hex;

pub use zip::{Entry, TooLarge};

/// Files in a plain ZIP, in their order.
///
/// # Errors
/// A file has 4 GiB or more.
pub fn packed(files: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>, TooLarge> {
    let (mut written, mut entries) = (Vec::new(), Vec::with_capacity(files.len()));
    for (name, content) in files {
        entries.push(zip::append(&mut written, 0, name, &content)?);
    }
    let directory = zip::directory(&entries, written.len() as u64);
    written.extend(directory);
    Ok(written)
}

/// A file of a bag, as in its manifest and in the directory of the ZIP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// Its entry in the ZIP.
    pub entry: Entry,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}

/// The part of a bag that one worker writes.
#[derive(Debug)]
pub struct Bag {
    name: String,
    offset: u64,
    written: Vec<u8>,
    files: Vec<Filed>,
}

impl Bag {
    /// Continues the bag of this name after its first `offset` bytes.
    pub fn at(name: &str, offset: u64) -> Self {
        Bag { name: name.to_owned(), offset, written: Vec::new(), files: Vec::new() }
    }

    /// Adds a file below `data`. `path` has only letters, digits, `-`, `_`, `.` and `/`, so nothing needs an escape.
    ///
    /// # Errors
    /// The file has 4 GiB or more.
    pub fn add(&mut self, path: &str, content: &[u8]) -> Result<(), TooLarge> {
        let filed = self.append(&format!("data/{path}"), content)?;
        self.files.push(filed);
        Ok(())
    }

    fn append(&mut self, path: &str, content: &[u8]) -> Result<Filed, TooLarge> {
        let name = format!("{}/{path}", self.name);
        let entry = zip::append(&mut self.written, self.offset, name, content)?;
        Ok(Filed { entry, sha256: sha256_hex(content) })
    }

    /// The number of bytes written in this part.
    pub fn len(&self) -> usize {
        self.written.len()
    }

    /// The bytes of this part, and its files.
    pub fn part(self) -> (Vec<u8>, Vec<Filed>) {
        (self.written, self.files)
    }

    /// Ends the bag and returns the bytes of this part. `earlier` are the files of the earlier parts. `info` is the
    /// content of `bag-info.txt` (RFC 8493, section 2.2.2).
    ///
    /// # Errors
    /// The manifest has 4 GiB or more.
    pub fn end(
        mut self,
        earlier: Vec<Filed>,
        info: &[(&str, String)],
    ) -> Result<Vec<u8>, TooLarge> {
        let mut files = earlier;
        files.append(&mut self.files);
        let mut entries = Vec::new();
        if files.is_empty() {
            // The folder is mandatory (RFC 8493, section 2.1.2).
            entries.push(self.append("data/", &[])?.entry);
        }
        let octets: u64 = files.iter().map(|file| file.entry.bytes).sum();
        let oxum = ("Payload-Oxum", format!("{octets}.{}", files.len()));
        let info = info.iter().chain([&oxum]);
        // One line for each value: text after a line break would be another label.
        let info = info.map(|(label, value)| format!("{label}: {}\n", value.replace('\n', " ")));
        let tags = [
            ("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".to_owned()),
            ("bag-info.txt", info.collect()),
            ("manifest-sha256.txt", self.manifest(&files)),
        ];
        let mut tag_files = Vec::new();
        for (path, text) in tags {
            tag_files.push(self.append(path, text.as_bytes())?);
        }
        let manifest = self.manifest(&tag_files);
        tag_files.push(self.append("tagmanifest-sha256.txt", manifest.as_bytes())?);
        entries.extend(files.into_iter().chain(tag_files).map(|file| file.entry));
        let directory = zip::directory(&entries, self.offset + self.written.len() as u64);
        self.written.extend(directory);
        Ok(self.written)
    }

    fn manifest(&self, files: &[Filed]) -> String {
        let prefix = format!("{}/", self.name);
        let line = |Filed { entry, sha256 }: &Filed| {
            let path = entry.name.strip_prefix(&prefix).unwrap_or(&entry.name);
            format!("{sha256}  {path}\n")
        };
        files.iter().map(line).collect()
    }
}
