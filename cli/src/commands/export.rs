//! `steplens export`: the run as one HTML file, with the whole viewer in it.

use crate::args::{Common, Export};
use crate::error::Error;
use crate::input::{self, Opened, Pass};
use crate::leave::Leaving;
use crate::{link, output, style, viewer};
use std::io::{self, BufWriter, IsTerminal, Write};
use steplens_core::export::page::{LogBlock, Template, start};

/// The viewer as one file.
const TEMPLATE: &str = "single.html";

pub(crate) fn run(export: &Export, common: &Common) -> Result<(), Error> {
    link::check(common)?;
    output::check(&export.output, &export.files.files)?;
    if export.output.path().is_none() && io::stdout().is_terminal() {
        return Err(Error::Usage("name the file to make: `-o run.html`".to_owned()));
    }
    let text = viewer::text(TEMPLATE, "export")?;
    let template = Template::of(&text).ok_or(Error::NoViewer { command: "export" })?;
    if let Some(folder) = export.files.files.iter().find(|path| path.is_dir()) {
        let advice = "a storage tree is many files, too many for one page; export the session first".to_owned();
        return Err(Error::Folder { name: input::named(folder), advice });
    }
    let mut opened = input::open(&export.files.files, common, Pass::Again)?;
    link::check_line(export.line, &opened)?;
    let names: Vec<String> = opened.run.summary().files.into_iter().map(|file| file.name).collect();
    let mut leaving = Leaving::new(&mut opened, &export.leave)?;
    let names: Vec<String> = names.iter().map(|name| leaving.beside(name)).collect();
    let mut pairs = link::options(common, &leaving)?;
    pairs.extend(export.line.map(|line| ("e", line.to_string())));
    let mut size = 0;
    output::write_to(&export.output, |out| {
        let mut out = Counted { out, size: 0 };
        out.write_all(template.before.as_bytes())?;
        for (file, name) in names.iter().enumerate() {
            log(&mut out, &mut opened, file, name, &mut leaving)?;
        }
        if !pairs.is_empty() {
            out.write_all(start(&link::fragment(&pairs)).as_bytes())?;
        }
        out.write_all(template.after.as_bytes())?;
        size = out.size;
        Ok(())
    })?;
    if !common.quiet {
        let name = export.output.path().map_or("the page".to_owned(), |path| path.display().to_string());
        style::note(&format!("{name}: {}", super::figures::size(size)));
        leaving.said().iter().for_each(|said| style::note(said));
    }
    Ok(())
}

/// One log as a block of the page.
fn log(out: &mut dyn Write, opened: &mut Opened, file: usize, name: &str, leaving: &mut Leaving) -> Result<(), Error> {
    let mut block = BufWriter::new(LogBlock::new(out, name)?);
    leaving.write(opened, file, &mut block)?;
    let block = block.into_inner().map_err(io::IntoInnerError::into_error)?;
    block.finish()?;
    Ok(())
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut dyn Write,
    size: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
