//! Pieces of work side by side: so many at once, until an instant, and each on its own: one that
//! panics or hangs takes no other with it.

use std::{collections::HashMap, pin::Pin, time::Duration};

use tokio::{
    task::{Id, JoinSet},
    time::{Instant, timeout_at},
};
use tracing::Instrument;

/// A future of any kind.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What became of a piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<T> {
    /// It ended.
    Done(T),
    /// It panicked; the panic itself was logged where it happened.
    Panicked,
    /// It was not begun, or broken off, since time was up.
    NotReached,
}

impl<T> Piece<T> {
    /// What it yielded, if it ended.
    pub fn done(self) -> Option<T> {
        match self {
            Piece::Done(value) => Some(value),
            Piece::Panicked | Piece::NotReached => None,
        }
    }
}

/// Works on all pieces, `at_once` at a time and no longer than `until`; gives what became of them
/// in their order.
pub async fn side_by_side<F>(
    work: impl IntoIterator<Item = F>,
    at_once: usize,
    until: Instant,
) -> Vec<Piece<F::Output>>
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let mut waiting = work.into_iter();
    let mut running = JoinSet::new();
    let mut places = HashMap::new();
    let mut pieces = Vec::new();
    loop {
        for piece in waiting.by_ref().take(at_once.max(1).saturating_sub(running.len())) {
            // A line that a piece logs leads to what had it done.
            places.insert(running.spawn(piece.in_current_span()).id(), pieces.len());
            pieces.push(Piece::NotReached);
        }
        let (id, piece) = match timeout_at(until, running.join_next_with_id()).await {
            Ok(None) => return pieces,
            Ok(Some(Ok((id, value)))) => (id, Piece::Done(value)),
            Ok(Some(Err(error))) => (error.id(), Piece::Panicked),
            // What still runs is broken off when the set is dropped.
            Err(_) => {
                pieces.extend(waiting.map(|_| Piece::NotReached));
                return pieces;
            }
        };
        if let Some(place) = places.remove(&id) {
            pieces[place] = piece;
        }
    }
}

/// Pieces of work side by side, all at once and no longer than until an instant, reported as they end.
pub struct Running<T> {
    set: JoinSet<T>,
    places: HashMap<Id, usize>,
    until: Instant,
    /// Those that ended and were not reported, and until when others join them.
    ended: Vec<(usize, T)>,
    gathered_until: Option<Instant>,
}

impl<T: Send + 'static> Running<T> {
    /// Begins all pieces. What still runs when this is dropped is broken off.
    pub fn start<F>(work: impl IntoIterator<Item = F>, until: Instant) -> Self
    where
        F: Future<Output = T> + Send + 'static,
    {
        let (mut set, mut places) = (JoinSet::new(), HashMap::new());
        for (place, piece) in work.into_iter().enumerate() {
            places.insert(set.spawn(piece.in_current_span()).id(), place);
        }
        Running { set, places, until, ended: Vec::new(), gathered_until: None }
    }

    /// How many pieces run.
    pub fn left(&self) -> usize {
        self.set.len()
    }

    /// What the pieces yield that end next, each with its place: one at least, and all that end no later than `gather`
    /// after it. Nothing when no more end: those that never came panicked, or time was up. A call that is cancelled loses
    /// nothing.
    pub async fn next(&mut self, gather: Duration) -> Vec<(usize, T)> {
        loop {
            let until = self.gathered_until.unwrap_or(self.until);
            let Ok(Some(joined)) = timeout_at(until, self.set.join_next_with_id()).await else {
                self.gathered_until = None;
                return std::mem::take(&mut self.ended);
            };
            let Ok((id, value)) = joined else { continue };
            if self.gathered_until.is_none() {
                self.gathered_until = Some(self.until.min(Instant::now() + gather));
            }
            self.ended.extend(self.places.remove(&id).map(|place| (place, value)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    fn within(millis: u64) -> Instant {
        Instant::now() + Duration::from_millis(millis)
    }

    #[tokio::test]
    async fn pieces_run_side_by_side_but_not_more_than_were_asked_for() {
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let work = (0..20).map(|number| {
            let (now, most) = (now.clone(), most.clone());
            async move {
                most.fetch_max(now.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                // The later ones end first.
                tokio::time::sleep(Duration::from_millis(40 - number)).await;
                now.fetch_sub(1, Ordering::Relaxed);
                number
            }
        });
        let pieces = side_by_side(work, 4, within(60_000)).await;
        assert_eq!(pieces, (0..20).map(Piece::Done).collect::<Vec<_>>(), "in their order");
        assert_eq!(most.load(Ordering::Relaxed), 4);
    }

    #[tokio::test]
    async fn a_panic_and_the_end_of_time_cost_one_piece_each() {
        let work = (0..6).map(|number| async move {
            match number {
                1 => panic!("one goes wrong"),
                3 => std::future::pending().await,
                _ => number,
            }
        });
        use Piece::{Done, NotReached, Panicked};
        let all = side_by_side(work.clone(), 2, within(2000)).await;
        assert_eq!(all, [Done(0), Panicked, Done(2), NotReached, Done(4), Done(5)]);
        // One at a time: what waits behind the one that hangs is not reached.
        let all = side_by_side(work, 1, within(2000)).await;
        assert_eq!(all, [Done(0), Panicked, Done(2), NotReached, NotReached, NotReached]);
    }

    #[tokio::test]
    async fn what_ends_at_about_the_same_time_is_heard_of_together() {
        let work =
            [0, 1, 400, 2, u64::MAX].into_iter().enumerate().map(|(place, wait)| async move {
                match wait {
                    1 => panic!("one goes wrong"),
                    u64::MAX => std::future::pending().await,
                    _ => tokio::time::sleep(Duration::from_millis(wait)).await,
                }
                place * 10
            });
        let mut running = Running::start(work, within(1_000));
        let mut first = running.next(Duration::from_millis(150)).await;
        first.sort_unstable();
        assert_eq!(first, [(0, 0), (3, 30)]);
        assert_eq!(running.next(Duration::from_millis(150)).await, [(2, 20)]);
        assert_eq!(running.next(Duration::from_millis(150)).await, [], "one never ends");
    }

    #[tokio::test]
    async fn who_stops_listening_loses_nothing() {
        let work = [0, 200].into_iter().map(|wait| async move {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            wait
        });
        let mut running = Running::start(work, within(10_000));
        let gather = Duration::from_secs(5);
        assert!(
            tokio::time::timeout(Duration::from_millis(50), running.next(gather)).await.is_err()
        );
        assert_eq!(running.next(gather).await, [(0, 0), (1, 200)]);
        assert_eq!(running.left(), 0);
    }
}
