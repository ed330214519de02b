//! The run as one HTML file: the viewer with the logs in it, which opens from disk, offline.
//!
//! The viewer's own page of this kind, `single.html`, lies beside `index.html` and is fetched when the first file is made.
//! Such a file is its own template, so that it needs no host to make another.

use js_sys::{Array, Function, Reflect, Uint8Array};
use steplens_core::export::page::{BLOCK_END, Base64, Template, log_begin, start};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, ReadableStream, ReadableWritablePair, Response, WritableStream};

use crate::engine::reader;

/// Bytes of a packed log that are encoded at once: a multiple of three, as no padding may stand inside.
const PIECE: u64 = 3 << 19;

/// A log that goes into the file, as it is to leave: what has to be masked in it is masked.
#[derive(Debug, Clone)]
pub struct Log {
    /// Its name, as the page will show it.
    pub name: String,
    /// Its bytes.
    pub blob: Blob,
}

/// One HTML file of these logs, opened at this fragment (`v=1&tab=…&e=…`, without the log itself).
///
/// # Errors
/// A sentence for the user: the template cannot be had, or a log cannot be read.
pub async fn html(logs: &[Log], fragment: &str) -> Result<Blob, String> {
    let text = template().await?;
    let template = Template::of(&text).ok_or("the site's single.html is none of this version")?;
    let parts = Array::of1(&template.before.into());
    for log in logs {
        parts.push(&log_begin(&log.name).into());
        encode(&log.blob, &parts).await.map_err(|error| format!("{} could not be read: {error}", log.name))?;
        parts.push(&BLOCK_END.into());
    }
    if !fragment.is_empty() {
        parts.push(&start(fragment).into());
    }
    parts.push(&template.after.into());
    let bag = BlobPropertyBag::new();
    bag.set_type("text/html");
    Blob::new_with_str_sequence_and_options(&parts, &bag).map_err(|error| reader::error_name(&error))
}

/// Packs a log, and adds its base64 to the parts.
async fn encode(log: &Blob, parts: &Array) -> Result<(), String> {
    let said = |error: JsValue| reader::error_name(&error);
    let response = gzipped(log).map_err(said)?;
    let packed = JsFuture::from(response.blob().map_err(said)?).await.map_err(said)?;
    let packed: Blob = packed.unchecked_into();
    let (size, mut next) = (packed.size() as u64, 0);
    while next < size {
        let end = (next + PIECE).min(size);
        let bytes = reader::read(&packed, next, end).await?;
        let mut base64 = Base64::new(Vec::new());
        // Writing to memory cannot fail.
        let text = std::io::Write::write_all(&mut base64, &bytes).and_then(|()| base64.finish()).unwrap_or_default();
        parts.push(&Uint8Array::from(text.as_slice()));
        next = end;
    }
    Ok(())
}

/// A log on its way through the browser's own gzip. `web-sys` does not count these streams as stable yet.
fn gzipped(log: &Blob) -> Result<Response, JsValue> {
    let class: Function = Reflect::get(&js_sys::global(), &"CompressionStream".into())?.dyn_into()?;
    let stream = Reflect::construct(&class, &Array::of1(&"gzip".into()))?;
    let readable: ReadableStream = Reflect::get(&stream, &"readable".into())?.dyn_into()?;
    let writable: WritableStream = Reflect::get(&stream, &"writable".into())?.dyn_into()?;
    let pair = ReadableWritablePair::new(&readable, &writable);
    Response::new_with_opt_readable_stream(Some(&log.stream().pipe_through(&pair)))
}

/// The page without logs.
#[cfg(not(feature = "inpage"))]
async fn template() -> Result<String, String> {
    let lacking = "this site lacks its single.html, which one-file pages are made of";
    let window = super::window().ok_or("there is no window")?;
    // Relative to the page, as all its files.
    let fetched = JsFuture::from(window.fetch_with_str("single.html")).await;
    let fetched = fetched.map_err(|_| "single.html could not be fetched from this site: are you offline?")?;
    let response: Response = fetched.unchecked_into();
    if !response.ok() {
        return Err(lacking.to_owned());
    }
    let text = response.text().map_err(|_| lacking)?;
    let text = JsFuture::from(text).await.map_err(|_| "single.html was cut on its way: try again")?;
    text.as_string().ok_or_else(|| lacking.to_owned())
}

#[cfg(feature = "inpage")]
pub use enclosed::{logs, template};

/// What is known within such a file.
#[cfg(feature = "inpage")]
mod enclosed {
    use js_sys::{Array, Reflect};
    use steplens_core::export::page::MARK;
    use wasm_bindgen::{JsCast, JsValue};
    use web_sys::{Blob, Element, Node};

    use crate::dom;
    use crate::engine::protocol::OpenFile;

    /// What `single.js` put together before it started the page.
    fn given(key: &str) -> Option<JsValue> {
        let given = Reflect::get(&js_sys::global(), &"steplensSingle".into()).ok()?;
        Reflect::get(&given, &key.into()).ok().filter(|value| !value.is_undefined())
    }

    /// The logs in this file, unpacked.
    pub fn logs() -> Vec<OpenFile> {
        let Some(logs) = given("logs") else { return Vec::new() };
        let log = |log: JsValue| {
            let name = Reflect::get(&log, &"name".into()).ok()?.as_string()?;
            let blob = Reflect::get(&log, &"blob".into()).ok()?.dyn_into::<Blob>().ok()?;
            Some(dom::files::open_file(name, blob))
        };
        logs.unchecked_into::<Array>().iter().filter_map(log).collect()
    }

    /// This page without its logs. All that it is made of stands in its head, which the app leaves alone but for the title.
    ///
    /// # Errors
    /// Where this is no such page.
    pub async fn template() -> Result<String, String> {
        text().ok_or_else(|| "this page is no one-file page any more".to_owned())
    }

    fn text() -> Option<String> {
        let head = dom::document()?.head()?.clone_node_with_deep(true).ok()?.dyn_into::<Element>().ok()?;
        let data = head.query_selector_all("script[data-log], script[data-start]").ok()?;
        for place in 0..data.length() {
            let block = data.get(place)?.unchecked_into::<Element>();
            // The line's end behind it goes with it.
            let end = block.next_sibling().filter(|node| node.node_type() == Node::TEXT_NODE);
            block.remove();
            end.and_then(|end| head.remove_child(&end).ok());
        }
        head.query_selector("title").ok()??.set_text_content(Some("Steplens"));
        let (head, body) = (head.outer_html(), given("body")?.as_string()?);
        let text = format!("<!doctype html>\n<html lang=\"en\">\n{head}\n{body}\n</html>\n");
        text.contains(MARK).then_some(text)
    }
}
