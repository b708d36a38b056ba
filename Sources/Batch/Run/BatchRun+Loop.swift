import Engine
import Render
import Transport

extension BatchRun {
    /// Runs the rows of the plan.
    func runItems(_ state: State) async {
        let memory = state.memory
        let job = Job(context)
        let counter = counter
        let outlet = outlet
        let receive = { (row: PlannedRow, end: JobResult, line: ItemLine.Ended) in
            counter.ended(end)
            observer?(end)
            state.receive(end, of: row, line)
        }
        await context.withExecutor {
            await RunLoop.run(
                LookAheadBounds(context.settings, local: context.rowsAtOnce),
                arrivals: { () -> Never? in nil },
                read: { _, lookAhead in state.read(plan, into: &lookAhead) },
                begin: { start -> RunLoop.Start<Opened>? in
                    let item = plan.item(at: start.row.index)
                    counter.started()
                    let key = memory.looksAhead ? memory.key(of: item) : nil
                    let opened = Opened(
                        row: start.row, shared: start.shared, item: item, key: key,
                        past: key.flatMap(memory.ready))
                    // An item whose outputs are up to date needs no task.
                    guard let key, let past = opened.past,
                        let end = job.finishUnchanged(
                            item, past: past.item, sharing: start.shared, into: outlet)
                    else { return .work(opened) }
                    receive(start.row, end, ItemLine.of(end, key, past: past))
                    return .ended(end.shared)
                },
                isEnding: { state.endsEarly() },
                work: { opened in
                    let item = opened.item
                    let key = opened.key ?? memory.key(of: item)
                    let past = opened.past ?? memory.past(key, in: outlet)
                    let end = await job.run(
                        item, past: past?.item, sharing: opened.shared, into: outlet)
                    memory.note(end, key, in: outlet)
                    return (end.shared, (opened.row, end, ItemLine.of(end, key, past: past)))
                },
                receive: receive)
        }
    }

    func memory(resumes: Bool) -> RunMemory {
        RunMemory(
            history: history, isResumed: resumes, startsOver: startsOver,
            onlyFailures: context.settings.onlyFailures,
            look: RunIdentity.lookDigest(
                OptionsRecord(context.settings, outlet), context.settings),
            remoteOnly: context.settings.remoteOnly)
    }

    private struct Opened: Sendable {
        let row: PlannedRow
        let shared: SharedResult?
        let item: BatchItem
        /// The key of the item, if it was computed already.
        let key: ItemKey?
        /// The result of an earlier run, if it was looked up already.
        let past: ItemLine?
    }
}
