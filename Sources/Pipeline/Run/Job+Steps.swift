import Codecs
import Digest
import Raster
import Render
import Transport

extension Job {
    /// Reads the source, once its bytes have a place in memory.
    func load(_ work: inout JobWork) async throws(JobStop) {
        guard let source = work.source else { return }
        let limit = shop.settings.bytesLimit
        work.record.src = nil
        do throws(IntakeError) {
            switch source.kind {
            case .file(let path):
                let file = try OpenFile(path)
                guard file.size <= limit else { throw .tooLarge(limit: limit) }
                guard let grant = await granted(file.size, from: shop.bodies) else {
                    throw .unreadable("")
                }
                work.body = consume grant
                work.bytes = try file.readAll(limit: limit)
            case .data:
                work.bytes = try DataURI.decode(source.text, bytesLimit: limit)
            case .standardInput:
                work.bytes = try StandardInput.read(bytesLimit: limit)
            case .remote:
                throw .unsupportedScheme("this build has no network loader")
            }
        } catch {
            guard !Task.isCancelled else { throw .canceled }
            throw .failure(ItemFailure(error))
        }
        work.record.src = SourceRecord(
            bytes: work.bytes.count, sha256: SHA256.hash(work.bytes.span).hex, header: nil)
    }

    /// Waits for a renderer.
    func queue(_ work: inout JobWork) async throws(JobStop) {
        guard let grant = await granted(1, from: shop.renderers) else { throw .canceled }
        work.renderer = consume grant
    }

    /// Reads the header and holds it against the limits.
    func sniff(_ work: inout JobWork) throws(JobStop) {
        do throws(RenderError) {
            let header = try shop.renderer.header(of: work.bytes.span)
            work.header = header
            work.record.src?.header = SourceRecord.Header(header)
            try shop.renderer.check(header, recipe: work.recipe)
        } catch {
            throw JobStop(error)
        }
    }

    /// Waits until the pixels have a place in memory; what never fits is refused.
    func admit(_ work: inout JobWork) async throws(JobStop) {
        guard let header = work.header else { return }
        let request = shop.renderer.request(
            for: header, recipe: work.recipe,
            workingBytes: shop.settings.workingBytes(beside: header.codedSize))
        let uncovered = work.bytes.count - (work.body?.amount ?? 0)
        let (cost, overflow) = ImageDecoder.memoryCost(of: header, request: request)
            .addingReportingOverflow(max(0, uncovered))
        guard !overflow, cost <= shop.pixels.total else {
            throw .failure(
                ItemFailure(
                    .limitDecode, stage: .decode,
                    detail: "decoding takes \(cost) bytes; --memory allows \(shop.pixels.total)"))
        }
        guard let grant = await granted(cost, from: shop.pixels) else { throw .canceled }
        work.pixels = consume grant
        work.request = request
    }

    /// Decodes once and draws every variant.
    func render(_ work: inout JobWork) throws(JobStop) {
        guard let header = work.header, let request = work.request else { return }
        var clock = work.clock
        defer { work.clock = clock }
        do throws(RenderError) {
            work.rendering = try shop.renderer.render(
                work.bytes.span, header: header, request: request, recipe: work.recipe
            ) { step throws(RenderError) in
                try clock.follow(step)
            }
        } catch {
            throw JobStop(error)
        }
        work.record.status = .ok
        work.record.describe(work.rendering?.preview)
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
            format: header.format.rawValue, width: header.size.width, height: header.size.height,
            orientation: header.orientation.rawValue, hasAlpha: header.hasAlpha)
    }
}
