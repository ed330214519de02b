//! Turns: what follows one prompt, or one `--continue`, and the idle time between them.

use super::Run;
use super::store::{NO_TIME, NONE, StepColumn};

impl Run {
    /// How many turns a session has, and the time between them; none where no time says it.
    ///
    /// A stream marks no turn. One ends with a step that ended for good (`stop`, `end_turn`), where another step follows
    /// it that no text of the harness itself (after a compaction) led to.
    pub(super) fn turns(&self, session: u32) -> (u64, Option<u64>) {
        let mut steps: Vec<&StepColumn> = self.steps.iter().filter(|step| step.session == session).collect();
        steps.sort_by_key(|step| step.number);
        let synthetic: Vec<u32> = self
            .events
            .iter()
            .filter(|event| event.live && event.synthetic && event.session == session)
            .map(|event| event.record)
            .collect();
        let mut turns = u64::from(!steps.is_empty());
        let mut idle = None;
        for pair in steps.windows(2) {
            let [before, after] = pair else { continue };
            let final_step = matches!(self.strings.get(before.reason), Some("stop" | "end_turn"));
            let led_on = synthetic.iter().any(|record| before.finish < *record && *record < after.record);
            if !final_step || led_on || before.finish == NONE {
                continue;
            }
            turns += 1;
            let (end, start) = (before.end, self.time_of_step(after));
            if end != NO_TIME && start != NO_TIME && start > end {
                idle = Some(idle.unwrap_or(0) + end.abs_diff(start));
            }
        }
        (turns, idle.or((turns == 1).then_some(0)))
    }
}
