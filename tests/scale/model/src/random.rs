//! Seeded random numbers: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators"), seeded
//! by SplitMix64 as its authors advise.

/// A generator. Two generators of one seed give the same numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// A generator from a seed.
    pub fn new(seed: u64) -> Self {
        let mut seed = seed;
        let mut next = || {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = seed;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Random { state: [next(), next(), next(), next()] }
    }

    fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number in `from..to`.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.unit()
    }

    /// Whether an event of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }

    /// An index below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// A standard normal number (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// How many of independent events happen, whose mean is known: a Poisson number.
    pub fn poisson(&mut self, mean: f64) -> f64 {
        /// From here a normal distribution is near enough.
        const MANY: f64 = 50.0;
        if mean > MANY {
            return (mean + mean.sqrt() * self.normal()).round().max(0.0);
        }
        // Knuth's: intervals between events are exponential.
        let (mut count, mut left) = (0.0, self.unit());
        while left > (-mean).exp() {
            count += 1.0;
            left *= self.unit();
        }
        count
    }

    /// A lognormal number with this median, of which 1 % are above `p99`.
    pub fn lognormal(&mut self, median: f64, p99: f64) -> f64 {
        median * (sigma(median, p99) * self.normal()).exp()
    }
}

/// The shape of a lognormal distribution.
fn sigma(median: f64, p99: f64) -> f64 {
    /// The 99th percentile of the standard normal distribution.
    const Z99: f64 = 2.326;
    (p99 / median).ln() / Z99
}

/// Zipf's distribution with exponent 1: rank `r` has a share proportional to `1 / r`.
#[derive(Debug)]
pub struct Zipf {
    cumulative: Vec<f64>,
}

impl Zipf {
    /// A distribution over `count` ranks.
    pub fn new(count: usize) -> Self {
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = (1..=count)
            .map(|rank| {
                sum += 1.0 / rank as f64;
                sum
            })
            .collect();
        for share in &mut cumulative {
            *share /= sum;
        }
        Zipf { cumulative }
    }

    /// A rank, from 0.
    pub fn pick(&self, random: &mut Random) -> usize {
        let at = random.unit();
        self.cumulative.partition_point(|&up_to| up_to < at).min(self.cumulative.len() - 1)
    }

    /// The share of a rank, from 0.
    pub fn share(&self, rank: usize) -> f64 {
        let before = rank.checked_sub(1).map_or(0.0, |it| self.cumulative[it]);
        self.cumulative[rank] - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_again() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            (0..10).map(|_| random.bits()).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
    }

    #[test]
    fn one_percent_of_lognormal_numbers_are_above_their_p99() {
        let mut random = Random::new(1);
        let mut numbers: Vec<_> = (0..100_000).map(|_| random.lognormal(0.3, 1.5)).collect();
        numbers.sort_by(f64::total_cmp);
        assert!((numbers[50_000] - 0.3).abs() < 0.01, "{}", numbers[50_000]);
        assert!((numbers[99_000] - 1.5).abs() < 0.1, "{}", numbers[99_000]);
    }

    #[test]
    fn the_first_of_300_integrators_has_a_sixth_of_the_documents() {
        let (zipf, mut random) = (Zipf::new(300), Random::new(1));
        let first = (0..100_000).filter(|_| zipf.pick(&mut random) == 0).count();
        assert!((zipf.share(0) - 0.159).abs() < 0.001, "{}", zipf.share(0));
        assert!((first as f64 / 100_000.0 - zipf.share(0)).abs() < 0.005, "{first}");
    }
}
