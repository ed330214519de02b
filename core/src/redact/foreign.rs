//! Names of secrets in other languages than English, where they are no words of ASCII or several: `пароль`, `密码`,
//! `contraseña`, `mot de passe`.

use super::kind::Kind;
use super::name::{Named, Trust};
use std::ops::Range;

const WORDS: &[(&str, Kind, Trust)] = &[
    ("contraseña", Kind::Password, Trust::Any),
    ("Contraseña", Kind::Password, Trust::Any),
    ("CONTRASEÑA", Kind::Password, Trust::Any),
    ("mot de passe", Kind::Password, Trust::Any),
    ("Mot de passe", Kind::Password, Trust::Any),
    ("пароль", Kind::Password, Trust::Any),
    ("Пароль", Kind::Password, Trust::Any),
    ("ПАРОЛЬ", Kind::Password, Trust::Any),
    ("hasło", Kind::Password, Trust::Any),
    ("Hasło", Kind::Password, Trust::Any),
    ("şifre", Kind::Password, Trust::Any),
    ("密码", Kind::Password, Trust::Any),
    ("密碼", Kind::Password, Trust::Any),
    ("口令", Kind::Password, Trust::Any),
    ("パスワード", Kind::Password, Trust::Any),
    ("비밀번호", Kind::Password, Trust::Any),
    ("секрет", Kind::Secret, Trust::Random),
    ("токен", Kind::Token, Trust::Random),
    ("令牌", Kind::Token, Trust::Random),
    ("密钥", Kind::Secret, Trust::Random),
    ("密鑰", Kind::Secret, Trust::Random),
    ("トークン", Kind::Token, Trust::Random),
];

/// The name that ends at a place, and what it says.
pub(super) fn named(text: &[u8], end: usize) -> Option<(Range<usize>, Named)> {
    let head = text.get(..end)?;
    let (word, kind, trust) = WORDS.iter().find(|(word, ..)| head.ends_with(word.as_bytes()))?;
    Some((end - word.len()..end, Named { kind: *kind, trust: *trust, header: false }))
}
