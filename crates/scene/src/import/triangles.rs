//! Triangles from mesh files of models: STL (binary), OBJ and MuJoCo's MSH. They need not be closed; only corners and faces
//! are read. Memory stays in proportion to the file's length.

use glam::DVec3;

use super::ImportFault;

/// Meshes with more triangles or corners are refused.
pub const MAX_TRIANGLES: usize = 1_000_000;

/// Corners and faces of a mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triangles {
    /// In the file's unit.
    pub vertices: Vec<DVec3>,
    /// Three indices into the vertices each; none for points without faces.
    pub faces: Vec<[u32; 3]>,
}

impl Triangles {
    /// Reads a file's bytes; the end of its name says what it is.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Self, ImportFault> {
        let kind = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let read = match kind.as_str() {
            "stl" => stl(bytes),
            "obj" => obj(bytes),
            "msh" => msh(bytes),
            _ => Err("is of an unknown kind; expected a name that ends in .stl, .obj or .msh".to_string()),
        };
        let checked = read.and_then(|mesh| mesh.checked());
        checked.map_err(|why| ImportFault::File { path: name.to_string(), why })
    }

    /// The corners of the faces.
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + Clone + '_ {
        self.faces.iter().map(|face| face.map(|index| self.vertices[index as usize]))
    }

    /// Refuses what is no mesh: too many or no corners, numbers that are not finite, faces of corners that are not there.
    pub fn checked(self) -> Result<Self, String> {
        if self.faces.len() > MAX_TRIANGLES || self.vertices.len() > 3 * MAX_TRIANGLES {
            return Err(format!("has more than {MAX_TRIANGLES} triangles"));
        }
        if self.vertices.len() < 4 {
            return Err(format!("has {} corners; a body has at least 4", self.vertices.len()));
        }
        if let Some(place) = self.vertices.iter().position(|corner| !corner.is_finite()) {
            return Err(format!("has a corner that is not finite, number {place}"));
        }
        let astray = |face: &[u32; 3]| face.iter().any(|&index| index as usize >= self.vertices.len());
        match self.faces.iter().position(astray) {
            Some(place) => Err(format!("has a face with a corner that is not there, number {place}")),
            None => Ok(self),
        }
    }
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
    bytes.chunks_exact(4).map(|chunk| f64::from(f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])))
}

fn points(bytes: &[u8]) -> Vec<DVec3> {
    let numbers: Vec<f64> = floats(bytes).collect();
    numbers.chunks_exact(3).map(DVec3::from_slice).collect()
}

/// 80 bytes of anything, the number of triangles, and 50 bytes for each: normal, three corners, two bytes of anything.
fn stl(bytes: &[u8]) -> Result<Triangles, String> {
    let Some((head, rest)) = bytes.split_at_checked(84) else {
        return Err("is no binary STL file: it has fewer than 84 bytes".to_string());
    };
    let count = u32::from_le_bytes([head[80], head[81], head[82], head[83]]) as usize;
    if count.checked_mul(50) != Some(rest.len()) {
        let text = head.starts_with(b"solid");
        let hint = if text { "; STL as text is not read, save it as binary" } else { "" };
        return Err(format!("is no binary STL file: it says {count} triangles in {} bytes{hint}", bytes.len()));
    }
    if count > MAX_TRIANGLES {
        return Err(format!("has more than {MAX_TRIANGLES} triangles"));
    }
    let vertices = rest.chunks_exact(50).flat_map(|triangle| points(&triangle[12..48])).collect();
    let faces = (0..count as u32).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]).collect();
    Ok(Triangles { vertices, faces })
}

/// Four counts (corners, normals, texture coordinates, faces), then the numbers of each.
fn msh(bytes: &[u8]) -> Result<Triangles, String> {
    let short = || "is no MSH file: it breaks off".to_string();
    let (head, rest) = bytes.split_at_checked(16).ok_or_else(short)?;
    let count = |place: usize| {
        let number = i32::from_le_bytes([head[place], head[place + 1], head[place + 2], head[place + 3]]);
        usize::try_from(number).map_err(|_| format!("is no MSH file: it has the count {number}"))
    };
    let (corners, normals, texture, faces) = (count(0)?, count(4)?, count(8)?, count(12)?);
    let whole = 12 * (corners + normals + faces) + 8 * texture;
    if rest.len() != whole {
        return Err(format!("is no MSH file: it should have {} bytes and has {}", whole + 16, bytes.len()));
    }
    let (vertices, rest) = rest.split_at(12 * corners);
    let indices = &rest[12 * normals + 8 * texture..];
    let index = |chunk: &[u8]| u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    let face = |chunk: &[u8]| [index(chunk), index(&chunk[4..]), index(&chunk[8..])];
    Ok(Triangles { vertices: points(vertices), faces: indices.chunks_exact(12).map(face).collect() })
}

/// Lines `v x y z` and `f a b c ...`; polygons are cut into fans. The rest is looks.
fn obj(bytes: &[u8]) -> Result<Triangles, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is no OBJ file: it is not UTF-8 text".to_string())?;
    let mut mesh = Triangles::default();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        let refuse = |what: &str| format!("is no OBJ file: line {} has no {what}", number + 1);
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
                let corner = numbers.first_chunk::<3>().ok_or_else(|| refuse("three numbers"))?;
                mesh.vertices.push(DVec3::from_array(*corner));
            }
            Some("f") => {
                let corners: Option<Vec<u32>> = words.map(|word| obj_index(word, mesh.vertices.len())).collect();
                let corners = corners.filter(|all| all.len() >= 3).ok_or_else(|| refuse("face"))?;
                mesh.faces.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
            }
            _ => {}
        }
        if mesh.faces.len() > MAX_TRIANGLES {
            break;
        }
    }
    Ok(mesh)
}

/// `7`, `7/1`, `7//3` or `7/1/3`, from 1 or backwards from the end.
fn obj_index(word: &str, count: usize) -> Option<u32> {
    let index: i64 = word.split('/').next()?.parse().ok()?;
    let place = if index < 0 { i64::try_from(count).ok()? + index } else { index - 1 };
    u32::try_from(place).ok()
}
