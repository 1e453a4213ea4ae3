//! The program without MuJoCo.

use std::process::Command;

#[test]
fn a_missing_shim_is_said() {
    let output = Command::new(env!("CARGO_BIN_EXE_referee")).arg("walker").env_remove("BURGESS_BENCH_MUJOCO").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("the shim has not been built"), "{error}");
}
