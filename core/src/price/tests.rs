//! Tables of every shape, and how models are found in them.

use super::*;

const KNOWN: fn(u64) -> Rate = Rate::Known;

fn rates(input: u64, output: u64, cache_read: Option<u64>, cache_write: Option<u64>) -> Rates {
    let rate = |price: Option<u64>| price.map_or(Rate::Absent, Rate::Known);
    Rates {
        input: KNOWN(input),
        output: KNOWN(output),
        cache_read: rate(cache_read),
        cache_write: rate(cache_write),
        reasoning: Rate::Absent,
    }
}

fn parse(text: &str) -> PriceTable {
    PriceTable::parse(text, "prices.json").unwrap()
}

fn error(text: &str) -> String {
    PriceTable::parse(text, "prices.json").unwrap_err().to_string()
}

/// The id and the section that a name leads to.
fn place(table: &PriceTable, model: &str) -> Option<String> {
    table.find(model).map(|found| format!("{} in {}", found.id, found.provider))
}

const MODELS_DEV: &str = r#"{
 "openrouter":{"id":"openrouter","models":{
  "acme/one":{"id":"acme/one","cost":{"input":3,"output":15,"cache_read":0.3,"cache_write":3.75}},
  "acme/tier":{"cost":{"input":3,"output":15,"cache_read":0.3,"context_over_200k":{"input":6,"output":22.5}}},
  "acme/tiers":{"cost":{"input":1,"output":2,"context_over_200k":{"input":9,"output":9},
    "tiers":[{"input":4,"output":5,"tier":{"type":"context","size":272000}},
             {"input":8,"output":8,"tier":{"type":"batch","size":1}},{"input":2,"output":3,"tier":{"size":32000}}]}},
  "acme/free":{"cost":{"input":0,"output":0}},
  "acme/one:free":{"cost":{"input":0,"output":0}},
  "acme/odd":{"cost":{"input":-1,"output":"cheap","cache_read":null,"reasoning":"2.5"}},
  "acme/noprice":{"id":"acme/noprice"},
  "openrouter/auto":{}}},
 "acme":{"models":{"one":{"cost":{"input":7,"output":7}},"Own-2":{"cost":{"input":2,"output":2}}}},
 "kilo":{"models":{"kilo-auto/small":{"cost":{"input":5,"output":5}}}},
 "anthropic":{"models":{"claude-x":{"cost":{"input":11,"output":11}}}},
 "vercel":{"models":{"anthropic/claude-x":{"cost":{"input":12,"output":12}},"claude-x":{"cost":{"input":13,"output":13}}}},
 "note":"no provider"}"#;

#[test]
fn models_dev_is_read() {
    let table = parse(MODELS_DEV);
    assert_eq!(table.model_count(), 14);
    assert_eq!(table.providers().collect::<Vec<_>>(), ["acme", "anthropic", "kilo", "openrouter", "vercel"]);
    assert_eq!(table.describe(), "prices.json");
    let prices = |model: &str| table.find(model).unwrap().prices;
    assert_eq!(prices("acme/one"), Prices::flat(rates(3_000_000, 15_000_000, Some(300_000), Some(3_750_000))));
    let over = Tier { over: 200_000, rates: rates(6_000_000, 22_500_000, None, None) };
    assert_eq!(prices("acme/tier").tiers, [over]);
    // Where there are tiers, `context_over_200k` is not one; and a tier by something else than the context is none.
    let tiers = [(32_000, 2_000_000, 3_000_000), (272_000, 4_000_000, 5_000_000)];
    let tiers = tiers.map(|(over, input, output)| Tier { over, rates: rates(input, output, None, None) });
    assert_eq!(prices("acme/tiers").tiers, tiers);
    let odd =
        Rates { input: Rate::Unreadable, output: Rate::Unreadable, reasoning: KNOWN(2_500_000), ..Rates::default() };
    assert_eq!(prices("acme/odd"), Prices::flat(odd));
    assert!(prices("acme/noprice").is_empty());
}

