//! Interventions in a running run: they are recorded, refused with a message, and handled during a pause.

use std::thread::JoinHandle;

use crate::common::formula_runs::*;
use crate::common::*;
use crate::interventions::*;
use burgess_creature::Family;
use burgess_creature::task::Task;
use burgess_evolution::{
    Archive, Id, Intervention, InterventionReceiver, InterventionRequest, InterventionResult, InterventionSender,
    Observer, Operator, OutcomeKind, QueuedIntervention, RecordedResult, Refusal, Run, RunConfig,
};

/// Sends requests once an individual is recorded, and waits for the results.
struct Requester {
    requests: Vec<(Id, InterventionRequest)>,
    sender: InterventionSender,
    receiver: InterventionReceiver,
    asked: Vec<JoinHandle<InterventionResult>>,
    recorded: Id,
    /// Number of results that were recorded during the pause.
    during_pause: usize,
}

impl Requester {
    fn new(requests: Vec<(Id, InterventionRequest)>) -> Self {
        let (sender, receiver) = InterventionSender::new();
        Self { requests, sender, receiver, asked: Vec::new(), recorded: 0, during_pause: 0 }
    }

    /// Sends from another thread, as a user interface would.
    fn ask(&mut self, request: InterventionRequest) -> QueuedIntervention {
        let sender = self.sender.clone();
        self.asked.push(std::thread::spawn(move || sender.send_and_wait(request)));
        loop {
            match self.receiver.next() {
                Some(request) => return request,
                None => std::thread::yield_now(),
            }
        }
    }

    fn results(self) -> Vec<InterventionResult> {
        drop((self.sender, self.receiver));
        self.asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    }
}

impl Observer for Requester {
    fn on_result(&mut self, news: &RecordedResult) {
        self.during_pause += usize::from(self.sender.is_paused());
        self.recorded = news.id;
    }

    fn next_intervention(&mut self) -> Option<QueuedIntervention> {
        if self.requests.first().is_some_and(|(id, _)| *id <= self.recorded) {
            let (_, request) = self.requests.remove(0);
            return Some(self.ask(request));
        }
        None
    }
}

fn live(
    config: &RunConfig,
    requests: Vec<(Id, InterventionRequest)>,
    scratch: &Scratch,
) -> (Archive, Vec<InterventionResult>) {
    scratch.clear();
    let mut run = Run::new(Archive::create(&scratch.0, config, &[]).unwrap()).unwrap();
    let mut requester = Requester::new(requests);
    run.advance(&mut Scrambler::new(64), &mut requester).unwrap();
    (run.into_archive(), requester.results())
}

