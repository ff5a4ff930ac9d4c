//! The hourly work of billing. See [`access_point::lambda::billing_reconcile`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::billing_reconcile()
}
