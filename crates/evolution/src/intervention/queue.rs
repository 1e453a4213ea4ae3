//! The queue of interventions from a person to a running run, with a result for each, and a pause.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};

use super::{Intervention, Refusal};
use crate::individual::Id;

/// What can be requested of a running run.
#[derive(Debug, Clone, PartialEq)]
pub enum InterventionRequest {
    /// Apply an intervention, which becomes part of the run's hash.
    Apply(Intervention),
    /// Change how many individuals the run evaluates in all. This does not affect what it does until then.
    SetEvaluations(u64),
}

/// Result of a request: the id of the individual that was born by it, if any.
pub type InterventionResult = Result<Option<Id>, Refusal>;

/// A request in the queue, whose sender waits for the result.
#[derive(Debug)]
pub struct QueuedIntervention {
    /// What is requested.
    pub request: InterventionRequest,
    result: SyncSender<InterventionResult>,
}

impl QueuedIntervention {
    /// Sends the result. If this is dropped without a result, the sender gets [`Refusal::Over`].
    pub fn complete(self, result: InterventionResult) {
        // The sender may have stopped waiting.
        let _ = self.result.send(result);
    }
}

/// The sending end of the queue. Clones share the queue and the pause.
#[derive(Debug, Clone)]
pub struct InterventionSender {
    queue: Sender<QueuedIntervention>,
    paused: Arc<AtomicBool>,
}

/// A result that may not have arrived yet.
#[derive(Debug)]
pub struct PendingIntervention(Receiver<InterventionResult>);

impl PendingIntervention {
    /// Returns the result, if it has arrived.
    pub fn result(&self) -> Option<InterventionResult> {
        match self.0.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Refusal::Over)),
        }
    }
}

/// The receiving end of the queue, for the [`Observer`](crate::Observer) of the run.
#[derive(Debug)]
pub struct InterventionReceiver {
    queue: Receiver<QueuedIntervention>,
    paused: Arc<AtomicBool>,
}

impl InterventionSender {
    /// Creates a queue and returns both ends.
    pub fn new() -> (Self, InterventionReceiver) {
        let (sender, receiver) = channel();
        let paused = Arc::new(AtomicBool::new(false));
        (Self { queue: sender, paused: Arc::clone(&paused) }, InterventionReceiver { queue: receiver, paused })
    }

    /// Sends a request and waits for its result.
    pub fn send_and_wait(&self, request: InterventionRequest) -> InterventionResult {
        self.send(request).0.recv().unwrap_or(Err(Refusal::Over))
    }

    /// Sends a request without waiting for its result.
    pub fn send(&self, request: InterventionRequest) -> PendingIntervention {
        let (result, receiver) = sync_channel(1);
        // Without a receiver the request is dropped, which refuses it.
        let _ = self.queue.send(QueuedIntervention { request, result });
        PendingIntervention(receiver)
    }

    /// Pauses or resumes the run. While it is paused, no new evaluation starts. A pause is not part of the run's hash.
    pub fn pause(&self, is_paused: bool) {
        self.paused.store(is_paused, Ordering::Relaxed);
    }

    /// Returns whether the run is paused.
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }
}

impl InterventionReceiver {
    /// Returns the next request, if there is one.
    pub fn next(&self) -> Option<QueuedIntervention> {
        self.queue.try_recv().ok()
    }

    /// Returns whether the run is paused.
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }
}
