//! Checks a fixture of the published AEP mapping, a line a check: `conformance FIXTURE`.
//! Exit code 1 if one fails, 2 if the file is no such fixture. `cargo xtask conformance` starts it.

use std::process::ExitCode;
use steplens_core::aep::{Check, conformance};

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("error: no fixture given");
        return ExitCode::from(2);
    };
    match read(&path) {
        Ok(checks) => report(&checks),
        Err(error) => {
            eprintln!("error: {path}: {error}");
            ExitCode::from(2)
        }
    }
}

fn read(path: &str) -> Result<Vec<Check>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let fixture = serde_json::from_str(&text).map_err(|error| format!("no JSON: {error}"))?;
    conformance(&fixture)
}

fn report(checks: &[Check]) -> ExitCode {
    for check in checks {
        if check.holds() {
            println!("ok    {}", check.name);
        } else {
            println!("FAIL  {}\n      expected {}\n      got      {}", check.name, check.expected, check.got);
        }
    }
    let failed = checks.iter().filter(|check| !check.holds()).count();
    println!("{} of {} checks hold", checks.len() - failed, checks.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
