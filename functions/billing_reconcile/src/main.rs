//! The hourly work of billing. See [`access_point::functions::billing_reconcile`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::billing_reconcile()
}
