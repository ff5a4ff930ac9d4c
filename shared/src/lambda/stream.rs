use aws_lambda_events::{
    dynamodb::{Event, EventRecord},
    streams::{DynamoDbBatchItemFailure, DynamoDbEventResponse},
};
use tokio::time::Instant;

use crate::{
    error::Failure,
    store::{
        Image,
        keys::{JobId, PK, SK},
    },
    tasks::{Piece, side_by_side},
};

/// How many records of a batch are processed concurrently.
const AT_ONCE: usize = 20;

/// Processes the items of a batch's records concurrently. An item with several records is processed once, with the image of
/// the last one.
///
/// It reports the earliest record that failed, panicked or was not reached. The stream resumes there, so nothing is
/// skipped. Repeated work has no further effect.
pub async fn each_item<F>(
    event: Event,
    until: Instant,
    work: impl Fn(JobId, Option<Image>) -> F,
) -> DynamoDbEventResponse
where
    F: Future<Output = Result<(), Failure>> + Send + 'static,
{
    let (mut job_ids, mut images): (Vec<JobId>, Vec<Option<Image>>) = Default::default();
    let mut sequence = Vec::new();
    for record in event.records {
        // `None` for an item that is never due.
        let Some(job_id) = job_id(&record) else { continue };
        let EventRecord { change, .. } = record;
        let image = (!change.new_image.is_empty()).then(|| Image::from(change.new_image));
        match job_ids.iter().position(|known| *known == job_id) {
            Some(place) => images[place] = image,
            None => {
                job_ids.push(job_id);
                images.push(image);
                sequence.push(change.sequence_number);
            }
        }
    }
    let jobs = job_ids.iter().cloned().zip(images);
    let pieces =
        side_by_side(jobs.map(|(job_id, image)| work(job_id, image)), AT_ONCE, until).await;
    let mut response = DynamoDbEventResponse::default();
    for ((job_id, sequence_number), piece) in job_ids.iter().zip(sequence).zip(pieces) {
        let error = match piece {
            Piece::Done(Ok(())) => continue,
            Piece::Done(Err(failure)) => failure.cause(),
            Piece::Panicked => "the job panicked".to_owned(),
            Piece::NotReached => "the invocation's time was up".to_owned(),
        };
        tracing::error!(?job_id, error, "an item was not relayed");
        if response.batch_item_failures.is_empty() {
            let mut failure = DynamoDbBatchItemFailure::default();
            failure.item_identifier = sequence_number;
            response.batch_item_failures.push(failure);
        }
    }
    response
}

/// The job that a record is about.
fn job_id(record: &EventRecord) -> Option<JobId> {
    let key = |name| match record.change.keys.get(name) {
        Some(serde_dynamo::AttributeValue::S(text)) => Some(text.as_str()),
        _ => None,
    };
    JobId::parse(key(PK)?, key(SK)?)
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, Mutex},
        time::Duration,
    };

    use jiff::Timestamp;

    use super::*;
    use crate::{error::Code, store::keys::Key, types::Mode};

    /// A batch of records about events with these ids, numbered from 1.
    fn batch(events: &[&str]) -> Event {
        let taxpayer_id = "txpay_1".parse().unwrap();
        let mut batch = Event::default();
        for (event, number) in events.iter().zip(1..) {
            let mut record = EventRecord::default();
            record.change.sequence_number = Some(format!("{number:021}"));
            let event_id = format!("evt_{event}").parse().unwrap();
            let Key { pk, sk } = Key::event(Mode::Sandbox, &taxpayer_id, &event_id);
            for (name, value) in [(PK, pk), (SK, sk)] {
                record.change.keys.insert(name.to_owned(), serde_dynamo::AttributeValue::S(value));
            }
            batch.records.push(record);
        }
        batch
    }

    async fn work(job_id: JobId, _: Option<Image>) -> Result<(), Failure> {
        let JobId::Event(_, _, event) = job_id else { panic!("another item") };
        match event.as_str() {
            "evt_fails" => Err(Failure::new(Code::ServiceUnavailable, "not now")),
            "evt_panics" => panic!("an item that kills its worker"),
            "evt_hangs" => std::future::pending().await,
            _ => {
                tokio::time::sleep(Duration::from_millis(100)).await;
                Ok(())
            }
        }
    }

    /// A deadline at which everything has ended except work that hangs.
    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(2)
    }

    #[tokio::test]
    async fn the_stream_goes_on_from_the_earliest_record_that_was_not_done() {
        let cases: [(&[&str], Option<u32>); 7] = [
            (&[], None),
            (&["1", "2"], None),
            (&["1", "fails", "3"], Some(2)),
            (&["1", "2", "panics"], Some(3)),
            (&["1", "hangs", "fails", "panics"], Some(2)),
            (&["fails", "hangs"], Some(1)),
            // The first record of the item is reported; the later one is about the same state.
            (&["1", "fails", "2", "fails"], Some(2)),
        ];
        for (events, from) in cases {
            let response = each_item(batch(events), soon(), work).await;
            let reported: Vec<_> =
                response.batch_item_failures.into_iter().map(|each| each.item_identifier).collect();
            let expected: Vec<_> =
                from.map(|number| Some(format!("{number:021}"))).into_iter().collect();
            assert_eq!(reported, expected, "{events:?}");
        }
    }

    #[tokio::test]
    async fn records_are_worked_on_side_by_side_and_an_item_once() {
        let names: Vec<String> = (0..AT_ONCE).map(|number| number.to_string()).collect();
        let twice: Vec<&str> = names.iter().chain(&names).map(String::as_str).collect();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let response = each_item(batch(&twice), soon(), |job_id, image| {
            seen.lock().unwrap().push(job_id.clone());
            work(job_id, image)
        })
        .await;
        // In sequence they would not be done in time.
        assert!(response.batch_item_failures.is_empty());
        assert_eq!(seen.lock().unwrap().len(), AT_ONCE);
    }

    #[tokio::test]
    async fn an_item_is_worked_on_with_its_last_image() {
        let mut batch = batch(&["1", "2", "1"]);
        for (record, due_at) in batch.records.iter_mut().zip([0, 0, 1]) {
            let due_at = format!("2026-11-20T08:0{due_at}:00.000Z");
            for (name, value) in [("due_at", &*due_at), ("relay", "due")] {
                let value = serde_dynamo::AttributeValue::S(value.to_owned());
                record.change.new_image.insert(name.to_owned(), value);
            }
        }
        // One record has no image.
        batch.records[1].change.new_image = Default::default();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let response = each_item(batch, soon(), |job_id, image| {
            let due =
                image.map(|image| image.job(&job_id, Timestamp::UNIX_EPOCH).unwrap().unwrap());
            seen.lock().unwrap().push(due.map(|job| job.due_at.to_string()));
            work(job_id, None)
        })
        .await;
        assert!(response.batch_item_failures.is_empty());
        assert_eq!(*seen.lock().unwrap(), [Some("2026-11-20T08:01:00Z".to_owned()), None]);
    }

    #[tokio::test]
    async fn records_of_items_that_go_nowhere_are_passed_over() {
        let mut batch = batch(&["1"]);
        let foreign = serde_dynamo::AttributeValue::S("PROFILE".to_owned());
        batch.records[0].change.keys.insert(SK.to_owned(), foreign);
        let response = each_item(batch, soon(), async |_, _| panic!("worked on")).await;
        assert!(response.batch_item_failures.is_empty());
    }
}
