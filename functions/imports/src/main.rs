//! The stage `imports`. See [`access_point::lambda::imports`].

use access_point::{
    api,
    lambda::{self, Error},
};

fn main() -> Result<(), Error> {
    lambda::imports(api::render)
}
