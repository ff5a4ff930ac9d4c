use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::{
    error::Failure,
    tasks::{Piece, side_by_side},
};

/// How many groups of a batch are processed concurrently, for every batch size of the queue.
const AT_ONCE: usize = 10;

/// A message of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received<M> {
    /// The message.
    pub message: M,
    /// Whether the queue may have delivered it before.
    pub again: bool,
}

/// Processes each message of a batch on its own; see [`each_group`].
pub async fn each_message<M, F>(
    batch: SqsEvent,
    until: Instant,
    work: impl Fn(M) -> F,
) -> SqsBatchResponse
where
    M: DeserializeOwned,
    F: Future<Output = Result<(), Failure>> + Send + 'static,
{
    let alone = |messages: Vec<Received<M>>| {
        let all: Vec<_> = messages.into_iter().map(|it| work(it.message)).collect();
        async move {
            let mut results = Vec::with_capacity(all.len());
            for one in all {
                results.push(one.await);
            }
            results
        }
    };
    each_group(batch, until, |_, _| false, alone).await
}

/// Processes the messages of a batch concurrently in groups; `together` tells which messages share a group. `work`
/// returns the results of its messages in their order.
///
/// A message is retried if it fails, if its group panics, or if it is not reached before `until`. After the queue's
/// last attempt it goes to the dead-letter queue. An unreadable message fails too, because an operator must see it.
pub async fn each_group<M, F>(
    batch: SqsEvent,
    until: Instant,
    together: impl Fn(&M, &M) -> bool,
    work: impl Fn(Vec<Received<M>>) -> F,
) -> SqsBatchResponse
where
    M: DeserializeOwned,
    F: Future<Output = Vec<Result<(), Failure>>> + Send + 'static,
{
    let mut response = SqsBatchResponse::default();
    let mut groups: Vec<(Vec<String>, Vec<Received<M>>)> = Vec::new();
    for record in batch.records {
        let again = !is_first(&record);
        let id = record.message_id.unwrap_or_default();
        let message = match serde_json::from_str(record.body.as_deref().unwrap_or_default()) {
            Ok(message) => message,
            Err(error) => {
                fail(&mut response, id, &format!("the message cannot be read: {error}"));
                continue;
            }
        };
        let received = Received { message, again };
        match groups.iter_mut().find(|(_, of)| together(&of[0].message, &received.message)) {
            Some((ids, messages)) => {
                ids.push(id);
                messages.push(received);
            }
            None => groups.push((vec![id], vec![received])),
        }
    }
    let (ids, groups): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
    let pieces = side_by_side(groups.into_iter().map(work), AT_ONCE, until).await;
    for (ids, piece) in ids.into_iter().zip(pieces) {
        let (results, lost) = match piece {
            Piece::Done(results) => (results, "the job returned no result for it"),
            Piece::Panicked => (Vec::new(), "the job panicked"),
            Piece::NotReached => (Vec::new(), "the invocation's time was up"),
        };
        let mut results = results.into_iter();
        for id in ids {
            match results.next() {
                Some(Ok(())) => {}
                Some(Err(failure)) => fail(&mut response, id, &failure.cause()),
                None => fail(&mut response, id, lost),
            }
        }
    }
    response
}

/// Whether the queue delivers a message for the first time.
fn is_first(record: &SqsMessage) -> bool {
    record.attributes.get("ApproximateReceiveCount").is_some_and(|count| count == "1")
}

