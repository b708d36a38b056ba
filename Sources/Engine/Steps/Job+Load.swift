import Artwork
import Codecs
import Digest
import Render
import Transport

extension Job {
    /// What loading brought.
    enum Loading {
        case bytes(SourceBytes)
        /// What there is to show is known already.
        case known(Attempt.Showing)
    }

    /// Reads the source, once its bytes have a place in memory, unless what it shows is known.
    func load(
        _ source: SourceReference, _ input: JobInput, _ attempt: inout Attempt,
        _ meter: inout JobMeter
    ) async throws(JobStop) -> Loading {
        if let known = try takeOverUnread(source, input, &attempt) { return .known(known) }
        if attempt.sourceIndex == 0, let shared = input.shared,
            let found = try takeShared(shared, input, &attempt)
        {
            return found
        }
        let loaded: SourceBytes
        switch (source.kind, input.item.picture) {
        case (.remote, _):
            loaded = try await fetch(
                source, failedBefore: input.past?.isRetried ?? false, &attempt, &meter)
        // Whoever hands a picture over knows it: nothing is recorded of its bytes.
        case (.given, .held(let holder)): return .bytes(try await fetch(from: holder, &meter))
        default: loaded = try await read(source, of: input.item, &attempt)
        }
        let bytes = loaded.bytes
        attempt.src = SourceRecord(
            bytes: bytes.count, sha256: SHA256.hash(bytes.span).hex, header: nil)
        attempt.bytes = loaded
        return try takeOverRead(input, &attempt).map { .known($0) } ?? .bytes(loaded)
    }

    /// What came of the same source before; nil where that is not known any more.
    private func takeShared(
        _ shared: SharedResult, _ input: JobInput, _ attempt: inout Attempt
    ) throws(JobStop) -> Loading? {
        attempt.src = shared.src
        attempt.staleReason = shared.staleReason
        if case .failure(let failure) = shared.result { throw .failure(failure) }
        attempt.bytes = shared.bytes
        if let drawing = shared.drawing(by: input.recipe) { return .known(.shared(drawing)) }
        if let past = try takeOverRead(input, &attempt) { return .known(past) }
        if let bytes = attempt.bytes { return .bytes(bytes) }
        attempt.src = nil
        return nil
    }

    private func read(
        _ source: SourceReference, of item: BatchItem, _ attempt: inout Attempt
    ) async throws(JobStop) -> SourceBytes {
        if case .file(let path) = source.kind { return try await read(path, &attempt) }
        let limit = context.settings.bytesLimit
        return try taking { () throws(IntakeError) in
            switch source.kind {
            case .data:
                return SourceBytes(try DataURI.decode(source.text, bytesLimit: limit))
            case .icon(let name):
                guard let icon = BuiltInIcon(rawValue: name) else { throw .noIcon(name) }
                // What is drawn is the icon, in its box; its bytes tell whether it is still the same.
                return SourceBytes(Array(icon.svg.utf8), showing: .icon(icon))
            case .given:
                guard case .bytes(let bytes) = item.picture else {
                    throw .tooLarge(limit: limit)
                }
                return SourceBytes(bytes, covered: bytes.count)
            case .standardInput:
                return SourceBytes(try StandardInput.read(bytesLimit: limit))
            case .file, .remote: preconditionFailure("What is remote is fetched.")
            }
        }
    }

    /// Reads a file once its bytes have a place in memory.
    private func read(
        _ path: FilePath, _ attempt: inout Attempt
    ) async throws(JobStop) -> SourceBytes {
        let limit = context.settings.bytesLimit
        let file = try taking { () throws(IntakeError) in
            let file = try OpenFile(path)
            guard file.size <= limit else { throw .tooLarge(limit: limit) }
            return file
        }
        attempt.seen = SeenFile(file.facts)
        let grant = try await granted(file.size, from: context.bodies)
        let bytes = try taking { () throws(IntakeError) in try file.readAll(limit: limit) }
        return SourceBytes(bytes, grant)
    }

    /// What cannot be taken in is the item's failure, unless the run was asked to stop.
    private func taking<Result: ~Copyable>(
        _ body: () throws(IntakeError) -> Result
    ) throws(JobStop) -> Result {
        do throws(IntakeError) {
            return try body()
        } catch {
            guard !Task.isCancelled else { throw .canceled }
            throw .failure(ItemFailure(error))
        }
    }

    /// Has a picture handed over, once there is room for it.
    private func fetch(
        from holder: any GivenSource, _ meter: inout JobMeter
    ) async throws(JobStop) -> SourceBytes {
        // Whoever waits for room with a picture in its hands goes first.
        try meter.wait()
        _ = try await granted(1, from: context.bodies)
        try meter.begin(.load)
        let loaded = try await holder.load()
        try meter.wait()
        let grant = try await granted(loaded.byteCount, from: context.bodies)
        // From here on it counts for the run, and no longer for its loader.
        withExtendedLifetime(loaded.held) {}
        return SourceBytes(loaded.bytes, showing: loaded.subject, grant)
    }

    /// Loads from the network, in what is left of the item's time.
    private func fetch(
        _ source: SourceReference, failedBefore: Bool, _ attempt: inout Attempt,
        _ meter: inout JobMeter
    ) async throws(JobStop) -> SourceBytes {
        if let loader = context.loader {
            return SourceBytes(
                try await loader.load(source.text), covered: context.settings.bodyBytes)
        }
        let outcome: NetworkOutcome
        let loader: NetworkLoader
        do throws(NetworkFailure) {
            loader = try context.network.loader()
            let request = NetworkRequest(
                url: source.text, timeLeft: meter.clock.timeLeft, failedBefore: failedBefore)
            outcome = await loader.load(request)
        } catch {
            throw .failure(ItemFailure(error))
        }
        meter.clock.divide(by: outcome.timings)
        meter.network.add(outcome)
        switch outcome.result {
        case .success(let response):
            return SourceBytes(response.body, covered: context.settings.bodyBytes)
        case .failure(let failure):
            guard failure.kind != .canceled else { throw .canceled }
            let reason = ItemFailure(failure)
            guard keepsStale(reason), let kept = loader.kept(source.text) else {
                throw .failure(reason)
            }
            attempt.staleReason = reason
            return SourceBytes(kept.body, covered: context.settings.bodyBytes)
        }
    }
}
