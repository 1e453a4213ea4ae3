//! What a person does to a run is a part of it: the same things done before the same births give the same hash.

use std::collections::BTreeSet;
use std::thread::JoinHandle;

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;
use burgess_creature::{AnyGenome, Family, GenomeSettings, Random};
use burgess_evolution::algorithm::IslandSettings;
use burgess_evolution::{
    AlgorithmConfig, Answer, Archive, ArchiveError, Ending, Id, Individual, Intervention, News, Onlooker, Operator,
    Refusal, Request, Run, RunConfig, RunError, Steered, Steering, Wish,
};

type Script = Vec<(Id, Intervention)>;

fn is_scored(config: &RunConfig, id: Id) -> bool {
    // As the evaluator by formula decides it, from the seed of the evaluation.
    !Random::new(mix_seed(config.seed, &[2, id])).chance(0.1)
}

/// The first from here on who is scored.
fn scored(config: &RunConfig, from: Id) -> Id {
    (from..).find(|id| is_scored(config, *id)).unwrap()
}

fn stranger(seed: u64, family: Family) -> AnyGenome {
    family.random(&GenomeSettings::default(), &mut Random::new(seed))
}

/// Something of every kind, at the start, in the middle and next to each other.
fn script(config: &RunConfig) -> Script {
    let who = |from| scored(config, from);
    let join =
        |seed| Intervention::Join { genome: stranger(seed, Family::Legged), origin: format!("other.burgess#{seed}") };
    vec![
        (0, join(1)),
        (1, join(2)),
        (30, Intervention::Favourite { id: who(5), on: true }),
        (45, Intervention::Breed { parents: [who(3), who(20)] }),
        (46, Intervention::Breed { parents: [who(20), who(3)] }),
        (47, join(3)),
        (60, Intervention::Remove { id: who(40) }),
        (60, Intervention::Remove { id: 46 }),
        (60, Intervention::Favourite { id: who(50), on: true }),
        (120, Intervention::Favourite { id: who(5), on: false }),
        (121, Intervention::Remove { id: who(50) }),
        (239, Intervention::Breed { parents: [who(100), who(130)] }),
    ]
}

fn set_up(config: &RunConfig, script: &[(Id, Intervention)], scratch: &Scratch) -> Archive {
    scratch.clear();
    let mut archive = Archive::create(&scratch.0, config, &[]).unwrap();
    script.iter().for_each(|(at, what)| archive.intervene(*at, what).unwrap());
    archive
}

/// The run carried out, cut off where told and taken up again.
fn carried_out(archive: Archive, capacity: usize, cut_off_at: &[Id], scratch: &Scratch) -> Archive {
    let mut archive = archive;
    for last in cut_off_at {
        let mut run = Run::new(archive).unwrap();
        run.advance(&mut Scrambler::new(capacity), &mut Patience { last: *last, heard: 0 }).unwrap();
        drop(run);
        archive = Archive::open(&scratch.0).unwrap();
    }
    let mut run = Run::new(archive).unwrap();
    run.advance(&mut Scrambler::new(capacity), &mut |_: &News| ()).unwrap();
    assert!(run.is_done());
    run.into_archive()
}

fn everybody(archive: &Archive) -> Vec<Individual> {
    (0..archive.count()).map(|id| archive.individual(id).unwrap()).collect()
}

fn all_kinds() -> Vec<(String, RunConfig)> {
    let islands = IslandSettings { count: 3, every: 1, migrants: 2 };
    let alone = kinds().into_iter().map(|(name, algorithm)| (name.to_string(), config(algorithm)));
    let some = kinds().into_iter().filter(|(name, _)| ["strategy", "MAP-Elites"].contains(name));
    let together =
        some.map(|(name, algorithm)| (format!("islands {name}"), RunConfig { islands, ..config(algorithm) }));
    // The task gets harder, and those who live on are evaluated again.
    let lesson = "parameters = { hardness = 1 }\nsyllabus = { hardness = { per_generation = 0.5, until = 3 } }";
    let some = kinds().into_iter().filter(|(name, _)| ["genetic", "MAP-Elites"].contains(name));
    let harder = some
        .map(|(name, algorithm)| (format!("syllabus {name}"), RunConfig { task: task(lesson), ..config(algorithm) }));
    alone.chain(together).chain(harder).collect()
}

