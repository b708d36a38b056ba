import Artwork
import Codecs
import Gauge
import Raster
import Render
import Transport

extension Job {
    /// Runs the steps from sniffing to encoding for one source.
    func show(
        _ input: JobInput, _ attempt: inout Attempt, _ meter: inout JobMeter
    ) async throws(JobStop) {
        guard let bytes = attempt.bytes else { return }
        if case .content = goal, case .icon(let icon) = bytes.subject {
            attempt.showing = .content(.icon(icon))
            return
        }
        try meter.begin(.queue)
        let answer = await carryOut(
            bytes.subject ?? subject, of: bytes.bytes, input.recipe, beside: bytes.uncovered,
            patience: meter.clock.nanosecondsLeft, &meter)
        attempt.src?.header = answer.header.map { SourceRecord.Header($0) }
        attempt.showing = showing(try answer.result.get(), of: bytes.bytes)
    }

    private var subject: RenderOrder.Subject {
        switch goal {
        case .emblems: .picture
        case .content(let box): .graphic(in: box)
        }
    }

    private func showing(_ rendering: Rendering, of bytes: [UInt8]) -> Attempt.Showing {
        guard let graphic = rendering.graphic else { return .drawn(rendering) }
        return .content(EmblemContent(StateGraphic(graphic, of: bytes)))
    }

    /// Returns the image in a form that can be embedded in an SVG; nil if that is impossible.
    func content(
        of bytes: [UInt8], _ recipe: Recipe, patience: UInt64, _ meter: inout JobMeter
    ) async throws(JobStop) -> EmblemContent? {
        let answer = await carryOut(
            subject, of: bytes, recipe, beside: bytes.count, patience: patience, &meter)
        guard case .content(let content) = showing(try answer.result.get(), of: bytes) else {
            return nil
        }
        return content
    }

    /// Sends an order to the backend of the run, which waits for memory and a slot.
    ///
    /// - Parameter beside: The bytes of the source in memory that no other budget counts.
    func carryOut(
        _ subject: RenderOrder.Subject, of source: [UInt8], _ recipe: Recipe, beside: Int,
        patience: UInt64, _ meter: inout JobMeter
    ) async -> (header: ImageHeader?, result: Result<Rendering, JobStop>) {
        var recipe = recipe
        if case .content = goal { recipe.variants = [] }
        // All untrusted images that an item tries share one CPU time limit.
        let isTrusted = !subject.isPicture
        guard isTrusted || meter.drawingNanoseconds > 0 else {
            return (nil, .failure(.drawnTooLong))
        }
        let order = RenderOrder(
            subject, of: isTrusted ? [] : source, recipe: recipe, besideBytes: beside,
            patienceNanoseconds: patience,
            processorNanoseconds: isTrusted
                ? context.settings.renderNanoseconds : meter.drawingNanoseconds)
        meter.clock.enter(.queue)
        let answer = await context.backend.render(order)
        if !isTrusted {
            meter.drawingNanoseconds -= min(
                meter.drawingNanoseconds, answer.processorNanoseconds)
        }
        meter.clock.follow(answer)
        // If the backend still works for other images, only this image fails.
        if case .failure(.unavailable) = answer.result, context.backend.failure == nil {
            return (answer.header, answer.result.mapError { .failure(ItemFailure(undecoded: $0)) })
        }
        return (answer.header, answer.rendering)
    }
}

extension JobStop {
    /// An equal image would take as long again, so the failure is not retried.
    fileprivate static let drawnTooLong = JobStop.failure(
        ItemFailure(
            .timeout, stage: .decode, detail: "\(OrderError.drawnTooLong)", isRetryable: false,
            cause: OrderError.drawnTooLong))
}

extension RenderAnswer {
    /// The failure of the image, if the image caused the error.
    package var failure: ItemFailure? {
        guard case .failure(.failure(let failure)) = rendering else { return nil }
        return failure
    }

    var rendering: Result<Rendering, JobStop> { result.mapError { JobStop($0) } }
}

extension JobStop {
    fileprivate init(_ error: OrderError) {
        switch error {
        // These errors do not come from the image.
        case .render(.stopped), .unavailable: self = .canceled
        case .drawnTooLong: self = .drawnTooLong
        case .render, .timeout, .outOfMemory, .crashed, .busy, .preempted:
            self = .failure(ItemFailure(undecoded: error))
        }
    }
}

extension ItemFailure {
    fileprivate init(undecoded error: OrderError) {
        switch error {
        case .render(.decode(let cause)): self.init(cause)
        case .render(.encode(let reason)):
            self.init(.encode, stage: .encode, detail: reason, cause: error)
        case .timeout, .drawnTooLong: self.init(.timeout, stage: .decode, cause: error)
        case .crashed:
            self.init(.crashed, stage: .decode, detail: "\(error)", cause: error)
        case .render(.tooLarge(let bytes, let allowed)):
            self.init(
                .limitDecode, stage: .decode,
                detail: "decoding needs \(bytes >> 20 + 1) MB, and --memory leaves "
                    + "\(allowed >> 20) MB; raise --memory", cause: error)
        case .busy: self.init(.busy, stage: .decode, detail: "\(error)", cause: error)
        case .unavailable:
            self.init(.unavailable, stage: .decode, detail: "\(error)", cause: error)
        case .render(.stopped), .outOfMemory, .preempted:
            self.init(.limitDecode, stage: .decode, detail: "\(error)", cause: error)
        }
    }
}
