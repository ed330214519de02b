//! Logs at other addresses: which may be fetched, and fetching them.

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, AbortSignal, Blob, ReferrerPolicy, Request, RequestCredentials, RequestInit, RequestMode,
    Response, Url,
};

use crate::link::streams;

/// The hosts that a link may name a log on; the build puts the same into the page's policy.
const HOSTS: &str = include_str!("../../log-hosts.txt");

/// The most that is fetched, in bytes.
const MOST: u64 = 1 << 30;

/// Where a log may be fetched from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// From where the page itself came.
    Here(String),
    /// From one of the hosts of the list.
    Listed {
        /// The whole address.
        url: String,
        /// The host.
        host: String,
    },
}

impl Place {
    /// The whole address.
    pub fn url(self) -> String {
        match self {
            Place::Here(url) | Place::Listed { url, .. } => url,
        }
    }
}

/// The hosts of the list.
pub fn hosts() -> impl Iterator<Item = &'static str> {
    HOSTS.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether a log at that address may be fetched; a relative one is beside the page.
///
/// # Errors
/// Why not, in sentences.
pub fn judge(text: &str) -> Result<Place, String> {
    let page = super::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    let wrong = |_| format!("“{}” is no address of a log.", short(text));
    let (url, page) = (Url::new_with_base(text.trim(), &page).map_err(wrong)?, Url::new(&page).map_err(wrong)?);
    if !matches!(url.protocol().as_str(), "http:" | "https:") {
        return Err(match page.protocol().as_str() {
            "file:" => "A page that was opened from disk fetches nothing: open the log itself.".to_owned(),
            _ => format!("“{}” is no address of a log: it begins with neither https nor http.", short(text)),
        });
    }
    if url.origin() == page.origin() {
        return Ok(Place::Here(url.href()));
    }
    let host = url.host();
    if url.protocol() == "https:" && hosts().any(|listed| listed == host) && url.username().is_empty() {
        return Ok(Place::Listed { url: url.href(), host });
    }
    let hosts: Vec<&str> = hosts().collect();
    Err(format!(
        "This page fetches logs from its own site and, over https, from {}; “{}” is not among them. Download the log, \
         and open the file here.",
        hosts.join(" and "),
        short(&url.origin()),
    ))
}

/// What a log at that address is called.
pub fn name(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let name: String = crate::state::fragment::decode(last).chars().filter(|c| !c.is_control()).take(120).collect();
    if name.is_empty() { "log".to_owned() } else { name }
}

