//! Takes the built viewer into the binary, packed: the folder that `STEPLENS_VIEWER` names, as `cargo xtask build` sets it.
//! Without that variable the binary is built all the same, and the commands that need the viewer say what to do.

use flate2::{Compression, GzBuilder};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=STEPLENS_VIEWER");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let mut list = String::from("&[\n");
    if let Some(folder) = std::env::var_os("STEPLENS_VIEWER").filter(|folder| !folder.is_empty()) {
        // Relative to the workspace, where cargo is called: a build script runs in its package's folder.
        let folder = Path::new("..").join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(|error| format!("STEPLENS_VIEWER, {}: {error}", folder.display()))? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                names
                    .push(entry.file_name().into_string().map_err(|name| format!("{name:?}: a name that is no text"))?);
            }
        }
        names.sort();
        for needed in ["index.html", "single.html"] {
            if !names.iter().any(|name| name == needed) {
                return Err(format!("STEPLENS_VIEWER, {}: there is no {needed} in it", folder.display()).into());
            }
        }
        for (place, name) in names.iter().enumerate() {
            let packed = out.join(format!("{place}.gz"));
            let mut encoder = GzBuilder::new().write(fs::File::create(&packed)?, Compression::best());
            encoder.write_all(&fs::read(folder.join(name))?)?;
            encoder.finish()?;
            writeln!(list, "    ({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{place}.gz\"))),")?;
        }
    }
    list.push_str("]\n");
    fs::write(out.join("viewer.rs"), list)?;
    Ok(())
}
