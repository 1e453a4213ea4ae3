//! The viewer, opened on a world of Python.

use std::net::SocketAddr;

use burgess_scene::RunOptions;
use burgess_server::session::Original;
use burgess_server::{DEFAULT_ADDRESS, Handle, Server, ServerError, ServerOptions};
use burgess_simulation::Snapshot;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::cell::Cell;
use crate::scene_world::Source;

/// A viewer that runs in the background until it is closed.
#[pyclass(frozen, module = "burgess")]
pub struct Viewer {
    handle: Cell<Handle>,
    url: String,
}

#[pymethods]
impl Viewer {
    /// Address of the page.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Stop the viewer.
    fn close(&self, py: Python) -> PyResult<()> {
        py.detach(|| self.handle.close())
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python, _exception: &Bound<PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn _repr_html_(&self) -> String {
        format!("<iframe src=\"{}\" width=\"100%\" height=\"600\"></iframe>", self.url)
    }

    fn __repr__(&self) -> String {
        format!("<Viewer at {}>", self.url)
    }
}

/// Opens the viewer on a world, at its present state. Without a port, the usual one is taken if it is free.
pub fn show(
    source: Source,
    options: RunOptions,
    snapshot: Snapshot,
    port: Option<u16>,
    browser: bool,
) -> Result<Viewer, String> {
    let bind = |port: u16| {
        let listen = SocketAddr::new(DEFAULT_ADDRESS.ip(), port);
        Server::bind(ServerOptions { listen, ..ServerOptions::default() })
    };
    let server = match (port, bind(port.unwrap_or(DEFAULT_ADDRESS.port()))) {
        (None, Err(ServerError::Taken(_))) => bind(0),
        (_, bound) => bound,
    };
    let server = server.map_err(|error| error.to_string())?;
    let original = match source {
        Source::Scene(scene) => Original::of_scene(*scene),
        Source::Inhabited(scene) => Original::of_inhabited(*scene),
        Source::Creature(preview) => Original::of_creature(*preview),
    };
    let session = server.hub().sessions.open_state(original, &options, snapshot).map_err(|error| error.to_string())?;
    let url = server.url_of(&format!("/stage/{}", session.id()));
    let handle = server.run_in_background().map_err(|error| error.to_string())?;
    if browser {
        // Without a browser here, the address can be opened elsewhere.
        let _ = open::that_detached(&url);
    }
    Ok(Viewer { handle: Cell::new("viewer", handle), url })
}
