//! Worked figures, and gaps that are or are not explained.

use super::*;
use crate::price::{Rate, Rates, Tier};

fn usage(input: u64, output: u64, reasoning: u64, read: u64, write: u64) -> Usage {
    Usage {
        input: Some(input),
        output: Some(output),
        reasoning: Some(reasoning),
        cache_read: Some(read),
        cache_write: Some(write),
        total: None,
    }
}

/// The step of the worked figure.
fn worked() -> Usage {
    usage(1000, 800, 200, 65_856, 2000)
}

/// Rates from texts per million; blank = absent.
fn rates(input: &str, output: &str, cache_read: &str, cache_write: &str, reasoning: &str) -> Rates {
    let rate = |text: &str| if text.is_empty() { Rate::Absent } else { Rate::per_million(text) };
    Rates {
        input: rate(input),
        output: rate(output),
        cache_read: rate(cache_read),
        cache_write: rate(cache_write),
        reasoning: rate(reasoning),
    }
}

fn one() -> Prices {
    Prices::flat(rates("3", "15", "0.30", "3.75", ""))
}

fn tiered(over: Rates) -> Prices {
    Prices { tiers: vec![Tier { over: 200_000, rates: over }], ..one() }
}

fn usd(text: &str) -> PicoUsd {
    PicoUsd::parse(text).unwrap()
}

fn both(usage: &Usage, prices: &Prices) -> (String, String) {
    let say = |cost: Result<PicoUsd, Unknown>| cost.map_or_else(|unknown| unknown.to_string(), |usd| usd.to_string());
    (say(comparable(usage, prices)), say(list(usage, prices).map(|list| list.usd)))
}

fn costs(comparable: &str, list: &str) -> (String, String) {
    (comparable.to_owned(), list.to_owned())
}

#[test]
fn the_worked_figure() {
    assert_eq!(comparable(&worked(), &one()), Ok(usd("0.0437568")));
    let list = list(&worked(), &one()).unwrap();
    assert_eq!((list.usd, list.assumptions), (usd("0.0452568"), vec![Assumption::ReasoningBeside]));
    let dropped = Usage { cache_read: None, ..worked() };
    assert_eq!(comparable(&dropped, &one()), Ok(usd("0.024")));
}

#[test]
fn the_story_of_the_seed() {
    // Three steps, of which the cached reads are the bulk.
    let steps =
        [usage(2000, 1000, 111, 177_000, 4000), usage(1500, 900, 111, 178_000, 0), usage(2500, 1100, 111, 178_000, 0)];
    let dollars = |steps: &[Usage]| {
        let sum: u128 = steps.iter().map(|step| comparable(step, &one()).unwrap().0).sum();
        format!("{:.2}", PicoUsd(sum).to_usd())
    };
    let dropped = steps.map(|step| Usage { cache_read: None, ..step });
    assert_eq!((dollars(&dropped), dollars(&steps)), ("0.08".to_owned(), "0.24".to_owned()));

    // Reported without the cached reads, the sum is far too low, and the reconciliation says why.
    let mut account = Account::default();
    for (step, dropped) in steps.iter().zip(&dropped) {
        account.add(comparable(dropped, &one()).ok(), Some(step), Ok(&one()));
    }
    assert_eq!(account.reported(), Some(usd("0.079995")));
    assert_eq!(account.comparable(), Ok(usd("0.239895")));
    let compared = account.reconcile().unwrap().comparable.unwrap();
    assert_eq!(compared.gap, Gap::Closed(vec![Change::ReadsUnbilled]));
    assert_eq!(compared.difference.to_string(), "+$0.1599 (+199.89 %)");
    assert_eq!(compared.gap.to_string(), "cached reads not billed would close the gap");

    // As the harness shows it, two digits: near enough to name the cause.
    let mut account = Account::default();
    for (step, cost) in steps.iter().zip(["0.03", "0.02", "0.03"]) {
        account.add(Some(usd(cost)), Some(step), Ok(&one()));
    }
    assert_eq!(account.reconcile().unwrap().comparable.unwrap().gap, Gap::Closed(vec![Change::ReadsUnbilled]));

    // Reported with them, it agrees.
    let mut account = Account::default();
    for step in &steps {
        account.add(comparable(step, &one()).ok(), Some(step), Ok(&one()));
    }
    assert_eq!(account.reconcile().unwrap().comparable.unwrap().gap, Gap::Agrees);
}

