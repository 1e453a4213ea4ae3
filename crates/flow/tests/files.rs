//! Readers of files of other programs: all encodings give the same field, and broken files are refused with file and
//! place.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use burgess_flow::field::FlowField;
use burgess_flow::read::read_image;
use proptest::prelude::*;

const SIZE: [usize; 3] = [6, 5, 7];

/// Velocity and pressure of a small field.
fn values() -> (Vec<f32>, Vec<f32>) {
    let count = SIZE.iter().product::<usize>();
    let value = |n: usize| (n * n % 91) as f32 * 0.125 - 3.0;
    ((0..3 * count).map(value).collect(), (0..count).map(|n| value(n + 7)).collect())
}

fn legacy(binary: bool, double: bool) -> Vec<u8> {
    let (velocity, pressure) = values();
    let kind = if double { "double" } else { "float" };
    let mode = if binary { "BINARY" } else { "ASCII" };
    let mut file = format!(
        "# vtk DataFile Version 3.0\na title\n{mode}\nDATASET STRUCTURED_POINTS\nDIMENSIONS 6 5 7\n\
         ORIGIN -1 0 2\nSPACING 0.5 0.25 1\nPOINT_DATA 210\nSCALARS p {kind}\nLOOKUP_TABLE default\n"
    )
    .into_bytes();
    let put = |values: &[f32], file: &mut Vec<u8>| {
        for value in values {
            match (binary, double) {
                (false, _) => file.extend(format!("{value} ").bytes()),
                (true, false) => file.extend(value.to_be_bytes()),
                (true, true) => file.extend(f64::from(*value).to_be_bytes()),
            }
        }
        file.push(b'\n');
    };
    put(&pressure, &mut file);
    file.extend(format!("VECTORS velocity {kind}\n").bytes());
    put(&velocity, &mut file);
    file
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Format {
    Ascii,
    Binary,
    AppendedRaw,
    AppendedBase64,
}

fn vti(format: Format, compressed: bool, wide: bool) -> Vec<u8> {
    let (velocity, pressure) = values();
    let number =
        |value: usize| if wide { (value as u64).to_le_bytes().to_vec() } else { (value as u32).to_le_bytes().to_vec() };
    let encode = |values: &[f32]| -> (Vec<u8>, Vec<u8>) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        if !compressed {
            return (number(bytes.len()), bytes);
        }
        let blocks: Vec<Vec<u8>> =
            bytes.chunks(500).map(|block| miniz_oxide::deflate::compress_to_vec_zlib(block, 6)).collect();
        let mut head = [number(blocks.len()), number(500), number(bytes.len() % 500)].concat();
        blocks.iter().for_each(|block| head.extend(number(block.len())));
        (head, blocks.concat())
    };
    let as_text = |(head, data): &(Vec<u8>, Vec<u8>)| {
        if compressed {
            STANDARD.encode(head) + &STANDARD.encode(data)
        } else {
            STANDARD.encode([head.clone(), data.clone()].concat())
        }
    };
    let (mut appended, mut arrays) = (Vec::new(), String::new());
    for (name, parts, values) in [("U", 3, &velocity), ("p", 1, &pressure)] {
        let head = format!("<DataArray type=\"Float32\" Name=\"{name}\" NumberOfComponents=\"{parts}\"");
        let encoded = encode(values);
        arrays += &match format {
            Format::Ascii => {
                let words: Vec<String> = values.iter().map(f32::to_string).collect();
                format!("{head} format=\"ascii\">{}</DataArray>\n", words.join(" "))
            }
            Format::Binary => format!("{head} format=\"binary\">{}</DataArray>\n", as_text(&encoded)),
            Format::AppendedRaw | Format::AppendedBase64 => {
                let line = format!("{head} format=\"appended\" offset=\"{}\"/>\n", appended.len());
                match format {
                    Format::AppendedRaw => appended.extend([encoded.0, encoded.1].concat()),
                    _ => appended.extend(as_text(&encoded).into_bytes()),
                }
                line
            }
        };
    }
    let compressor = if compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    let width = if wide { "UInt64" } else { "UInt32" };
    let mut file = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"{width}\"{compressor}>\n<ImageData WholeExtent=\"0 5 0 4 0 6\" Origin=\"-1 0 2\" \
         Spacing=\"0.5 0.25 1\">\n<Piece Extent=\"0 5 0 4 0 6\">\n<PointData Vectors=\"U\">\n{arrays}</PointData>\n\
         </Piece>\n</ImageData>\n"
    )
    .into_bytes();
    if !appended.is_empty() {
        let encoding = if format == Format::AppendedRaw { "raw" } else { "base64" };
        file.extend(format!("<AppendedData encoding=\"{encoding}\">\n_").bytes());
        file.extend(appended);
        file.extend(b"\n</AppendedData>\n");
    }
    file.extend(b"</VTKFile>\n");
    file
}

