//! Names of tools as a rule gives them: plain, or with `*` (any characters, none too) and `?` (any one).

/// Whether a name is a pattern.
pub(super) fn is_glob(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Whether a pattern covers a whole name. Case is the caller's to settle.
pub(super) fn covers(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to go on after a mismatch: behind the last `*`, with one more character of the name given to it.
    let mut star: Option<(usize, usize)> = None;
    while let Some(c) = name.get(n) {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p + 1, n));
                p += 1;
            }
            Some(wanted) if *wanted == '?' || wanted == c => (p, n) = (p + 1, n + 1),
            _ => {
                let Some((behind, taken)) = star else { return false };
                (p, n) = (behind, taken + 1);
                star = Some((behind, taken + 1));
            }
        }
    }
    pattern.iter().skip(p).all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name, wanted) in [
            ("mcp_*", "mcp_read", true),
            ("mcp_*", "mcp_", true),
            ("mcp_*", "xmcp_read", false),
            ("*_read", "fs_read_read", true),
            ("*_read", "fs_read_x", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1c2b", false),
            ("r?ad", "read", true),
            ("r?ad", "rad", false),
            ("*", "", true),
            ("é?*", "éa", true),
            ("read", "read", true),
            ("read", "reads", false),
        ] {
            assert_eq!(covers(pattern, name), wanted, "{pattern} {name}");
        }
    }
}
