//! The items of jobs as the table's stream has them.

use jiff::Timestamp;

use super::{Job, StoreError, dynamo::Item, jobs::job_of, keys::JobId};

/// The item of a job as a record of the stream has it.
#[derive(Debug, Clone)]
pub struct Image(Item);

impl From<serde_dynamo::Item> for Image {
    fn from(item: serde_dynamo::Item) -> Self {
        Image(item.into())
    }
}

impl Image {
    /// The image of an item.
    #[cfg(test)]
    pub(crate) fn of(item: Item) -> Self {
        Image(item)
    }

    /// The job, if the item has the mark and nobody but the stream's relay could claim it until `now`. Another job must be
    /// read: the sweeper may have advanced it.
    pub fn job(self, job_id: &JobId, now: Timestamp) -> Result<Option<Job>, StoreError> {
        let job = job_of(job_id, self.0)?;
        Ok(job.filter(|job| job.mark.is_some() && now < job.due_at))
    }
}