#[test]
fn interventions_in_a_live_run_can_be_repeated() {
    for (name, config) in all_kinds() {
        let scratch = Scratch::new(&format!("live-{}", name.replace([' ', ','], "-")));
        let who = |from| scored(&config, from);
        let requests = [
            (25, Intervention::Favourite { id: who(5), on: true }),
            (40, Intervention::Breed { parents: [who(10), who(21)] }),
            (90, Intervention::Remove { id: who(30) }),
            (
                110,
                Intervention::Join { genome: foreign_genome(4, Family::Legged), origin: "somebody.json".to_string() },
            ),
        ];
        let requests = requests.map(|(id, what)| (id, InterventionRequest::Apply(what))).to_vec();
        let (archive, results) = live(&config, requests, &scratch);
        let children: Vec<Id> = results.into_iter().filter_map(|answer| answer.unwrap()).collect();
        assert_eq!(archive.individual(children[0]).unwrap().parents, [who(10), who(21)], "{name}");
        assert_eq!(archive.individual(children[1]).unwrap().genome, foreign_genome(4, Family::Legged), "{name}");
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
fn impossible_interventions_are_refused_with_a_message() {
    // A whole generation is bred at once.
    let (config, scratch) = (config(kinds().remove(0).1), Scratch::new("refused"));
    let (fine, unscored) = (scored(&config, 0), (0..).find(|id| !is_scored(&config, *id)).unwrap());
    let breed = |one, other| Intervention::Breed { parents: [one, other] };
    let graph = Intervention::Join { genome: foreign_genome(1, Family::Graph), origin: String::new() };
    let requests = [
        (50, InterventionRequest::Apply(Intervention::Remove { id: 1_000 })),
        (51, InterventionRequest::Apply(breed(fine, unscored))),
        (52, InterventionRequest::Apply(Intervention::Favourite { id: unscored, on: true })),
        (53, InterventionRequest::Apply(graph)),
        (54, InterventionRequest::Apply(Intervention::Remove { id: fine })),
        (55, InterventionRequest::Apply(breed(fine, fine + 1))),
        (56, InterventionRequest::SetEvaluations(10)),
        (57, InterventionRequest::SetEvaluations(300)),
        (290, InterventionRequest::Apply(breed(scored(&config, 60), scored(&config, 70)))),
    ];
    let (archive, results) = live(&config, requests.to_vec(), &scratch);
    assert_eq!(archive.count(), 300);
    let sentence = |answer: &InterventionResult| answer.as_ref().err().map(Refusal::to_string).unwrap_or_default();
    let sentences: Vec<String> = results.iter().map(sentence).collect();
    assert!(sentences[0].starts_with("there is no individual 1000; "), "{sentences:?}");
    assert_eq!(sentences[1], format!("individual {unscored} has no fitness, so it cannot have children"));
    assert_eq!(sentences[2], sentences[1]);
    assert_eq!(sentences[3], "this run has no graph genomes");
    assert_eq!(results[4], Ok(None));
    assert_eq!(sentences[5], format!("individual {fine} was removed"));
    assert!(sentences[6].starts_with("10 evaluations: ") && sentences[6].ends_with(" are bred already"));
    assert_eq!(results[7], Ok(None));
    assert_eq!(sentences[8], "all 300 individuals of this run are bred; raise its number of evaluations first");
    assert_eq!(archive.interventions().count(), 1);
    // The receiver is gone.
    let (sender, receiver) = InterventionSender::new();
    drop(receiver);
    assert_eq!(sender.send_and_wait(InterventionRequest::SetEvaluations(1)), Err(Refusal::Over));
}

#[test]
fn in_a_contest_only_marks_are_accepted() {
    let scratch = Scratch::new("contest");
    let config = RunConfig { task: Task::preset("contest").unwrap(), ..map_elites() };
    let fine = scored(&config, 0);
    let requests = [
        (20, Intervention::Breed { parents: [fine, fine] }),
        (30, Intervention::Join { genome: foreign_genome(1, Family::Legged), origin: String::new() }),
        (40, Intervention::Favourite { id: fine, on: true }),
        (50, Intervention::Remove { id: scored(&config, fine + 1) }),
    ];
    let (archive, results) =
        live(&config, requests.map(|(id, what)| (id, InterventionRequest::Apply(what))).to_vec(), &scratch);
    assert_eq!(results, [Err(Refusal::Contest), Err(Refusal::Contest), Ok(None), Ok(None)]);
    assert!(all_individuals(&archive).iter().all(|one| one.operator != Operator::Favoured));
    let (hash, script) =
        (archive.hash(), archive.interventions().map(|(at, what)| (at, what.clone())).collect::<Script>());
    drop(archive);
    assert_eq!(carried_out(set_up(&config, &script, &scratch), 1, &[70], &scratch).hash(), hash);
}

/// Pauses for a while, and breeds during the pause.
struct Pause {
    requester: Requester,
    looks: usize,
}

impl Observer for Pause {
    fn on_result(&mut self, news: &RecordedResult) {
        self.requester.during_pause += usize::from(self.requester.sender.is_paused());
        if news.id == 100 {
            self.requester.sender.pause(true);
        }
    }

    fn is_paused(&mut self) -> bool {
        if self.requester.receiver.is_paused() {
            self.looks += 1;
            if self.looks == 20 {
                self.requester.sender.pause(false);
            }
        }
        self.requester.receiver.is_paused()
    }

    fn next_intervention(&mut self) -> Option<QueuedIntervention> {
        let is_time = self.looks == 10 && self.requester.asked.is_empty();
        is_time.then(|| self.requester.ask(InterventionRequest::Apply(Intervention::Breed { parents: [1, 2] })))
    }
}

#[test]
fn during_a_pause_nothing_new_is_evaluated_and_requests_are_answered() {
    let (config, scratch) = (map_elites(), Scratch::new("pause"));
    assert!(is_scored(&config, 1) && is_scored(&config, 2));
    let mut run = Run::new(set_up(&config, &[], &scratch)).unwrap();
    let mut pause = Pause { requester: Requester::new(Vec::new()), looks: 0 };
    run.advance(&mut Scrambler::new(6), &mut pause).unwrap();
    assert!(run.is_done());
    // These evaluations were in flight when the pause began.
    assert!(pause.requester.during_pause <= 6, "{}", pause.requester.during_pause);
    let results = pause.requester.results();
    let [Ok(Some(child))] = results[..] else { panic!("{results:?}") };
    let child = run.archive().individual(child).unwrap();
    assert_eq!((child.operator, &child.parents[..]), (Operator::Manual, &[1, 2][..]));
    assert_eq!(
        child.result.outcome,
        if is_scored(&config, child.id) { OutcomeKind::Scored } else { OutcomeKind::Unviable }
    );
}