fn all_files() -> Vec<Vec<u8>> {
    let mut files = vec![legacy(false, false), legacy(true, false), legacy(true, true)];
    for format in [Format::Ascii, Format::Binary, Format::AppendedRaw, Format::AppendedBase64] {
        files.extend([vti(format, false, false), vti(format, true, false), vti(format, true, true)]);
    }
    files
}

fn read(bytes: &[u8]) -> Result<FlowField, String> {
    read_image(bytes, "flow.vti", 4, [false; 3]).map_err(|error| error.to_string())
}

#[test]
fn all_encodings_give_the_same_field() {
    let (velocity, pressure) = values();
    for (number, file) in all_files().iter().enumerate() {
        let field = read(file).unwrap_or_else(|error| panic!("file {number}: {error}"));
        assert_eq!(field.grid().size(), SIZE);
        assert_eq!(field.grid().spacing().to_array(), [0.5, 0.25, 1.0]);
        assert_eq!(field.grid().origin().to_array(), [-1.0, 0.0, 2.0]);
        assert_eq!(field.time(), 4.0);
        assert_eq!(field.pressure(), pressure, "file {number}");
        for (axis, values) in field.velocity().iter().enumerate() {
            assert!(values.iter().eq(velocity.iter().skip(axis).step_by(3)), "file {number}");
        }
    }
}

#[test]
fn broken_files_are_refused_with_file_and_place() {
    let legacy = String::from_utf8(legacy(false, false)).unwrap();
    let vti = String::from_utf8(vti(Format::Ascii, false, false)).unwrap();
    let cases = [
        ("hello".to_string(), "flow.vti: is not image data of VTK"),
        ("<a/>".to_string(), "flow.vti: is not image data of VTK"),
        (vti.replace("type=\"ImageData\"", "type=\"PolyData\""), "flow.vti: is not image data of VTK"),
        (vti.replace("</Piece>", ""), "flow.vti: line "),
        (vti.replace("0 5 0 4 0 6", "0 999999 0 999999 0 999999"), "flow.vti: line 3: the grid of 1000000 x 1000000"),
        (vti.replace("0 5 0 4 0 6", "0 5 0 4 0 1"), "flow.vti: line 3: the grid has 2 points on an axis"),
        (vti.replace("Spacing=\"0.5", "Spacing=\"-0.5"), "flow.vti: line 3: the spacing of the grid must be positive"),
        (vti.replace("Float32", "Int8"), "flow.vti: line 6: array 'U': found 'Int8'"),
        (vti.replace("ascii\">-3 ", "ascii\">nan "), "flow.vti: the velocity along x at point [0, 0, 0] is NaN"),
        (vti.replace("ascii\">-3 ", "ascii\">1e30 "), "flow.vti: the velocity along x at point [0, 0, 0] is 1000"),
        (vti.replace("ascii\">-3 ", "ascii\">x "), "flow.vti: line 6: array 'U': found 'x'; expected a number"),
        (vti.replace("ascii\">-3 ", "ascii\">"), "flow.vti: line 6: array 'U': found '629 values'"),
        (vti.replace("NumberOfComponents=\"3\"", "NumberOfComponents=\"2\""), "flow.vti: has no velocity"),
        (legacy.replace("DIMENSIONS 6 5 7", "DIMENSIONS 6 5 8"), "flow.vti: line 8: found '210'"),
        (legacy.replace("DIMENSIONS 6 5 7", "DIMENSIONS 600000 500000 7000000"), "flow.vti: line 8: the grid of"),
        (legacy.replace("VECTORS velocity float", "VECTORS velocity int"), "flow.vti: line 12: found 'int'"),
        (legacy.replace("STRUCTURED_POINTS", "POLYDATA"), "flow.vti: line 4: found 'POLYDATA'"),
        (
            legacy.replace("VECTORS velocity float\n-3 ", "VECTORS velocity float\ninf "),
            "flow.vti: the velocity along x",
        ),
        (legacy[..legacy.len() - 20].to_string(), "flow.vti: line "),
    ];
    for (text, expected) in cases {
        let error = read(text.as_bytes()).expect_err(expected);
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}

/// Every truncated file is refused, and names the file.
#[test]
fn truncated_files_are_refused() {
    for file in all_files() {
        let end = file.len() - 20;
        for length in (0..end).step_by(1 + file.len() / 150) {
            // Appended data may end in the middle of the closing tags, which nothing needs.
            if let Err(error) = read(&file[..length]) {
                assert!(error.starts_with("flow.vti: "), "{error}");
            } else {
                assert!(length + 60 > file.len(), "{length} of {} bytes", file.len());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Files with random changes give a field or an error, and never panic.
    #[test]
    fn changed_files_never_panic(
        which in 0_usize..15,
        changes in prop::collection::vec((any::<u32>(), any::<u8>()), 1..8),
    ) {
        let mut file = all_files().swap_remove(which);
        for (place, value) in changes {
            let place = place as usize % file.len();
            file[place] = value;
        }
        let _ = read(&file);
    }
}
