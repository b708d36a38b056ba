import Render
import Theming
import Transport

extension Job {
    /// Returns the job of the item's dark twin; nil if no output would show it.
    func twin(of input: JobInput) -> JobInput? {
        guard let twin = input.item.dark?.first, input.drawsDark else { return nil }
        var recipe = input.recipe
        recipe.variants.removeAll { $0.scheme != .dark }
        return JobInput(twin, recipe, of: input, past: input.reusable?.ofTwin)
    }

    /// Draws the dark outputs of an item from its dark twin. If the twin fails, the dark outputs
    /// show the item's own source.
    func showTwin(
        _ input: JobInput, _ meter: inout JobMeter, _ draft: inout Draft
    ) async throws(JobStop) {
        guard case .emblems = goal, input.item.dark != nil, input.drawsDark,
            draft.record.status == .ok
        else { return }
        // The outputs of an earlier run are kept because the item's own source fails now.
        if draft.rendering == nil, draft.record.isStale {
            draft.dark = input.past?.dark ?? draft.dark
            return
        }
        guard let twin = twin(of: draft.rendering == nil ? input : input.redrawing) else { return }
        // Releases memory first: a job that waits for memory must not hold any.
        draft.shared?.releaseBytes()
        input.shared?.releaseBytes()
        let dark = try await trySources(twin, &meter)
        dark.shared?.releaseBytes()
        var isShown = draft.record.srcDark != nil
        if draft.rendering == nil, dark.rendering != nil || isShown && dark.reuse == .none {
            // The twin changed, so the item is drawn again. The item gets new time limits, so that
            // it cannot fail because of the twin.
            meter.clock.stopLimit()
            meter.drawingNanoseconds = context.settings.renderNanoseconds
            let redrawn = try await trySources(input.redrawing, &meter)
            guard redrawn.rendering != nil else {
                // The outputs of the earlier run stay.
                draft.dark = input.past?.dark ?? draft.dark
                return draft.keepDarkSource(after: redrawn.record.failure)
            }
            draft = redrawn
            isShown = false
        }
        if let rendering = dark.rendering, let own = draft.rendering {
            draft.show(own.showing(dark: rendering))
            draft.record.outputs = []
            draft.record.srcDark = dark.record.src
            isShown = true
        }
        if isShown {
            draft.noteDarkSource(of: dark)
        } else {
            draft.twinFailure = dark.record.failure
        }
    }
}

extension JobInput {
    fileprivate var drawsDark: Bool {
        recipe.variants.contains { $0.scheme == .dark }
    }
}

extension Draft {
    /// Records the source that the dark outputs show. If it fails now and an earlier image of it is
    /// kept, the item is stale.
    mutating func noteDarkSource(of dark: Draft) {
        self.dark = SeenSource(seen: dark.seen, sourceIndex: dark.sourceIndex)
        keepDarkSource(after: dark.record.failure)
    }

    fileprivate mutating func keepDarkSource(after failure: ItemFailure?) {
        twinFailure = failure
        guard let failure else { return }
        record.failure = failure
        record.isStale = true
    }
}
