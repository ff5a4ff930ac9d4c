//! The Standard Business Document Header: Business Message Envelope 2.0.1.
