//! The body of a message while it comes: its first bytes in memory, the rest in a file.

use std::{
    io::{self, SeekFrom},
    path::{Path, PathBuf},
    time::Duration,
};

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt},
    time::{Instant, timeout_at},
};
use uuid::Uuid;

use super::clients::{Full, Room};

/// Where bodies are kept while they come.
#[derive(Debug, Clone)]
pub struct Spool {
    /// Bytes of each that are kept in memory.
    pub memory_bytes: usize,
    /// Where the files for the rest are, which have no name there. Without one, all of it is kept in memory.
    pub directory: Option<PathBuf>,
}

/// How fast a body has to come.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How long it may take before any of it has come.
    pub grace: Duration,
    /// How many bytes have to come in each second after that.
    pub bytes_per_second: u32,
    /// How long it may take in all.
    pub within: Duration,
}

/// Why a body is not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum Rejected {
    #[error("A message has {0} bytes at most.")]
    TooLong(usize),
    #[error("A message comes with at least {} bytes a second, and within {} seconds.", .0.bytes_per_second, .0.within.as_secs())]
    TooSlow(Pace),
    #[error(transparent)]
    Full(#[from] Full),
    #[error("The body broke off.")]
    Broken,
    #[error("the spool: {0}")]
    Spool(#[from] io::Error),
}

/// A body that has come.
pub(super) struct Spooled {
    memory: BytesMut,
    file: Option<File>,
    bytes: usize,
    /// Until it is read.
    _room: Room,
}

impl Pace {
    /// When so much of a body must have come that began then.
    fn due(&self, begun: Instant, bytes: usize) -> Instant {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let rate = u64::from(self.bytes_per_second.max(1));
        let earned = Duration::from_secs(bytes / rate);
        begun + self.grace.saturating_add(earned).min(self.within)
    }
}

impl Spool {
    /// A file that only this process can find, and that is gone with it.
    async fn file(directory: &Path, name: Uuid) -> io::Result<File> {
        let path = directory.join(format!("access-point-{name}.spool"));
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        options.mode(0o600);
        let file = options.open(&path).await?;
        tokio::fs::remove_file(&path).await?;
        Ok(file)
    }

    /// Tells at the start whether files can be made.
    pub(super) async fn check(&self, name: Uuid) -> io::Result<()> {
        match &self.directory {
            Some(directory) => Spool::file(directory, name).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// Takes a body that has this many bytes at most, in files that are named by `name` while they are opened.
    pub(super) async fn take(
        &self,
        mut body: Body,
        most: usize,
        pace: Pace,
        mut room: Room,
        name: impl FnOnce() -> Uuid,
    ) -> Result<Spooled, Rejected> {
        let begun = Instant::now();
        let (mut memory, mut file, mut name) = (BytesMut::new(), None::<File>, Some(name));
        let mut bytes = 0;
        loop {
            let next = timeout_at(pace.due(begun, bytes), body.frame()).await;
            let Some(frame) = next.map_err(|_| Rejected::TooSlow(pace))? else { break };
            let Ok(chunk) = frame.map_err(|_| Rejected::Broken)?.into_data() else { continue };
            bytes += chunk.len();
            if bytes > most {
                return Err(Rejected::TooLong(most));
            }
            room.grow(u64::try_from(chunk.len()).unwrap_or(u64::MAX))?;
            if file.is_none() && bytes > self.memory_bytes {
                file = match (&self.directory, name.take()) {
                    (Some(directory), Some(name)) => Some(Spool::file(directory, name()).await?),
                    _ => None,
                };
            }
            match &mut file {
                Some(file) => file.write_all(&chunk).await?,
                None => memory.extend_from_slice(&chunk),
            }
        }
        if let Some(file) = &mut file {
            file.flush().await?;
        }
        Ok(Spooled { memory, file, bytes, _room: room })
    }
}

impl Spooled {
    /// All of it, in memory.
    pub(super) async fn read(self) -> io::Result<Bytes> {
        let Spooled { memory, file, bytes, .. } = self;
        let Some(mut file) = file else { return Ok(memory.freeze()) };
        let mut whole = Vec::with_capacity(bytes);
        whole.extend_from_slice(&memory);
        drop(memory);
        file.seek(SeekFrom::Start(0)).await?;
        file.read_to_end(&mut whole).await?;
        Ok(whole.into())
    }
}
