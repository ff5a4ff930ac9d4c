//! Effects outside: objects of the bucket, messages to access points, deliveries to endpoints.

use super::{AUTHORITY, Contact, Ending, Event, Execution, Task, World};
use crate::{measures::Timed, service::Source};

impl World<'_> {
    pub(super) fn work(&mut self, index: u32, retries: f64) {
        let (now, weight) = (self.now, self.setup.weight);
        let Execution { task, function, fill, .. } = self.executions[index as usize];
        let stage = self.stage(&task);
        self.used.puts += stage.puts * weight;
        self.used.gets += stage.gets * weight;
        let mut wait = retries;
        let (puts, gets) = (stage.puts * weight, stage.gets * weight);
        if self.puts.has(now, puts) && self.gets.has(now, gets) {
            self.puts.take(now, puts);
            self.gets.take(now, gets);
        } else if puts + gets > 0.0 {
            // 503 Slow Down: the SDK tries again.
            self.limits.note(now, "S3: requests of a prefix", weight);
            let tried = self.executions[index as usize].attempt;
            if tried + 1 >= self.setup.code.sdk_attempts {
                return self.end(index, Ending::Failed, wait + 0.05);
            }
            self.executions[index as usize].attempt += 1;
            let backoff = self.backoff(tried);
            return self.after(backoff, Event::Table(index));
        }
        if self.random.happens(self.setup.faults.deaths) {
            let after = self.random.happens(0.5);
            return self.end(index, Ending::Died(after), wait);
        }
        let in_background = self.functions[function].spec.source != Source::Http;
        let result = match stage.name.as_str() {
            "send" | "dispatch" | "status" => {
                let receiver = usize::from(self.documents[task.document as usize].access_point);
                let (result, waited) = self.exchange(receiver, &task, in_background, fill);
                wait += waited;
                result
            }
            "report" => {
                let (result, waited) = self.exchange(AUTHORITY, &task, true, fill);
                wait += waited;
                result
            }
            name if name.ends_with(": delivery") => {
                let (result, waited) = self.deliver(&task);
                wait += waited;
                result
            }
            _ => Ending::Done,
        };
        self.end(index, result, wait);
    }

    /// An attempt at a delivery. Endpoints answer soon, so that they need no permits (`store/breakers/permits.rs`).
    pub(super) fn deliver(&mut self, task: &Task) -> (Ending, f64) {
        let document = self.documents[task.document as usize];
        let (median, p99) = self.setup.outside.webhook;
        let took = self.random.lognormal(median, p99);
        if task.attempts == 0 {
            let since = self.now - task.origin;
            self.times.add(Timed::Webhook, since, self.setup.weight, document.bystander);
        }
        if !self.random.happens(self.setup.outside.refused) {
            return (Ending::Done, took);
        }
        let result = match self.setup.code.deliveries.get(usize::from(task.attempts) + 1) {
            Some(wait) => Ending::Later(wait * self.random.between(0.8, 1.2), true),
            None => Ending::GivenUp,
        };
        (result, took)
    }

    /// A message to an access point, and what follows from its answer.
    pub(super) fn exchange(
        &mut self,
        receiver: usize,
        task: &Task,
        in_background: bool,
        fill: f64,
    ) -> (Ending, f64) {
        let code = &self.setup.code;
        let first = if task.first < 0.0 { self.now } else { task.first };
        let longest = if receiver == AUTHORITY { code.longest_report } else { code.longest };
        let (wait, asked, took) = match self.contact(receiver, in_background, fill) {
            Contact::Answered(took) => return (Ending::Done, took),
            Contact::Silent(took) => {
                let index = usize::from(task.attempts).min(code.transmissions.len() - 1);
                (code.transmissions[index], true, took)
            }
            Contact::Open(until) => (until - self.now, false, 0.0),
            Contact::Full(took) => {
                (self.random.between(code.places.busy.0, code.places.busy.1), false, took)
            }
        };
        let wait = wait * self.random.between(1.0, 1.1);
        if in_background && self.now + wait > first + longest {
            return (Ending::GivenUp, took);
        }
        (Ending::Later(wait, asked), took)
    }

    /// The share of an access point in the messages of a function.
    pub(super) fn share_of_receiver(&self, receiver: usize) -> f64 {
        let (large, share) = self.setup.outside.large;
        match receiver {
            AUTHORITY => 1.0,
            1 => share * 2.0 / (large + 1) as f64,
            _ if receiver <= large => share / (large + 1) as f64,
            _ => (1.0 - share) / self.setup.outside.small as f64,
        }
    }

    pub(super) fn contact(&mut self, receiver: usize, in_background: bool, fill: f64) -> Contact {
        let (code, now, weight) = (&self.setup.code, self.now, self.setup.weight);
        let answer = self.scenario.answer(receiver, now);
        let outside = &self.setup.outside;
        let (median, p99) = if receiver == AUTHORITY { outside.authority } else { outside.answer };
        let took = match answer {
            Some(slower) => self.random.lognormal(median, p99) + slower,
            None => code.connection,
        };
        let it = &mut self.receivers[receiver];
        if now < it.open_until {
            self.limits.note(now, "open breaker of an access point", weight);
            return Contact::Open(it.open_until);
        }
        // A slow access point has one place in each process, until its slowness is what is expected of it.
        let late = took > it.usual * code.places.much_later + 1.0;
        it.slow_since = if late { it.slow_since.or(Some(now)) } else { None };
        let is_slow = it.slow_since.is_some_and(|since| now - since < code.places.best_counts);
        let places = if is_slow { 1.0 } else { code.places.most };
        let patience = if in_background { code.places.patience.1 } else { code.places.patience.0 };
        let wanted = (fill * self.share_of_receiver(receiver)).max(1.0);
        if took > patience && self.random.happens(1.0 - places / wanted) {
            self.limits.note(now, "places at an access point", weight);
            return Contact::Full(patience);
        }
        let it = &mut self.receivers[receiver];
        if answer.is_some() {
            it.failures = 0.0;
            it.pause = code.pauses.0;
            return Contact::Answered(took);
        }
        it.failures += weight;
        if it.failures >= f64::from(code.failures) && it.open_until <= now {
            it.open_until = now + took + it.pause;
            it.pause = (it.pause * 2.0).min(code.pauses.1);
        }
        Contact::Silent(took)
    }
}
