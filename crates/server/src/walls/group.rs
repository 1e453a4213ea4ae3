//! The walls of a server: windows join and leave, their messages reach the lock and the session, and the lock's orders
//! reach the windows. A lock is held only for short, never across a wait.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::ws::Message;
use burgess_files::write_atomically;
use burgess_walls::message::{WallCommand, WallMessage};
use burgess_walls::objects::Motion;
use burgess_walls::tracking::Tracking;
use burgess_walls::{CaveText, WallId};
use tokio::sync::{Notify, mpsc};
use tokio::time::sleep_until;

use super::cave_state::{CaveState, Window};
use super::flow::ShownFlow;
use super::menu::Menu;
use crate::flows::Flows;
use crate::hub::Hub;
use crate::session::{OpenRequest, Session, Source};

/// Number of messages that wait for a window before its socket is closed.
const MAX_WAITING_MESSAGES: usize = 64;
/// Name of the file in the run directory for a cave that was chosen on the page.
const FILE_NAME: &str = "cave.toml";

/// The walls of a server.
#[derive(Debug)]
pub struct Walls {
    start: Instant,
    cave: Mutex<Option<CaveState>>,
    changed: Notify,
    next_window: Mutex<WallId>,
    folder: PathBuf,
    /// Address of the page for other machines, with the token.
    address: OnceLock<String>,
}

/// A window that has joined.
#[derive(Debug)]
pub(super) struct Joined {
    pub id: WallId,
    pub messages: mpsc::Receiver<Message>,
    /// The session that the walls show, for the window's own commands.
    pub session: Option<Arc<Session>>,
}

impl Walls {
    pub(crate) fn new(folder: &Path) -> Self {
        let (changed, next_window) = (Notify::new(), Mutex::new(1));
        let (folder, address) = (folder.to_path_buf(), OnceLock::new());
        Self { start: Instant::now(), cave: Mutex::default(), changed, next_window, folder, address }
    }

    /// Sets the address of the page for other machines.
    pub(crate) fn set_address(&self, address: String) {
        // A server has one address.
        let _ = self.address.set(address);
    }

