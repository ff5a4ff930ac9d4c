//! The stage `dispatch`. See [`access_point::lambda::dispatch`].

use access_point::{
    api,
    lambda::{self, Error},
};

fn main() -> Result<(), Error> {
    lambda::dispatch(api::render)
}
