//! Bags: files with the proof that they are whole, as archives know them (RFC 8493, BagIt 1.0), in a ZIP that is written
//! from its beginning to its end by workers who know nothing of one another but how far it is.
//!
//! ```text
//! <name>/bagit.txt                 what it is
//! <name>/bag-info.txt              whose files they are, how many, and when it was made
//! <name>/manifest-sha256.txt       SHA-256 of each file, as `sha256sum -c` reads it
//! <name>/tagmanifest-sha256.txt    the same of the three above
//! <name>/data/…                    the files
//! ```

mod zip;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::types::sha256_hex;

pub use zip::{Entry, TooLarge};

/// A file of a bag, as its manifest and the directory of the ZIP name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// Its place in the ZIP.
    pub entry: Entry,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}

/// The part of a bag that is being written.
#[derive(Debug)]
pub struct Bag {
    name: String,
    offset: u64,
    written: Vec<u8>,
    files: Vec<Filed>,
}

impl Bag {
    /// Goes on with the bag of this name, of which `offset` bytes are written.
    pub fn at(name: &str, offset: u64) -> Self {
        Bag { name: name.to_owned(), offset, written: Vec::new(), files: Vec::new() }
    }

    /// Adds a file below `data`. `path` is made of letters, digits, `-`, `_`, `.` and `/`: nothing in it is to be escaped.
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

    /// How many bytes of this part are written.
    pub fn len(&self) -> usize {
        self.written.len()
    }

    /// Whether nothing of it is.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// The bytes of this part, and what is in it.
    pub fn part(self) -> (Vec<u8>, Vec<Filed>) {
        (self.written, self.files)
    }

    /// Ends the bag: `earlier` is what is in the parts before, `info` what its `bag-info.txt` says (RFC 8493, section
    /// 2.2.2). Gives the bytes of this part.
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
            // The folder must be there (RFC 8493, section 2.1.2).
            entries.push(self.append("data/", &[])?.entry);
        }
        let octets: u64 = files.iter().map(|file| file.entry.bytes).sum();
        let oxum = ("Payload-Oxum", format!("{octets}.{}", files.len()));
        let info = info.iter().chain([&oxum]);
        // A line each: what follows a break would be another label.
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
