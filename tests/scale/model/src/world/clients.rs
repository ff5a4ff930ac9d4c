//! Clients, other access points, strangers and a Sandbox customer: requests, and what follows when they are refused.

use super::{Document, Event, QUEUED, RECEIVED, SENT, Task, World};
use crate::scenario::Disturbance;

impl World<'_> {
    pub(super) fn arrive(&mut self) {
        let (weight, outside) = (self.setup.weight, &self.setup.outside);
        let rate = self.scenario.load.rate(self.now) + self.scenario.extra(self.now);
        if self.now >= self.scenario.load.end() {
            return;
        }
        self.limits.rate = rate;
        let interval = weight / rate.max(0.001);
        let wait = match self.setup.poisson {
            true => -interval * (1.0 - self.random.unit()).ln(),
            false => interval * self.random.between(0.5, 1.5),
        };
        self.after(wait.min(60.0), Event::Arrive);
        if rate <= 0.0 || wait > 60.0 {
            return;
        }
        // The largest integrator's own load comes on top of all others'.
        let alone = self.random.happens(self.scenario.extra(self.now) / rate);
        let mix = self.random.unit();
        let life = match mix {
            _ if alone => SENT,
            _ if mix < outside.mix.0 => SENT,
            _ if mix < outside.mix.0 + outside.mix.1 => QUEUED,
            _ => RECEIVED,
        };
        let organization = if alone { 0 } else { self.organizations.pick(&mut self.random) };
        let access_point = match self.random.happens(outside.large.1) {
            // The first of the large ones has most: 2/6, 1/6 … of their traffic.
            true => 1 + self.random.below(outside.large.0 + 1).saturating_sub(1),
            false => 1 + outside.large.0 + self.random.below(outside.small),
        };
        let (from, to) = self.scenario.window();
        let bystander = (from..to).contains(&self.now)
            && self.scenario.is_bystander(organization, access_point, alone);
        let taxpayer = match alone {
            // An integrator of its own has many taxpayers, none of them large.
            true => 10_000 + self.random.below(100_000),
            false => self.taxpayers.pick(&mut self.random),
        };
        let document = Document {
            life: life as u8,
            bystander,
            accepted: false,
            refused: false,
            parked: false,
            failed: false,
            organization: organization as u16,
            access_point: access_point as u16,
            taxpayer: taxpayer as u32,
            recipient: self.taxpayers.pick(&mut self.random) as u32,
            done: 0,
            live: 1,
            asked: self.now,
            spread: if self.setup.spread { interval } else { 0.0 },
        };
        self.documents.push(document);
        let task = Task {
            document: self.documents.len() as u32 - 1,
            stage: 0,
            tries: 0,
            attempts: 0,
            background: false,
            queued: self.now,
            origin: self.now,
            first: -1.0,
            turn: -1.0,
        };
        self.request(task);
    }

    /// A request of a client, or of another access point.
    pub(super) fn request(&mut self, mut task: Task) {
        let (now, weight) = (self.now, self.setup.weight);
        let function = self.function_of(&task);
        let from_peer = self.functions[function].spec.name == "inbound";
        let own = self.setup.code.own_throttles;
        let throttle = if from_peer && own { &mut self.throttle_as4 } else { &mut self.throttle };
        self.used.http += weight;
        if !throttle.admits(now, weight) {
            let name = if from_peer && own { "As4ThrottleRate" } else { "ThrottleRate" };
            self.limits.note(now, name, weight);
            return self.ask_again(task, from_peer);
        }
        if !from_peer {
            let organization = usize::from(self.documents[task.document as usize].organization);
            if !self.requests[organization].admits(now, weight) {
                self.limits.note(now, "RequestsPerMinute", weight);
                return self.ask_again(task, from_peer);
            }
        }
        task.queued = now;
        if let Err(why) = self.start_execution(task, function, 1.0) {
            if self.setup.machine.is_some() {
                // One machine lets a request wait for a free execution.
                return self.wait_in_queue(task, function);
            }
            self.limits.note(now, why, weight);
            self.ask_again(task, from_peer);
        }
    }

    /// A client that was refused asks again, until it gives up.
    pub(super) fn ask_again(&mut self, mut task: Task, from_peer: bool) {
        let outside = &self.setup.outside;
        let wait = if from_peer {
            outside.peer_retries[usize::from(task.attempts).min(outside.peer_retries.len() - 1)]
        } else if u32::from(task.attempts) < outside.client_retries {
            f64::from(1_u32 << task.attempts.min(20))
        } else {
            let document = &mut self.documents[task.document as usize];
            document.refused = !document.accepted;
            document.live -= 1;
            return;
        };
        task.attempts = task.attempts.saturating_add(1);
        let wait = wait * self.random.between(0.5, 1.5);
        self.after(wait, Event::Request(task));
    }

    pub(super) fn stranger(&mut self) {
        let Disturbance::Strangers { rate, to, .. } = self.scenario.disturbance else { return };
        let weight = self.setup.weight;
        if self.now < to {
            let wait = weight / rate * self.random.between(0.5, 1.5);
            self.after(wait, Event::Stranger);
        }
        self.used.http += weight;
        let now = self.now;
        // Half of them go to pages, which may have a throttle of their own, and half to `/v1`.
        if self.setup.code.own_throttles && self.random.happens(0.5) {
            return;
        }
        if !self.throttle.admits(now, weight) {
            self.limits.note(now, "ThrottleRate", weight);
            return;
        }
        // A request without a valid key: one read, and an answer.
        let function = self.place("api");
        self.take_function(function, 0.015, weight / rate, 0.0);
        self.used.reads += weight;
        self.reads.take(now, weight);
    }

    pub(super) fn sandbox(&mut self) {
        let Disturbance::Sandbox { rate, to, seconds, .. } = self.scenario.disturbance else {
            return;
        };
        let (weight, now) = (self.setup.weight, self.now);
        if now < to {
            let wait = weight / rate * self.random.between(0.5, 1.5);
            self.after(wait, Event::Sandbox);
        }
        self.used.http += weight;
        if !self.throttle.admits(now, weight) {
            self.limits.note(now, "ThrottleRate", weight);
            return;
        }
        let last = self.requests.len() - 1;
        if !self.requests[last].admits(now, weight) {
            self.limits.note(now, "RequestsPerMinute", weight);
            return;
        }
        let function = self.place("pdf");
        self.take_function(function, seconds, weight / rate, 0.0);
    }
}
