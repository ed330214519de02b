//! Gives the build an id: a hash of the sources of the page, its worker and `core`.
//!
//! The page compares its own id with the one the worker sends, so that an old worker never answers
//! a new page. No clock and no git: the same sources give the same id on every machine.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// What the id is made of, relative to this package.
const SOURCES: [&str; 8] = [
    "../Cargo.lock",
    "../Cargo.toml",
    "Cargo.toml",
    "log-hosts.txt",
    "src",
    "../core/Cargo.toml",
    "../core/src",
    "../core/data",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        collect(Path::new(source), &mut files)?;
    }
    files.sort();

    let mut hash = Fnv::default();
    for file in &files {
        let name = file.to_string_lossy().replace('\\', "/");
        let bytes = fs::read(file).map_err(|error| format!("cannot read {name}: {error}"))?;
        // The lengths keep `ab` + `c` apart from `a` + `bc`.
        hash.add(&name.len().to_le_bytes());
        hash.add(name.as_bytes());
        hash.add(&bytes.len().to_le_bytes());
        hash.add(&bytes);
    }
    println!("cargo::rustc-env=STEPLENS_BUILD_ID={:016x}", hash.0);
    Ok(())
}

/// Adds the files at or below `path`; a path that isn't there adds nothing.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(|error| format!("cannot list {}: {error}", path.display()))?;
        for entry in entries {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_path_buf());
    }
    Ok(())
}

/// FNV-1a, 64 bits: tells builds apart, protects against nothing.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