fn map_elites() -> RunConfig {
    let (_, algorithm) = kinds().pop().unwrap();
    assert!(matches!(algorithm, AlgorithmConfig::MapElites(_)));
    config(algorithm)
}

#[test]
fn who_is_faster_and_where_it_was_cut_off_change_nothing() {
    for (name, config) in all_kinds() {
        let scratch = Scratch::new(&format!("steered-{}", name.replace([' ', ','], "-")));
        let script = script(&config);
        let hash = carried_out(set_up(&config, &script, &scratch), 1, &[], &scratch).hash();
        let cases: [(usize, &[Id]); 3] = [(64, &[]), (3, &[1, 31, 47, 60]), (7, &[45, 59, 122])];
        for (capacity, cut_off_at) in cases {
            let again = carried_out(set_up(&config, &script, &scratch), capacity, cut_off_at, &scratch);
            assert_eq!(again.hash(), hash, "{name}, {capacity}, {cut_off_at:?}");
        }
        // Less is something else.
        let other = carried_out(set_up(&config, &script[..11], &scratch), 1, &[], &scratch);
        assert_ne!(other.hash(), hash, "{name}");
        let mut read_again = Archive::look(&scratch.0).unwrap();
        read_again.check().unwrap();
        assert_eq!(read_again.hash(), other.hash(), "{name}");
    }
}

#[test]
fn everything_that_was_asked_for_happens() {
    for (name, config) in all_kinds() {
        let scratch = Scratch::new(&format!("happens-{}", name.replace([' ', ','], "-")));
        let archive = carried_out(set_up(&config, &script(&config), &scratch), 5, &[], &scratch);
        let who = |from| scored(&config, from);
        let all = everybody(&archive);
        for (child, parents) in [(45, [who(3), who(20)]), (46, [who(20), who(3)]), (239, [who(100), who(130)])] {
            let (child, parents) = (&all[child], parents.to_vec());
            assert_eq!((child.operator, &child.parents), (Operator::ByHand, &parents), "{name}");
            let line = archive.lineage(child.id).unwrap();
            assert!(parents.iter().all(|parent| line.iter().any(|one| one.id == *parent)), "{name}");
        }
        for (id, seed) in [(0, 1), (1, 2), (47, 3)] {
            assert_eq!(all[id].genome, stranger(seed, Family::Legged), "{name}");
            assert_eq!(all[id].operator, Operator::Immigrant, "{name}");
            assert_eq!(archive.origin_of(&all[id]).unwrap(), Some(format!("other.burgess#{seed}")), "{name}");
        }
        // Whoever was removed is no parent from then on, and no champion.
        for (at, id) in [(60, who(40)), (60, 46), (121, who(50))] {
            let later = all.iter().filter(|one| one.id >= at);
            assert!(later.clone().all(|one| !one.parents.contains(&id)), "{name}: {id}");
            assert!(!archive.fittest(240).unwrap().contains(&id), "{name}");
        }
        let favoured: Vec<&Individual> = all.iter().filter(|one| one.operator == Operator::Favoured).collect();
        assert!(favoured.iter().all(|one| (30..121).contains(&one.id)), "{name}");
        // Five deviations of a binomial count of a quarter of 90.
        assert!((2..43).contains(&favoured.len()), "{name}: {}", favoured.len());
        let parents: BTreeSet<Id> = favoured.iter().flat_map(|one| one.parents.clone()).collect();
        assert_eq!(parents, [who(5), who(50)].into(), "{name}");
        let marks = archive.marks();
        assert_eq!((marks.favourites.len(), marks.removed.len()), (0, 3), "{name}");
    }
}

#[test]
fn a_population_that_is_removed_begins_anew() {
    for (name, config) in all_kinds() {
        let scratch = Scratch::new(&format!("nobody-{}", name.replace([' ', ','], "-")));
        let script: Script = (0..100).map(|id| (100, Intervention::Remove { id })).collect();
        let archive = carried_out(set_up(&config, &script, &scratch), 4, &[], &scratch);
        let all = everybody(&archive);
        let parents: BTreeSet<Id> = all[100..].iter().flat_map(|one| one.parents.clone()).collect();
        assert!(parents.iter().all(|parent| *parent >= 100), "{name}: {parents:?}");
        assert!(all[100..].iter().any(|one| one.operator == Operator::Random), "{name}");
    }
}

