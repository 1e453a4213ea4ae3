//! Files of tubes: what is written is read, each step alone, and damage is found.

use std::io::Cursor;

use burgess_flow::extract::{ExtractSettings, extract};
use burgess_flow::flows::{FlowName, FlowOptions, make};
use burgess_flow::pipeline::{FlowInfo, History, extract_history};
use burgess_flow::tubes::{Curve, HistoryError, HistoryReader, decode_step};
use glam::DVec3;

fn options() -> FlowOptions {
    FlowOptions { points: 32, steps: 3, interval: 0.2, ..FlowOptions::of(FlowName::Ring) }
}

fn history(threads: usize) -> History {
    let fields: Vec<_> = make(FlowName::Ring, &options()).unwrap().fields.map(Result::unwrap).collect();
    let info = FlowInfo { name: "ring".to_string(), wall: false, wind: [0.0; 3] };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let load = |step: usize| Ok::<_, String>(fields[step].clone());
    let differ = |step| format!("step {step}");
    let settings = ExtractSettings::default();
    pool.install(|| extract_history(info, fields.len(), &settings, load, differ, |_| {})).unwrap().unwrap()
}

/// The file has the same bytes for any number of threads. Its steps are read in any order, and the curve through the
/// stored points is as near to the core as the header says.
#[test]
fn histories_are_read_step_by_step() {
    let written = history(1);
    assert_eq!(written.bytes, history(3).bytes);
    let mut reader = HistoryReader::new(Cursor::new(written.bytes.clone())).unwrap();
    assert_eq!(reader.header().steps.len(), 3);
    let extent = reader.extent();
    for step in [2, 0, 1, 0] {
        let stored = reader.read_step(step).unwrap();
        let field = make(FlowName::Ring, &options()).unwrap().fields.nth(step).unwrap().unwrap();
        let tube = &extract(&field, &ExtractSettings::default()).tubes[0];
        let [found] = &stored.tubes[..] else { panic!("{} tubes", stored.tubes.len()) };
        let cell = field.grid().cell();
        let curve = Curve::new(found.points.iter().map(|point| point.position).collect(), found.closure(extent));
        let places: Vec<DVec3> = (0..curve.pieces())
            .flat_map(|piece| (0..200).map(move |share| (piece, f64::from(share) / 200.0)))
            .map(|(piece, share)| curve.position(piece, share))
            .collect();
        for point in &tube.points {
            let near = places.iter().map(|place| (*place - point.position).length()).fold(f64::INFINITY, f64::min);
            // The bound of the header, the rounding to 16 bits, and the distance of the places.
            assert!(near / cell < reader.header().core_error + 0.01, "{}", near / cell);
        }
        for (point, place) in found.points.iter().zip(0..) {
            let exact = &tube.points[tube.nearest(field.grid(), point.position).unwrap().0];
            assert!((point.terms[0] - exact.section.mean()).abs() < 1e-3 * exact.section.mean(), "{place}");
            // Tangents of the stored curve and of the dense core differ by less than 0.05 rad.
            assert!(point.normal.dot(exact.normal) > 0.998, "{place}: {}", point.normal.dot(exact.normal));
        }
    }
    assert!(matches!(reader.read_step(3), Err(HistoryError::NoStep { step: 3, steps: 3 })));
}

/// Truncated and changed files are refused, never read wrongly.
#[test]
fn damaged_histories_are_refused() {
    let bytes = history(1).bytes;
    let read_all = |bytes: &[u8]| -> Result<(), HistoryError> {
        let mut reader = HistoryReader::new(Cursor::new(bytes.to_vec()))?;
        (0..reader.header().steps.len()).try_for_each(|step| reader.read_step(step).map(|_| ()))
    };
    assert!(read_all(&bytes).is_ok());
    for length in (0..bytes.len()).step_by(37) {
        assert!(read_all(&bytes[..length]).is_err(), "{length} bytes");
    }
    for place in (0..bytes.len()).step_by(41) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x10;
        assert!(read_all(&changed).is_err(), "byte {place}");
    }
    // A step without a checksum around it, as a fuzzer changes it, gives an error or a step, and never panics.
    let mut reader = HistoryReader::new(Cursor::new(bytes)).unwrap();
    let step = burgess_flow::tubes::encode_step(&reader.read_step(0).unwrap(), DVec3::ONE);
    for place in 0..step.len() {
        for value in [0, 0x7f, 0x80, 0xff] {
            let mut changed = step.clone();
            changed[place] = value;
            let _ = decode_step(&changed, DVec3::ONE);
        }
        assert!(decode_step(&step[..place], DVec3::ONE).is_err());
    }
}
