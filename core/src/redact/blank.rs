//! What stands where a secret would: a variable, an example's blank, a type, a path, a word of a sentence.

use super::value::Makeup;

/// Several words that are no sentence: `correct horse battery staple`.
pub(super) fn is_phrase(value: &[u8]) -> bool {
    let words = || value.split(|byte| *byte == b' ');
    let is_plain = |word: &[u8]| word.len() >= 2 && word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
    let count = words().count();
    let is_lower = !value.iter().any(u8::is_ascii_uppercase);
    (count >= 4 || (count == 3 && is_lower))
        && value.len() <= 128
        && words().all(|word| is_plain(word) && !is_common(word))
}

/// Whether a word is one of those without which there is hardly a sentence, or a label beside a password's field.
pub(super) fn is_common(word: &[u8]) -> bool {
    const WORDS: &[u8] = b" a after again all also an and any are as at authentication be before but by can cannot change changed \
        characters code confirm confirmation contain could create current de delete der die digits do does each eingeben \
        email enter error et expired failed field flag for forgot forgotten from gespeichert has have her hidden hide his if in \
        incorrect into invalid is ist it its key la least letter letters log login long mandatory match matches may minimum \
        missing mit mot must need needs new nicht no not of off ok old on only option optional or other our out passe \
        passphrase passwd password passwords passwort please prompt recover repeat require required requires reset \
        retype save secret send set short should show sign so sure than that the their then there this to token too try \
        type typed und un une update updated use used user username using via was weak when where which will with \
        without wrong you your zu ";
    let word = word.to_ascii_lowercase();
    let parted = [b" ", word.as_slice(), b" "].concat();
    memchr::memmem::find(WORDS, &parted).is_some()
}

/// `/run/secrets/x`, `./a.txt`, `https://…`: where something is, not what it is.
pub(super) fn is_path(value: &[u8]) -> bool {
    let head =
        value.starts_with(b"/") || value.starts_with(b"./") || value.starts_with(b"../") || value.starts_with(b"~/");
    let url = value.windows(3).any(|window| window == b"://");
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'/' | b'~');
    url || (head && value.iter().all(plain) && {
        let longest = value.split(|byte| *byte == b'/').max_by_key(|segment| segment.len()).unwrap_or_default();
        let makeup = Makeup::of(longest);
        longest.len() < 20 || makeup.digits == 0 || makeup.upper == 0 || makeup.lower == 0
    })
}

/// What stands in place of a secret: a mask, a variable, an example's blank.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    const HEADS: &[&[u8]] = &[
        b"[redacted",
        b"redacted",
        b"<",
        b"${",
        b"{",
        b"%(",
        b"%s",
        b"&quot",
        b"&lt",
        b"&#",
        b"!!",
        b"!vault",
        b"!secret",
        b"!env",
        b"!ref",
        b"!sub",
        b"[",
        b"...",
        b"\xE2\x80\xA6",
        b"***",
        b"\xE2\x80\xA2",
        b"your",
        b"my-",
        b"my_",
        b"process.env",
        b"os.environ",
        b"os.getenv",
        b"getenv",
        b"env.",
        b"env:",
        b"env[",
        b"import.meta",
        b"secrets.",
        b"vault:",
        b"op://",
        b"ssm:",
        b"arn:",
        b"file:",
        b"replace",
        b"insert",
        b"enter",
        b"todo",
        b"dummy",
        b"placeholder",
    ];
    let masks = |byte: &u8| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'-' | b'_' | b'#' | b'?' | b'0' | b' ');
    let lower: Vec<u8> = value.iter().take(64).map(u8::to_ascii_lowercase).collect();
    HEADS.iter().any(|head| lower.starts_with(head))
        || value.iter().all(masks)
        || lower
            .windows(4)
            .any(|window| window == b"xxxx" || window == b"****" || window == b"here" && lower.ends_with(b"here"))
        || is_variable(value)
}

/// `$TOKEN`, `$1`, `$(cat x)`, `%TOKEN%`; but not `$2b$12$…`, which is a hash.
fn is_variable(value: &[u8]) -> bool {
    if let Some(name) = value.strip_prefix(b"$") {
        let rest = name.iter().find(|byte| !byte.is_ascii_alphanumeric() && **byte != b'_');
        return name.first().is_some_and(|byte| matches!(byte, b'(' | b'{' | b'$' | b'\'' | b'"'))
            || (name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') && rest != Some(&b'$'))
            || (name.len() <= 2 && rest.is_none());
    }
    value.len() > 2 && value.starts_with(b"%") && value.ends_with(b"%")
}

/// Words that say what a value has to be, or that there is none.
pub(super) fn is_type(value: &[u8]) -> bool {
    is_one_of(value, TYPES) || is_one_of(value, WORDS) || is_one_of(value, METHODS)
}

pub(super) fn is_one_of(value: &[u8], words: &[&[u8]]) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(value))
}

pub(super) const TYPES: &[&[u8]] = &[
    b"any",
    b"array",
    b"boolean",
    b"bool",
    b"bytes",
    b"char",
    b"false",
    b"int",
    b"integer",
    b"missing",
    b"nil",
    b"none",
    b"null",
    b"number",
    b"object",
    b"optional",
    b"required",
    b"str",
    b"string",
    b"true",
    b"undefined",
    b"unknown",
    b"unset",
    b"varchar",
    b"void",
    b"yes",
    b"no",
    b"&str",
    b"&mut",
    b"string?",
    b"str?",
    b"async",
    b"await",
    b"typeof",
    b"const",
    b"return",
    b"not",
    b"inherit",
];

/// Names of algorithms and formats, which no password is.
const METHODS: &[&[u8]] = &[
    b"base64",
    b"base64url",
    b"sha1",
    b"sha256",
    b"sha384",
    b"sha512",
    b"md5",
    b"argon2",
    b"argon2i",
    b"argon2id",
    b"pbkdf2",
    b"oauth2",
    b"utf8",
    b"x509",
    b"ed25519",
    b"hs256",
    b"rs256",
    b"es256",
    b"aes128",
    b"aes256",
];

/// The same, unless a password in an environment is made of them.
const WORDS: &[&[u8]] = &[
    b"hidden",
    b"passphrase",
    b"passwd",
    b"password",
    b"secret",
    b"self",
    b"set",
    b"text",
    b"token",
    b"value",
    b"this",
    b"read",
    b"write",
    b"invalid",
    b"empty",
    b"bearer",
    b"basic",
    b"oauth",
    b"default",
    b"env",
    b"input",
    b"prompt",
    b"new",
    b"api_key",
    b"apikey",
];
