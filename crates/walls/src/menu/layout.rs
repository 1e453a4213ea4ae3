//! Where the items of the menu are on its panel.

use glam::DVec2;
use serde::Serialize;

/// Scenes and creatures that the menu offers.
pub const SCENES: [&str; 8] =
    ["billiards", "bowling", "dominoes", "demolition-chain", "crossing", "flock", "quadruped", "evacuation"];

/// The items of the menu. Lengths are in m, from the middle of the panel: x to the right, y up.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MenuLayout {
    /// Width and height of the panel.
    pub size: [f64; 2],
    /// The items.
    pub items: Vec<MenuItem>,
}

/// An item of the menu.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MenuItem {
    /// Name of the item in messages.
    pub id: String,
    /// What the user sees.
    pub label: String,
    /// Kind of the item.
    pub kind: ItemKind,
    /// Middle of the item on the panel.
    pub place: [f64; 2],
    /// Width and height of the item.
    pub size: [f64; 2],
    /// The values of a slider; null for others.
    pub scale: Option<Scale>,
}

/// Kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// Does something when it is pressed.
    Button,
    /// Is on or off, and changes when it is pressed.
    Switch,
    /// Sets a value: low at its left end, high at its right end.
    Slider,
    /// A text.
    Label,
}

/// The values of a slider.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scale {
    /// Value at the left end.
    pub low: f64,
    /// Value at the right end.
    pub high: f64,
    /// Whether equal distances are equal factors.
    pub logarithmic: bool,
    /// Whether the value is set while the slider moves, instead of when it is let go.
    pub live: bool,
}

impl Scale {
    /// The value at a place of the slider, from 0 at its left end to 1 at its right end.
    pub fn value(&self, place: f64) -> f64 {
        let place = place.clamp(0.0, 1.0);
        if self.logarithmic {
            self.low * libm::pow(self.high / self.low, place)
        } else {
            self.low + (self.high - self.low) * place
        }
    }

    /// The place of a value on the slider.
    pub fn place(&self, value: f64) -> f64 {
        let place = if self.logarithmic {
            libm::log(value / self.low) / libm::log(self.high / self.low)
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if place.is_finite() { place.clamp(0.0, 1.0) } else { 0.0 }
    }
}

impl Default for MenuLayout {
    /// The menu.
    fn default() -> Self {
        let item = |id: &str, label: &str, kind, place, size| {
            let (id, label) = (id.to_string(), label.to_string());
            MenuItem { id, label, kind, place, size, scale: None }
        };
        let button = |id: &str, label: &str, x, kind| item(id, label, kind, [x, 0.245], [0.16, 0.06]);
        let heading = |id: &str, label: &str, y| item(id, label, ItemKind::Label, [-0.304, y], [0.18, 0.05]);
        let slider = |id: &str, label: &str, y, scale| {
            let item = item(id, label, ItemKind::Slider, [0.1, y], [0.56, 0.06]);
            MenuItem { scale: Some(scale), ..item }
        };
        let speed = Scale { low: 0.1, high: 10.0, logarithmic: true, live: true };
        let gravity = Scale { low: 0.0, high: 2.0, logarithmic: false, live: false };
        let mut items = vec![
            button("play", "Play", -0.314, ItemKind::Switch),
            button("restart", "Restart", -0.14, ItemKind::Button),
            item("body", "My body collides", ItemKind::Switch, [0.087, 0.245], [0.266, 0.06]),
            button("close", "Close", 0.314, ItemKind::Button),
            heading("speed-label", "Speed", 0.155),
            slider("speed", "Speed", 0.155, speed),
            heading("gravity-label", "Gravity", 0.075),
            slider("gravity", "Gravity", 0.075, gravity),
            heading("hand-label", "Hand", -0.005),
        ];
        for (index, (id, label)) in
            [("grab", "Grab"), ("push", "Push"), ("throw", "Throw"), ("shoot", "Shoot")].into_iter().enumerate()
        {
            let place = [-0.1225 + 0.148 * index as f64, -0.005];
            items.push(item(&format!("hand-{id}"), label, ItemKind::Switch, place, [0.135, 0.06]));
        }
        items.push(heading("scene-label", "Scene", -0.085));
        for (index, name) in SCENES.into_iter().enumerate() {
            let place = [-0.301 + 0.2007 * (index % 4) as f64, -0.155 - 0.074 * (index / 4) as f64];
            items.push(item(&format!("scene-{name}"), &name.replace('-', " "), ItemKind::Switch, place, [0.186, 0.06]));
        }
        Self { size: [0.86, 0.6], items }
    }
}

impl MenuItem {
    /// Whether a place on the panel is on the item.
    pub fn contains(&self, place: DVec2) -> bool {
        let offset = (place - DVec2::from_array(self.place)).abs();
        offset.cmple(0.5 * DVec2::from_array(self.size)).all()
    }

    /// The place along the item, from 0 at its left end to 1 at its right end.
    pub fn along(&self, place: DVec2) -> f64 {
        ((place.x - self.place[0]) / self.size[0] + 0.5).clamp(0.0, 1.0)
    }
}

impl MenuLayout {
    /// The item at a place of the panel. Labels do not count.
    pub fn at(&self, place: DVec2) -> Option<&MenuItem> {
        self.items.iter().find(|item| item.kind != ItemKind::Label && item.contains(place))
    }

    /// Finds an item by its id.
    pub fn item(&self, id: &str) -> Option<&MenuItem> {
        self.items.iter().find(|item| item.id == id)
    }

    /// Whether a place is on the panel.
    pub fn covers(&self, place: DVec2) -> bool {
        place.abs().cmple(0.5 * DVec2::from_array(self.size)).all()
    }
}
