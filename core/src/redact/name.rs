//! What a name says of the value that is given to it: `DB_PASSWORD`, `"apiKey"`, `x-auth-token`, `tokens`.

use super::kind::Kind;
use super::text::goes_on_as;

/// Longer names are no names.
pub(super) const LONGEST: usize = 80;

/// How much a value must look like a secret under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Nearly anything that is no placeholder: a password may be an ordinary word.
    Any,
    /// Whatever is not made of ordinary words.
    Random,
    /// Only what is long, and of letters and digits.
    LongRandom,
    /// Only what has letters and digits: the name may be a word for other things, as `pass` of tests and `pwd` of folders.
    Mixed,
}

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) kind: Kind,
    pub(super) trust: Trust,
    /// The value is a header's: a scheme may stand before the secret.
    pub(super) header: bool,
}

type Word = (&'static [u8], Kind, Trust);

/// Words that make a name a secret's wherever they stand in it, without `_`, `-`, `.` and capitals; by their first letter.
fn words(first: u8) -> &'static [Word] {
    match first {
        b'p' => &[
            (b"password", Kind::Password, Trust::Any),
            (b"passwd", Kind::Password, Trust::Any),
            (b"passphrase", Kind::Password, Trust::Any),
            (b"passwort", Kind::Password, Trust::Any),
            (b"palavrapasse", Kind::Password, Trust::Any),
            (b"privatekey", Kind::ApiKey, Trust::Random),
        ],
        b's' => &[
            (b"secret", Kind::Secret, Trust::Random),
            (b"signingkey", Kind::ApiKey, Trust::Random),
            (b"subscriptionkey", Kind::ApiKey, Trust::Random),
            (b"sessid", Kind::Cookie, Trust::Random),
            (b"storepass", Kind::Password, Trust::Any),
            (b"sshpass", Kind::Password, Trust::Any),
        ],
        b't' => &[(b"token", Kind::Token, Trust::Random)],
        b'a' => &[
            (b"apikey", Kind::ApiKey, Trust::Random),
            (b"accesskey", Kind::ApiKey, Trust::Random),
            (b"accountkey", Kind::ApiKey, Trust::Random),
            (b"authkey", Kind::ApiKey, Trust::Random),
        ],
        b'c' => &[
            (b"credential", Kind::Secret, Trust::Random),
            (b"contrasena", Kind::Password, Trust::Any),
            (b"contrasenya", Kind::Password, Trust::Any),
        ],
        b'j' => &[(b"jsessionid", Kind::Cookie, Trust::Random)],
        b'd' => &[(b"deploykey", Kind::ApiKey, Trust::Random)],
        b'e' => &[(b"encryptionkey", Kind::ApiKey, Trust::Random)],
        b'k' => &[(b"kennwort", Kind::Password, Trust::Any), (b"keypass", Kind::Password, Trust::Any)],
        b'w' => &[(b"wachtwoord", Kind::Password, Trust::Any)],
        b'm' => &[(b"masterkey", Kind::ApiKey, Trust::Random), (b"motdepasse", Kind::Password, Trust::Any)],
        b'l' => &[(b"licensekey", Kind::ApiKey, Trust::Random)],
        _ => &[],
    }
}

/// Words that do so only where they are a whole word of the name, and its last one.
const LAST_WORDS: &[Word] = &[
    (b"pwd", Kind::Password, Trust::Any),
    (b"pass", Kind::Password, Trust::Any),
    (b"pw", Kind::Password, Trust::Random),
    (b"pat", Kind::Token, Trust::Random),
    (b"jwt", Kind::Token, Trust::LongRandom),
    (b"bearer", Kind::Token, Trust::LongRandom),
    (b"signature", Kind::Signature, Trust::LongRandom),
    (b"sig", Kind::Signature, Trust::LongRandom),
    (b"sid", Kind::Cookie, Trust::LongRandom),
    (b"creds", Kind::Secret, Trust::Random),
    (b"psk", Kind::Password, Trust::Random),
    (b"passcode", Kind::Password, Trust::Random),
    (b"clave", Kind::Password, Trust::Random),
    (b"senha", Kind::Password, Trust::Any),
    (b"parola", Kind::Password, Trust::Random),
    (b"haslo", Kind::Password, Trust::Random),
];

/// Last words that do so only in the names of the environment: `STRIPE_KEY=…`.
const ENV_WORDS: &[&[u8]] = &[b"key", b"auth", b"dsn", b"salt", b"pepper", b"webhook", b"cert", b"seed", b"mnemonic"];

