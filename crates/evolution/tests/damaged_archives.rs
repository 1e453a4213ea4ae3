//! Damaged, deleted and locked archives, and salvage.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_evolution::{Archive, ArchiveError, RecordedResult, Run, RunConfig, RunError, WriteWait};
use rusqlite::Connection;

const COUNT: u64 = 60;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn short_config() -> RunConfig {
    let (_, algorithm) = kinds().pop().unwrap();
    RunConfig { evaluations: COUNT, ..config(algorithm) }
}

/// Continues a run to its end.
fn finished(archive: Archive) -> Result<Archive, RunError> {
    let mut run = Run::new(archive)?;
    run.advance(&mut Scrambler::new(8), &mut |_: &RecordedResult| ())?;
    Ok(run.into_archive())
}

/// A finished run and its hash.
fn whole_run(folder: &Path) -> (PathBuf, u64) {
    let file = folder.join("run.burgess");
    let archive = finished(Archive::create(&file, &short_config(), &[]).unwrap()).unwrap();
    (file, archive.hash())
}

fn change(file: &Path, statements: &str) {
    Connection::open(file).unwrap().execute_batch(statements).unwrap();
}

/// Carries out a run, and changes the world around it after the tenth result.
fn disturbed(archive: Archive, disturb: impl Fn()) -> Option<ArchiveError> {
    let mut run = Run::new(archive).unwrap();
    let ended = run.advance(&mut Scrambler::new(4), &mut |recorded: &RecordedResult| {
        if recorded.id == 10 {
            disturb();
        }
    });
    match ended {
        Err(RunError::Archive(error)) => Some(error),
        _ => None,
    }
}

#[test]
fn a_file_that_is_deleted_during_the_run_stops_it() {
    let file = folder("damage-deleted").join("run.burgess");
    let archive = Archive::create(&file, &short_config(), &[]).unwrap();
    let error = disturbed(archive, || std::fs::remove_file(&file).unwrap()).expect("not noticed");
    assert!(matches!(error, ArchiveError::Displaced(_)), "{error}");
    assert!(error.to_string().contains("deleted, renamed or replaced during the run"), "{error}");
    assert!(!file.exists());
}

#[test]
fn a_renamed_file_has_all_results_and_can_be_resumed() {
    let folder = folder("damage-renamed");
    let (whole, hash) = whole_run(&folder);
    let (file, other) = (folder.join("a.burgess"), folder.join("b.burgess"));
    let archive = Archive::create(&file, &short_config(), &[]).unwrap();
    let error = disturbed(archive, || std::fs::rename(&file, &other).unwrap()).expect("not noticed");
    assert!(matches!(error, ArchiveError::Displaced(_)), "{error}");
    assert_eq!(Archive::open_read_only(&other).unwrap().count(), 11);
    assert_eq!(finished(Archive::open(&other).unwrap()).unwrap().hash(), hash);
    // A file of another run that takes the name is not written to.
    let archive = Archive::create(&file, &short_config(), &[]).unwrap();
    let before = std::fs::read(&whole).unwrap();
    let replace = || {
        std::fs::copy(&whole, folder.join("copy")).unwrap();
        std::fs::rename(folder.join("copy"), &file).unwrap();
    };
    let error = disturbed(archive, replace).expect("not noticed");
    assert!(matches!(error, ArchiveError::Displaced(_)), "{error}");
    let mut replaced = Archive::open_read_only(&file).unwrap();
    assert!(replaced.survey().unwrap().is_none());
    assert_eq!((replaced.hash(), std::fs::read(&file).unwrap() == before), (hash, true));
}

#[test]
fn readers_leave_out_one_damaged_row_and_name_it() {
    let folder = folder("damage-row");
    let (file, _) = whole_run(&folder);
    let best = Archive::open_read_only(&file).unwrap().fittest(3).unwrap();
    change(&file, &format!("UPDATE individuals SET fitness = 1e9, descriptors = 'x' WHERE id = {}", best[1]));
    let mut archive = Archive::open_read_only(&file).unwrap();
    assert_eq!(archive.survey().unwrap().lost(), [best[1]]);
    assert_eq!(archive.fittest(2).unwrap(), [best[0], best[2]]);
    assert!(archive.elites(&archive.dimensions().unwrap()).unwrap().iter().all(|elite| elite.id != best[1]));
    assert!(archive.dimension("height").unwrap().is_some());
    assert_eq!(archive.curve().unwrap().iter().map(|generation| generation.born).sum::<usize>(), COUNT as usize - 1);
    let report = archive.damage_report().unwrap();
    assert!(report.contains(&format!("the row of individual {} is damaged", best[1])), "{report}");
    let error = archive.individual(best[1]).unwrap_err().to_string();
    assert!(error.contains("burgess salvage"), "{error}");
    // A run must not continue from wrong results.
    let error = finished(Archive::open(&file).unwrap()).err().unwrap().to_string();
    assert!(error.contains(&format!("damaged at individual {}", best[1])), "{error}");
}

