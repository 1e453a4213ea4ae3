//! The archive: full disks, damage, champions.

use std::path::PathBuf;

use burgess_creature::task::Task;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, ArchiveError, RecordedResult, Run, RunConfig, RunError};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn config(evaluations: u64) -> RunConfig {
    let task = Task { settle: 0.1, duration: 0.3, transient: 0.1, ..Task::preset("walk").unwrap() };
    RunConfig { evaluations, ..RunConfig::for_task(task) }
}

fn carried_out(archive: Archive) -> Result<Archive, RunError> {
    let mut run = Run::new(archive)?;
    run.advance(&mut Threads::new(2), &mut |_: &RecordedResult| ())?;
    Ok(run.into_archive())
}

/// SQLite's limit of pages stands for a full disk.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder("archive-full");
    let whole = carried_out(Archive::create(&folder.join("whole.burgess"), &config(120), &[]).unwrap()).unwrap();
    let file = folder.join("full.burgess");
    let archive = Archive::create(&file, &config(120), &[]).unwrap();
    archive.bound_pages(60).unwrap();
    let Err(RunError::Archive(full)) = carried_out(archive) else { panic!("the disk was not full") };
    assert!(matches!(full, ArchiveError::DiskFull(_)), "{full}");
    assert!(full.to_string().contains("the disk is full; all results so far are saved"), "{full}");
    let kept = Archive::open_read_only(&file).unwrap().count();
    assert!(kept > 0 && kept < 120, "{kept}");
    let again = carried_out(Archive::open(&file).unwrap()).unwrap();
    assert_eq!((again.count(), again.hash()), (120, whole.hash()));
}

/// A finished run whose file was then changed by another program.
fn changed_run(name: &str, change: &str) -> PathBuf {
    let file = folder(name).join("run.burgess");
    drop(carried_out(Archive::create(&file, &config(10), &[]).unwrap()).unwrap());
    rusqlite::Connection::open(&file).unwrap().execute(change, []).unwrap();
    file
}

#[test]
fn a_changed_header_is_damage() {
    let file = changed_run("archive-program", "UPDATE run SET program = 'burgess 0.0.1'");
    let Err(ArchiveError::Damaged { what, .. }) = Archive::open_read_only(&file) else { panic!("not noticed") };
    assert_eq!(what, "its header is not the one that was written");
}

#[test]
fn an_impossible_number_of_evaluations_is_damage() {
    let file = changed_run("archive-number", "UPDATE run SET evaluations = 3");
    let found = Run::new(Archive::open(&file).unwrap()).err().unwrap().to_string();
    assert!(found.contains("set up for 3 individuals and has 10"), "{found}");
}