/// What may follow such a word where the value is not the secret itself but says something of it.
const OF_IT: &[&[u8]] = &[
    b"algorithm",
    b"arn",
    b"at",
    b"audience",
    b"budget",
    b"change",
    b"class",
    b"count",
    b"dir",
    b"enabled",
    b"encoder",
    b"endpoint",
    b"env",
    b"error",
    b"exception",
    b"exp",
    b"expire",
    b"expires",
    b"expiry",
    b"failed",
    b"field",
    b"file",
    b"format",
    b"hint",
    b"id",
    b"ids",
    b"index",
    b"input",
    b"invalid",
    b"ization",
    b"ize",
    b"ized",
    b"izer",
    b"kind",
    b"label",
    b"last",
    b"len",
    b"length",
    b"less",
    b"limit",
    b"list",
    b"manager",
    b"map",
    b"max",
    b"message",
    b"mgr",
    b"min",
    b"mismatch",
    b"missing",
    b"model",
    b"name",
    b"offset",
    b"path",
    b"pattern",
    b"placeholder",
    b"policy",
    b"position",
    b"prefix",
    b"prompt",
    b"protected",
    b"provider",
    b"ref",
    b"regex",
    b"required",
    b"reset",
    b"rotation",
    b"rule",
    b"s",
    b"scope",
    b"scopes",
    b"service",
    b"start",
    b"status",
    b"store",
    b"strategy",
    b"strength",
    b"suffix",
    b"ttl",
    b"type",
    b"uri",
    b"url",
    b"usage",
    b"used",
    b"valid",
    b"version",
    b"visibility",
    b"visible",
    b"window",
];

/// What such a name may end with where the same holds: `secret_key_file`.
const ENDS: &[&[u8]] =
    &[b"name", b"ref", b"file", b"path", b"url", b"uri", b"type", b"count", b"length", b"error", b"email"];

/// What may stand before such a word where the value is no secret: `max_token`, `forgotPassword`.
const BEFORE_IT: &[&[u8]] = &[
    b"avg", b"bos", b"change", b"cls", b"count", b"eos", b"forgot", b"has", b"hide", b"invalid", b"is", b"mask",
    b"max", b"min", b"no", b"num", b"pad", b"per", b"reset", b"sep", b"show", b"special", b"stop", b"toggle", b"total",
    b"unk", b"use", b"wrong",
];

/// Whether a field below a telling name says something of the secret, and is not the secret itself: `type`, `key_id`.
pub(super) fn is_of_it(name: &[u8]) -> bool {
    const OTHERS: &[&[u8]] =
        &[b"id", b"user", b"username", b"email", b"host", b"description", b"region", b"date", b"hash"];
    let mut buffer = [0u8; LONGEST];
    let (plain, last) = plain(name.get(..LONGEST).unwrap_or(name), &mut buffer);
    let last = plain.get(last..).unwrap_or_default();
    OTHERS.contains(&last) || OF_IT.contains(&last) || ENDS.iter().any(|word| plain.ends_with(word))
}

/// What a name says of its value, if anything.
pub(super) fn named(name: &[u8]) -> Option<Named> {
    if name.len() < 2 || name.len() > LONGEST {
        return None;
    }
    let mut buffer = [0u8; LONGEST];
    let (plain, last) = plain(name, &mut buffer);
    if plain == b"authorization" || plain == b"proxyauthorization" {
        return Some(Named { kind: Kind::Token, trust: Trust::Any, header: true });
    }
    // The last one counts: a `token_secret` is a secret.
    let mut found: Option<(usize, usize, Kind, Trust)> = None;
    for (start, first) in plain.iter().enumerate() {
        let rest = plain.get(start..)?;
        let word = words(*first).iter().find(|(word, ..)| goes_on_as(rest, word));
        let Some((word, kind, trust)) = word else { continue };
        // A `secret_access_key` is a secret, a `password_token` a password.
        let strong = |kind: Kind| matches!(kind, Kind::Password | Kind::Secret);
        if strong(*kind) || !found.is_some_and(|(_, _, kind, _)| strong(kind)) {
            found = Some((start, word.len(), *kind, *trust));
        }
    }
    if let Some((start, len, kind, trust)) = found {
        let tail = plain.get(start + len..)?;
        let tail = tail.strip_prefix(b"s").filter(|_| plain.get(start) == Some(&b'c')).unwrap_or(tail);
        let of_it = OF_IT.iter().any(|word| tail.starts_with(word) && (word.len() > 2 || word.len() == tail.len()));
        let of_it = of_it || ENDS.iter().any(|word| tail.ends_with(word));
        let head = plain.get(..start)?;
        let is_other = of_it || BEFORE_IT.iter().any(|word| head.ends_with(word) && begins(name, start - word.len()));
        return (!is_other).then_some(Named { kind, trust, header: false });
    }
    // `PWD` alone is the working directory.
    let last = plain.get(last..)?;
    if let Some((_, kind, trust)) = LAST_WORDS.iter().find(|(word, ..)| *word == last) {
        let is_lone = matches!(plain, b"pwd" | b"pass" | b"pw");
        let trust = if is_lone { Trust::Mixed } else { *trust };
        let is_other = matches!(plain, b"oldpwd" | b"pat");
        return (!is_other).then_some(Named { kind: *kind, trust, header: false });
    }
    let shouted = name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    (shouted && name.len() > last.len() && ENV_WORDS.contains(&last)).then_some(Named {
        kind: Kind::Env,
        trust: Trust::LongRandom,
        header: false,
    })
}

