//! The way from a person to a run under way: requests that are answered, and a pause.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};

use crate::individual::Id;
use crate::intervention::{Intervention, Refusal};

/// What a person wishes of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Something that becomes a part of it.
    Intervene(Intervention),
    /// It is to go on until so many are evaluated, which changes nothing in what it does until then.
    Evaluations(u64),
}

/// The number of whoever is born by it, if anybody is.
pub type Answer = Result<Option<Id>, Refusal>;

/// A wish whose answer is waited for.
#[derive(Debug)]
pub struct Request {
    /// What is wished.
    pub wish: Wish,
    answer: SyncSender<Answer>,
}

impl Request {
    /// Tells whoever waits. One that is dropped without an answer is refused as [`Refusal::Over`].
    pub fn answer(self, answer: Answer) {
        // Whoever has stopped waiting does not hear it.
        let _ = self.answer.send(answer);
    }
}

/// A handle on a run under way, for as many hands as there are.
#[derive(Debug, Clone)]
pub struct Steering {
    requests: Sender<Request>,
    paused: Arc<AtomicBool>,
}

/// An answer that may not be there yet.
#[derive(Debug)]
pub struct Pending(Receiver<Answer>);

impl Pending {
    /// The answer, once it is there.
    pub fn answer(&self) -> Option<Answer> {
        match self.0.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Refusal::Over)),
        }
    }
}

/// The other end, for the [`Onlooker`](crate::Onlooker) of the run.
#[derive(Debug)]
pub struct Steered {
    requests: Receiver<Request>,
    paused: Arc<AtomicBool>,
}

impl Steering {
    /// Both ends.
    pub fn new() -> (Self, Steered) {
        let (sender, receiver) = channel();
        let paused = Arc::new(AtomicBool::new(false));
        (Self { requests: sender, paused: Arc::clone(&paused) }, Steered { requests: receiver, paused })
    }

    /// Waits until it is done, or refused.
    pub fn ask(&self, wish: Wish) -> Answer {
        self.request(wish).0.recv().unwrap_or(Err(Refusal::Over))
    }

    /// Asks, and does not wait.
    pub fn request(&self, wish: Wish) -> Pending {
        let (answer, answered) = sync_channel(1);
        // A request that does not arrive is dropped, and so refused.
        let _ = self.requests.send(Request { wish, answer });
        Pending(answered)
    }

    /// Nothing new is evaluated until it is to go on. This is no part of the run.
    pub fn pause(&self, is_paused: bool) {
        self.paused.store(is_paused, Ordering::Relaxed);
    }

    /// Was it told to pause?
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }
}

impl Steered {
    /// The next one, if there is any.
    pub fn request(&self) -> Option<Request> {
        self.requests.try_recv().ok()
    }

    /// Was it told to pause?
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }
}
