//! Addresses of servers that may be watched: this machine's, and the one that the page came from.

use web_sys::Url;

/// The address of a server, or why it is none that the page connects to.
///
/// # Errors
/// A sentence for the user.
pub fn parse(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("Type the address that the server printed: http://127.0.0.1:4096".to_owned());
    }
    let whole = match text {
        port if port.bytes().all(|byte| byte.is_ascii_digit()) => format!("http://127.0.0.1:{port}"),
        whole if whole.contains("://") => whole.to_owned(),
        text => format!("http://{text}"),
    };
    let url = Url::new(&whole).map_err(|_| format!("“{text}” is no address."))?;
    if !url.username().is_empty() || !url.password().is_empty() {
        return Err("Type the password in its own field: it does not belong in an address.".to_owned());
    }
    let own = crate::dom::window().and_then(|window| window.location().origin().ok());
    let is_own = own.is_some_and(|own| own == url.origin());
    let is_here = url.protocol() == "http:" && matches!(url.hostname().as_str(), "127.0.0.1" | "localhost");
    if !is_own && !is_here {
        return Err(
            "The page connects to this machine only: an address at http://127.0.0.1 or http://localhost.".to_owned()
        );
    }
    Ok(format!("{}{}{}", url.origin(), base(&url.pathname()), url.search()))
}

/// The path before a server's routes: that of its stream may have been pasted.
fn base(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    ["/global/event", "/event"].into_iter().find_map(|stream| path.strip_suffix(stream)).unwrap_or(path)
}

/// An address without the name and the password in it; none where it has none.
pub fn without_secret(text: &str) -> Option<String> {
    let from = text.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = text.split_at_checked(from)?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let at = rest.get(..end)?.rfind('@')?;
    Some(format!("{scheme}{}", rest.get(at + 1..)?))
}

/// The port of a server, as its address says it.
pub fn port(server: &str) -> &str {
    let authority = server.split("://").nth(1).unwrap_or(server).split(['/', '?']).next().unwrap_or_default();
    authority.rsplit_once(':').map_or("80", |(_, port)| port)
}

/// The address of a route of a server.
pub fn route(server: &str, path: &str) -> String {
    match server.split_once('?') {
        Some((base, query)) => format!("{base}{path}?{query}"),
        None => format!("{server}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_its_port() {
        assert_eq!(port("http://127.0.0.1:4096/x?y=1"), "4096");
        assert_eq!(port("http://localhost"), "80");
    }

    #[test]
    fn the_route_of_the_stream_is_no_part_of_an_address() {
        let bases = ["/", "/event", "/x/event/", "/global/event", "/events"].map(base);
        assert_eq!(bases, ["", "", "/x", "", "/events"]);
    }

    #[test]
    fn a_password_is_taken_out_of_an_address() {
        let clean = |text| without_secret(text).unwrap_or_else(|| "none".to_owned());
        assert_eq!(clean("http://kilo:p@ss@127.0.0.1:4096/x?a=b@c"), "http://127.0.0.1:4096/x?a=b@c");
        assert_eq!(clean("u:p@localhost"), "localhost");
        assert_eq!(clean("http://127.0.0.1:4096/x@y"), "none");
    }

    #[test]
    fn a_route_stands_before_the_query() {
        assert_eq!(route("http://127.0.0.1:4096", "/event"), "http://127.0.0.1:4096/event");
        assert_eq!(
            route("http://127.0.0.1:4096?directory=%2Fw", "/event"),
            "http://127.0.0.1:4096/event?directory=%2Fw"
        );
    }
}
