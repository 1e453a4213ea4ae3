//! Run files of older programs: every release stays readable.
//!
//! The files in `fixtures/` were written by release 0.1, with the configurations that they contain:
//!
//! - `walk-0.1.burgess`: MAP-Elites, legged, founders `hexapod` and `quadruped`, 24 evaluations; then individual 11
//!   was marked as a favourite, 3 removed, a child of 11 and 5 bred manually, and the run extended to 30 evaluations
//! - `contest-0.1.burgess`: two populations of a genetic algorithm, graphs, 16 evaluations
//!
//! Ids, hashes and fitness below are what release 0.1 printed.

use std::path::{Path, PathBuf};

use burgess_creature::store;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{
    Archive, ArchiveError, ChampionSettings, Intervention, MAX_SUMMARIES, Operator, OutcomeKind, Query, RecordedResult,
    Run, Version,
};

struct Fixture {
    name: &'static str,
    count: u64,
    hash: u64,
    champion: u64,
    fitness: f64,
}

const WALK: Fixture = Fixture {
    name: "walk-0.1.burgess",
    count: 30,
    hash: 0x0223_9daf_a0ed_7ff4,
    champion: 29,
    fitness: 1.150_820_840_868_903_6,
};

const CONTEST: Fixture = Fixture {
    name: "contest-0.1.burgess",
    count: 16,
    hash: 0xbc05_5d04_dda1_9010,
    champion: 13,
    fitness: 1.578_872_409_225_573_5,
};

impl Fixture {
    fn file(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(self.name)
    }

    /// Copies the file to a folder of the test.
    fn copy(&self, folder: &str) -> PathBuf {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(self.name);
        std::fs::copy(self.file(), &file).unwrap();
        file
    }
}

/// Changes the program that the header names, with the hash that belongs to it.
fn name_program(file: &Path, program: &str) {
    let database = rusqlite::Connection::open(file).unwrap();
    let read = |row: &rusqlite::Row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    let (generator, config) = database.query_row("SELECT generator, config FROM run", [], read).unwrap();
    let mut statement = database.prepare("SELECT genome, origin FROM founders ORDER BY number").unwrap();
    let founders = statement.query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, String>(1)?))).unwrap();
    let mut parts: Vec<Vec<u8>> = [program, &generator, &config].map(|text| text.as_bytes().to_vec()).into();
    for founder in founders {
        let (genome, origin) = founder.unwrap();
        parts.extend([genome, origin.into_bytes()]);
    }
    let hash = parts.iter().fold(0, |link, bytes| burgess_evolution::chained(link, bytes));
    let row = rusqlite::params![program, hash as i64];
    database.execute("UPDATE run SET program = ?1, seal = ?2", row).unwrap();
}

fn format_of(file: &Path) -> i64 {
    let database = rusqlite::Connection::open(file).unwrap();
    database.query_row("SELECT format FROM run", [], |row| row.get(0)).unwrap()
}

fn resumed(file: &Path, evaluations: u64) -> Archive {
    let mut archive = Archive::open(file).unwrap();
    archive.extend(evaluations).unwrap();
    let mut run = Run::new(archive).unwrap();
    run.advance(&mut Threads::new(2), &mut |_: &RecordedResult| ()).unwrap();
    assert!(run.is_done());
    run.into_archive()
}