/// Asks for things once somebody has been heard of, and waits for the answers.
struct Hand {
    wishes: Vec<(Id, Wish)>,
    steering: Steering,
    steered: Steered,
    asked: Vec<JoinHandle<Answer>>,
    heard: Id,
    /// Evaluations that were heard of while it was to pause.
    during_pause: usize,
}

impl Hand {
    fn new(wishes: Vec<(Id, Wish)>) -> Self {
        let (steering, steered) = Steering::new();
        Self { wishes, steering, steered, asked: Vec::new(), heard: 0, during_pause: 0 }
    }

    /// From another thread, as a person would.
    fn ask(&mut self, wish: Wish) -> Request {
        let steering = self.steering.clone();
        self.asked.push(std::thread::spawn(move || steering.ask(wish)));
        loop {
            match self.steered.request() {
                Some(request) => return request,
                None => std::thread::yield_now(),
            }
        }
    }

    fn answers(self) -> Vec<Answer> {
        drop((self.steering, self.steered));
        self.asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    }
}

impl Onlooker for Hand {
    fn hears(&mut self, news: &News) {
        self.during_pause += usize::from(self.steering.is_paused());
        self.heard = news.id;
    }

    fn request(&mut self) -> Option<Request> {
        if self.wishes.first().is_some_and(|(id, _)| *id <= self.heard) {
            let (_, wish) = self.wishes.remove(0);
            return Some(self.ask(wish));
        }
        None
    }
}

fn live(config: &RunConfig, wishes: Vec<(Id, Wish)>, scratch: &Scratch) -> (Archive, Vec<Answer>) {
    scratch.clear();
    let mut run = Run::new(Archive::create(&scratch.0, config, &[]).unwrap()).unwrap();
    let mut hand = Hand::new(wishes);
    run.advance(&mut Scrambler::new(64), &mut hand).unwrap();
    (run.into_archive(), hand.answers())
}

