//! From the bytes of a coding-agent log to events, steps, calls, tokens and a verdict.
