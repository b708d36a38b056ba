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
        _ source: SourceReference, _ order: JobInput, _ attempt: inout Attempt,
        _ meter: inout JobMeter
    ) async throws(JobStop) -> Loading {
        if let known = try takeOverUnread(source, order, &attempt) { return .known(known) }
        if attempt.sourceIndex == 0, let shared = order.shared,
            let found = try takeShared(shared, order, &attempt)
        {
            return found
        }
        let loaded =
            source.kind == .remote
            ? try await fetch(source, &meter)
            : try await read(source, of: order.item, &attempt)
        let bytes = loaded.bytes
        attempt.src = SourceRecord(
            bytes: bytes.count, sha256: SHA256.hash(bytes.span).hex, header: nil)
        attempt.bytes = loaded
        return try takeOverRead(order, &attempt).map { .known($0) } ?? .bytes(loaded)
    }

    /// What came of the same source before; nil where that is not known any more.
    private func takeShared(
        _ shared: SharedResult, _ order: JobInput, _ attempt: inout Attempt
    ) throws(JobStop) -> Loading? {
        attempt.src = shared.src
        let drawing: SharedResult.Drawing?
        switch shared.result {
        case .failure(let failure): throw .failure(failure)
        case .success(let drawn): drawing = drawn
        }
        attempt.bytes = shared.bytes
        if let drawing, drawing.recipe == order.recipe { return .known(.shared(drawing)) }
        if let past = try takeOverRead(order, &attempt) { return .known(past) }
        if let bytes = attempt.bytes { return .bytes(bytes) }
        attempt.src = nil
        return nil
    }

    private func read(
        _ source: SourceReference, of item: BatchItem, _ attempt: inout Attempt
    ) async throws(JobStop) -> SourceBytes {
        let limit = context.settings.bytesLimit
        do throws(IntakeError) {
            switch source.kind {
            case .file(let path):
                let file = try OpenFile(path)
                guard file.size <= limit else { throw .tooLarge(limit: limit) }
                attempt.seen = SeenFile(file.facts)
                guard let grant = await place(for: file.size) else { throw .unreadable("") }
                return SourceBytes(try file.readAll(limit: limit), grant)
            case .data:
                return SourceBytes(try DataURI.decode(source.text, bytesLimit: limit))
            case .icon(let name):
                guard let icon = BuiltInIcon(rawValue: name) else { throw .noIcon(name) }
                // What is drawn is the icon, in its box; its bytes tell whether it is still the same.
                return SourceBytes(Array(icon.svg.utf8))
            case .given:
                guard case .bytes(let bytes) = item.picture else {
                    throw .tooLarge(limit: limit)
                }
                return SourceBytes(bytes, covered: bytes.count)
            case .standardInput:
                return SourceBytes(try StandardInput.read(bytesLimit: limit))
            case .remote: preconditionFailure("What is remote is fetched.")
            }
        } catch {
            guard !Task.isCancelled else { throw .canceled }
            throw .failure(ItemFailure(error))
        }
    }

    /// Room for the bytes of a file; nil when the task was cancelled while it waited.
    private func place(for bytes: Int) async -> Grant? {
        do throws(JobStop) {
            return try await granted(bytes, from: context.bodies)
        } catch {
            return nil
        }
    }

    /// Loads from the network, in what is left of the item's time.
    private func fetch(
        _ source: SourceReference, _ meter: inout JobMeter
    ) async throws(JobStop) -> SourceBytes {
        if let loader = context.loader {
            let (bytes, held) = try await loader.load(source.text)
            return SourceBytes(bytes, held, covered: context.settings.bodyBytes)
        }
        let outcome: NetworkOutcome
        do throws(NetworkFailure) {
            let request = NetworkRequest(url: source.text, timeLeft: meter.clock.timeLeft)
            outcome = await (try context.network.loader()).load(request)
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
            throw .failure(ItemFailure(failure))
        }
    }
}
