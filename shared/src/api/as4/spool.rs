//! The body of a message while it is received: its first bytes in memory, the rest in a file.

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

/// Where bodies are stored while they are received.
#[derive(Debug, Clone)]
pub struct Spool {
    /// The number of bytes of each body that are kept in memory.
    pub memory_bytes: usize,
    /// The directory of the files for the rest. They have no name there. Without a directory, bodies are kept in
    /// memory.
    pub directory: Option<PathBuf>,
}

/// The minimum speed of a body.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// The time limit for the first bytes.
    pub grace: Duration,
    /// The minimum number of bytes in each second after that.
    pub bytes_per_second: u32,
    /// The time limit for the whole body.
    pub within: Duration,
}

/// Why a body is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum Rejected {
    #[error("A message has at most {0} bytes.")]
    TooLong(usize),
    #[error("A message must arrive with at least {} bytes a second, and within {} seconds.", .0.bytes_per_second, .0.within.as_secs())]
    TooSlow(Pace),
    #[error(transparent)]
    Full(#[from] Full),
    #[error("The body broke off.")]
    Broken,
    #[error("the spool: {0}")]
    Spool(#[from] io::Error),
}

/// A received body.
pub(super) struct Spooled {
    memory: BytesMut,
    file: Option<File>,
    bytes: usize,
    /// Held until the body is read.
    _room: Room,
}

impl Pace {
    /// When this number of bytes must have arrived, for a body that began at `begun`.
    fn due(&self, begun: Instant, bytes: usize) -> Instant {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let rate = u64::from(self.bytes_per_second.max(1));
        let earned = Duration::from_secs(bytes / rate);
        begun + self.grace.saturating_add(earned).min(self.within)
    }
}

impl Spool {
    /// An unlinked file, which only this process can access and which is removed with it.
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

    /// Checks at startup whether files can be created.
    pub(super) async fn check(&self, name: Uuid) -> io::Result<()> {
        match &self.directory {
            Some(directory) => Spool::file(directory, name).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// Receives a body of at most `most` bytes. Files have the name `name` until they are opened.
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
    /// The whole body, in memory.
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
