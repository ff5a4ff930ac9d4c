//! What the commands have in common that make something of documents: where they read, and where they write.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::{Path, PathBuf},
};

use super::{Error, complain, print};

// A comment, since help would show a doc comment in the place of the command's own.
// Documents, and where what is made of each goes.
#[derive(clap::Args)]
pub(super) struct Documents {
    /// Write each result into a file of this directory, named after its document, instead of standard output
    #[arg(long, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
    /// Documents to read
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Documents {
    /// Writes what is made of each document. A refused one, of which nothing is made, does not stop the others.
    pub(super) fn each(
        &self,
        extension: &str,
        make: impl Fn(&Path, &[u8]) -> Option<Vec<u8>>,
    ) -> Result<(), Error> {
        self.check(extension)?;
        let mut refused = false;
        for path in &self.files {
            let bytes = fs::read(path).map_err(|why| Error::failed(path.display(), why))?;
            match make(path, &bytes) {
                Some(made) => self.write(path, extension, &made)?,
                None => refused = true,
            }
        }
        if refused { Err(Error::Refused) } else { Ok(()) }
    }

    /// Refuses, before anything is made, what would be written over another file of the same command.
    fn check(&self, extension: &str) -> Result<(), Error> {
        let sources = self.files.iter().filter_map(|document| fs::canonicalize(document).ok());
        let sources: BTreeSet<_> = sources.collect();
        let mut files = BTreeMap::new();
        for document in &self.files {
            let Some(file) = self.file(document, extension) else { break };
            let shown = (file.display(), document.display());
            if fs::canonicalize(&file).is_ok_and(|file| sources.contains(&file)) {
                return Err(Error::Usage(format!(
                    "{} would be overwritten by the output for {}",
                    shown.0, shown.1
                )));
            }
            if let Some(other) = files.insert(file.clone(), document)
                && other != document
            {
                let (other, file) = (other.display(), shown.0);
                let why = format!("{other} and {} would both become {file}", shown.1);
                return Err(Error::Usage(why));
            }
        }
        Ok(())
    }

    fn write(&self, document: &Path, extension: &str, made: &[u8]) -> Result<(), Error> {
        let (Some(directory), Some(file)) = (&self.out, self.file(document, extension)) else {
            return print(made);
        };
        fs::create_dir_all(directory)
            .and_then(|()| fs::write(&file, made))
            .map_err(|why| Error::failed(file.display(), why))
    }

    fn file(&self, document: &Path, extension: &str) -> Option<PathBuf> {
        let stem = document.file_stem().unwrap_or_default();
        Some(self.out.as_ref()?.join(stem).with_added_extension(extension))
    }
}

/// What was made of a document. Why nothing was goes to standard error.
pub(super) fn made<T>(path: &Path, made: Result<T, impl fmt::Display>) -> Option<T> {
    made.map_err(|why| complain(&format!("{}: {why}\n", path.display()))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_over_something_else_of_the_same_command() {
        let check = |directory: Option<&str>, names: &[&str], extension| {
            let files = names.iter().map(PathBuf::from).collect();
            let documents = Documents { out: directory.map(PathBuf::from), files };
            documents.check(extension).map_err(|why| match why {
                Error::Usage(why) => why,
                other => panic!("{other:?}"),
            })
        };
        let two = ["a/x.json", "y.json", "b/x.json"];
        let why = check(Some("out"), &two, "xml").unwrap_err();
        assert_eq!(why, "a/x.json and b/x.json would both become out/x.xml");
        assert_eq!(check(None, &two, "xml"), Ok(()));
        assert_eq!(check(Some("out"), &["a/x.json", "a/x.json", "x.y.json"], "xml"), Ok(()));
        let here = env!("CARGO_MANIFEST_DIR");
        let source = format!("{here}/templates/docs/examples/../errors.html");
        let of_html = |directory: &str| check(Some(directory), &[&source], "html");
        let why = of_html(&format!("{here}/templates/docs")).unwrap_err();
        assert!(why.contains("would be overwritten"), "{why}");
        assert!(of_html("out").is_ok());
    }
}
