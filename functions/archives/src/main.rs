//! The stage `archives`. See [`access_point::lambda::archives`].

use access_point::{
    api,
    lambda::{self, Error},
};

fn main() -> Result<(), Error> {
    lambda::archives(api::describe)
}
