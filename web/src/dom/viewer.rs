//! The page's own files, so that they can go into a folder for a static host.
//!
//! `viewer.txt`, which the build writes (hooks/list.mjs), names them, each with the hashes of what it may hold. They are
//! fetched from where the page itself came, and each is checked against its hash, as the loader does with the wasm.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, RequestCredentials, RequestInit, RequestMode, Response};

/// The list.
const LIST: &str = "viewer.txt";

/// What is fetched late, or never kept for going without a network (hooks/offline.mjs), and what a viewer without it cannot do.
const LATER: [(&str, &str); 2] = [("single.html", "make one-file pages"), ("sw.js", "open without a network")];

/// The files of a viewer.
#[derive(Debug)]
pub struct Viewer {
    /// Their names, and what they hold.
    pub files: Vec<(String, Blob)>,
    /// Those that could not be had, and what the viewer cannot do without them.
    pub lacks: Vec<(&'static str, &'static str)>,
}

/// Fetches them. `got` hears how many came, and how many are to come.
///
/// # Errors
/// Why they cannot be had: sentences.
pub async fn files(got: impl Fn(usize, usize)) -> Result<Viewer, String> {
    let list = fetch(LIST, "").await.map_err(|why| match why {
        Why::Missing => format!("This site lacks {LIST}, the list of the viewer's files: it was put up without it."),
        why => said(LIST, &why),
    })?;
    let text = JsFuture::from(list.text()).await.ok().and_then(|text| text.as_string()).unwrap_or_default();
    let named: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    // A host may answer with a page of its own for what it does not have.
    if !named.iter().any(|(name, _)| *name == "index.html") || !named.iter().all(|(name, hash)| is_entry(name, hash)) {
        return Err(format!("This site's {LIST} is no list of the viewer's files."));
    }
    let mut viewer = Viewer { files: Vec::new(), lacks: Vec::new() };
    for (place, (name, hashes)) in named.iter().enumerate() {
        got(place, named.len());
        match fetch(name, hashes).await {
            Ok(blob) => viewer.files.push(((*name).to_owned(), blob)),
            Err(why) => match LATER.iter().find(|(late, _)| late == name) {
                Some(late) => viewer.lacks.push(*late),
                None => return Err(said(name, &why)),
            },
        }
    }
    viewer.files.push((LIST.to_owned(), list));
    Ok(viewer)
}

fn said(name: &str, why: &Why) -> String {
    match why {
        Why::Missing => format!("This site lacks {name}, a file of the viewer."),
        Why::Other => format!("{name}, a file of the viewer, is on this site of another version: reload the page."),
        Why::Unreached => {
            format!(
                "{name}, a file of the viewer, could not be fetched from this site: try again when there is a connection."
            )
        }
    }
}

/// A name beside the page, and hashes without which nothing would be checked.
fn is_entry(name: &str, hashes: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !name.starts_with('.') && name.chars().all(is_sign) && hashes.split(' ').all(|hash| hash.starts_with("sha256-"))
}

enum Why {
    /// The host has no such file.
    Missing,
    /// Other bytes than the hash says.
    Other,
    /// No connection, or another origin.
    Unreached,
}

async fn fetch(name: &str, hashes: &str) -> Result<Blob, Why> {
    let response = match asked("GET", name, hashes).await {
        Some(response) => response,
        // A hash that is not met looks like a broken connection, and so does an error's page under one.
        None if !hashes.is_empty() => {
            return Err(match asked("HEAD", name, "").await {
                Some(response) if matches!(response.status(), 404 | 410) => Why::Missing,
                Some(_) => Why::Other,
                None => Why::Unreached,
            });
        }
        None => return Err(Why::Unreached),
    };
    if !response.ok() {
        return Err(Why::Missing);
    }
    let blob = JsFuture::from(response.blob().map_err(|_| Why::Unreached)?).await.map_err(|_| Why::Unreached)?;
    blob.dyn_into().map_err(|_| Why::Unreached)
}

async fn asked(method: &str, name: &str, hashes: &str) -> Option<Response> {
    let init = RequestInit::new();
    init.set_method(method);
    // Nor by way of a redirection.
    init.set_mode(RequestMode::SameOrigin);
    init.set_credentials(RequestCredentials::SameOrigin);
    init.set_integrity(hashes);
    // An old index.html may lie in the browser's cache. A plain object takes any property.
    let _ = js_sys::Reflect::set(&init, &"cache".into(), &"no-cache".into());
    JsFuture::from(super::window()?.fetch_with_str_and_init(name, &init)).await.ok()?.dyn_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_files_beside_the_page_alone() {
        assert!(is_entry("app-0123.js", "sha256-abc="));
        assert!(is_entry("index.html", "sha256-abc= sha256-def="));
        for (name, hashes) in
            [("../x", "sha256-a"), ("a/b", "sha256-a"), ("https://x", "sha256-a"), ("a.js", ""), ("a.js", "md5-x")]
        {
            assert!(!is_entry(name, hashes), "{name} {hashes}");
        }
    }
}
