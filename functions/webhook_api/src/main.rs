//! The operations on webhook endpoints and events. See [`access_point::functions::webhook_api`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::webhook_api()
}