#[test]
fn one_provider_of_models_dev_stands_alone() {
    let table = parse(r#"{"id":"acme","models":{"one":{"cost":{"input":3,"output":15}}}}"#);
    assert_eq!(place(&table, "acme/one").as_deref(), Some("one in acme"));
    assert_eq!(place(&table, "one").as_deref(), Some("one in acme"));
}

#[test]
fn openrouter_is_read() {
    let text = r#"{"data":[
      {"id":"acme/one","name":"One","pricing":{"prompt":"0.000003","completion":"0.000015","request":"0",
        "input_cache_read":"0.0000003","input_cache_write":"0.00000375","internal_reasoning":"0"}},
      {"id":"acme/think","pricing":{"prompt":"0.000001","completion":"0.000002","internal_reasoning":"0.000003"}},
      {"id":"acme/zero","pricing":{"prompt":"0","completion":"0"}},
      {"id":"openrouter/auto","pricing":{"prompt":"-1","completion":"-1"}}]}"#;
    let list = text.trim_start_matches(r#"{"data":"#).trim_end_matches('}').to_owned() + "}";
    for text in [text, list.strip_suffix('}').unwrap(), &format!("\u{feff}{text}")] {
        let table = parse(text);
        let prices = |model: &str| table.find(model).unwrap().prices.base;
        assert_eq!(prices("acme/one"), rates(3_000_000, 15_000_000, Some(300_000), Some(3_750_000)));
        let think = Rates { reasoning: KNOWN(3_000_000), ..rates(1_000_000, 2_000_000, None, None) };
        assert_eq!(prices("acme/think"), think);
        assert!(table.find("acme/zero").unwrap().free);
        assert_eq!(prices("openrouter/auto").input, Rate::Unreadable);
        assert_eq!(prices("openrouter/openrouter/auto").output, Rate::Unreadable);
    }
}

#[test]
fn litellm_is_read() {
    let table = parse(
        r#"{"sample_spec":{"input_cost_per_token":0.0,"litellm_provider":"one of these"},
        "openrouter/acme/one":{"litellm_provider":"openrouter","input_cost_per_token":3e-06,
          "output_cost_per_token":1.5e-05,"cache_read_input_token_cost":3e-07,
          "cache_creation_input_token_cost":3.75e-06,"cache_creation_input_token_cost_above_1hr":6e-06},
        "claude-x":{"litellm_provider":"anthropic","input_cost_per_token":3e-06,"output_cost_per_token":1.5e-05,
          "input_cost_per_token_above_200k_tokens":6e-06,"output_cost_per_token_above_200k_tokens":2.25e-05},
        "gemini/gem":{"litellm_provider":"gemini","input_cost_per_token":1e-06,"output_cost_per_token":2e-06,
          "output_cost_per_reasoning_token":3e-06},
        "gem":{"litellm_provider":"vertex_ai-language-models","input_cost_per_token":9e-06,"output_cost_per_token":9e-06},
        "dashscope/q":{"litellm_provider":"dashscope","tiered_pricing":[
          {"range":[0,32000.0],"input_cost_per_token":1e-06,"output_cost_per_token":5e-06},
          {"range":[32000.0,128000.0],"input_cost_per_token":2e-06,"output_cost_per_token":1e-05}]}}"#,
    );
    assert_eq!(table.model_count(), 5);
    let prices = |model: &str| table.find(model).unwrap().prices;
    assert_eq!(prices("acme/one"), Prices::flat(rates(3_000_000, 15_000_000, Some(300_000), Some(3_750_000))));
    let over = Tier { over: 200_000, rates: rates(6_000_000, 22_500_000, None, None) };
    let long = Prices { base: rates(3_000_000, 15_000_000, None, None), tiers: vec![over] };
    assert_eq!(prices("anthropic/claude-x"), long);
    assert_eq!(prices("google/gem").base.reasoning, KNOWN(3_000_000));
    assert_eq!(prices("gemini/gem").base.input, KNOWN(1_000_000));
    assert_eq!(prices("google-vertex/gem").base.input, KNOWN(9_000_000));
    let over = Tier { over: 32_000, rates: rates(2_000_000, 10_000_000, None, None) };
    assert_eq!(prices("dashscope/q"), Prices { base: rates(1_000_000, 5_000_000, None, None), tiers: vec![over] });
}

#[test]
fn our_own_form_can_take_the_place_of_itself() {
    let table = parse(BUILT_IN);
    let built_in = PriceTable::built_in();
    assert_eq!(table.model_count(), built_in.model_count());
    assert_eq!(table.describe(), "models.dev (1.0.398), as of 2026-05-21");
    let model = "anthropic/claude-sonnet-4.5";
    assert_eq!(table.find(model), built_in.find(model));
}

