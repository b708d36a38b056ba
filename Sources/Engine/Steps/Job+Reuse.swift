import Transport

extension Job {
    /// Takes over the item as it was done before the run was interrupted; `false` where something
    /// remains to be done for it.
    func recall(_ work: inout JobWork) -> Bool {
        guard let past = work.past, past.isOfRun, past.isDone, past.isWhole,
            isUntouched(past, of: work.item)
        else { return false }
        work.record.takeOver(past.record)
        work.record.line = past.record.line
        work.seen = past.seen
        work.via = past.via
        work.reuse = .resumed
        return true
    }

    /// Nothing speaks against what was read before the run was interrupted. A file that is gone
    /// does not: what it gave is done.
    private func isUntouched(_ past: PastItem, of item: BatchItem) -> Bool {
        guard let source = source(past.via, of: item) else { return true }
        switch source.kind {
        case .remote, .data, .icon: return true
        case .standardInput, .given: return false
        case .file(let path):
            guard let seen = past.seen else { return past.record.failure != nil }
            guard let facts = facts(of: path) else { return true }
            return seen.fits(facts)
        }
    }

    /// The item's own source, or one of its alternatives.
    private func source(_ place: Int, of item: BatchItem) -> SourceReference? {
        if place > 0 {
            let others = item.alternativeReferences(remoteOnly: shop.settings.remoteOnly)
            return place <= others.count ? others[place - 1] : nil
        }
        return item.knownReference(remoteOnly: shop.settings.remoteOnly)
    }

    private func facts(of path: FilePath) -> FileFacts? {
        do throws(IntakeError) {
            return try FileIntake.facts(of: path)
        } catch {
            return nil
        }
    }

    /// Takes over what came of the same file, if its facts vouch for its bytes, or of the same
    /// `data:` URI. `false` where the bytes have to be read.
    func takeOverUnread(_ source: SourceReference, _ work: inout JobWork) throws(JobStop) -> Bool {
        guard let past = work.past, past.via == work.via, past.isSettledByBytes else {
            return false
        }
        switch source.kind {
        case .data, .icon: break
        case .file(let path):
            guard let seen = past.seen, let facts = facts(of: path), seen.vouches(for: facts)
            else { return false }
            work.seen = seen
        case .remote, .standardInput, .given: return false
        }
        return try takeOver(past, &work)
    }

    /// Takes over what came of the same bytes, once they are known.
    func takeOverRead(_ work: inout JobWork) throws(JobStop) {
        guard let past = work.past, work.knowsItsSource else { return }
        _ = try takeOver(past, &work)
    }

    private func takeOver(_ past: PastItem, _ work: inout JobWork) throws(JobStop) -> Bool {
        if let failure = past.record.failure {
            work.record.src = past.record.src
            throw .failure(failure)
        }
        guard past.isWhole else { return false }
        work.record.takeOver(past.record)
        work.reuse = .unchanged
        return true
    }

    /// Takes over a placeholder that stands for the same failure. A placeholder from a file of the
    /// row's own is drawn anew, since the file may have changed.
    func takeOverPlaceholder(_ work: inout JobWork) -> Bool {
        guard let past = work.past, past.isWhole, let failure = work.record.failure,
            let known = past.record.failure, known.errorClass == failure.errorClass,
            work.item.placeholderPath(remoteOnly: shop.settings.remoteOnly) == nil
        else { return false }
        work.record.status = past.record.status
        work.record.placeholder = past.record.placeholder
        work.record.outputs = past.record.outputs
        work.reuse = .unchanged
        return true
    }
}

extension JobWork {
    /// The bytes that were read are those that the earlier run read from the same source.
    var knowsItsSource: Bool {
        guard let past, past.via == via, past.isSettledByBytes, let src = record.src,
            let known = past.record.src
        else { return false }
        return src.bytes == known.bytes && src.sha256 == known.sha256
    }
}
