//! The hourly work of billing. See [`access_point::lambda::reconcile`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::reconcile()
}