/// Damages a finished run, salvages it, checks what was lost, and resumes the copy.
fn salvaged(name: &str, statements: &str, lost: &[u64], unverified: &[u64]) {
    let folder = folder(name);
    let (file, hash) = whole_run(&folder);
    change(&file, statements);
    let copy = folder.join("copy.burgess");
    let found = Archive::salvage(&file, &copy).unwrap();
    assert_eq!((&found.damage.lost()[..], &found.damage.unverified[..]), (lost, unverified), "{statements}");
    assert_eq!((found.rows, found.copied), (COUNT, COUNT - lost.len() as u64), "{statements}");
    assert!(found.can_be_resumed && !found.lost_interventions);
    let mut opened = Archive::open_read_only(&copy).unwrap();
    assert!(opened.survey().unwrap().damaged.is_empty());
    assert!(!opened.lineage(opened.champion().unwrap().id).unwrap().is_empty());
    // The lost rows are evaluated again, and the following links confirm them.
    let mut again = 0;
    let mut run = Run::new(Archive::open(&copy).unwrap()).unwrap();
    run.advance(&mut Scrambler::new(8), &mut |recorded: &RecordedResult| again += usize::from(recorded.is_new))
        .unwrap();
    assert_eq!((again, run.archive().hash()), (lost.len(), hash), "{statements}");
    assert!(matches!(Archive::salvage(&file, &copy), Err(ArchiveError::Exists(_))));
}

#[test]
fn salvage_copies_every_whole_row() {
    salvaged("salvage-content", "UPDATE individuals SET fitness = 7 WHERE id IN (5, 17)", &[5, 17], &[]);
    salvaged("salvage-neighbours", "UPDATE individuals SET seed = 7 WHERE id IN (30, 31)", &[30, 31], &[]);
    salvaged("salvage-link", "UPDATE individuals SET link = 7 WHERE id = 40", &[40], &[]);
    salvaged("salvage-type", "UPDATE individuals SET generation = 'x' WHERE id = 20", &[20], &[21]);
    salvaged("salvage-parents", "DELETE FROM parents WHERE child = 59", &[59], &[]);
    salvaged("salvage-missing", "DELETE FROM individuals WHERE id = 8", &[8], &[9]);
    salvaged("salvage-program", "UPDATE run SET seal = 3", &[], &[]);
}

/// Damages a finished run page by page, salvages each damaged file and resumes the copy. At least a share of the files
/// must be usable. The first page has the tables' definitions.
fn salvaged_at_every_page(name: &str, usable: f64, damaged: impl Fn(&[u8], usize) -> Vec<u8>) {
    const PAGE: usize = 4096;
    let folder = folder(name);
    let (file, hash) = whole_run(&folder);
    let whole = std::fs::read(&file).unwrap();
    let pages = whole.len() / PAGE;
    let mut salvaged = 0;
    for page in 1..pages {
        std::fs::write(&file, damaged(&whole, page * PAGE)).unwrap();
        let copy = folder.join(format!("copy-{page}.burgess"));
        match Archive::salvage(&file, &copy) {
            Ok(found) => {
                salvaged += 1;
                assert_eq!(finished(Archive::open(&copy).unwrap()).unwrap().hash(), hash, "page {page}: {found:?}");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(f64::from(salvaged) >= usable * pages as f64, "{salvaged} of {pages}");
    let is_temporary = |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "padded");
    assert!(!std::fs::read_dir(&folder).unwrap().any(|entry| is_temporary(entry.unwrap())));
}

#[test]
fn salvage_reads_around_damaged_pages() {
    salvaged_at_every_page("salvage-pages", 0.5, |whole, start| {
        let mut bytes = whole.to_vec();
        bytes[start..start + 4096].fill(0xa5);
        bytes
    });
}

#[test]
fn salvage_reads_a_cut_file_that_is_read_only() {
    let folder = folder("salvage-read-only");
    let (file, _) = whole_run(&folder);
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 5000]).unwrap();
    let mut permissions = std::fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&file, permissions).unwrap();
    assert!(Archive::salvage(&file, &folder.join("copy.burgess")).unwrap().copied > 0);
}