#[test]
fn total_says_what_output_holds() {
    let with = |usage: Usage, total: u64| convention(&Usage { total: Some(total), ..usage });
    let step = usage(476, 91, 48, 1024, 10);
    assert_eq!(with(step, 476 + 91 + 48 + 1024 + 10), Convention::Additive);
    assert_eq!(with(step, 476 + 91 + 1024 + 10), Convention::Inside);
    assert_eq!(with(step, 476 + 91 + 48 + 1024), Convention::CannotTell);
    assert_eq!(convention(&step), Convention::CannotTell);
    assert_eq!(with(usage(5, 7, 0, 0, 0), 12), Convention::Additive);
    assert_eq!(with(usage(5, 7, 8, 0, 0), 12), Convention::CannotTell, "more reasoning than output");
    assert_eq!(with(usage(u64::MAX, u64::MAX, 0, 0, 0), u64::MAX - 1), Convention::CannotTell, "no wrapping");
    let sparse = Usage { input: Some(5), output: Some(7), total: Some(12), ..Usage::default() };
    assert_eq!(convention(&sparse), Convention::Additive);
}

#[test]
fn reasoning_inside_output_is_listed_once() {
    let step = usage(1000, 91, 48, 0, 0);
    let at = |total: Option<u64>, prices: &Prices| both(&Usage { total, ..step }, prices);
    let plain = Prices::flat(rates("3", "15", "", "", ""));
    let own = Prices::flat(rates("3", "15", "", "", "20"));
    assert_eq!(at(Some(1091), &plain), costs("$0.005085", "$0.004365"));
    assert_eq!(at(Some(1139), &plain), costs("$0.005085", "$0.005085"));
    assert_eq!(at(None, &plain), costs("$0.005085", "$0.005085"));
    assert_eq!(at(Some(1091), &own), costs("$0.005085", "$0.004605"));
    assert_eq!(at(Some(1139), &own), costs("$0.005085", "$0.005325"));
}

#[test]
fn the_tier_is_of_the_step_and_strictly_above() {
    let prices = tiered(rates("6", "22.5", "0.60", "7.50", ""));
    // 200,000 is the prompt: input and both cache classes.
    let at = usage(100_000, 1000, 0, 60_000, 40_000);
    assert_eq!(both(&at, &prices), costs("$0.453", "$0.483"));
    let above = usage(100_000, 1000, 0, 60_001, 40_000);
    assert_eq!(both(&above, &prices), costs("$0.4530003", "$0.9585006"));
}

#[test]
fn a_tier_without_cache_prices_keeps_those_below_it() {
    let prices = tiered(rates("6", "22.5", "", "", ""));
    let list = list(&usage(200_000, 0, 0, 10_000, 0), &prices).unwrap();
    assert_eq!((list.usd, list.assumptions), (usd("1.203"), vec![Assumption::TierKeepsCachePrice]));
}

#[test]
fn input_stands_in_for_cache_prices_that_are_not_there() {
    let prices = Prices::flat(rates("2", "10", "", "", ""));
    let list = list(&worked(), &prices).unwrap();
    assert_eq!(comparable(&worked(), &prices), Ok(usd("0.147712")));
    assert_eq!(list.usd, usd("0.147712"));
    use Assumption::{ReadsAtInputPrice, ReasoningBeside, WritesAtInputPrice};
    assert_eq!(list.assumptions, [ReadsAtInputPrice, WritesAtInputPrice, ReasoningBeside]);
}

