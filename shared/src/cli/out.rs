//! Where commands write what they make of documents: to standard output, or into a directory, each by its document's name.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::{Error, print};

/// Where it goes.
pub(super) struct Out {
    directory: Option<PathBuf>,
    extension: &'static str,
}

impl Out {
    /// Refuses, before anything is made, what would be written over another file of the same command.
    pub(super) fn new(
        directory: Option<PathBuf>,
        extension: &'static str,
        documents: &[PathBuf],
    ) -> Result<Self, String> {
        let out = Out { directory, extension };
        let sources = documents.iter().filter_map(|document| fs::canonicalize(document).ok());
        let sources: BTreeSet<_> = sources.collect();
        let mut files = BTreeMap::new();
        for document in documents {
            let Some(file) = out.file(document) else { break };
            let shown = (file.display(), document.display());
            if fs::canonicalize(&file).is_ok_and(|file| sources.contains(&file)) {
                return Err(format!(
                    "{} would be written over by what is made of {}",
                    shown.0, shown.1
                ));
            }
            if let Some(other) = files.insert(file.clone(), document)
                && other != document
            {
                let other = other.display();
                return Err(format!("{other} and {} would both become {}", shown.1, shown.0));
            }
        }
        Ok(out)
    }

    /// Writes what was made of a document.
    pub(super) fn write(&self, document: &Path, made: &[u8]) -> Result<(), Error> {
        let (Some(directory), Some(file)) = (&self.directory, self.file(document)) else {
            return print(made);
        };
        fs::create_dir_all(directory)
            .and_then(|()| fs::write(&file, made))
            .map_err(|why| Error::failed(file.display(), why))
    }

    fn file(&self, document: &Path) -> Option<PathBuf> {
        let stem = document.file_stem().unwrap_or_default();
        Some(self.directory.as_ref()?.join(stem).with_added_extension(self.extension))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_over_something_else_of_the_same_command() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let new = |directory: Option<&str>, names: &[&str]| {
            Out::new(directory.map(PathBuf::from), "xml", &paths(names)).map(drop)
        };
        let two = ["a/x.json", "y.json", "b/x.json"];
        let why = new(Some("out"), &two).unwrap_err();
        assert_eq!(why, "a/x.json and b/x.json would both become out/x.xml");
        assert_eq!(new(None, &two), Ok(()));
        assert_eq!(new(Some("out"), &["a/x.json", "a/x.json", "x.y.json"]), Ok(()));
        let here = env!("CARGO_MANIFEST_DIR");
        let source = format!("{here}/templates/docs/examples/../errors.html");
        let of_html =
            |directory: &str| Out::new(Some(directory.into()), "html", &paths(&[&source]));
        let why = of_html(&format!("{here}/templates/docs")).map(drop).unwrap_err();
        assert!(why.contains("would be written over"), "{why}");
        assert!(of_html("out").is_ok());
    }
}
