//! Where two runs stand: the folders that make the most of their paths the same.
//!
//! A run in `/home/ann/shop` and one in `/builds/7/shop` read the same `shop/src/cart.rs`. Each pair of paths that end
//! alike votes for what stands before the common end (`/home/ann`, `/builds/7`); the pair of folders with the most votes
//! wins. It is used only where more calls are the same with it than without.

use super::Facts;
use crate::order::Order;
use std::collections::{BTreeMap, HashMap};

/// How many paths of a side vote.
const PATHS: usize = 2_000;
/// With how many paths of one name a path is set against.
const NAMESAKES: usize = 20;

/// The folders of both sides; empty where none is left out.
pub(super) fn of(a: &Facts, b: &Facts) -> (String, String) {
    let nowhere = (String::new(), String::new());
    let Some(found) = voted(a, b) else { return nowhere };
    if same_calls(a, b, &found) > same_calls(a, b, &nowhere) { found } else { nowhere }
}

fn voted(a: &Facts, b: &Facts) -> Option<(String, String)> {
    let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
    for path in b.paths.iter().take(PATHS) {
        let names = by_name.entry(name_of(path)).or_default();
        if names.len() < NAMESAKES {
            names.push(path);
        }
    }
    let mut votes: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for path in a.paths.iter().take(PATHS) {
        for other in by_name.get(name_of(path)).into_iter().flatten() {
            let folders = before_common_end(path, other);
            if folders.0 != folders.1 && !folders.0.is_empty() && !folders.1.is_empty() {
                *votes.entry(folders).or_default() += 1;
            }
        }
    }
    // Of equal votes the longest folders: less is left out of account.
    let most = votes.into_iter().max_by_key(|((a, b), votes)| (*votes, a.len() + b.len()))?;
    Some((most.0.0.to_owned(), most.0.1.to_owned()))
}

fn name_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// What stands before the names that both paths end with, without the slash.
fn before_common_end<'a, 'b>(a: &'a str, b: &'b str) -> (&'a str, &'b str) {
    let (mut a, mut b) = (a, b);
    while let (Some((a_rest, a_name)), Some((b_rest, b_name))) =
        (a.rsplit_once(['/', '\\']), b.rsplit_once(['/', '\\']))
    {
        if a_name != b_name {
            break;
        }
        (a, b) = (a_rest, b_rest);
    }
    (a, b)
}

fn same_calls(a: &Facts, b: &Facts, folders: &(String, String)) -> u64 {
    let keys = |facts: &Facts, folder: &str| {
        let mut keys: Vec<u64> = facts.steps.iter().flat_map(|step| &step.calls).map(|call| call.key(folder)).collect();
        keys.order();
        keys
    };
    super::align::common(&keys(a, &folders.0), &keys(b, &folders.1))
}

/// A text without the folder: what lies in it by its path from there, the folder itself as `.`.
pub(super) fn without(text: &str, folder: &str) -> String {
    if folder.is_empty() || !text.contains(folder) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(folder) {
        out.push_str(before);
        match after.chars().next() {
            Some('/' | '\\') => rest = after.get(1..).unwrap_or_default(),
            // `/home/ann/shopping` is not in `/home/ann/shop`.
            Some(c) if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') => {
                out.push_str(folder);
                rest = after;
            }
            _ => {
                out.push('.');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_left_out_where_it_is_one() {
        assert_eq!(without("cd /w/shop && ls /w/shop/src", "/w/shop"), "cd . && ls src");
        assert_eq!(without("/w/shopping/a", "/w/shop"), "/w/shopping/a");
        assert_eq!(without("/w/shop", ""), "/w/shop");
    }

    #[test]
    fn what_stands_before_the_common_end() {
        assert_eq!(before_common_end("/home/ann/shop/src/a.rs", "/builds/7/src/a.rs"), ("/home/ann/shop", "/builds/7"));
        assert_eq!(before_common_end("/a/x.rs", "/a/y.rs"), ("/a/x.rs", "/a/y.rs"));
        assert_eq!(before_common_end(r"C:\shop\a.rs", "/shop/a.rs"), ("C:", ""));
    }
}
