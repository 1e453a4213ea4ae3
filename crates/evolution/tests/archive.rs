//! The archive: full disks, other programs, damage, champions.

use std::path::PathBuf;

use burgess_creature::task::Task;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, ArchiveError, News, Run, RunConfig, RunError};

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
    run.advance(&mut Threads::new(2), &mut |_: &News| ())?;
    Ok(run.into_archive())
}

/// SQLite's own bound of pages stands for the end of the disk.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder("archive-full");
    let whole = carried_out(Archive::create(&folder.join("whole.burgess"), &config(120), &[]).unwrap()).unwrap();
    let file = folder.join("full.burgess");
    let archive = Archive::create(&file, &config(120), &[]).unwrap();
    archive.bound_pages(60).unwrap();
    let Err(RunError::Archive(full)) = carried_out(archive) else { panic!("the disk was not full") };
    assert!(matches!(full, ArchiveError::DiskFull(_)), "{full}");
    assert!(full.to_string().contains("the disk is full; all up to the last row is safe"), "{full}");
    let kept = Archive::look(&file).unwrap().count();
    assert!(kept > 0 && kept < 120, "{kept}");
    let again = carried_out(Archive::open(&file).unwrap()).unwrap();
    assert_eq!((again.count(), again.hash()), (120, whole.hash()));
}

#[test]
fn what_another_program_made_is_looked_at_but_not_gone_on_with() {
    let file = folder("archive-program").join("run.burgess");
    drop(carried_out(Archive::create(&file, &config(10), &[]).unwrap()).unwrap());
    // Changed by hand, the seal is broken.
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute("UPDATE run SET program = 'burgess 0.0.1'", []).unwrap();
    drop(database);
    let Err(ArchiveError::Damaged { what, .. }) = Archive::look(&file) else { panic!("not noticed") };
    assert_eq!(what, "its head is not the one that was written");
}

#[test]
fn a_number_of_evaluations_that_cannot_be_is_damage() {
    let file = folder("archive-number").join("run.burgess");
    drop(carried_out(Archive::create(&file, &config(10), &[]).unwrap()).unwrap());
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute("UPDATE run SET evaluations = 3", []).unwrap();
    drop(database);
    let found = Run::new(Archive::open(&file).unwrap()).err().unwrap().to_string();
    assert!(found.contains("set up for 3 individuals and has 10"), "{found}");
}