#[test]
fn a_class_without_a_price_is_named_only_where_it_has_tokens() {
    let no_output = Prices::flat(rates("3", "", "0.3", "", ""));
    let lack = "the price table has no price for output tokens";
    assert_eq!(both(&worked(), &no_output), costs(lack, lack));
    assert_eq!(both(&usage(1000, 0, 0, 0, 0), &no_output), costs("$0.003", "$0.003"));
    let lack = "the price table has no price for reasoning tokens";
    assert_eq!(both(&usage(1000, 0, 5, 0, 0), &no_output), costs(lack, lack));
    // An unreadable price is unknown; nothing stands in for it.
    let odd = Prices::flat(rates("3", "15", "-1", "", ""));
    let lack = "the price table's price for cached reads is negative or no number";
    assert_eq!(both(&worked(), &odd), costs(lack, lack));
    let odd = Prices::flat(rates("3", "15", "0.3", "free", ""));
    let lack = "the price table's price for cache writes is negative or no number";
    assert_eq!(both(&worked(), &odd), costs("$0.0437568", lack));
    assert_eq!(both(&usage(0, 0, 0, 7, 0), &Prices::default()).0, "the price table has no price for cached reads");
}

#[test]
fn zero_is_a_price_and_absent_counts_add_nothing() {
    let free = Prices::flat(rates("0", "0", "", "", ""));
    assert_eq!(both(&worked(), &free), costs("$0.00", "$0.00"));
    let sparse = Usage { output: Some(1_000_000), ..Usage::default() };
    assert_eq!(both(&sparse, &one()), costs("$15.00", "$15.00"));
    assert_eq!(both(&Usage::default(), &Prices::default()), costs("$0.00", "$0.00"));
}

#[test]
fn large_counts_stay_exact() {
    let step = usage(u64::MAX, 1, 0, 0, 0);
    let cost = comparable(&step, &one()).unwrap();
    assert_eq!(cost.0, u128::from(u64::MAX) * 3_000_000 + 15_000_000);
}

#[test]
fn a_model_is_looked_up_or_the_reason_given() {
    let text = r#"{"openrouter":{"models":{"acme/one":{"cost":{"input":3,"output":15}},"acme/noprice":{}}}}"#;
    let table = PriceTable::parse(text, "prices.json").unwrap();
    let say = |model: Option<&str>| look_up(&table, model).map_or_else(|unknown| unknown.to_string(), |found| found.id);
    assert_eq!(say(Some("openrouter/acme/one")), "acme/one");
    assert_eq!(say(None), "the stream names no model");
    assert_eq!(say(Some("acme/unheard-of")), "the price table has no model acme/unheard-of");
    assert_eq!(say(Some("acme/onne")), "the price table has no model acme/onne; did you mean acme/one?");
    assert_eq!(say(Some("acme/noprice")), "the price table lists acme/noprice without a price");
    let typed = PriceTable::manual("3", "15", "", "").unwrap();
    assert!(look_up(&typed, None).is_ok());
}

/// What closes the gap to the list cost, and to the comparable cost.
fn gaps(reported: &str, usage: &Usage, prices: &Prices) -> (Gap, Gap) {
    let reconciliation = reconcile(usd(reported), usage, prices);
    (reconciliation.list.unwrap().gap, reconciliation.comparable.unwrap().gap)
}

fn closed(changes: &[Change]) -> Gap {
    Gap::Closed(changes.to_vec())
}