#[test]
fn files_of_release_0_1_are_read_without_being_changed() {
    for fixture in [WALK, CONTEST] {
        let name = fixture.name;
        let before = std::fs::read(fixture.file()).unwrap();
        let mut archive = Archive::open_read_only(&fixture.file()).unwrap();
        archive.check().unwrap();
        assert_eq!((archive.count(), archive.hash()), (fixture.count, fixture.hash), "{name}");
        assert!(archive.program().unwrap().starts_with("burgess 0.1.0 "), "{name}");
        assert_eq!(archive.config().unwrap().evaluations, fixture.count, "{name}");
        assert_eq!(archive.config().unwrap().champions, ChampionSettings::NONE, "{name}");
        for id in 0..fixture.count {
            let one = archive.individual(id).unwrap();
            assert_eq!(archive.summary(id).unwrap().parents, one.parents, "{name} {id}");
            assert_eq!(archive.lineage(id).unwrap()[0], one, "{name} {id}");
            assert!(one.result.outcome != OutcomeKind::Faulty, "{name} {id}");
        }
        let (total, listed) = archive.select(&Query { limit: MAX_SUMMARIES, ..Query::default() }).unwrap();
        assert_eq!((total, listed.len() as u64), (fixture.count, fixture.count), "{name}");
        let curve = archive.curve().unwrap();
        assert_eq!(curve.iter().map(|generation| generation.born as u64).sum::<u64>(), fixture.count, "{name}");
        let elites = archive.elites(&archive.dimensions().unwrap()).unwrap();
        assert!(elites.iter().any(|elite| elite.id == fixture.champion), "{name}");
        // The champion is exported.
        let champion = archive.champion().unwrap();
        assert_eq!((champion.id, champion.result.fitness), (fixture.champion, fixture.fitness), "{name}");
        assert_eq!(store::retrieve(&store::store(&champion.genome)).unwrap(), champion.genome, "{name}");
        assert_eq!(archive.task_of(&champion).unwrap().name, archive.config().unwrap().task.name, "{name}");
        drop(archive);
        assert!(std::fs::read(fixture.file()).unwrap() == before, "{name} was changed");
    }
}

#[test]
fn interventions_and_lineages_of_release_0_1_are_kept() {
    let archive = Archive::open_read_only(&WALK.file()).unwrap();
    let done: Vec<(u64, Intervention)> = archive.interventions().map(|(at, what)| (at, what.clone())).collect();
    assert_eq!(
        done,
        [
            (24, Intervention::Favourite { id: 11, on: true }),
            (24, Intervention::Remove { id: 3 }),
            (25, Intervention::Breed { parents: [11, 5] })
        ]
    );
    let child = archive.individual(25).unwrap();
    assert_eq!((child.operator, &child.parents[..]), (Operator::Manual, &[11, 5][..]));
    assert_eq!(archive.summary(25).unwrap().operator, "by_hand");
    assert!(archive.summary(3).unwrap().removed && archive.summary(11).unwrap().favourite);
    let line: Vec<u64> = archive.lineage(29).unwrap().iter().map(|one| one.id).collect();
    assert_eq!(line, [29, 17, 1]);
    let founder = archive.individual(1).unwrap();
    assert_eq!(archive.origin_of(&founder).unwrap().as_deref(), Some("quadruped"));
    let opponents = Archive::open_read_only(&CONTEST.file()).unwrap();
    let met = opponents.individual(13).unwrap();
    // Release 0.1 stored the opponent, but neither sides nor results.
    assert!(met.opponent.is_some() && met.side.is_none() && met.meetings.is_empty());
    assert!(opponents.opponent_of(&met).unwrap().0.is_some());
    assert_eq!(opponents.interventions().count(), 0);
}

/// Tests both cases: this program may or may not compute the same bits as the one that wrote the fixtures.
#[test]
fn a_run_of_release_0_1_resumes_to_the_same_bits_or_says_why_not() {
    for fixture in [WALK, CONTEST] {
        let (file, again) = (fixture.copy("older-resume"), fixture.copy("older-resume-again"));
        let before = std::fs::read(&file).unwrap();
        let program = Archive::open_read_only(&file).unwrap().program().unwrap();
        let own = Version::own().to_string();
        if program != own {
            let refused = Archive::open(&file).unwrap_err();
            assert!(matches!(refused, ArchiveError::Program { .. }), "{refused}");
            let sentence = refused.to_string();
            let expected = format!("was made by {program} and cannot be continued with the same bits by {own}");
            assert!(sentence.contains(&expected), "{sentence}");
            assert!(std::fs::read(&file).unwrap() == before, "a refused file was changed");
            continue;
        }
        assert_eq!(format_of(&file), 1);
        let more = fixture.count + 6;
        let mut archive = resumed(&file, fixture.count);
        archive.check().unwrap();
        assert_eq!((archive.count(), archive.hash()), (fixture.count, fixture.hash), "{}", fixture.name);
        drop(archive);
        assert_eq!(format_of(&file), 3);
        // Resuming the upgraded file and resuming the old one give the same result.
        assert_eq!(resumed(&file, more).hash(), resumed(&again, more).hash(), "{}", fixture.name);
    }
}

