//! `steplens link`: the run as a link that holds it.

use super::figures::grouped;
use crate::args::{Common, Link};
use crate::error::Error;
use crate::input::{self, Pass};
use crate::leave::Leaving;
use crate::{link, style};
use std::io::Write;
use std::slice;
use steplens_core::share::codec::pack;
use steplens_core::share::{Fit, LONGEST, MOST, is_page};

pub(crate) fn run(what: &Link, common: &Common) -> Result<(), Error> {
    link::check(common)?;
    if let Some(address) = what.viewer.as_deref().filter(|address| !is_page(address)) {
        let say =
            format!("`--viewer {address}` is no address of a page: it begins with `https://`, `http://` or `file://`");
        return Err(Error::Usage(say));
    }
    if what.file.is_dir() {
        let advice = "a storage tree is many files, and a link holds one; export the session first".to_owned();
        return Err(Error::Folder { name: input::named(&what.file), advice });
    }
    let mut opened = input::open(slice::from_ref(&what.file), common, Pass::Again)?;
    link::check_line(what.line, &opened)?;
    let name = opened.run.summary().files.into_iter().next().map(|file| file.name).unwrap_or_default();
    let mut leaving = Leaving::new(&mut opened, &what.leave)?;
    let options = link::options(common, &leaving)?;
    let name = leaving.beside(name.rsplit(['/', '\\']).next().unwrap_or_default());
    let mut log = Bounded(Vec::new());
    leaving.write(&mut opened, 0, &mut log)?;
    let packed = if log.0.len() > MOST { String::new() } else { pack(&log.0) };
    let too_long = "this run is too long for a link: leave its outputs out (`--no-outputs`), or make a file of it \
                    (`steplens export`)";
    if packed.is_empty() {
        return Err(Error::Usage(too_long.to_owned()));
    }
    let mut pairs = vec![("z", packed), ("n", name)];
    pairs.extend(options);
    pairs.extend(what.line.map(|line| ("e", line.to_string())));
    let page = what.viewer.as_deref().unwrap_or_default();
    let link = format!("{}#{}", page.split('#').next().unwrap_or_default(), link::fragment(&pairs));
    if link.len() > LONGEST {
        return Err(Error::Usage(too_long.to_owned()));
    }
    writeln!(anstream::stdout().lock(), "{link}")?;
    if !common.quiet {
        let length = grouped(link.len() as u64);
        style::note(&format!("{length} characters: {}", Fit::of(link.len()).words()));
        leaving.said().iter().for_each(|said| style::note(said));
    }
    Ok(())
}

/// Keeps no more than a link may hold, and a little: what comes behind is not needed to know that it is too long.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() <= MOST {
            self.0.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
