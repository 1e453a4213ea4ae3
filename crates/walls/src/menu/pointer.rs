//! A mouse, wand or controller that points at the menu.

use glam::DVec2;

use super::layout::{ItemKind, MenuLayout};
use super::{MenuAction, MenuView, Pointed};

/// What a pointer does: where it points on the panel, if it does, and whether its button is down.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pointing {
    /// Place on the panel, in units of the layout.
    pub place: Option<DVec2>,
    /// Whether the button is down.
    pub pressed: bool,
}

/// A pointer. A button acts when it is pressed. A slider follows the pointer until the button is up, also beside it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MenuPointer {
    /// Id of the item that is pointed at, or of the slider that is held.
    item: Option<String>,
    pressed: bool,
    /// Value of the slider that is held.
    held: Option<f64>,
    /// Whether the button went down on the panel, so that it does nothing behind it.
    took: bool,
}

impl MenuPointer {
    /// Takes what the pointer does now, and returns what that does.
    pub fn update(&mut self, layout: &MenuLayout, view: &MenuView, now: Pointing) -> Option<MenuAction> {
        let place = now.place.filter(|_| view.open);
        let was_pressed = std::mem::replace(&mut self.pressed, now.pressed);
        self.took &= now.pressed;
        let slider = self.item.as_deref().filter(|_| self.held.is_some()).and_then(|id| layout.item(id));
        if let (Some(item), Some(scale), Some(held)) = (slider, slider.and_then(|item| item.scale), self.held) {
            let value = place.map_or(held, |place| scale.value(item.along(place)));
            let (id, is_new) = (item.id.clone(), value != held);
            self.held = Some(value).filter(|_| now.pressed);
            let acts = if now.pressed { scale.live && is_new } else { !scale.live };
            return acts.then(|| view.action(&id, value)).flatten();
        }
        let item = place.and_then(|place| layout.at(place));
        self.item = item.map(|item| item.id.clone());
        if !now.pressed || was_pressed {
            return None;
        }
        self.took = place.is_some_and(|place| layout.covers(place));
        let (item, place) = (item?, place?);
        match (item.kind, item.scale) {
            (ItemKind::Slider, Some(scale)) => {
                let value = scale.value(item.along(place));
                self.held = Some(value);
                scale.live.then(|| view.action(&item.id, value)).flatten()
            }
            (ItemKind::Button | ItemKind::Switch, _) => view.action(&item.id, 0.0),
            _ => None,
        }
    }

    /// Whether the button went down on the panel and is still down.
    pub fn holds(&self) -> bool {
        self.took
    }

    /// What the pointer points at, for drawing.
    pub fn pointed(&self) -> Option<Pointed> {
        let item = self.item.clone()?;
        Some(Pointed { item, pressed: self.pressed && self.took, value: self.held })
    }
}
