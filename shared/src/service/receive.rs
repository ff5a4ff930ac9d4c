//! receive