#[test]
fn salvage_reads_files_whose_end_is_cut_off() {
    salvaged_at_every_page("salvage-end", 0.5, |whole, start| whole[..start + start / 4096 * 13].to_vec());
}

#[test]
fn a_damaged_configuration_cannot_be_salvaged() {
    let folder = folder("salvage-config");
    let (file, _) = whole_run(&folder);
    change(&file, "UPDATE run SET config = replace(config, 'seed = 1', 'seed = 2')");
    let copy = folder.join("copy.burgess");
    let error = Archive::salvage(&file, &copy).unwrap_err().to_string();
    assert!(error.contains("its configuration is not the one that was written"), "{error}");
    assert!(!copy.exists());
}

#[test]
fn rows_deleted_at_the_end_are_named() {
    let folder = folder("damage-tail");
    let (file, hash) = whole_run(&folder);
    change(&file, "DELETE FROM individuals WHERE id >= 50");
    let error = Archive::open(&file).unwrap_err().to_string();
    let first = error.contains("damaged at individual 5") && error.contains("rows at the end were deleted");
    assert!(first && error.contains("burgess salvage"), "{error}");
    let mut archive = Archive::open_read_only(&file).unwrap();
    assert_eq!(archive.survey().unwrap().missing.len(), 1);
    let copy = folder.join("copy.burgess");
    assert_eq!(Archive::salvage(&file, &copy).unwrap().copied, 50);
    assert_eq!(finished(Archive::open(&copy).unwrap()).unwrap().hash(), hash);
}

/// Carries out a run while another program locks the file from the tenth result on, for a time.
fn locked_run(name: &str, locked: Duration, limit: Duration) -> (Option<ArchiveError>, usize, PathBuf) {
    let file = folder(name).join("run.burgess");
    let mut archive = Archive::create(&file, &short_config(), &[]).unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let on_wait = Box::new(move |_| counter.fetch_add(1, Ordering::Relaxed) < 1000);
    archive.set_write_wait(WriteWait { limit, on_wait });
    let mut run = Run::new(archive).unwrap();
    let lock = || {
        let other = Connection::open(&file).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        std::thread::spawn(move || {
            std::thread::sleep(locked);
            other.execute_batch("ROLLBACK").unwrap();
        })
    };
    let mut thread = None;
    let ended = run.advance(&mut Scrambler::new(4), &mut |recorded: &RecordedResult| {
        if recorded.id == 10 {
            thread = Some(lock());
        }
    });
    drop(run);
    thread.into_iter().for_each(|thread| thread.join().unwrap());
    let error = ended.err().map(|error| match error {
        RunError::Archive(error) => error,
        other => panic!("{other}"),
    });
    (error, calls.load(Ordering::Relaxed), file)
}

#[test]
fn a_lock_of_another_program_is_waited_for() {
    let (error, calls, file) = locked_run("lock-short", Duration::from_millis(1800), Duration::from_secs(60));
    assert!(error.is_none(), "{error:?}");
    assert!(calls >= 1, "{calls}");
    assert_eq!(Archive::open_read_only(&file).unwrap().count(), COUNT);
}

#[test]
fn a_lock_that_lasts_ends_the_run_with_a_hint() {
    let (error, _, file) = locked_run("lock-long", Duration::from_millis(4000), Duration::from_millis(600));
    let error = error.expect("the lock was ignored");
    assert!(matches!(error, ArchiveError::Locked(_)), "{error:?}");
    assert!(error.to_string().contains("continue with 'burgess resume'"), "{error}");
    let again = finished(Archive::open(&file).unwrap()).unwrap();
    assert_eq!(again.count(), COUNT);
}

#[test]
fn runs_created_at_once_get_different_files() {
    let folder = folder("create-at-once");
    let create = || Archive::create_in(&folder, &short_config(), &[]).unwrap();
    let archives: Vec<Archive> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(create)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut files: Vec<&Path> = archives.iter().map(Archive::file).collect();
    files.sort();
    files.dedup();
    assert_eq!(files.len(), 16);
    assert!(files.iter().all(|file| file.exists()));
    assert_eq!(
        std::fs::read_dir(&folder)
            .unwrap()
            .flatten()
            .filter(|file| file.path().extension().is_some_and(|e| e == "new"))
            .count(),
        0
    );
}
