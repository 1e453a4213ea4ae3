//! Any bytes as image data of VTK, legacy or XML: a field or an error with the name of the file.
#![no_main]

use burgess_flow::read::read_image;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match read_image(bytes, "fuzz.vti", 0, [false; 3]) {
        Ok(field) => assert_eq!(field.pressure().len(), field.grid().points()),
        Err(error) => assert!(error.to_string().starts_with("fuzz.vti: ")),
    }
});
