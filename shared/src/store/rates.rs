//! Rate limits. There is a counter for each window of time; an action is one conditional write, and fails over the
//! limit. A counter expires after its window.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::{
    Store, StoreError,
    dynamo::{Expression, Updated, from_item},
    keys::{self, Key},
};
use crate::types::Mode;

/// A limit and its window. Windows begin at multiples of their length since 1970, so a burst across the end of a window
/// can be twice the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// The name of the action, as a part of the key: capitals only.
    pub what: &'static str,
    /// The maximum number of actions in a window.
    pub most: u32,
    /// The length of the window.
    pub window: SignedDuration,
}

/// A part of a limit with a counter of its own. Several counters together take more actions a second than one partition of
/// the table can count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The number of the share, from 0.
    pub number: u8,
    /// How many shares the limit has.
    pub of: u8,
}

impl Share {
    /// The whole of a limit.
    const WHOLE: Share = Share { number: 0, of: 1 };

    /// How many of the limit's actions the share has.
    fn part_of(self, most: u32) -> u32 {
        let of = u32::from(self.of.max(1));
        most / of + u32::from(u32::from(self.number) < most % of)
    }
}

impl Rate {
    /// The beginning of the window of an instant and that of the next one, in seconds since 1970.
    fn window_of(self, at: Timestamp) -> (i64, i64) {
        let length = self.window.as_secs().max(1);
        let begin = at.as_second().div_euclid(length).saturating_mul(length);
        (begin, begin.saturating_add(length))
    }

    /// When the window of an instant ends, in seconds since 1970.
    pub fn end_of_window(self, at: Timestamp) -> i64 {
        self.window_of(at).1
    }

    /// How long until the next window begins, in whole seconds.
    pub fn until_next(self, at: Timestamp) -> SignedDuration {
        SignedDuration::from_secs(self.end_of_window(at).saturating_sub(at.as_second()))
    }
}

/// A network address as it is counted. An IPv6 address counts as its whole network of 64 bits (RFC 4291, section
/// 2.5.1), because its holder has all of it. Unknown addresses count as one.
pub fn place(address: Option<IpAddr>) -> String {
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        None => "unknown".to_owned(),
    }
}

/// The outcome of an action under a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Whether the action is allowed.
    pub is_given: bool,
    /// The limit.
    pub rate: Rate,
    /// How many actions are left in the window, estimated from one share.
    pub remaining: u32,
    /// How long until the next window begins.
    pub wait: SignedDuration,
}

/// The values of the header fields of draft-ietf-httpapi-ratelimit-headers. The name of the limit comes first.
impl Taken {
    /// `RateLimit-Policy`: the limit, and its window in seconds.
    pub fn policy(&self) -> String {
        let Rate { most, window, .. } = self.rate;
        format!("{};q={most};w={}", self.name(), window.as_secs())
    }

    /// `RateLimit`: the actions that are left, and the seconds until the next window.
    pub fn limit(&self) -> String {
        format!("{};r={};t={}", self.name(), self.remaining, self.wait.as_secs())
    }

    fn name(&self) -> String {
        format!("\"{}\"", self.rate.what.to_ascii_lowercase())
    }
}

#[derive(Deserialize)]
struct Counter {
    taken: u32,
}

impl Store {
    /// Takes one of each limit in order, up to the first that is exceeded. Returns that one.
    pub async fn take_each(
        &self,
        mode: Mode,
        limits: &[(Rate, &str)],
        now: Timestamp,
    ) -> Result<Option<Taken>, StoreError> {
        for (rate, whom) in limits {
            let taken = self.take_one(mode, *rate, whom, now).await?;
            if !taken.is_given {
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }

    /// Takes one action of `whom`, which is hashed because it may be an e-mail address. A call that the SDK repeated
    /// may count twice. So fewer actions are allowed, never more.
    pub async fn take_one(
        &self,
        mode: Mode,
        rate: Rate,
        whom: &str,
        now: Timestamp,
    ) -> Result<Taken, StoreError> {
        self.take_of_share(mode, rate, Share::WHOLE, whom, now).await
    }

    /// Takes one action of a share of the limit.
    pub async fn take_of_share(
        &self,
        mode: Mode,
        rate: Rate,
        share: Share,
        whom: &str,
        now: Timestamp,
    ) -> Result<Taken, StoreError> {
        let ((begin, end), most) = (rate.window_of(now), share.part_of(rate.most));
        let update =
            Expression::new("SET #taken = if_not_exists(#taken, :zero) + :one, #ttl = :end")
                .name("#taken", "taken")
                .name("#ttl", keys::TTL)
                .number(":zero", 0)
                .number(":one", 1)
                .number(":end", end);
        let left =
            Expression::new("attribute_not_exists(#taken) OR #taken < :most").number(":most", most);
        let key = Key::rate(mode, rate.what, whom, begin, share.number);
        let (is_given, taken) = match self.update(key, update, Some(left)).await? {
            Updated::Done(item) => (true, from_item::<Counter>(item)?.taken),
            Updated::Refused(_) => (false, most),
        };
        Ok(Taken {
            is_given,
            rate,
            remaining: most.saturating_sub(taken).saturating_mul(share.of.into()),
            wait: rate.until_next(now),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    const RATE: Rate = Rate { what: "TEST", most: 3, window: SignedDuration::from_mins(15) };

    #[tokio::test]
    async fn a_window_gives_what_it_allows_and_the_next_one_again() {
        let world = World::new().await;
        let take = async |mode, whom: &str| {
            world.ctx.store.take_one(mode, RATE, whom, world.now()).await.unwrap()
        };
        for remaining in [2, 1, 0] {
            let taken = take(Mode::Live, "a").await;
            assert_eq!((taken.is_given, taken.remaining, taken.rate), (true, remaining, RATE));
        }
        let refused = take(Mode::Live, "a").await;
        // 08:00 is the beginning of a window.
        let wait = SignedDuration::from_mins(15);
        assert_eq!(refused, Taken { is_given: false, rate: RATE, remaining: 0, wait });
        assert_eq!(refused.policy(), r#""test";q=3;w=900"#);
        assert_eq!(refused.limit(), r#""test";r=0;t=900"#);
        assert!(take(Mode::Live, "b").await.is_given, "somebody else");
        assert!(take(Mode::Sandbox, "a").await.is_given, "another mode");
        world.clock.advance(SignedDuration::from_mins(14));
        assert_eq!(take(Mode::Live, "a").await.wait, SignedDuration::from_mins(1));
        world.clock.advance(SignedDuration::from_mins(1));
        assert_eq!(take(Mode::Live, "a").await.remaining, 2);
    }

    #[tokio::test]
    async fn of_many_at_once_as_many_get_one_as_there_are() {
        let world = World::new().await;
        let tries: Vec<_> = (0..20)
            .map(|_| {
                let ctx = world.ctx.clone();
                tokio::spawn(async move {
                    ctx.store.take_one(Mode::Live, RATE, "a", ctx.now()).await.unwrap().is_given
                })
            })
            .collect();
        let mut given = 0;
        for one in tries {
            given += u32::from(one.await.unwrap());
        }
        assert_eq!(given, RATE.most);
    }
}