/// Whether a word begins at a place of the plain form: `has` in `userHasToken`, not in `alohasToken`.
fn begins(name: &[u8], plain: usize) -> bool {
    let offset = offset_of(name, plain);
    match (offset.checked_sub(1).and_then(|at| name.get(at)), name.get(offset)) {
        (Some(before), Some(here)) => {
            !before.is_ascii_alphanumeric() || (before.is_ascii_lowercase() && here.is_ascii_uppercase())
        }
        _ => true,
    }
}

/// The place in a name of a place in its plain form.
fn offset_of(name: &[u8], plain: usize) -> usize {
    let letters = name.iter().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric());
    letters.map(|(at, _)| at).nth(plain).unwrap_or(name.len())
}

/// The name in small letters and without what parts its words, and where in that its last word begins.
fn plain<'b>(name: &[u8], buffer: &'b mut [u8; LONGEST]) -> (&'b [u8], usize) {
    let (mut len, mut last) = (0, 0);
    let mut previous = b'_';
    for byte in name {
        if byte.is_ascii_alphanumeric() {
            let begins =
                !previous.is_ascii_alphanumeric() || (previous.is_ascii_lowercase() && byte.is_ascii_uppercase());
            if begins {
                last = len;
            }
            if let Some(slot) = buffer.get_mut(len) {
                *slot = byte.to_ascii_lowercase();
                len += 1;
            }
        }
        previous = *byte;
    }
    (buffer.get(..len).unwrap_or_default(), last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for (name, kind) in [
            ("password", Kind::Password),
            ("DB_PASSWORD", Kind::Password),
            ("spring.datasource.password", Kind::Password),
            ("pgpassword", Kind::Password),
            ("SMTP_PASS", Kind::Password),
            ("dbPwd", Kind::Password),
            ("clientSecret", Kind::Secret),
            ("AWS_SECRET_ACCESS_KEY", Kind::Secret),
            ("FOO_TOKEN", Kind::Token),
            ("TOKEN_PROD", Kind::Token),
            ("x-auth-token", Kind::Token),
            ("_authToken", Kind::Token),
            ("idToken", Kind::Token),
            ("OPENROUTER_API_KEY", Kind::ApiKey),
            ("api_key", Kind::ApiKey),
            ("X-Amz-Signature", Kind::Signature),
            ("STRIPE_KEY", Kind::Env),
            ("Authorization", Kind::Token),
            ("PHPSESSID", Kind::Cookie),
            ("JSESSIONID", Kind::Cookie),
        ] {
            assert_eq!(named(name.as_bytes()).map(|named| named.kind), Some(kind), "{name}");
        }
    }

    #[test]
    fn names_of_other_things() {
        for name in [
            "tokens",
            "max_tokens",
            "maxToken",
            "token_type",
            "tokenizer",
            "tokenCount",
            "token_url",
            "eos_token",
            "OLDPWD",
            "passed",
            "compass",
            "password_file",
            "secretName",
            "secretKeyRefName",
            "passwordless",
            "forgotPassword",
            "has_token",
            "key",
            "publicKey",
            "primary_key",
            "sessionID",
            "callID",
            "monkey",
            "KEY",
            "passwordMinLength",
            "bypass",
            "author",
            "hash",
            "input_tokens",
        ] {
            assert_eq!(named(name.as_bytes()), None, "{name}");
        }
    }
}
