//! Keys that their published form gives away: a prefix, and then enough characters of the key's alphabet.
//!
//! At least twenty characters behind a prefix, as vendors lengthen their keys now and then; exact lengths only where the
//! prefix is so short that a word could begin with it.

use super::kind::Kind;
use super::text::{at, goes_on_as, is_word, run_of};

/// The characters that a key is made of.
#[derive(Debug, Clone, Copy)]
enum Alphabet {
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_`.
    Under,
    /// Letters, digits, `_`, `-`.
    Word,
    /// Letters, digits, `_`, `-`, `.`.
    Dotted,
    /// Letters, digits, `+`, `/`, `=`, `_`, `-`.
    Base64,
    /// `0-9a-fA-F`.
    Hex,
    /// `0-9A-Z`.
    Upper,
}

impl Alphabet {
    fn holds(self, byte: u8) -> bool {
        match self {
            Alphabet::Alnum => byte.is_ascii_alphanumeric(),
            Alphabet::Under => byte.is_ascii_alphanumeric() || byte == b'_',
            Alphabet::Word => is_word(byte),
            Alphabet::Dotted => is_word(byte) || byte == b'.',
            Alphabet::Base64 => is_word(byte) || matches!(byte, b'+' | b'/' | b'='),
            Alphabet::Hex => byte.is_ascii_hexdigit(),
            Alphabet::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
        }
    }
}

/// How long the rest of a key is.
#[derive(Debug, Clone, Copy)]
enum Len {
    /// At least so many characters.
    Min(usize),
    /// At least so many, of capitals, small letters and digits: the prefix is a short word.
    Mixed(usize),
    /// So many, and then something else.
    Exact(usize),
}

type Rule = (&'static [u8], Kind, Alphabet, Len);

use Alphabet::{Alnum, Base64, Dotted, Hex, Under, Upper, Word};
use Kind::*;
use Len::{Exact, Min, Mixed};

/// The rules of the keys that begin with a byte; of two that fit, the longer prefix stands first.
fn rules(first: u8) -> &'static [Rule] {
    match first {
        b'A' => &[
            (b"AKIA", Aws, Upper, Exact(16)),
            (b"ASIA", Aws, Upper, Exact(16)),
            (b"ABIA", Aws, Upper, Exact(16)),
            (b"ACCA", Aws, Upper, Exact(16)),
            (b"ABSK", Aws, Base64, Mixed(60)),
            (b"AIza", Google, Word, Min(30)),
            (b"AQ.Ab", Google, Word, Min(20)),
            (b"AGE-SECRET-KEY-1", Vendor, Alnum, Min(20)),
            (b"ATATT3", Vendor, Base64, Min(20)),
            (b"ATCTT3", Vendor, Base64, Min(20)),
            (b"ATBB", Vendor, Alnum, Mixed(28)),
            (b"AKCp", Vendor, Alnum, Min(50)),
        ],
        b'C' => &[
            (b"CCIPAT_", Vendor, Under, Min(20)),
            (b"CCIPRJ_", Vendor, Under, Min(20)),
            (b"CFPAT-", Vendor, Word, Min(20)),
            (b"CLOJARS_", Vendor, Alnum, Min(20)),
        ],
        b'F' => &[(b"FlyV1 fm", Vendor, Base64, Min(20))],
        b'G' => &[(b"GOCSPX-", Google, Word, Min(20)), (b"GR1348941", GitLab, Word, Min(20))],
        b'H' => &[(b"HRKU-", Vendor, Word, Min(20))],
        b'L' => &[
            // `-----BEGIN` in base64, as a kubeconfig holds keys.
            (b"LS0tLS1CRUdJTi", PrivateKey, Base64, Min(40)),
        ],
        b'N' => &[
            (b"NRAK-", Vendor, Alnum, Min(20)),
            (b"NRJS-", Vendor, Alnum, Exact(19)),
            (b"NRRA-", Vendor, Alnum, Min(20)),
        ],
        b'P' => &[(b"PMAK-", Vendor, Word, Min(20)), (b"PMAT-", Vendor, Word, Min(20))],
        b'S' => &[(b"SG.", Vendor, Dotted, Mixed(60)), (b"SK", Vendor, Hex, Exact(32))],
        b'a' => &[(b"api_org_", HuggingFace, Alnum, Min(20))],
        b'b' => &[(b"bkua_", Vendor, Alnum, Min(20)), (b"bedrock-api-key-", Aws, Base64, Min(20))],
        b'c' => &[
            (b"csk-", Model, Alnum, Min(20)),
            (b"cio", Vendor, Alnum, Exact(32)),
            (b"cmVmdGtuO", Vendor, Alnum, Min(40)),
        ],
        b'd' => &[
            (b"dop_v1_", Vendor, Alnum, Min(20)),
            (b"doo_v1_", Vendor, Alnum, Min(20)),
            (b"dor_v1_", Vendor, Alnum, Min(20)),
            (b"dp.pt.", Vendor, Alnum, Min(20)),
            (b"dp.st.", Vendor, Dotted, Min(20)),
            (b"dp.ct.", Vendor, Alnum, Min(20)),
            (b"dp.sa.", Vendor, Alnum, Min(20)),
            (b"dckr_pat_", Vendor, Word, Min(20)),
            (b"dckr_oat_", Vendor, Word, Min(20)),
            (b"dapi", Vendor, Hex, Exact(32)),
        ],
        b'e' => &[(b"e2b_", Vendor, Alnum, Min(20))],
        b'f' => &[
            (b"figd_", Vendor, Word, Min(20)),
            (b"fc-", Vendor, Hex, Exact(32)),
            (b"fw_", Model, Alnum, Mixed(20)),
            (b"fo1_", Vendor, Word, Min(20)),
            (b"fm1r_", Vendor, Base64, Min(20)),
            (b"fm2_", Vendor, Base64, Min(20)),
            (b"fio-u-", Vendor, Base64, Min(20)),
        ],
        b'g' => &[
            (b"ghp_", GitHub, Alnum, Min(20)),
            (b"gho_", GitHub, Alnum, Min(20)),
            (b"ghu_", GitHub, Alnum, Min(20)),
            (b"ghs_", GitHub, Alnum, Min(20)),
            (b"ghr_", GitHub, Alnum, Min(20)),
            (b"github_pat_", GitHub, Under, Min(20)),
            (b"glpat-", GitLab, Dotted, Min(20)),
            (b"gldt-", GitLab, Word, Min(20)),
            (b"glrt-", GitLab, Dotted, Min(20)),
            (b"glcbt-", GitLab, Word, Min(20)),
            (b"glptt-", GitLab, Word, Min(20)),
            (b"glft-", GitLab, Word, Min(20)),
            (b"glsoat-", GitLab, Word, Min(20)),
            (b"glimt-", GitLab, Word, Min(20)),
            (b"glagent-", GitLab, Word, Min(20)),
            (b"gloas-", GitLab, Word, Min(20)),
            (b"glffct-", GitLab, Word, Min(20)),
            (b"gsk_", Model, Alnum, Min(20)),
            (b"glsa_", Vendor, Under, Min(20)),
            (b"glc_", Vendor, Base64, Min(20)),
        ],
        b'h' => &[
            (b"hf_", HuggingFace, Alnum, Min(20)),
            (b"hvs.", Vendor, Word, Min(20)),
            (b"hvb.", Vendor, Word, Min(20)),
            (b"hvr.", Vendor, Word, Min(20)),
        ],
        b'i' => &[(b"ico-", Vendor, Alnum, Exact(32))],
        b'j' => &[(b"jina_", Model, Word, Min(20))],
        b'k' => &[(b"key-", Vendor, Hex, Exact(32))],
        b'l' => &[
            (b"lin_api_", Vendor, Alnum, Min(20)),
            (b"lin_oauth_", Vendor, Alnum, Min(20)),
            (b"lsv2_", Model, Under, Min(20)),
        ],
        b'n' => &[
            (b"npm_", Npm, Alnum, Min(20)),
            (b"nvapi-", Model, Word, Min(20)),
            (b"ntn_", Vendor, Alnum, Min(20)),
            (b"napi_", Vendor, Alnum, Min(20)),
            (b"nfp_", Vendor, Alnum, Min(20)),
        ],
        b'o' => &[(b"ops_eyJ", Vendor, Word, Min(20)), (b"oy2", Vendor, Alnum, Exact(43))],
        b'p' => &[
            (b"pypi-", PyPi, Word, Min(20)),
            (b"pplx-", Model, Alnum, Min(20)),
            (b"pscale_", Vendor, Dotted, Min(20)),
            (b"phx_", Vendor, Alnum, Min(20)),
            (b"pnu_", Vendor, Alnum, Min(20)),
            (b"pul-", Vendor, Hex, Exact(40)),
            (b"pat-na1-", Vendor, Word, Min(20)),
            (b"pat-eu1-", Vendor, Word, Min(20)),
            (b"pk-lf-", Model, Word, Min(20)),
            (b"prv_", Vendor, Alnum, Mixed(20)),
        ],
        b'r' => &[
            (b"r8_", Model, Alnum, Min(20)),
            (b"rk_live_", Stripe, Alnum, Min(10)),
            (b"rk_test_", Stripe, Alnum, Min(10)),
            (b"rubygems_", Vendor, Alnum, Min(20)),
            (b"rdme_", Vendor, Alnum, Min(20)),
            (b"re_", Vendor, Under, Mixed(24)),
            (b"rnd_", Vendor, Alnum, Mixed(20)),
        ],
        b's' => &[
            (b"sk-ant-", Anthropic, Word, Min(20)),
            (b"sk-or-", OpenRouter, Word, Min(20)),
            (b"sk-proj-", OpenAi, Word, Min(20)),
            (b"sk-svcacct-", OpenAi, Word, Min(20)),
            (b"sk-admin-", OpenAi, Word, Min(20)),
            (b"sk-lf-", Model, Word, Min(20)),
            (b"sk-", OpenAi, Word, Min(20)),
            (b"sk_live_", Stripe, Alnum, Min(10)),
            (b"sk_test_", Stripe, Alnum, Min(10)),
            (b"sk_", Model, Hex, Exact(48)),
            (b"shpat_", Vendor, Alnum, Min(20)),
            (b"shpca_", Vendor, Alnum, Min(20)),
            (b"shppa_", Vendor, Alnum, Min(20)),
            (b"shpss_", Vendor, Alnum, Min(20)),
            (b"sntrys_", Vendor, Base64, Min(20)),
            (b"sntryu_", Vendor, Alnum, Min(20)),
            (b"sbp_", Vendor, Under, Min(20)),
            (b"sb_secret_", Vendor, Word, Min(20)),
            (b"sgp_", Vendor, Under, Min(20)),
            (b"sq0atp-", Vendor, Word, Min(20)),
            (b"sq0csp-", Vendor, Word, Min(20)),
            (b"secret_", Vendor, Alnum, Exact(43)),
            (b"sl.", Vendor, Word, Mixed(60)),
        ],
        b't' => &[
            (b"tvly-", Model, Word, Min(20)),
            (b"tgp_v1_", Model, Word, Min(20)),
            (b"tskey-", Vendor, Word, Min(20)),
            (b"tfp_", Vendor, Word, Min(20)),
        ],
        b'v' => &[(b"vck_", Model, Alnum, Min(20)), (b"vcp_", Vendor, Alnum, Min(20))],
        b'w' => &[(b"whsec_", Stripe, Base64, Min(20)), (b"wandb_v1_", Model, Under, Min(20))],
        b'x' => &[
            (b"xoxb-", Slack, Word, Min(20)),
            (b"xoxp-", Slack, Word, Min(20)),
            (b"xoxa-", Slack, Word, Min(20)),
            (b"xoxr-", Slack, Word, Min(20)),
            (b"xoxs-", Slack, Word, Min(20)),
            (b"xoxc-", Slack, Word, Min(20)),
            (b"xoxd-", Slack, Word, Min(20)),
            (b"xoxe", Slack, Dotted, Min(20)),
            (b"xapp-", Slack, Word, Min(20)),
            (b"xwfp-", Slack, Word, Min(20)),
            (b"xai-", Model, Alnum, Min(20)),
        ],
        b'y' => &[(b"ya29.", Google, Word, Min(20))],
        _ => &[],
    }
}

/// Whether a key can begin with a word: each is longer than most words, or goes on behind its first one.
pub(super) fn may_begin(text: &[u8], start: usize, end: usize) -> bool {
    end - start >= 14
        || matches!(at(text, end), Some(b'-' | b'.' | b'+' | b'/' | b'=' | b':' | b'~'))
        || at(text, start) == Some(b'F')
}

/// The key that begins at a place where a word begins: where it ends, and whose it is. What only looks like one from
/// afar has an end and is nobody's: nothing of it is looked at again.
pub(super) fn key(text: &[u8], start: usize) -> Option<(usize, Option<Kind>)> {
    let first = at(text, start)?;
    let rest = text.get(start..)?;
    for (prefix, kind, alphabet, len) in rules(first) {
        if !goes_on_as(rest, prefix) {
            continue;
        }
        let from = start + prefix.len();
        let end = from + run_of(text, from, |byte| alphabet.holds(byte));
        let body = text.get(from..end).unwrap_or_default();
        let long_enough = match len {
            Min(min) | Mixed(min) => body.len() >= *min,
            Exact(len) => body.len() == *len && !at(text, end).is_some_and(is_word),
        };
        if !long_enough {
            continue;
        }
        let is_random = match len {
            Mixed(_) => is_mixed(body),
            // `sk-` begins the names of style classes too.
            _ => *prefix != b"sk-" || body.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2,
        };
        let is_key = is_random && !is_filler(body);
        return Some((trimmed(text, from, end), is_key.then_some(*kind)));
    }
    other(text, start, first).map(|(end, kind)| (end, Some(kind)))
}

/// Keys without a prefix that is theirs alone, but of a form that nothing else has.
fn other(text: &[u8], start: usize, first: u8) -> Option<(usize, Kind)> {
    let rest = text.get(start..)?;
    match first {
        b'0'..=b'9' => {
            // A Telegram bot: `123456789:AA…`.
            if rest.starts_with(b"1//0") {
                let end = start + 4 + run_of(text, start + 4, is_word);
                return (end - start >= 24).then_some((end, Google));
            }
            let digits = run_of(text, start, |byte| byte.is_ascii_digit());
            let from = start + digits + 1;
            if (8..=10).contains(&digits) && text.get(start + digits..).is_some_and(|rest| rest.starts_with(b":AA")) {
                let len = run_of(text, from, is_word);
                return (len == 35).then_some((from + len, Vendor));
            }
            None
        }
        // A Discord bot: the id in base64, a time, a signature.
        b'M' | b'N' | b'O' => {
            let head = text.get(..text.len().min(start + 120))?;
            let len = run_of(head, start, |byte| is_word(byte) || byte == b'.');
            let body = text.get(start..start + len)?;
            let mut parts = body.split(|byte| *byte == b'.');
            let (id, time, mac) = (parts.next()?, parts.next()?, parts.next()?);
            let fits = (23..=28).contains(&id.len()) && time.len() == 6 && (27..=40).contains(&mac.len());
            (fits && parts.next().is_none()).then_some((start + len, Vendor))
        }
        b'h' => hook(text, start, b"hooks.slack.com/services/", Slack)
            .or_else(|| hook(text, start, b"hooks.slack.com/workflows/", Slack))
            .or_else(|| hook(text, start, b"hooks.slack.com/triggers/", Slack)),
        b'd' => hook(text, start, b"discord.com/api/webhooks/", Vendor)
            .or_else(|| hook(text, start, b"discordapp.com/api/webhooks/", Vendor)),
        _ => None,
    }
}

/// A web hook whose path is the secret.
fn hook(text: &[u8], start: usize, prefix: &[u8], kind: Kind) -> Option<(usize, Kind)> {
    text.get(start..)?.starts_with(prefix).then_some(())?;
    let from = start + prefix.len();
    let len = run_of(text, from, |byte| is_word(byte) || byte == b'/');
    (len >= 20).then_some((from + len, kind))
}

/// An Azure client secret, whose mark `Q~` stands in its middle: the word before it has just ended at `end`.
pub(super) fn azure(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let marked = end - start == 5 && at(text, end - 1) == Some(b'Q') && at(text, end) == Some(b'~');
    let len = run_of(text, end + 1, |byte| is_word(byte) || matches!(byte, b'.' | b'~'));
    (marked && (30..=36).contains(&len)).then_some(end + 1 + len)
}

/// A token of Terraform's cloud, whose mark stands in its middle.
pub(super) fn terraform(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let mark = b".atlasv1.";
    let marked = end - start == 14 && text.get(end..).is_some_and(|rest| rest.starts_with(mark));
    let len = run_of(text, end + mark.len(), is_word);
    (marked && len >= 40).then_some(end + mark.len() + len)
}

fn is_mixed(body: &[u8]) -> bool {
    body.iter().any(u8::is_ascii_lowercase)
        && body.iter().any(u8::is_ascii_uppercase)
        && body.iter().any(u8::is_ascii_digit)
}

/// What stands in documents in place of a key: `xxxxxxxx`, `your-key-here`.
fn is_filler(body: &[u8]) -> bool {
    let mut seen = [false; 256];
    for byte in body {
        if let Some(seen) = seen.get_mut(usize::from(byte.to_ascii_lowercase())) {
            *seen = true;
        }
    }
    seen.iter().filter(|seen| **seen).count() <= 3
}

/// A point or dash that ends a sentence belongs to no key.
fn trimmed(text: &[u8], from: usize, end: usize) -> usize {
    let body = text.get(from..end).unwrap_or_default();
    end - body.iter().rev().take_while(|byte| matches!(byte, b'.' | b'-')).count()
}
