import Engine
import Render
import Transport

extension BatchRun {
    /// Every item of the run, as many at once as may be.
    func slide(_ state: State) async {
        let memory = state.memory
        let job = Job(context)
        let counter = counter
        let outlet = outlet
        let receive = { (ended: (start: LookAhead.Start, end: JobResult, line: ItemLine.Ended)) in
            counter.ended(ended.end)
            observer?(ended.end.record)
            state.receive(ended.end, of: ended.start, ended.line)
        }
        await context.withExecutor {
            await Window.slide(
                next: { () -> Opened? in
                    while let (start, item) = state.next(in: plan) {
                        counter.started()
                        let key = memory.looksAhead ? memory.key(of: item) : nil
                        let opened = Opened(
                            start: start, item: item, key: key, past: key.flatMap(memory.ready))
                        // What stands needs no task of its own.
                        guard let key, let past = opened.past,
                            let end = job.takeOver(
                                item, past: past.item, sharing: start.shared, into: outlet)
                        else { return opened }
                        receive((start, end, ItemLine.of(end, key, past: past)))
                    }
                    return nil
                },
                isEnding: { state.endsEarly() },
                work: { opened in
                    let item = opened.item
                    let key = opened.key ?? memory.key(of: item)
                    let past = opened.past ?? memory.past(key, in: outlet)
                    let end = await job.run(
                        item, past: past?.item, sharing: opened.start.shared, into: outlet)
                    memory.note(end, past?.item, key, in: outlet)
                    return (opened.start, end, ItemLine.of(end, key, past: past))
                },
                receive: receive)
        }
        history?.endLookAhead()
        context.network.close()
    }

    var memory: RunMemory {
        RunMemory(
            history: history, isResumed: resumes, startsOver: startsOver,
            look: RunIdentity.lookDigest(
                OptionsRecord(context.settings, outlet), context.settings),
            remoteOnly: context.settings.remoteOnly)
    }

    /// An item that has begun.
    private struct Opened: Sendable {
        let start: LookAhead.Start
        let item: BatchItem
        /// Once somebody asked for it.
        let key: ItemKey?
        /// What is known of it, where that was looked at already.
        let past: ItemLine?
    }
}
