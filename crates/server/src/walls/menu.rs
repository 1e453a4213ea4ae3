//! The menu of the walls: windows, wands and controllers point at it, and what they press becomes commands to the
//! session. The session records those that change the world as edits, so that a session with menus replays exactly.

use std::collections::BTreeMap;

use burgess_walls::WallId;
use burgess_walls::menu::{EARTH_GRAVITY, MenuAction, MenuLayout, MenuPointer, MenuView, Pointing};
use serde_json::json;

use super::cave_state::Shown;
use super::flow::ShownFlow;

/// The menu of the walls.
#[derive(Debug, Default)]
pub(super) struct Menu {
    pub layout: MenuLayout,
    pub view: MenuView,
    windows: BTreeMap<WallId, MenuPointer>,
    hands: Vec<MenuPointer>,
}

impl Menu {
    /// Updates what is shown from the session or the flow.
    pub fn refresh(&mut self, shown: Option<&Shown>, flow: Option<&ShownFlow>) {
        let view = &mut self.view;
        if let Some(flow) = flow {
            (view.playing, view.speed) = (flow.playing, flow.speed);
            view.scene = flow.title().to_string();
        }
        if let Some(shown) = shown {
            let playback = shown.session.playback();
            (view.playing, view.speed) = (playback.playing, playback.speed);
            view.gravity = playback.gravity / EARTH_GRAVITY;
            view.scene = shown.session.about().title;
        }
        let pointers = self.windows.values().chain(&self.hands);
        view.pointed = if view.open { pointers.filter_map(MenuPointer::pointed).collect() } else { Vec::new() };
    }

    /// The mouse of a window points at the menu.
    pub fn point(&mut self, window: WallId, now: Pointing) -> Option<MenuAction> {
        self.windows.entry(window).or_default().update(&self.layout, &self.view, now)
    }

    /// A hand points at the menu. Returns whether its trigger belongs to the menu, and what it does.
    pub fn point_hand(&mut self, hand: usize, now: Pointing) -> (bool, Option<MenuAction>) {
        if self.hands.len() <= hand {
            self.hands.resize_with(hand + 1, MenuPointer::default);
        }
        let pointer = &mut self.hands[hand];
        let action = pointer.update(&self.layout, &self.view, now);
        (pointer.holds(), action)
    }

    /// Forgets a window that was closed.
    pub fn forget(&mut self, window: WallId) {
        self.windows.remove(&window);
    }

    /// Forgets hands that are no longer tracked.
    pub fn keep_hands(&mut self, count: usize) {
        self.hands.truncate(count);
    }

    /// Does what an item does. Returns the name of a scene or creature that must be opened.
    pub fn act(&mut self, action: MenuAction, shown: Option<&Shown>) -> Option<String> {
        // A refused command, for example a change of a recording, leaves the menu as it is, which the user sees.
        let say = |command: String| shown.map(|shown| shown.viewer.command(&command));
        if let Some(command) = action.command() {
            say(command.to_string());
        }
        match action {
            MenuAction::Hand(hand) => self.view.hand = hand,
            MenuAction::Body(on) => {
                self.view.body = on;
                if !on {
                    say(json!({"do": "release"}).to_string());
                }
            }
            MenuAction::Close => self.view.open = false,
            MenuAction::Scene(name) => return Some(name),
            MenuAction::Play(_) | MenuAction::Restart | MenuAction::Speed(_) | MenuAction::Gravity(_) => {}
        }
        None
    }
}
