import Gauge
import Render
import Transport

extension Job {
    /// Returns the result that the interrupted run stored for the item, or the result of the last
    /// run with `--only-failures`. Returns nil if the item must be processed.
    func recall(_ input: JobInput) -> Draft? {
        guard let past = input.past, past.isWhole,
            past.isOfRun ? past.isDone : context.settings.onlyFailures && past.hasSucceeded,
            isUntouched(past, of: input.item), isTwinUntouched(input)
        else { return nil }
        var draft = Draft(of: input)
        draft.record.copyResult(of: past.record)
        draft.record.line = past.record.line
        draft.seen = past.seen
        draft.sourceIndex = past.sourceIndex
        draft.dark = past.dark
        draft.reuse = past.isOfRun ? .resumed : .unchanged
        return draft
    }

    /// Returns the earlier result if the outputs are unchanged and the source need not be read;
    /// otherwise nil.
    func unchangedResult(_ input: JobInput, _ meter: inout JobMeter) -> Draft? {
        guard input.past?.sourceIndex == 0, input.badRow == nil,
            let source = input.item.knownReference(remoteOnly: context.settings.remoteOnly)
        else { return nil }
        var own = Attempt(sourceIndex: 0)
        // A failed item also needs a placeholder, so it is processed in full.
        guard (try? meter.begin(.fetch)) != nil,
            let showing = try? reuseUnread(source, input, &own)
        else { return nil }
        own.showing = showing
        var draft = Draft(of: input, own, shared: SharedResult(own, input))
        if let twin = twin(of: input) {
            guard let dark = unchangedResult(twin, &meter) else { return nil }
            draft.noteDarkSource(of: dark)
        }
        return draft
    }

    private func isTwinUntouched(_ input: JobInput) -> Bool {
        guard let twin = twin(of: input), let past = twin.past else { return true }
        return isUntouched(past, of: twin.item)
    }

    /// Whether the source is unchanged since the run was interrupted. A missing file counts as
    /// unchanged, because the earlier result can still be used.
    private func isUntouched(_ past: PastItem, of item: BatchItem) -> Bool {
        guard let source = source(past.sourceIndex, of: item) else { return true }
        switch source.kind {
        case .remote, .data, .icon: return true
        case .standardInput, .given: return false
        case .file(let path):
            guard let seen = past.seen else { return past.record.failure != nil }
            guard let facts = facts(of: path) else { return true }
            return seen.fits(facts)
        }
    }

    private func source(_ index: Int, of item: BatchItem) -> SourceReference? {
        let remoteOnly = context.settings.remoteOnly
        guard index > 0 else { return item.knownReference(remoteOnly: remoteOnly) }
        let others = item.alternativeReferences(remoteOnly: remoteOnly)
        return index <= others.count ? others[index - 1] : nil
    }

    private func facts(of path: FilePath) -> FileFacts? {
        try? FileIntake.facts(of: path)
    }

    /// Reuses the earlier result if the metadata of the file, or the text of the `data:` URI, is
    /// the same; returns nil if the bytes must be read.
    func reuseUnread(
        _ source: SourceReference, _ input: JobInput, _ attempt: inout Attempt
    ) throws(JobStop) -> Attempt.Showing? {
        guard let past = input.reusable, past.sourceIndex == attempt.sourceIndex,
            past.isSettledByBytes
        else { return nil }
        switch source.kind {
        case .data, .icon: break
        case .file(let path):
            guard let seen = past.seen, let facts = facts(of: path), seen.vouches(for: facts)
            else { return nil }
            attempt.seen = seen
        case .remote, .standardInput, .given: return nil
        }
        return try reuse(past, &attempt)
    }

    /// Reuses the earlier result if the bytes are the same.
    func reuseRead(
        _ input: JobInput, _ attempt: inout Attempt
    ) throws(JobStop) -> Attempt.Showing? {
        guard let past = input.reusable, past.sourceIndex == attempt.sourceIndex,
            past.isSettledByBytes, let src = attempt.src, let known = past.record.src,
            src.bytes == known.bytes, src.sha256 == known.sha256
        else { return nil }
        return try reuse(past, &attempt)
    }

    private func reuse(
        _ past: PastItem, _ attempt: inout Attempt
    ) throws(JobStop) -> Attempt.Showing? {
        if let failure = past.record.failure {
            attempt.src = past.record.src
            throw .failure(failure)
        }
        return past.isWhole ? .unchanged(past.record) : nil
    }

    /// Keeps the emblem that an earlier run made from a source with an index in `sources`, if its
    /// outputs are unchanged and the failure of the attempt may pass.
    func lastGood(
        of sources: ClosedRange<Int>, _ input: JobInput, _ attempt: Attempt,
        _ shared: SharedResult?
    ) -> Draft? {
        guard let failure = attempt.failure, keepsStale(failure),
            let past = input.past, past.record.status == .ok, past.isWhole,
            sources.contains(past.sourceIndex)
        else { return nil }
        return Draft(of: input, keeping: past, failure, shared: shared)
    }

    /// Keeps the outputs that the last set has of the source. The other outputs show the
    /// placeholder.
    func keep(
        _ last: LastEmblem, _ failure: ItemFailure, _ input: JobInput, _ meter: inout JobMeter,
        _ draft: inout Draft
    ) async throws(JobStop) {
        let kept = { (variant: Variant) in last.images.first { $0.variant == variant } }
        let variants = input.recipe.variants
        var images = variants.compactMap(kept)
        var status = ItemStatus.ok
        if images.count < variants.count {
            try await substitute(input, &meter, &draft)
            status = draft.record.status
            let others = draft.rendering?.images ?? []
            images = variants.compactMap { variant in
                kept(variant)
                    ?? others.first { $0.variant == variant }.map {
                        var image = $0
                        image.isPlaceholder = true
                        return image
                    }
            }
        }
        let placeholder = draft.record.placeholder
        draft.record.copyResult(of: last.record)
        draft.record.status = status
        draft.record.placeholder = placeholder
        draft.record.failure = failure
        draft.record.isStale = true
        draft.record.outputs = []
        draft.rendering = Rendering(images: images, preview: nil)
    }

    /// Returns whether an earlier emblem is kept after this failure, because the failure may pass
    /// until a later run: the network, the server, or a missing worker.
    func keepsStale(_ failure: ItemFailure) -> Bool {
        // A timeout of drawing is not retryable, and shows a problem of the image.
        (failure.errorClass.isOfNetwork || failure.errorClass.isOfBackend)
            && (failure.isRetryable || failure.errorClass == .tls)
    }

    /// Reuses the earlier placeholder if the item fails in the same way again. A placeholder file
    /// of the row is drawn again, because it may have changed.
    func reusePlaceholder(
        _ input: JobInput, _ failure: ItemFailure, _ draft: inout Draft
    ) -> Bool {
        guard let past = input.past, past.isWhole, !past.record.isStale,
            let known = past.record.failure, known.errorClass == failure.errorClass,
            input.item.placeholderPath(remoteOnly: context.settings.remoteOnly) == nil
        else { return false }
        draft.record.status = past.record.status
        draft.record.placeholder = past.record.placeholder
        draft.record.outputs = past.record.outputs
        draft.reuse = .unchanged
        return true
    }
}
