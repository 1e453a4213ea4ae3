//! The open cave: its windows, the lock, what is shown, and the contents of the current frame.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes};
use burgess_walls::frame::{NetworkObject, Part, WallFrame};
use burgess_walls::menu::MenuAction;
use burgess_walls::message::{ObjectVersion, WallMessage, Welcome};
use burgess_walls::objects::{Motion, Pose, Room, User, WORLD};
use burgess_walls::tracking::Tracking;
use burgess_walls::{CaveText, FrameLock, Lock, LockMode, LockSettings, Order, PROTOCOL_VERSION, WallId};
use bytes::Bytes;
use glam::{DQuat, DVec3};
use serde_json::Value;
use tokio::sync::mpsc;

use super::flow::ShownFlow;
use super::hands::Hands;
use super::menu::Menu;
use super::user_body::FollowedBody;
use crate::session::{Session, Viewer};

/// Longest time between two frames that counts for the motion of the room, in s.
const MAX_MOTION_TIME: f64 = 0.25;
/// Distance of the viewer from the world's bodies at the start, in m.
const START_DISTANCE: f64 = 1.5;

/// A window that shows a wall.
#[derive(Debug)]
pub(super) struct Window {
    pub name: String,
    pub peer: SocketAddr,
    pub messages: mpsc::Sender<Message>,
    pub motion: Motion,
    /// The frame that the window reported last, its animation frame's time by its clock in ms, and the time of the report.
    pub shown: Option<(u64, f64, Duration)>,
}

impl Window {
    fn say(&self, message: &WallMessage) {
        // The lock sends a window few frames ahead; a full queue means that the socket is about to close.
        let _ = self.messages.try_send(Message::Text(Utf8Bytes::from(message.to_json())));
    }
}

/// The session that the walls show.
#[derive(Debug)]
pub(super) struct Shown {
    pub session: Arc<Session>,
    pub viewer: Viewer,
    pub hands: Hands,
    pub body: FollowedBody,
}

/// The open cave.
#[derive(Debug)]
pub(super) struct CaveState {
    pub text: CaveText,
    /// The file in which changes are saved.
    pub file: PathBuf,
    pub lock: FrameLock,
    pub windows: BTreeMap<WallId, Window>,
    pub shown: Option<Shown>,
    pub flow: Option<ShownFlow>,
    pub room: Room,
    pub user: User,
    pub menu: Menu,
    /// The last report of a tracker, in its own axes.
    pub tracking: Option<Tracking>,
    pub setup: bool,
    moved_at: Duration,
    frame: Contents,
}

/// The objects of the current frame, and the encoded frames.
#[derive(Debug, Default)]
struct Contents {
    number: u64,
    parts: Vec<Part>,
    /// Whether each part differs from that of the frame before.
    changed: Vec<bool>,
    encoded: [Option<Bytes>; 2],
}

impl CaveState {
    /// A cave without windows.
    pub fn new(text: CaveText, file: PathBuf) -> Self {
        let mode = match text.cave.lock {
            Lock::Commit => LockMode::Commit,
            Lock::Timed => LockMode::Timed,
        };
        let lock = FrameLock::new(LockSettings { period: Duration::from_secs_f64(text.cave.period), mode });
        let head = Pose { position: text.cave.eye(), orientation: DQuat::IDENTITY };
        let mut menu = Menu::default();
        menu.view.body = text.cave.body;
        let mut state = Self {
            text,
            file,
            lock,
            windows: BTreeMap::new(),
            shown: None,
            flow: None,
            room: Room::default(),
            user: User { head, hands: Vec::new() },
            menu,
            tracking: None,
            setup: false,
            moved_at: Duration::ZERO,
            frame: Contents::default(),
        };
        state.place_room();
        state
    }