/// Independent of the bits that this program computes: the file claims to be of this program.
#[test]
fn opening_for_writing_upgrades_an_old_file_in_place() {
    for fixture in [WALK, CONTEST] {
        let file = fixture.copy("older-upgrade");
        name_program(&file, &Version::own().to_string());
        assert_eq!(format_of(&file), 1);
        let mut archive = Archive::open(&file).unwrap();
        archive.check().unwrap();
        assert_eq!((archive.count(), archive.hash()), (fixture.count, fixture.hash), "{}", fixture.name);
        drop(archive);
        assert_eq!(format_of(&file), 3);
    }
}

#[test]
fn a_file_of_another_program_is_shown_but_not_resumed() {
    let file = WALK.copy("older-other-program");
    let other = "burgess 0.0.9 (physics 0123456789abcdef)";
    name_program(&file, other);
    let before = std::fs::read(&file).unwrap();
    let mut archive = Archive::open_read_only(&file).unwrap();
    archive.check().unwrap();
    assert_eq!((archive.hash(), archive.champion().unwrap().id), (WALK.hash, WALK.champion));
    drop(archive);
    let refused = Archive::open(&file).unwrap_err().to_string();
    assert!(refused.contains(&format!("was made by {other} and cannot be continued with the same bits")), "{refused}");
    assert!(refused.contains("it can still be shown and exported"), "{refused}");
    assert!(std::fs::read(&file).unwrap() == before, "a refused file was changed");
}

#[test]
fn a_format_of_the_future_names_the_program_that_is_needed() {
    let file = CONTEST.copy("older-future");
    name_program(&file, "burgess 9.1.0 (physics 0123456789abcdef)");
    rusqlite::Connection::open(&file).unwrap().execute("UPDATE run SET format = 77", []).unwrap();
    let expected = "the file has format 77, and this program reads formats up to 3; \
                    use burgess 9.1.0 (physics 0123456789abcdef), which wrote it, or a later release";
    for refused in [Archive::open_read_only(&file), Archive::open(&file)] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, ArchiveError::NewerFormat { found: 77, .. }), "{refused}");
        assert!(refused.to_string().ends_with(expected), "{refused}");
    }
    rusqlite::Connection::open(&file).unwrap().execute("UPDATE run SET format = 0", []).unwrap();
    let refused = Archive::open_read_only(&file).unwrap_err().to_string();
    assert!(refused.contains("damaged: there is no format 0"), "{refused}");
}

#[test]
fn a_truncated_file_is_an_error_wherever_it_ends() {
    let whole = std::fs::read(CONTEST.file()).unwrap();
    let file = CONTEST.copy("older-truncated");
    for share in [0, 1, 5, 10, 25, 50, 75, 90, 99] {
        std::fs::write(&file, &whole[..whole.len() * share / 100]).unwrap();
        let read = Archive::open_read_only(&file).and_then(|mut archive| archive.check());
        let refused = read.expect_err(&format!("{share} % of the file"));
        assert!(matches!(refused, ArchiveError::Damaged { .. } | ArchiveError::Foreign(_)), "{share} %: {refused}");
        assert!(Archive::open(&file).is_err(), "{share} %");
    }
}

#[test]
fn a_damaged_file_is_not_migrated() {
    let file = WALK.copy("older-damaged");
    name_program(&file, &Version::own().to_string());
    rusqlite::Connection::open(&file).unwrap().execute("UPDATE individuals SET fitness = 9 WHERE id = 4", []).unwrap();
    let refused = Archive::open(&file).unwrap_err().to_string();
    assert!(refused.contains("damaged at individual 4: its row is not the one that was written"), "{refused}");
    assert_eq!(format_of(&file), 1);
}
