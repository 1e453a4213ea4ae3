//! Any bytes as a history of vortex tubes, as one of its steps, and as a file of fields: values or an error.
#![no_main]

use std::io::Cursor;

use burgess_flow::field_file::FieldReader;
use burgess_flow::tubes::{HistoryReader, decode_step, encode_step};
use glam::DVec3;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(mut reader) = HistoryReader::new(Cursor::new(bytes)) {
        for step in 0..reader.header().steps.len().min(16) {
            let _ = reader.read_step(step);
        }
    }
    if let Ok(step) = decode_step(bytes, DVec3::ONE) {
        assert!(decode_step(&encode_step(&step, DVec3::ONE), DVec3::ONE).is_ok());
        step.plain_bytes(DVec3::ONE);
    }
    if let Ok(mut reader) = FieldReader::new(Cursor::new(bytes))
        && reader.header().steps > 0
    {
        let _ = reader.read(0);
    }
});