fn fail(response: &mut SqsBatchResponse, id: String, error: &str) {
    tracing::error!(message.id = id, error, "a message was not worked off");
    response.add_failure(id);
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, Mutex},
        time::Duration,
    };

    use super::*;
    use crate::error::Code;

    /// A batch whose messages have their positions as ids.
    fn batch(bodies: &[&str]) -> SqsEvent {
        let mut event = SqsEvent::default();
        for (place, body) in bodies.iter().enumerate() {
            let mut message = SqsMessage::default();
            message.message_id = Some(place.to_string());
            message.body = Some((*body).to_owned());
            event.records.push(message);
        }
        event
    }

    fn failed(response: &SqsBatchResponse) -> Vec<&str> {
        let mut ids: Vec<_> =
            response.batch_item_failures.iter().map(|each| each.item_identifier.as_str()).collect();
        ids.sort_unstable();
        ids
    }

    /// A deadline at which everything has ended except work that hangs.
    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(2)
    }

    async fn work(number: u32) -> Result<(), Failure> {
        match number {
            500.. => Err(Failure::new(Code::ServiceUnavailable, "not now")),
            400.. => panic!("a message that kills its worker"),
            300.. => std::future::pending().await,
            _ => {
                tokio::time::sleep(Duration::from_millis(number.into())).await;
                Ok(())
            }
        }
    }

    #[tokio::test]
    async fn what_fails_panics_hangs_or_cannot_be_read_comes_again_and_nothing_else() {
        let cases: [(&[&str], &[&str]); 6] = [
            (&[], &[]),
            (&["1", "2", "3"], &[]),
            (&["1", "500", "3"], &["1"]),
            (&["400", "2", "3"], &["0"]),
            (&["1", "{", "\"x\"", "", "5"], &["1", "2", "3"]),
            (&["300", "500", "400", "null", "5"], &["0", "1", "2", "3"]),
        ];
        for (bodies, again) in cases {
            let response = each_message(batch(bodies), soon(), work).await;
            assert_eq!(failed(&response), again, "{bodies:?}");
        }
    }

    #[tokio::test]
    async fn a_message_is_new_only_if_the_queue_says_that_it_delivers_it_for_the_first_time() {
        let mut batch = batch(&["0", "1", "2", "3"]);
        let counts = [Some("1"), Some("2"), Some("10"), None];
        for (record, count) in batch.records.iter_mut().zip(counts) {
            let count = count.map(|it| ("ApproximateReceiveCount".to_owned(), it.to_owned()));
            record.attributes.extend(count);
        }
        let seen = Arc::new(Mutex::new(Vec::new()));
        let work = |group: Vec<Received<u32>>| {
            let seen = seen.clone();
            async move {
                seen.lock().unwrap().extend(group.iter().map(|it| (it.message, it.again)));
                vec![Ok(()); group.len()]
            }
        };
        let response = each_group(batch, soon(), |_, _| true, work).await;
        assert!(response.batch_item_failures.is_empty());
        assert_eq!(*seen.lock().unwrap(), [(0, false), (1, true), (2, true), (3, true)]);
    }

    #[tokio::test]
    async fn messages_wait_for_no_slow_one() {
        // In sequence they would not be done in time.
        let bodies = ["100"; AT_ONCE];
        let response = each_message(batch(&bodies), soon(), work).await;
        assert!(response.batch_item_failures.is_empty());
    }

    #[tokio::test]
    async fn at_the_deadline_a_batch_hands_back_what_it_did_not_reach() {
        // More messages than are processed concurrently, and all hang. So the last one is never begun.
        let mut bodies = vec!["300"; AT_ONCE];
        bodies.push("1");
        let begun = Arc::new(Mutex::new(Vec::new()));
        let response = each_message(batch(&bodies), soon(), |number| {
            let begun = begun.clone();
            async move {
                begun.lock().unwrap().push(number);
                work(number).await
            }
        })
        .await;
        assert_eq!(response.batch_item_failures.len(), bodies.len());
        assert_eq!(*begun.lock().unwrap(), [300; AT_ONCE]);
    }

    #[tokio::test]
    async fn messages_that_belong_together_are_one_piece_and_fail_one_by_one() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let response = each_group(
            batch(&["11", "21", "12", "31", "13", "22"]),
            soon(),
            |a: &u32, b| a / 10 == b / 10,
            |group: Vec<Received<u32>>| {
                let group: Vec<_> = group.into_iter().map(|it| it.message).collect();
                let seen = seen.clone();
                async move {
                    seen.lock().unwrap().push(group.clone());
                    let result = |number: &u32| match number {
                        12 => Err(Failure::new(Code::ServiceUnavailable, "not now")),
                        31 => panic!("a group that kills its worker"),
                        _ => Ok(()),
                    };
                    // In the second group one result is missing. A message without a result counts as failed.
                    let said = if group[0] == 21 { 1 } else { group.len() };
                    group.iter().take(said).map(result).collect()
                }
            },
        )
        .await;
        assert_eq!(*seen.lock().unwrap(), [vec![11, 12, 13], vec![21, 22], vec![31]]);
        assert_eq!(failed(&response), ["2", "3", "5"]);
    }
}