#[test]
fn what_is_no_price_table_says_what_one_is() {
    assert_eq!(
        error("{\"models\": [1, 2"),
        "prices.json is not JSON (EOF while parsing a list at line 1 column 16); a price table is one of: models.dev's \
         api.json (provider, then `models`, then `cost`), OpenRouter's /api/v1/models (`data`, each with `id` and \
         `pricing`), LiteLLM's JSON (model, then `input_cost_per_token`)"
    );
    assert!(error("").starts_with("prices.json is not JSON (it is empty)"));
    assert!(error("<!doctype html>").starts_with("prices.json is not JSON (it looks like a web page)"));
    let seen = |text: &str| {
        let error = error(text);
        let (head, _) = error.split_once("; expected one of: models.dev's api.json").unwrap();
        head.strip_prefix("prices.json is no price table: it is ").unwrap().to_owned()
    };
    assert_eq!(seen("{}"), "an empty object");
    assert_eq!(seen("[1,2]"), "a list of 2");
    assert_eq!(seen("12"), "12");
    assert_eq!(seen(r#"{"a":[1,2,3,4,5,6]}"#), "an object with `a`");
    assert_eq!(seen(r#"{"a":1,"b":{"c":2}}"#), "an object with `a`, `b`");
    assert_eq!(seen(r#"{"a":1,"b":1,"c":1,"d":1,"e":1}"#), "an object with `a`, `b`, `c`, `d` and 1 more");
    assert_eq!(seen(r#"{"data":[{"id":"x"}]}"#), "an object with `data`");
    assert_eq!(
        error(r#"{"acme":{"models":{"one":{}}}}"#),
        "prices.json looks like models.dev's api.json, but no model in it has a price; get the file again from its source"
    );
    assert!(error(r#"{"format":"steplens-prices-1"}"#).contains("own prices.json, but missing field `source`"));
}

#[test]
fn prices_typed_by_hand_hold_for_any_model() {
    let table = PriceTable::manual(" $3 ", "15", ".3", "").unwrap();
    let found = table.find("any/model").unwrap();
    assert_eq!(found.prices, Prices::flat(rates(3_000_000, 15_000_000, Some(300_000), None)));
    assert_eq!((&*found.id, &*found.provider, found.free), ("any/model", "prices typed by hand", false));
    assert_eq!(table.for_any_model().unwrap().prices, found.prices);
    assert_eq!(PriceTable::built_in().for_any_model(), None);
    let error = |input: &str, output: &str| PriceTable::manual(input, output, "", "").unwrap_err().to_string();
    assert_eq!(error("3", "1,5"), "the output price `1,5` is no amount; type dollars per million tokens, such as 0.30");
    assert!(error("-3", "").starts_with("the input price `-3` is no amount"));
    assert_eq!(error("", " "), "no price was typed; type at least one, in dollars per million tokens");
}

#[test]
fn a_model_is_found_by_the_names_that_logs_give_it() {
    let table = parse(MODELS_DEV);
    let cases = [
        // OpenRouter's section first, whatever the gateway.
        ("acme/one", Some("acme/one in openrouter")),
        ("openrouter/acme/one", Some("acme/one in openrouter")),
        ("kilo/acme/one", Some("acme/one in openrouter")),
        ("opencode/acme/one", Some("acme/one in openrouter")),
        ("  ACME/One ", Some("acme/one in openrouter")),
        ("kilo/openrouter/acme/one", Some("acme/one in openrouter")),
        // A gateway that is part of the id stays.
        ("openrouter/auto", Some("openrouter/auto in openrouter")),
        ("openrouter/openrouter/auto", Some("openrouter/auto in openrouter")),
        // Then the section that the name says.
        ("kilo/kilo-auto/small", Some("kilo-auto/small in kilo")),
        ("acme/own-2", Some("Own-2 in acme")),
        ("anthropic/claude-x", Some("claude-x in anthropic")),
        ("vercel/anthropic/claude-x", Some("anthropic/claude-x in vercel")),
        // An id alone: the makers, else the only one.
        ("claude-x", Some("claude-x in anthropic")),
        ("Own-2", Some("Own-2 in acme")),
        ("one", Some("one in acme")),
        // Free is a price.
        ("acme/one:free", Some("acme/one:free in openrouter")),
        ("acme/gone:free", Some("acme/gone:free in openrouter")),
        // No guess.
        ("acme/one:nitro", None),
        ("acme/unheard-of", None),
        ("", None),
        ("/", None),
    ];
    for (model, expected) in cases {
        assert_eq!(place(&table, model).as_deref(), expected, "{model}");
    }
    for (model, free) in [("acme/one", false), ("acme/one:free", true), ("acme/gone:free", true), ("acme/free", true)] {
        assert_eq!(table.find(model).unwrap().free, free, "{model}");
    }
    assert_eq!(table.find("acme/gone:free").unwrap().prices.base.cache_write, KNOWN(0));
}

#[test]
fn search_lists_names_that_can_be_asked_for() {
    let table = parse(MODELS_DEV);
    let search = |text: &str| table.search(text, 9).join(", ");
    // The model without a price is no choice, nor is `acme/one` of acme's own section: OpenRouter answers to its name.
    assert_eq!(search("ACME"), "acme/free, acme/odd, acme/one, acme/one:free, acme/tier, acme/tiers, acme/Own-2");
    assert_eq!(search("one"), "acme/one, acme/one:free");
    assert_eq!(search("x claude"), "anthropic/claude-x, vercel/anthropic/claude-x, vercel/claude-x");
    assert_eq!(search("nothing"), "");
    assert_eq!(table.search("", 2), ["acme/free", "acme/odd"]);
    // Who makes a model, and the harnesses' own gateways, before those who resell it.
    let sonnets = ["anthropic/claude-sonnet-4.5", "anthropic/claude-sonnet-4-5", "opencode/claude-sonnet-4-5"];
    let found = PriceTable::built_in().search("claude-sonnet-4", 40);
    let places = sonnets.map(|name| found.iter().position(|found| found == name).unwrap());
    assert!(places.is_sorted() && places[2] < found.iter().position(|found| found.starts_with("302ai/")).unwrap());
}

#[test]
fn the_nearest_name_is_near() {
    let table = parse(MODELS_DEV);
    for (model, expected) in [
        ("acme/onee", Some("acme/one")),
        ("openrouter/Acme/Tierz", Some("acme/tier")),
        ("acme/own2", Some("acme/Own-2")),
        ("claude-y", Some("anthropic/claude-x")),
        ("acme/unheard-of", None),
        ("", None),
    ] {
        assert_eq!(table.nearest(model).as_deref(), expected, "{model}");
    }
    let built_in = PriceTable::built_in();
    for (model, expected) in [
        ("anthropic/claude-sonet-4.5", "anthropic/claude-sonnet-4.5"),
        ("openrouter/anthropic/claude-sonnet-4_5", "anthropic/claude-sonnet-4.5"),
        ("gpt-5-codx", "openai/gpt-5-codex"),
    ] {
        assert_eq!(built_in.nearest(model).as_deref(), Some(expected), "{model}");
    }
}

#[test]
fn the_built_in_table_is_whole() {
    let table = PriceTable::built_in();
    assert_eq!((table.model_count(), table.providers().count()), (4803, 132));
    assert_eq!(table.describe(), "models.dev (1.0.398), as of 2026-05-21");
    // Every row reads, and reads as something: no model has a price that cannot be read.
    let mut without = 0;
    for section in &table.sections {
        for (id, row) in &section.models {
            let prices = row.prices();
            let tiers = prices.tiers.iter().map(|tier| tier.rates);
            for rates in tiers.chain([prices.base]) {
                let all = [rates.input, rates.output, rates.cache_read, rates.cache_write, rates.reasoning];
                assert!(!all.contains(&Rate::Unreadable), "{id} of {}", section.provider);
            }
            without += usize::from(prices.is_empty());
            assert_eq!(prices.is_empty(), row.is_empty(), "{id} of {}", section.provider);
        }
    }
    assert_eq!(without, 236);
}

#[test]
fn the_built_in_table_has_what_harnesses_drive() {
    let table = PriceTable::built_in();
    let sonnet = table.find("openrouter/anthropic/claude-sonnet-4.5").unwrap();
    assert_eq!((&*sonnet.id, &*sonnet.provider), ("anthropic/claude-sonnet-4.5", "openrouter"));
    assert_eq!(sonnet.prices.base, rates(3_000_000, 15_000_000, Some(300_000), Some(3_750_000)));
    let over = rates(6_000_000, 22_500_000, Some(600_000), Some(7_500_000));
    assert_eq!(sonnet.prices.tiers, [Tier { over: 200_000, rates: over }]);
    // As OpenCode names it where it talks to the maker.
    assert_eq!(place(table, "anthropic/claude-sonnet-4-5").as_deref(), Some("claude-sonnet-4-5 in anthropic"));
    assert_eq!(place(table, "opencode/big-pickle").as_deref(), Some("big-pickle in opencode"));
    assert_eq!(place(table, "kilo/kilo-auto/free").as_deref(), Some("kilo-auto/free in kilo"));
    assert!(table.find("openrouter/qwen/qwen3-coder:free").unwrap().free);
    // Above 272,000 here, whatever its `context_over_200k` says.
    assert_eq!(table.find("openai/gpt-5.4-pro").unwrap().provider, "openrouter");
    assert_eq!(table.find("azure/gpt-5.4-pro").unwrap().prices.tiers[0].over, 272_000);
    assert!(table.find("openrouter/auto").unwrap().prices.is_empty());
}