fn short(text: &str) -> String {
    let cut: String = text.chars().take(200).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

/// The address of the bytes themselves, where somebody copied that of a page of GitHub about them.
pub fn raw_of(text: &str) -> Option<String> {
    let rest = text.trim().strip_prefix("https://github.com/")?;
    let (repository, path) = rest.split_once("/blob/").or_else(|| rest.split_once("/raw/"))?;
    (repository.matches('/').count() == 1).then(|| format!("https://raw.githubusercontent.com/{repository}/{path}"))
}

/// A fetch; dropping it stops it.
#[must_use = "a fetch stops when it is dropped"]
#[derive(Debug)]
pub struct Fetch(Option<AbortController>);

impl Fetch {
    /// One that was not begun yet.
    pub fn new() -> Fetch {
        Fetch(AbortController::new().ok())
    }

    /// What tells the fetch that it is to stop.
    pub fn signal(&self) -> Option<AbortSignal> {
        self.0.as_ref().map(AbortController::signal)
    }
}

impl Default for Fetch {
    fn default() -> Self {
        Fetch::new()
    }
}

impl Drop for Fetch {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

/// Fetches a log. `got` hears how many bytes came, and how many are to come.
///
/// # Errors
/// Why it did not come, in sentences.
pub async fn fetch(url: &str, signal: Option<AbortSignal>, got: impl Fn(u64, Option<u64>)) -> Result<Blob, String> {
    let host = Url::new(url).map(|url| url.host()).unwrap_or_default();
    let is_here = matches!(judge(url), Ok(Place::Here(_)));
    let init = RequestInit::new();
    init.set_mode(RequestMode::Cors);
    init.set_credentials(if is_here { RequestCredentials::SameOrigin } else { RequestCredentials::Omit });
    init.set_referrer_policy(ReferrerPolicy::NoReferrer);
    init.set_signal(signal.as_ref());
    let unreached = || match is_here {
        true => format!("{host} could not be reached: try again when there is a connection."),
        false => format!(
            "{host} could not be reached, or does not let other pages read this file (CORS). Download it, and open the \
             file here."
        ),
    };
    let request = Request::new_with_str_and_init(url, &init).map_err(|_| unreached())?;
    let window = super::window().ok_or_else(unreached)?;
    let response = JsFuture::from(window.fetch_with_request(&request)).await.map_err(|_| unreached())?;
    let response: Response = response.dyn_into().map_err(|_| unreached())?;
    let header = |name: &str| response.headers().get(name).ok().flatten();
    match response.status() {
        _ if response.ok() => {}
        // `steplens view` says what became of the log.
        404 | 410 if is_here && header("content-type").is_some_and(|kind| kind.starts_with("text/plain")) => {
            let said = match response.text() {
                Ok(text) => JsFuture::from(text).await.ok().and_then(|text| text.as_string()),
                Err(_) => None,
            };
            let said = said.filter(|said| said.starts_with("The log is gone"));
            return Err(
                said.unwrap_or_else(|| format!("{host} has nothing at this address ({}): {url}", response.status()))
            );
        }
        404 | 410 => return Err(format!("{host} has nothing at this address ({}): {url}", response.status())),
        401 | 403 => {
            return Err(format!("{host} does not hand this file out to everybody ({}).", response.status()));
        }
        429 => return Err(format!("{host} was asked too often: try again later (429).")),
        status => return Err(format!("{host} did not hand the file out: it answered {status}.")),
    }
    if header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
        return Err(format!(
            "What {host} has at this address is a web page and no log. Give the address of the file itself."
        ));
    }
    let too_large = || format!("This file is larger than {} GB: download it, and open it here.", MOST >> 30);
    let size = header("content-length").and_then(|length| length.parse().ok());
    // Of a packed answer the length says nothing about what comes out.
    let size = size.filter(|_| header("content-encoding").is_none());
    if size.is_some_and(|size: u64| size > MOST) {
        return Err(too_large());
    }
    let broken = || format!("The connection to {host} broke before all of the file came: try again.");
    let reader = response.body().and_then(|body| streams::reader(&body).ok()).ok_or_else(broken)?;
    let (parts, mut have) = (Array::new(), 0);
    while let Some(chunk) = streams::next(&reader).await.map_err(|_| broken())? {
        have += u64::from(chunk.length());
        if have > MOST {
            streams::leave(&reader).await;
            return Err(too_large());
        }
        parts.push(&chunk);
        got(have, size);
    }
    Blob::new_with_u8_array_sequence(&parts).map_err(|_| broken())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read() {
        assert_eq!(hosts().collect::<Vec<_>>(), ["gist.githubusercontent.com", "raw.githubusercontent.com"]);
    }

    #[test]
    fn a_log_is_called_by_the_end_of_its_address() {
        assert_eq!(name("https://h.example/a/run%201.jsonl?x=1#y"), "run 1.jsonl");
        assert_eq!(name("https://h.example/"), "h.example");
        assert_eq!(name("logs/a.jsonl"), "a.jsonl");
    }

    #[test]
    fn pages_about_files_lead_to_the_files() {
        let raw = raw_of("https://github.com/o/r/blob/main/d/run.jsonl");
        assert_eq!(raw.as_deref(), Some("https://raw.githubusercontent.com/o/r/main/d/run.jsonl"));
        assert_eq!(raw_of("https://github.com/o/r"), None);
    }
}