    pub(super) fn address(&self) -> Option<String> {
        self.address.get().cloned()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Option<CaveState>> {
        self.cave.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The server's clock, which wall frames refer to.
    pub(super) fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Opens a cave whose changes are saved in its file. Windows of the cave before connect again.
    pub fn open(&self, text: CaveText, file: PathBuf) {
        let mut cave = self.lock();
        if let Some(before) = &*cave {
            before.say(&WallMessage::Restart { why: "another cave was chosen".to_string() });
        }
        let mut state = CaveState::new(text, file);
        if let Some(CaveState { shown, flow, .. }) = cave.take() {
            // A session that has ended meanwhile is not shown.
            let _ = shown.map(|shown| state.show(shown.session));
            let _ = flow.map(|flow| state.show_flow(flow));
        }
        *cave = Some(state);
        drop(cave);
        self.changed.notify_one();
    }

    /// Opens a cave that was chosen on the page. Its changes are saved in the run directory.
    pub(super) fn choose(&self, text: CaveText) -> Result<(), String> {
        let file = self.folder.join(FILE_NAME);
        let save = std::fs::create_dir_all(&self.folder).and_then(|()| write_atomically(&file, text.text.as_bytes()));
        save.map_err(|error| format!("{FILE_NAME} cannot be written to the run directory: {error}"))?;
        self.open(text, file);
        Ok(())
    }

    /// Shows a session on the walls. Windows connect again.
    pub fn show(&self, session: Arc<Session>) -> Result<(), String> {
        let mut cave = self.lock();
        let cave = cave.as_mut().ok_or("there is no cave: choose one at /cave, or start with --cave FILE")?;
        cave.show(session)?;
        cave.say(&WallMessage::Restart { why: "the walls show another world".to_string() });
        Ok(())
    }

    /// Shows a history of vortex tubes on the walls. Windows connect again.
    pub fn show_flow(&self, flows: &Flows, id: &str) -> Result<(), String> {
        let steps = flows.steps(id).map_err(|error| error.error)?;
        let mut cave = self.lock();
        let cave = cave.as_mut().ok_or("there is no cave: choose one at /cave, or start with --cave FILE")?;
        cave.show_flow(ShownFlow::new(steps));
        cave.say(&WallMessage::Restart { why: "the walls show a flow".to_string() });
        Ok(())
    }

    /// Tells all windows why something that was chosen in the menu was refused.
    pub(super) fn refuse(&self, why: String) {
        tracing::warn!("the menu of the walls: {why}");
        if let Some(cave) = &*self.lock() {
            cave.say(&WallMessage::Refused { why });
        }
    }

    /// Adds a window; or returns a sentence that says why not.
    pub(super) fn join(&self, name: &str, peer: SocketAddr) -> Result<Joined, String> {
        let mut cave = self.lock();
        let cave = cave.as_mut().ok_or("there is no cave: choose one at /cave, or start with --cave FILE")?;
        let names: Vec<_> = cave.text.cave.walls.iter().map(|wall| wall.name.as_str()).collect();
        let unknown =
            || format!("the cave '{}' has no wall '{name}'; it has {}", cave.text.cave.name, names.join(", "));
        let welcome = cave.welcome(name).ok_or_else(unknown)?;
        if let Some(other) = cave.windows.values().find(|window| window.name == name) {
            let place =
                if other.peer.ip() == peer.ip() { "of this machine".to_string() } else { other.peer.ip().to_string() };
            return Err(format!("another window {place} shows the wall '{name}'; close it, or open another wall"));
        }
        let id = {
            let mut next = self.next_window.lock().unwrap_or_else(PoisonError::into_inner);
            *next = next.wrapping_add(1);
            *next
        };
        let (sender, messages) = mpsc::channel(MAX_WAITING_MESSAGES);
        let _ = sender.try_send(Message::Text(welcome.to_json().into()));
        let motion = Motion::default();
        cave.windows.insert(id, Window { name: name.to_string(), peer, messages: sender, motion, shown: None });
        let (now, mut orders) = (self.now(), Vec::new());
        cave.lock.join(id, now, &mut orders);
        cave.obey(&orders, now);
        tracing::info!("the wall '{name}' was opened at {peer}");
        let session = cave.shown.as_ref().map(|shown| Arc::clone(&shown.session));
        self.changed.notify_one();
        Ok(Joined { id, messages, session })
    }

    /// Removes a window.
    pub(super) fn leave(&self, id: WallId) {
        let mut cave = self.lock();
        let Some(cave) = cave.as_mut() else { return };
        if let Some(window) = cave.windows.remove(&id) {
            tracing::info!("the wall '{}' was closed at {}", window.name, window.peer);
        }
        cave.menu.forget(id);
        let (now, mut orders) = (self.now(), Vec::new());
        cave.lock.leave(id, now, &mut orders);
        cave.obey(&orders, now);
        self.changed.notify_one();
    }

    /// Handles a message of a window; or returns a sentence that says what is wrong with it. The answer is the name of a
    /// scene or creature that was chosen in the menu and must be opened.
    pub(super) fn handle(&self, id: WallId, command: WallCommand) -> Result<Option<String>, String> {
        let now = self.now();
        let mut guard = self.lock();
        let Some(cave) = guard.as_mut().filter(|cave| cave.windows.contains_key(&id)) else { return Ok(None) };
        let (mut orders, mut chosen) = (Vec::new(), None);
        match command {
            WallCommand::Ready { frame } => {
                cave.lock.ready(id, frame, now, &mut orders).map_err(|error| error.to_string())?;
            }
            WallCommand::Shown { frame, time } => {
                cave.lock.shown(id, frame, now, &mut orders).map_err(|error| error.to_string())?;
                if let Some(window) = cave.windows.get_mut(&id) {
                    window.shown = Some((frame, time, now));
                }
            }
            WallCommand::Ping { sent } => {
                let pong = WallMessage::Pong { sent, server: now.as_secs_f64() }.to_json();
                if let Some(window) = cave.windows.get(&id) {
                    let _ = window.messages.try_send(Message::Text(pong.into()));
                }
            }
            WallCommand::Move { .. } => {
                if let (Some(window), Some(motion)) = (cave.windows.get_mut(&id), command.motion()) {
                    window.motion = motion;
                }
            }
            WallCommand::Corners { corners } => {
                let name = cave.windows.get(&id).map(|window| window.name.clone()).unwrap_or_default();
                let text = cave.text.with_corners(&name, corners)?;
                self.save(cave, text)?;
            }
            WallCommand::Menu { open } => {
                let wall = cave.windows.get(&id).and_then(|window| cave.text.cave.wall(&window.name));
                match wall.filter(|_| open) {
                    Some(wall) => {
                        let Menu { layout, view, .. } = &mut cave.menu;
                        view.open_before(&wall.rectangle(), cave.user.head.position, layout);
                    }
                    None => cave.menu.view.open = false,
                }
            }
            WallCommand::Point { .. } => {
                let action = command.pointing().and_then(|now| cave.menu.point(id, now));
                chosen = action.and_then(|action| cave.press(action));
            }
        }
        cave.obey(&orders, now);
        // The time of the next order may be earlier now.
        self.changed.notify_one();
        Ok(chosen)
    }

    /// Saves a changed cave in its file.
    pub(super) fn save(&self, cave: &mut CaveState, text: CaveText) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{} cannot be written: {error}", cave.text.file);
        write_atomically(&cave.file, text.text.as_bytes()).map_err(failed)?;
        cave.text = text;
        Ok(())
    }

    /// Takes a report of a tracker. The answer is the name of a scene or creature that was chosen in the menu and must be
    /// opened.
    pub(super) fn track(&self, tracking: &Tracking) -> Result<Option<String>, String> {
        tracking.check()?;
        let mut guard = self.lock();
        let cave = guard.as_mut().ok_or("there is no cave: choose one at /cave, or start with --cave FILE")?;
        tracking.apply(&cave.text.cave, &mut cave.user);
        cave.tracking = Some(tracking.clone());
        let CaveState { shown, room, user, menu, .. } = cave;
        let mut actions = Vec::new();
        if let (Some(shown), Some(hands)) = (shown, &tracking.hands) {
            actions = shown.hands.act(&shown.session, room, user, hands, menu);
        }
        Ok(actions.into_iter().fold(None, |chosen, action| cave.press(action).or(chosen)))
    }

    /// Does what is due, and returns when to do so again.
    fn advance(&self) -> Option<Instant> {
        let now = self.now();
        let mut guard = self.lock();
        let cave = guard.as_mut()?;
        if cave.shown.as_ref().is_some_and(|shown| shown.session.is_over()) {
            cave.shown = None;
            cave.say(&WallMessage::Restart { why: "the world that the walls showed was closed".to_string() });
        }
        let mut orders = Vec::new();
        cave.lock.advance(now, &mut orders);
        cave.obey(&orders, now);
        cave.lock.next_wake().map(|wake| self.start + wake)
    }
}

/// Opens a scene or creature that was chosen in the menu, and shows it on the walls.
pub(super) async fn show_chosen(hub: &Arc<Hub>, name: String) -> Result<(), String> {
    let (sessions, library) = (hub.sessions.clone(), hub.library.clone());
    let request = OpenRequest::of(Source::built_in(name));
    let opened = hub.heavy(move || sessions.open(request, &library)).await.map_err(|error| error.error)?;
    hub.walls.show(opened.map_err(|error| error.to_string())?)
}

/// Drives the lock until the server stops.
pub(crate) async fn drive(hub: Arc<Hub>) {
    let mut closing = hub.closing();
    loop {
        let wake = hub.walls.advance();
        let sleep = async {
            match wake {
                Some(wake) => sleep_until(wake.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = hub.walls.changed.notified() => {}
            () = sleep => {}
        }
    }
}
