//! Flows and vortex tubes on the command line.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{burgess, folder, path, printed, refusal, text};

/// Makes a ring of three steps, and extracts its tubes.
fn ring(folder: &Path) -> (PathBuf, PathBuf) {
    let (flow, tubes) = (folder.join("ring.flow"), folder.join("ring.tubes"));
    printed(&["flow", "make", "ring", "--size", "32", "--steps", "3", "-o", path(&flow)]);
    printed(&["flow", "extract", path(&flow), "-o", path(&tubes)]);
    (flow, tubes)
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

#[test]
fn a_flow_is_made_extracted_and_summarized() {
    let folder = folder("flow");
    let (flow, tubes) = (folder.join("ring.flow"), folder.join("ring.tubes"));
    let made = json(&["flow", "make", "ring", "--size", "32", "--steps", "3", "-o", path(&flow), "--json"]);
    assert_eq!((&made["flow"], &made["steps"], &made["size"][0]), (&"ring".into(), &3.into(), &32.into()));
    assert_eq!(made["bytes"].as_u64().unwrap(), std::fs::metadata(&flow).unwrap().len());
    let extracted = |threads| {
        let report = json(&["flow", "extract", path(&flow), "-o", path(&tubes), "--threads", threads, "--json"]);
        assert_eq!((&report["steps"], &report["tracks"], &report["going_on"]), (&3.into(), &1.into(), &2.into()));
        (report["tubes_hash"].as_str().unwrap().to_string(), std::fs::read(&tubes).unwrap())
    };
    assert_eq!(extracted("1"), extracted("2"));
    // Without a terminal, `watch` prints a summary.
    let summary = printed(&["flow", "watch", path(&tubes)]);
    assert!(
        summary.contains("vortex tubes of ring\n3 steps of 32 x 32 x 32 points, at most 1 tube per step"),
        "{summary}"
    );
}

#[test]
fn a_file_that_was_cut_off_or_changed_is_refused() {
    let folder = folder("flow-damaged");
    let (flow, tubes) = ring(&folder);
    let damaged = folder.join("damaged");
    for (file, command) in [(&flow, ["flow", "extract"]), (&tubes, ["flow", "watch"])] {
        let whole = std::fs::read(file).unwrap();
        for share in [0.0, 0.001, 0.3, 0.7, 0.999] {
            std::fs::write(&damaged, &whole[..(share * whole.len() as f64) as usize]).unwrap();
            let mut arguments = vec![command[0], command[1], path(&damaged)];
            let output = folder.join("none.tubes");
            if command[1] == "extract" {
                arguments.extend(["-o", path(&output)]);
            }
            let error = refusal(&arguments);
            assert!(error.contains("damaged") && error.lines().count() == 1, "{share}: {error}");
            assert!(!output.exists());
        }
    }
}

#[test]
fn a_number_that_is_none_is_refused_with_file_and_place() {
    let file = folder("flow-nan").join("bad.vtk");
    let points =
        |bad: &str| (0..64).map(|point| if point == 37 { bad } else { "1 0 0" }).collect::<Vec<_>>().join("\n");
    let header = "# vtk DataFile Version 3.0\nflow\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 4 4 4\nORIGIN 0 0 0\n\
                  SPACING 1 1 1\nPOINT_DATA 64\nVECTORS velocity float\n";
    for bad in ["1 nan 0", "1 inf 0", "1 abc 0"] {
        std::fs::write(&file, header.to_string() + &points(bad) + "\n").unwrap();
        let error = refusal(&["flow", "extract", path(&file), "-o", "none.tubes"]);
        assert!(error.contains("bad.vtk"), "{error}");
        assert!(error.contains(bad.split(' ').nth(1).unwrap()) || error.contains("point"), "{error}");
    }
}

#[test]
fn bad_requests_are_refused_in_words() {
    let output = folder("flow-bad").join("none.flow");
    let make = |arguments: &[&str]| refusal(&[&["flow", "make"], arguments, &["-o", path(&output)]].concat());
    assert!(make(&["leapfrogs"]).contains("there is no flow 'leapfrogs'; did you mean 'leapfrog'?"));
    assert!(make(&["ring", "--bend", "0.1"]).contains("--bend applies to lamb-oseen only"));
    for bad in [["--size", "3"], ["--size", "100000"], ["--steps", "0"], ["--interval", "nan"], ["--reynolds", "-1"]] {
        let error = make(&["ring", bad[0], bad[1]]);
        assert!(error.contains(bad[0]) && error.lines().count() == 1, "{bad:?}: {error}");
    }
    assert!(!output.exists());
    let unwritable = burgess(&["flow", "make", "ring", "--size", "16", "--steps", "1", "-o", "/no/such/folder/x.flow"]);
    assert_eq!(unwritable.status.code(), Some(1));
    assert!(text(&unwritable.stderr).contains("/no/such/folder/x.flow: cannot be written"));
}