    /// Shows a session, from the start pose.
    pub fn show(&mut self, session: Arc<Session>) -> Result<(), String> {
        let viewer = session.join().ok_or("the session has too many viewers, or it is closed")?;
        // People have legs and arms only if somebody asks for them.
        let _ = viewer.command(r#"{"do": "overlays", "overlays": ["figures"]}"#);
        self.shown = Some(Shown { session, viewer, hands: Hands::default(), body: FollowedBody::default() });
        self.flow = None;
        self.place_room();
        Ok(())
    }

    /// Shows a flow instead of a session.
    pub fn show_flow(&mut self, flow: ShownFlow) {
        (self.shown, self.flow) = (None, Some(flow));
        self.room = Room::default();
        self.place_room();
    }

    /// Moves the room to its start pose: that of the file, or in front of the world's bodies.
    fn place_room(&mut self) {
        if let Some(start) = self.text.cave.start {
            self.room = Room { position: DVec3::from_array(start.position), heading: start.heading.to_radians() };
            return;
        }
        let Some(shown) = &self.shown else { return };
        let appearance: Value = serde_json::from_slice(&shown.session.appearance()).unwrap_or_default();
        let corner = |name: &str| {
            let corner = |axis: usize| appearance["box"][name][axis].as_f64().unwrap_or(0.0);
            DVec3::new(corner(0), corner(1), corner(2))
        };
        let (low, high) = (corner("min"), corner("max"));
        let height = if appearance["ground"] == true { 0.0 } else { low.z };
        let position = DVec3::new(0.5 * (low.x + high.x), low.y - START_DISTANCE, height);
        self.room = Room { position, heading: 0.0 };
    }

    /// The first message to a window.
    pub fn welcome(&self, name: &str) -> Option<WallMessage> {
        let place = self.text.cave.walls.iter().position(|wall| wall.name == name)?;
        Some(WallMessage::Welcome(Box::new(Welcome {
            version: PROTOCOL_VERSION,
            wall: self.text.cave.walls[place].clone(),
            number: place + 1,
            cave: self.text.cave.clone(),
            session: self.shown.as_ref().map(|shown| shown.session.id().to_string()),
            flow: self.flow.as_ref().map(|flow| flow.title().to_string()),
            setup: self.setup,
            objects: ObjectVersion::all(),
            menu: self.menu.layout.clone(),
        })))
    }

    /// Sends a message to all windows.
    pub fn say(&self, message: &WallMessage) {
        self.windows.values().for_each(|window| window.say(message));
    }

    /// Sends what the lock orders.
    pub fn obey(&mut self, orders: &[Order], now: Duration) {
        for order in orders {
            match *order {
                Order::Prepare { wall, frame, key, show_at } => {
                    if self.frame.number != frame {
                        self.capture(frame, now);
                    }
                    let bytes = self.frame.encode(key, show_at.map_or(0.0, |time| time.as_secs_f64()));
                    if let Some(window) = self.windows.get(&wall) {
                        let _ = window.messages.try_send(Message::Binary(bytes));
                    }
                }
                Order::Commit { wall, frame, locked } => {
                    self.tell(wall, &WallMessage::Commit { frame, locked, time: now.as_secs_f64() });
                }
                Order::Late { wall } => self.tell(wall, &WallMessage::Lock { locked: false }),
                Order::Locked { wall } => self.tell(wall, &WallMessage::Lock { locked: true }),
            }
        }
    }

    fn tell(&self, wall: WallId, message: &WallMessage) {
        if let Some(window) = self.windows.get(&wall) {
            window.say(message);
        }
    }

    /// Does what was pressed in the menu. Returns the name of a scene or creature that must be opened.
    pub fn press(&mut self, action: MenuAction) -> Option<String> {
        if action == MenuAction::Body(false)
            && let Some(shown) = &mut self.shown
        {
            shown.body.forget();
        }
        if let Some(flow) = &mut self.flow {
            flow.act(&action);
        }
        self.menu.act(action, self.shown.as_ref())
    }

    /// Takes the objects of a new frame: the newest frame of the session, the room, the user and the menu.
    fn capture(&mut self, number: u64, now: Duration) {
        let time = now.saturating_sub(self.moved_at).as_secs_f64().min(MAX_MOTION_TIME);
        self.moved_at = now;
        let motion = self.windows.values().fold(Motion::default(), |sum, window| sum.plus(&window.motion));
        if !motion.is_still() {
            self.room.travel(&motion, self.user.head.position, self.text.cave.speed, time);
        }
        let mut parts = Vec::new();
        self.menu.refresh(self.shown.as_ref(), self.flow.as_ref());
        parts.extend(self.flow.as_mut().map(|flow| flow.part(now)));
        if let Some(shown) = &mut self.shown {
            let mut body = std::mem::take(&mut shown.body);
            if self.menu.view.body {
                body.follow(shown, &self.room, &self.user, now);
            }
            shown.body = body;
            let bytes = shown.viewer.frames.borrow().to_vec();
            parts.push(Part { name: WORLD.0.to_string(), version: WORLD.1, bytes });
        }
        parts.extend([self.room.part(), self.user.part(), self.menu.view.part()]);
        let follows = self.frame.number + 1 == number;
        let is_changed = |part: &Part| !follows || !self.frame.parts.contains(part);
        let changed = parts.iter().map(is_changed).collect();
        self.frame = Contents { number, parts, changed, encoded: [None, None] };
    }
}

impl Contents {
    /// The frame as bytes, with all objects or with those that have changed.
    fn encode(&mut self, key: bool, show_at: f64) -> Bytes {
        let Self { number, parts, changed, encoded } = self;
        let make = || {
            let chosen = parts.iter().zip(changed.iter()).filter(|(_, changed)| key || **changed);
            let parts = chosen.map(|(part, _)| part.clone()).collect();
            Bytes::from(WallFrame { number: *number, key, show_at, parts }.encode())
        };
        encoded[usize::from(key)].get_or_insert_with(make).clone()
    }
}
