//! Whom the commands act for. Never from arguments, which everybody on the machine can read in its list of processes.

use std::{
    fs::{self, File, OpenOptions},
    io::{ErrorKind, Read, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{cli::Error, environment::Environment};

/// What the file holds.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    pub(super) url: Option<String>,
    pub(super) api_key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) taxpayer_id: Option<String>,
    /// By which `listen` signs what it forwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) listen_secret: Option<String>,
}

/// What a command works with.
pub(super) struct Credentials {
    pub(super) url: String,
    pub(super) api_key: String,
    pub(super) taxpayer_id: Option<String>,
}

/// Where the file is: as the XDG Base Directory Specification has it.
pub(super) fn place(environment: &Environment) -> Option<PathBuf> {
    // "All paths set in these environment variables must be absolute."
    let configured = environment.get("XDG_CONFIG_HOME").map(PathBuf::from);
    let configured = configured.filter(|path| path.is_absolute());
    let home = || environment.get("HOME").map(|home| Path::new(home).join(".config"));
    Some(configured.or_else(home)?.join("access-point").join("credentials.json"))
}

/// What the file holds, if it is there. One that others can read is refused.
pub(super) fn kept(environment: &Environment) -> Result<Option<Kept>, Error> {
    let Some(path) = place(environment) else { return Ok(None) };
    let unreadable = |why: &dyn std::fmt::Display| {
        Error::Unreadable(format!("the credentials in {}: {why}", path.display()))
    };
    let mut file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
    };
    // Of the very file that is read.
    let mode = file.metadata().map_err(|why| unreadable(&why))?.permissions().mode();
    if mode & 0o077 != 0 {
        let path = path.display();
        let why = format!("others can read them (mode {:o}): chmod 600 '{path}'", mode & 0o777);
        return Err(unreadable(&why));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|why| unreadable(&why))?;
    // What is wrong with them must not be quoted: the message could hold the key.
    let read = serde_json::from_str(&text);
    read.map(Some).map_err(|why| {
        let (line, column) = (why.line(), why.column());
        unreadable(&format!(
            "line {line}, column {column} is not as `access-point login` writes it"
        ))
    })
}

/// Writes the file anew, for its owner alone.
pub(super) fn keep(environment: &Environment, kept: &Kept) -> Result<PathBuf, Error> {
    let path = place(environment)
        .ok_or_else(|| Error::Unreadable("neither XDG_CONFIG_HOME nor HOME is set".to_owned()))?;
    let failed = |why: &dyn std::fmt::Display| Error::failed(path.display(), why);
    let folder = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder).map_err(|why| failed(&why))?;
    let text = serde_json::to_string_pretty(kept).map_err(|why| failed(&why))? + "\n";
    // In another file first, which has its mode before it has a text, and then takes the place of the old one at once.
    let new = path.with_extension(format!("{}.new", std::process::id()));
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &path)
    })();
    if let Err(why) = written {
        let _ = fs::remove_file(&new);
        return Err(failed(&why));
    }
    Ok(path)
}

/// Whom the environment names, and where it does not, the file.
pub(super) fn credentials(environment: &Environment) -> Result<Credentials, Error> {
    let (url, key) = (environment.get("ACCESS_POINT_URL"), environment.get("ACCESS_POINT_API_KEY"));
    let taxpayer = environment.get("ACCESS_POINT_TAXPAYER");
    // Whoever gives all of it in the environment needs no file.
    let all = url.is_some() && key.is_some() && taxpayer.is_some();
    let kept = if all { None } else { kept(environment)? };
    // A taxpayer of the file is one of its key, and of no other.
    let same_key = key
        .is_none_or(|key| kept.as_ref().is_some_and(|kept| kept.api_key.as_deref() == Some(key)));
    let kept = kept.unwrap_or_default();
    let missing = |what: &str| {
        let message = format!("{what} is not set: set it, or run `access-point login`");
        Error::Unreadable(message)
    };
    let own = |text: &str| text.to_owned();
    Ok(Credentials {
        url: url.map(own).or(kept.url).ok_or_else(|| missing("ACCESS_POINT_URL"))?,
        api_key: key.map(own).or(kept.api_key).ok_or_else(|| missing("ACCESS_POINT_API_KEY"))?,
        taxpayer_id: taxpayer.map(own).or(kept.taxpayer_id.filter(|_| same_key)),
    })
}