#[test]
fn a_gap_is_closed_by_the_change_that_made_it() {
    use Change::*;
    let step = worked();
    let total = |total: u64| Usage { total: Some(total), ..worked() };
    let sum = 1000 + 800 + 65_856 + 2000;
    // Cache writes, either way round.
    assert_eq!(gaps("0.0437568", &step, &one()), (closed(&[WritesAtInputPrice]), Gap::Agrees));
    assert_eq!(gaps("0.0452568", &step, &one()), (Gap::Agrees, closed(&[WritesAtOwnPrice])));
    // 2 · 3 · 2,000 / 10^6 for the writes.
    assert_eq!(gaps("0.0497568", &step, &one()), (closed(&[WritesOneHour]), closed(&[WritesOneHour])));
    assert_eq!(gaps("0.0377568", &step, &one()), (closed(&[WritesUnbilled]), closed(&[WritesUnbilled])));
    // Cached reads: dropped, or at the full price.
    assert_eq!(gaps("0.0255", &step, &one()), (closed(&[ReadsUnbilled]), closed(&[ReadsUnbilled, WritesAtOwnPrice])));
    assert_eq!(gaps("0.223068", &step, &one()).0, closed(&[ReadsAtInputPrice]));
    // Reasoning, which the list cost counts once.
    assert_eq!(gaps("0.0452568", &total(sum), &one()).0, closed(&[ReasoningTwice]));
    assert_eq!(gaps("0.0482568", &total(sum + 200), &one()).0, closed(&[ReasoningTwice]));
    assert_eq!(gaps("0.0422568", &total(sum + 200), &one()).0, closed(&[ReasoningUnbilled]));
    assert_eq!(gaps("0.0422568", &step, &one()).0, closed(&[ReasoningUnbilled]), "perhaps inside the output");
    assert_eq!(gaps("0.0407568", &total(sum), &one()).1, closed(&[ReasoningByTotal]));
}

#[test]
fn tiers_and_pairs_are_tried() {
    use Change::*;
    let prices = tiered(rates("6", "22.5", "0.60", "7.50", ""));
    let long = usage(100_000, 1000, 0, 200_000, 40_000);
    // List 1.0425, without the tier 0.525; comparable 0.495, with the tier 0.9825.
    assert_eq!(both(&long, &prices), costs("$0.495", "$1.0425"));
    assert_eq!(gaps("0.525", &long, &prices).0, closed(&[TierIgnored]));
    assert_eq!(gaps("0.9825", &long, &prices).1, closed(&[TierApplied]));
    assert_eq!(gaps("0.495", &long, &prices).0, closed(&[WritesAtInputPrice, TierIgnored]));
    assert_eq!(gaps("1.0425", &long, &prices).1, closed(&[WritesAtOwnPrice, TierApplied]));
    // Comparable is three choices away from list: then list as a whole is the answer.
    let inside = Usage { total: Some(370_000), ..usage(100_000, 30_000, 10_000, 200_000, 40_000) };
    let reported = list(&inside, &prices).unwrap().usd;
    let gap = reconcile(reported, &inside, &prices).comparable.unwrap().gap;
    assert_eq!(gap, closed(&[WritesAtOwnPrice, ReasoningByTotal, TierApplied]));
    let text = "cache writes billed at their own price, and reasoning billed once, at its own price, and the long-context \
        tier applied would close the gap";
    assert_eq!(gap.to_string(), text);
}

#[test]
fn a_gap_that_nothing_closes_stays_open() {
    assert_eq!(gaps("0.06", &worked(), &one()), (Gap::Open, Gap::Open));
    assert_eq!(gaps("0.0001", &worked(), &one()), (Gap::Open, Gap::Open));
    let free = Prices::flat(rates("0", "0", "0", "0", ""));
    assert_eq!(gaps("0.01", &worked(), &free), (Gap::Open, Gap::Open));
}

#[test]
fn one_percent_agrees_and_zero_is_remarked_on() {
    let step = usage(1_000_000, 0, 0, 0, 0);
    let gap = |reported: &str| gaps(reported, &step, &one()).0;
    assert_eq!(gap("3"), Gap::Agrees);
    assert_eq!(gap("2.970297029703"), Gap::Agrees);
    assert_eq!(gap("2.970297029702"), Gap::Open);
    assert_eq!(gap("3.030303030303"), Gap::Agrees);
    assert_eq!(gap("3.030303030304"), Gap::Open);
    assert_eq!(gap("0"), Gap::ReportedZero);
    assert_eq!(Gap::ReportedZero.to_string(), "zero with tokens: free, subscription or unpriced");
    let free = Prices::flat(rates("0", "0", "", "", ""));
    assert_eq!(gaps("0", &step, &free), (Gap::Agrees, Gap::Agrees));
}

