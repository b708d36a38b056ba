import Artwork
import Codecs
import Digest
import Raster
import Render
import Transport

extension Job {
    /// Reads the source, once its bytes have a place in memory.
    func load(_ work: inout JobWork) async throws(JobStop) {
        guard let source = work.source else { return }
        work.record.src = nil
        work.seen = nil
        guard try !takeOverUnread(source, &work) else { return }
        if try takeShared(&work) {
            if work.rendering == nil { try takeOverRead(&work) }
            return
        }
        let body: SourceBody
        if source.kind == .remote {
            body = try await fetch(source, &work)
        } else {
            body = try await read(source, &work)
        }
        work.body = body
        let bytes = body.bytes
        work.record.src = SourceRecord(
            bytes: bytes.count, sha256: SHA256.hash(bytes.span).hex, header: nil)
        try takeOverRead(&work)
    }

    /// Takes over what came of the same source before; `false` where nothing is known of it.
    private func takeShared(_ work: inout JobWork) throws(JobStop) -> Bool {
        guard let shared = work.shared, work.kept == nil else { return false }
        switch shared.result {
        case .failure(let failure):
            work.record.src = shared.src
            throw .failure(failure)
        case .success(nil):
            work.record.src = shared.src
            work.body = shared.body
            if work.body != nil || work.knowsItsSource { return true }
            work.record.src = nil
            return false
        case .success(let drawing?):
            let isSame = drawing.recipe == work.recipe
            guard isSame || shared.body != nil else { return false }
            work.record.src = shared.src
            work.body = shared.body
            if isSame { work.show(drawing) }
            return true
        }
    }

    private func read(
        _ source: SourceReference, _ work: inout JobWork
    ) async throws(JobStop) -> SourceBody {
        let limit = shop.settings.bytesLimit
        do throws(IntakeError) {
            switch source.kind {
            case .file(let path):
                let file = try OpenFile(path)
                guard file.size <= limit else { throw .tooLarge(limit: limit) }
                work.seen = SeenFile(file.facts)
                guard let grant = await granted(file.size, from: shop.bodies) else {
                    throw .unreadable("")
                }
                return SourceBody(try file.readAll(limit: limit), grant)
            case .data:
                return SourceBody(try DataURI.decode(source.text, bytesLimit: limit))
            case .icon(let name):
                guard let icon = BuiltInIcon(rawValue: name) else { throw .noIcon(name) }
                // What is drawn is the icon, in its box; its bytes tell whether it is still the same.
                return SourceBody(Array(icon.svg.utf8))
            case .given:
                guard case .bytes(let bytes) = work.item.picture else {
                    throw .tooLarge(limit: limit)
                }
                return SourceBody(bytes, covered: bytes.count)
            case .standardInput:
                return SourceBody(try StandardInput.read(bytesLimit: limit))
            case .remote: preconditionFailure("What is remote is fetched.")
            }
        } catch {
            guard !Task.isCancelled else { throw .canceled }
            throw .failure(ItemFailure(error))
        }
    }

    /// Loads from the network, in what is left of the item's time.
    private func fetch(
        _ source: SourceReference, _ work: inout JobWork
    ) async throws(JobStop) -> SourceBody {
        let outcome: NetworkOutcome
        do throws(NetworkFailure) {
            let request = NetworkRequest(url: source.text, timeLeft: work.clock.timeLeft)
            outcome = await (try shop.network.loader()).load(request)
        } catch {
            throw .failure(ItemFailure(error))
        }
        work.clock.divide(by: outcome.timings)
        work.network.add(outcome)
        switch outcome.result {
        case .success(let response):
            return SourceBody(response.body, covered: shop.settings.bodyBytes)
        case .failure(let failure):
            guard failure.kind != .canceled else { throw .canceled }
            throw .failure(ItemFailure(failure))
        }
    }

    /// Waits for a renderer.
    func queue(_ work: inout JobWork) async throws(JobStop) {
        guard let grant = await granted(1, from: shop.renderers) else { throw .canceled }
        work.renderer = consume grant
    }

    /// Units of a budget, or `nil` when the task was cancelled while it waited.
    func granted(_ amount: Int, from budget: Budget) async -> Grant? {
        do throws(CancellationError) {
            return try await budget.grant(of: amount)
        } catch {
            return nil
        }
    }
}

extension JobStop {
    init(_ error: RenderError) {
        switch error {
        case .decode(let cause): self = .failure(ItemFailure(cause))
        case .encode(let reason):
            self = .failure(ItemFailure(.encode, stage: .encode, detail: reason))
        case .stopped: self = .canceled
        }
    }
}

extension ItemFailure {
    init(_ error: IntakeError) {
        let errorClass = ErrorClass(rawValue: error.className) ?? .unreadable
        self.init(errorClass, stage: .fetch, detail: "\(error)")
    }

    init(_ error: NetworkFailure) {
        var status: Int?
        if case .http4xx(let answer) = error.kind { status = answer }
        if case .http5xx(let answer) = error.kind { status = answer }
        if error.kind == .rateLimited { status = 429 }
        let stage: RunStage =
            switch error.kind {
            case .dns: .dns
            case .connect, .tls: .connect
            default: .fetch
            }
        self.init(
            ErrorClass(rawValue: error.kind.className) ?? .connect, stage: stage,
            detail: error.detail, status: status, isRetryable: error.isPassing)
    }

    package init(_ error: DecodeError) {
        let errorClass: ErrorClass =
            switch error {
            case .notImage: .notImage
            case .unsupported: .unsupported
            case .truncated: .truncated
            case .corrupt: .corrupt
            case .limitPixels: .limitPixels
            case .limitDecode: .limitDecode
            }
        self.init(errorClass, stage: .decode, detail: "\(error)")
    }
}

extension SourceRecord.Header {
    init(_ header: ImageHeader) {
        self.init(
            format: header.format.name, width: header.size.width, height: header.size.height,
            orientation: header.orientation.rawValue, hasAlpha: header.hasAlpha)
    }
}