#[test]
fn what_is_done_to_a_run_under_way_can_be_done_again() {
    for (name, config) in all_kinds() {
        let scratch = Scratch::new(&format!("live-{}", name.replace([' ', ','], "-")));
        let who = |from| scored(&config, from);
        let wishes = [
            (25, Intervention::Favourite { id: who(5), on: true }),
            (40, Intervention::Breed { parents: [who(10), who(21)] }),
            (90, Intervention::Remove { id: who(30) }),
            (110, Intervention::Join { genome: stranger(4, Family::Legged), origin: "somebody.json".to_string() }),
        ];
        let wishes = wishes.map(|(id, what)| (id, Wish::Intervene(what))).to_vec();
        let (archive, answers) = live(&config, wishes, &scratch);
        let children: Vec<Id> = answers.into_iter().filter_map(|answer| answer.unwrap()).collect();
        assert_eq!(archive.individual(children[0]).unwrap().parents, [who(10), who(21)], "{name}");
        assert_eq!(archive.individual(children[1]).unwrap().genome, stranger(4, Family::Legged), "{name}");
        let hash = archive.hash();
        let script: Script = archive.interventions().map(|(at, what)| (at, what.clone())).collect();
        assert_eq!(script.len(), 4, "{name}");
        drop(archive);
        for (capacity, cut_off_at) in [(1, &[][..]), (50, &[100])] {
            let again = carried_out(set_up(&config, &script, &scratch), capacity, cut_off_at, &scratch);
            assert_eq!(again.hash(), hash, "{name}, {capacity}");
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_a_sentence() {
    // Of a generation, all are bred at once.
    let (config, scratch) = (config(kinds().remove(0).1), Scratch::new("refused"));
    let (fine, unscored) = (scored(&config, 0), (0..).find(|id| !is_scored(&config, *id)).unwrap());
    let breed = |one, other| Intervention::Breed { parents: [one, other] };
    let graph = Intervention::Join { genome: stranger(1, Family::Graph), origin: String::new() };
    let wishes = [
        (50, Wish::Intervene(Intervention::Remove { id: 1_000 })),
        (51, Wish::Intervene(breed(fine, unscored))),
        (52, Wish::Intervene(Intervention::Favourite { id: unscored, on: true })),
        (53, Wish::Intervene(graph)),
        (54, Wish::Intervene(Intervention::Remove { id: fine })),
        (55, Wish::Intervene(breed(fine, fine + 1))),
        (56, Wish::Evaluations(10)),
        (57, Wish::Evaluations(300)),
        (290, Wish::Intervene(breed(scored(&config, 60), scored(&config, 70)))),
    ];
    let (archive, answers) = live(&config, wishes.to_vec(), &scratch);
    assert_eq!(archive.count(), 300);
    let sentence = |answer: &Answer| answer.as_ref().err().map(Refusal::to_string).unwrap_or_default();
    let sentences: Vec<String> = answers.iter().map(sentence).collect();
    assert!(sentences[0].starts_with("there is no individual 1000; "), "{sentences:?}");
    assert_eq!(sentences[1], format!("individual {unscored} has no fitness, so that it cannot have children"));
    assert_eq!(sentences[2], sentences[1]);
    assert_eq!(sentences[3], "this run has no graph genomes");
    assert_eq!(answers[4], Ok(None));
    assert_eq!(sentences[5], format!("individual {fine} was removed"));
    assert!(sentences[6].starts_with("10 evaluations: ") && sentences[6].ends_with(" are bred already"));
    assert_eq!(answers[7], Ok(None));
    assert_eq!(sentences[8], "all 300 individuals of this run are bred; let it go on for longer first");
    assert_eq!(archive.interventions().count(), 1);
    // Nobody is there any more.
    let (steering, steered) = Steering::new();
    drop(steered);
    assert_eq!(steering.ask(Wish::Evaluations(1)), Err(Refusal::Over));
}

#[test]
fn in_a_contest_marks_are_all_that_can_be_made() {
    let scratch = Scratch::new("contest");
    let config = RunConfig { task: Task::preset("contest").unwrap(), ..map_elites() };
    let fine = scored(&config, 0);
    let wishes = [
        (20, Intervention::Breed { parents: [fine, fine] }),
        (30, Intervention::Join { genome: stranger(1, Family::Legged), origin: String::new() }),
        (40, Intervention::Favourite { id: fine, on: true }),
        (50, Intervention::Remove { id: scored(&config, fine + 1) }),
    ];
    let (archive, answers) = live(&config, wishes.map(|(id, what)| (id, Wish::Intervene(what))).to_vec(), &scratch);
    assert_eq!(answers, [Err(Refusal::Contest), Err(Refusal::Contest), Ok(None), Ok(None)]);
    assert!(everybody(&archive).iter().all(|one| one.operator != Operator::Favoured));
    let (hash, script) =
        (archive.hash(), archive.interventions().map(|(at, what)| (at, what.clone())).collect::<Script>());
    drop(archive);
    assert_eq!(carried_out(set_up(&config, &script, &scratch), 1, &[70], &scratch).hash(), hash);
}

/// Pauses for a while, and breeds in the middle of it.
struct Pause {
    hand: Hand,
    looks: usize,
}

impl Onlooker for Pause {
    fn hears(&mut self, news: &News) {
        self.hand.during_pause += usize::from(self.hand.steering.is_paused());
        if news.id == 100 {
            self.hand.steering.pause(true);
        }
    }

    fn is_paused(&mut self) -> bool {
        if self.hand.steered.is_paused() {
            self.looks += 1;
            if self.looks == 20 {
                self.hand.steering.pause(false);
            }
        }
        self.hand.steered.is_paused()
    }

    fn request(&mut self) -> Option<Request> {
        let is_time = self.looks == 10 && self.hand.asked.is_empty();
        is_time.then(|| self.hand.ask(Wish::Intervene(Intervention::Breed { parents: [1, 2] })))
    }
}

#[test]
fn during_a_pause_nothing_new_is_evaluated_and_requests_are_answered() {
    let (config, scratch) = (map_elites(), Scratch::new("pause"));
    assert!(is_scored(&config, 1) && is_scored(&config, 2));
    let mut run = Run::new(set_up(&config, &[], &scratch)).unwrap();
    let mut pause = Pause { hand: Hand::new(Vec::new()), looks: 0 };
    run.advance(&mut Scrambler::new(6), &mut pause).unwrap();
    assert!(run.is_done());
    // Those that were under way.
    assert!(pause.hand.during_pause <= 6, "{}", pause.hand.during_pause);
    let answers = pause.hand.answers();
    let [Ok(Some(child))] = answers[..] else { panic!("{answers:?}") };
    let child = run.archive().individual(child).unwrap();
    assert_eq!((child.operator, &child.parents[..]), (Operator::ByHand, &[1, 2][..]));
    assert_eq!(child.result.outcome, if is_scored(&config, child.id) { Ending::Scored } else { Ending::Unviable });
}

#[test]
fn marks_can_be_made_on_a_run_that_is_done_and_count_when_it_goes_on() {
    let (config, scratch) = (map_elites(), Scratch::new("done"));
    let plain = carried_out(set_up(&config, &[], &scratch), 4, &[], &scratch);
    let hash = plain.hash();
    drop(plain);
    let tables = "SELECT count(*) FROM sqlite_master WHERE name = 'interventions'";
    let count = || rusqlite::Connection::open(&scratch.0).unwrap().query_row(tables, [], |row| row.get::<_, i64>(0));
    // As all files before anything could be done by hand.
    assert_eq!(count().unwrap(), 0);
    let (favourite, cheat) = (scored(&config, 20), scored(&config, 30));
    let mut archive = Archive::open(&scratch.0).unwrap();
    archive.mark(&Intervention::Favourite { id: favourite, on: true }).unwrap().unwrap();
    archive.mark(&Intervention::Remove { id: cheat }).unwrap().unwrap();
    assert_eq!(archive.mark(&Intervention::Breed { parents: [0, 1] }).unwrap(), Err(Refusal::Over));
    let unknown = archive.mark(&Intervention::Remove { id: 240 }).unwrap();
    assert_eq!(unknown, Err(Refusal::Unknown { id: 240, count: 240 }));
    drop(archive);
    assert_eq!(count().unwrap(), 1);
    let mut read = Archive::look(&scratch.0).unwrap();
    read.check().unwrap();
    assert_eq!(read.hash(), hash);
    assert!(read.marks().favourites.contains(&favourite) && read.marks().removed.contains(&cheat));
    drop(read);
    let archive = Archive::open(&scratch.0).unwrap();
    archive.extend(300).unwrap();
    let archive = carried_out(archive, 3, &[250], &scratch);
    let all = everybody(&archive);
    assert!(all[240..].iter().any(|one| one.operator == Operator::Favoured && one.parents.contains(&favourite)));
    assert!(all[240..].iter().all(|one| !one.parents.contains(&cheat)));
}

#[test]
fn damage_is_noticed() {
    let (config, scratch) = (map_elites(), Scratch::new("damage"));
    let changes = [
        "UPDATE interventions SET one = one + 1 WHERE number = 2",
        "UPDATE interventions SET at = at + 1 WHERE number = 11",
        "UPDATE interventions SET origin = 'elsewhere' WHERE number = 0",
        "UPDATE interventions SET genome = NULL WHERE number = 1",
        "UPDATE interventions SET what = 'remove' WHERE number = 2",
        "DELETE FROM interventions WHERE number = 3",
        "DELETE FROM interventions WHERE number = 11",
        "DROP TABLE interventions",
    ];
    drop(carried_out(set_up(&config, &script(&config), &scratch), 4, &[], &scratch));
    let whole = std::fs::read(&scratch.0).unwrap();
    for change in changes {
        std::fs::write(&scratch.0, &whole).unwrap();
        rusqlite::Connection::open(&scratch.0).unwrap().execute_batch(change).unwrap();
        let read = Archive::look(&scratch.0).and_then(|mut archive| archive.check());
        assert!(matches!(read, Err(ArchiveError::Damaged { .. })), "{change}: {read:?}");
        let gone_on = Archive::open(&scratch.0)
            .map_err(RunError::from)
            .and_then(Run::new)
            .and_then(|mut run| run.advance(&mut Scrambler::new(4), &mut |_: &News| ()));
        assert!(matches!(gone_on, Err(RunError::Archive(ArchiveError::Damaged { .. }))), "{change}: {gone_on:?}");
    }
    std::fs::write(&scratch.0, &whole).unwrap();
    let mut archive = Archive::open(&scratch.0).unwrap();
    archive.check().unwrap();
    let refused = archive.intervene(100, &Intervention::Remove { id: 1 });
    assert!(matches!(refused, Err(ArchiveError::OutOfOrder(100))), "{refused:?}");
}