#[test]
fn a_difference_has_a_sign_in_money_and_percent() {
    let difference = |reported: &str| {
        let reconciliation = reconcile(usd(reported), &worked(), &one());
        reconciliation.list.unwrap().difference.to_string()
    };
    assert_eq!(difference("0.0437568"), "+$0.0015 (+3.43 %)");
    assert_eq!(difference("0.0905136"), "-$0.0452568 (-50.00 %)");
    assert_eq!(difference("0.0452568"), "$0.00 (0.00 %)");
    assert_eq!(difference("0"), "+$0.0452568");
}

#[test]
fn what_cannot_be_priced_is_said_in_the_reconciliation_too() {
    let prices = Prices::flat(rates("3", "15", "0.3", "?", ""));
    let reconciliation = reconcile(usd("0.0437568"), &worked(), &prices);
    assert_eq!(reconciliation.comparable.unwrap().gap, Gap::Agrees);
    let unknown = Unknown::NoPrice { class: Class::CacheWrite, unreadable: true };
    assert_eq!(reconciliation.list, Err(unknown));
}

#[test]
fn sums_are_of_steps_each_with_its_model() {
    let mut account = Account::default();
    assert_eq!(account.comparable(), Err(Unknown::NoTokens));
    account.add(Some(usd("0.0437568")), Some(&worked()), Ok(&one()));
    account.add(Some(usd("0.147712")), Some(&worked()), Ok(&Prices::flat(rates("2", "10", "", "", ""))));
    assert_eq!(account.reported(), Some(usd("0.1914688")));
    assert_eq!(account.comparable(), Ok(usd("0.1914688")));
    assert_eq!(account.list().unwrap().usd, usd("0.1929688"));
    assert!(!account.reported_is_partial() && !account.derived_is_partial());
    // A step without tokens and cost: both sums lack it, and what is compared is the steps that have both.
    account.add(None, None, Ok(&one()));
    assert!(account.reported_is_partial() && account.derived_is_partial());
    account.add(None, Some(&worked()), Ok(&one()));
    assert_eq!(account.comparable(), Ok(usd("0.2352256")));
    let reconciliation = account.reconcile().unwrap();
    assert_eq!((reconciliation.reported, account.compared_steps()), (usd("0.1914688"), (2, 4)));
    assert_eq!(reconciliation.comparable.unwrap().gap, Gap::Agrees);
    // A step that was cut short, without a model: nothing to price.
    account.add(None, Some(&usage(0, 0, 0, 0, 0)), Err(Unknown::NoModel));
    assert_eq!(account.comparable(), Ok(usd("0.2352256")));
    // One with tokens and without a model makes the sum unknown, not lower.
    account.add(Some(usd("1")), Some(&worked()), Err(Unknown::NoModel));
    assert_eq!(account.comparable(), Err(Unknown::NoModel));
    assert_eq!(account.list(), Err(Unknown::NoModel));
    assert_eq!(account.reported(), Some(usd("1.1914688")));
}

#[test]
fn a_class_that_one_step_lacks_makes_the_derived_sum_partial() {
    let lacking = Usage { reasoning: None, ..worked() };
    let mut account = Account::default();
    account.add(None, Some(&lacking), Ok(&one()));
    account.add(None, Some(&lacking), Ok(&one()));
    assert!(!account.derived_is_partial(), "no step has it: it is no part of these logs");
    account.add(None, Some(&worked()), Ok(&one()));
    assert!(account.derived_is_partial());
}
