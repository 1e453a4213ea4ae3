//! Files of every kind in a folder of their own.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use burgess_creature::task::Task;
use burgess_evolution::algorithm::MapElitesSettings;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{AlgorithmConfig, Archive, RecordedResult, Run, RunConfig};
use burgess_scene::recording::{RecordingHeader, RecordingWriter};

/// A folder that is removed when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder.
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("burgess-catalog-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The path of a file as a user would write it.
    pub fn word(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Writes a file and returns its path as a user would write it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).unwrap();
        self.word(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A small scene file.
pub const SCENE: &str =
    "[[bodies]]\nname = 'ball'\nposition = [0, 0, 1]\nshapes = [{ type = 'sphere', radius = 0.1 }]\n";

/// A small model in URDF.
pub const MODEL: &str = "<robot name='arm'><link name='base'><inertial><mass value='1'/>\
    <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";

/// A take of the built-in scene `stack`.
pub const TAKE: &str =
    r#"{"version": 1, "source": {"type": "scene", "name": "stack"}, "latest": 8, "events": [], "hashes": []}"#;

/// The bytes of a recording of one frame.
pub fn recording() -> Vec<u8> {
    let header = RecordingHeader { rate: 60.0, bodies: Vec::new(), statistics: Vec::new(), scene: String::new() };
    let mut writer = RecordingWriter::new(Vec::new(), header).unwrap();
    writer.frame(0.0, &[], &[]).unwrap();
    writer.finish().unwrap()
}

/// Writes the archive of a finished run.
pub fn write_run(file: &Path) {
    let task = Task { settle: 0.1, duration: 0.4, transient: 0.1, ..Task::preset("walk").unwrap() };
    let algorithm = AlgorithmConfig::MapElites(MapElitesSettings { founders: 6, generation: 6, ..Default::default() });
    let config = RunConfig { seed: 1, evaluations: 12, algorithm, ..RunConfig::for_task(task) };
    let mut run = Run::new(Archive::create(file, &config, &[]).unwrap()).unwrap();
    run.advance(&mut Threads::new(2), &mut |_: &RecordedResult| ()).unwrap();
}
