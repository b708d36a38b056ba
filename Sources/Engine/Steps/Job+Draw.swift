import Artwork
import Cell
import Codecs
import Raster
import Render
import Transport

extension Job {
    /// The steps from sniffing to encoding, for one source.
    func show(
        _ input: JobInput, _ attempt: inout Attempt, _ meter: inout JobMeter
    ) async throws(JobStop) {
        guard let bytes = attempt.bytes else { return }
        if case .content = goal, case .icon(let icon) = bytes.subject {
            attempt.showing = .content(.icon(icon))
            return
        }
        try meter.wait()
        let subject = bytes.subject ?? subject
        if let answer = await drawInCompany(subject, of: bytes, input.recipe, &meter) {
            attempt.src?.header = answer.header.map { SourceRecord.Header($0) }
            attempt.showing = showing(try answer.rendering.get(), of: bytes.bytes)
            return
        }
        try meter.wait()
        let renderer = try await granted(1, from: context.renderers)
        try meter.begin(.sniff)
        let answer = await carryOut(
            subject, of: bytes.bytes, input.recipe,
            beside: bytes.uncovered, patience: meter.clock.nanosecondsLeft, &meter)
        _ = consume renderer
        attempt.src?.header = answer.header.map { SourceRecord.Header($0) }
        attempt.showing = showing(try answer.result.get(), of: bytes.bytes)
    }

    /// Has a small picture drawn together with others, without a permit and with no memory held until
    /// its turn comes; nil where it is to be drawn alone.
    private func drawInCompany(
        _ subject: RenderOrder.Subject, of source: SourceBytes, _ recipe: Recipe,
        _ meter: inout JobMeter
    ) async -> RenderAnswer? {
        guard let cells = context.cells, case .picture = subject, source.uncovered == 0 else {
            return nil
        }
        let order = RenderOrder(
            subject, of: source.bytes, recipe: recipe,
            patienceNanoseconds: meter.clock.nanosecondsLeft,
            processorNanoseconds: meter.drawingNanoseconds)
        var pixels: Grant?
        let answer = await cells.renderInCompany(order) {
            pixels = context.pixels.grantNow(of: context.smallPictureBytes)
            return pixels?.amount ?? 0
        }
        _ = consume pixels
        guard let answer else { return nil }
        if case .failure(.unavailable) = answer.result { return nil }
        meter.drawingNanoseconds -= min(meter.drawingNanoseconds, answer.processorNanoseconds)
        meter.clock.follow(answer)
        return answer
    }

    /// What is made of a picture.
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

    /// What a picture shows in a sketch; nil where it cannot be decoded.
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

    /// Has an order carried out where this run renders, and waits for the memory it takes.
    ///
    /// - Parameter beside: bytes of the source that no other budget counts.
    func carryOut(
        _ subject: RenderOrder.Subject, of source: [UInt8], _ recipe: Recipe, beside: Int,
        patience: UInt64, _ meter: inout JobMeter
    ) async -> (header: ImageHeader?, result: Result<Rendering, JobStop>) {
        // Drawings of strangers share one time, however many of them an item tries.
        let isOurs = !subject.isPicture
        guard isOurs || meter.drawingNanoseconds > 0 else {
            return (nil, .failure(.drawnTooLong))
        }
        var recipe = recipe
        if case .content = goal { recipe.variants = [] }
        var order = RenderOrder(
            subject, of: isOurs ? [] : source, recipe: recipe, patienceNanoseconds: patience,
            processorNanoseconds: isOurs
                ? context.settings.renderNanoseconds : meter.drawingNanoseconds)
        var pixels = context.pixels.grantNow(of: context.smallPictureBytes)
        if let amount = pixels?.amount { order.allowanceBytes = amount - beside }
        var stop: JobStop?
        // What we draw ourselves is drawn all the same, but not beside anything else.
        let output = isOurs ? RenderCost.outputBytes(recipe, context.settings.theme) : 0
        if output > order.allowanceBytes {
            pixels = nil
            do throws(JobStop) {
                pixels = try await admit(min(output, context.pixels.total), beside: 0, &meter)
            } catch {
                return (nil, .failure(error))
            }
        }
        let wasWaiting = meter.clock.isWaiting
        var answer = await context.backend.render(order) { cost in
            // Nobody waits for memory while holding some.
            pixels = nil
            do throws(JobStop) {
                pixels = try await admit(cost.bytes, beside: beside, &meter)
                return true
            } catch {
                stop = error
                return false
            }
        }
        _ = consume pixels
        if !isOurs {
            meter.drawingNanoseconds -= min(
                meter.drawingNanoseconds, answer.processorNanoseconds)
        }
        // What was counted as a wait is not counted twice.
        if wasWaiting { answer.waitedNanoseconds = 0 }
        if let stop { return (answer.header, .failure(stop)) }
        meter.clock.follow(answer)
        // Where the backend goes on all the same, another picture may fare better.
        if case .failure(.unavailable) = answer.result, context.backend.failure == nil {
            return (answer.header, answer.result.mapError { .failure(ItemFailure(undecoded: $0)) })
        }
        return (answer.header, answer.rendering)
    }

    /// Waits until the pixels have a place in memory; what never fits is refused.
    private func admit(
        _ bytes: Int, beside: Int, _ meter: inout JobMeter
    ) async throws(JobStop) -> Grant {
        let (cost, overflow) = bytes.addingReportingOverflow(beside)
        guard !overflow, cost <= context.pixels.total else {
            throw .failure(.tooMuchMemory(cost, allowed: context.pixels.total))
        }
        meter.clock.enter(.admit)
        let grant = try await granted(cost, from: context.pixels)
        meter.clock.enter(.sniff)
        return grant
    }
}

extension JobStop {
    /// The same picture would take as long again, so that nobody tries it again.
    fileprivate static let drawnTooLong = JobStop.failure(
        ItemFailure(
            .timeout, stage: .decode, detail: "\(OrderError.drawnTooLong)", isRetryable: false,
            cause: OrderError.drawnTooLong))
}

extension RenderAnswer {
    /// What is wrong with the picture; nil where nothing is.
    package var failure: ItemFailure? {
        guard case .failure(.failure(let failure)) = rendering else { return nil }
        return failure
    }

    /// The emblems, or what is wrong with the picture.
    var rendering: Result<Rendering, JobStop> { result.mapError { JobStop($0) } }
}

extension JobStop {
    fileprivate init(_ error: OrderError) {
        switch error {
        // None of them is the picture's doing.
        case .render(.stopped), .refused, .unavailable: self = .canceled
        case .drawnTooLong: self = .drawnTooLong
        case .render, .timeout, .outOfMemory, .crashed:
            self = .failure(ItemFailure(undecoded: error))
        }
    }
}

extension ItemFailure {
    /// A picture whose decoding takes more memory than a run may use for it.
    package static func tooMuchMemory(_ bytes: Int, allowed: Int) -> ItemFailure {
        ItemFailure(
            .limitDecode, stage: .decode,
            detail: "decoding needs \(bytes >> 20 + 1) MB, and --memory leaves "
                + "\(allowed >> 20) MB; raise --memory")
    }

    /// Of an order that brought nothing.
    fileprivate init(undecoded error: OrderError) {
        switch error {
        case .render(.decode(let cause)): self.init(cause)
        case .render(.encode(let reason)):
            self.init(.encode, stage: .encode, detail: reason, cause: error)
        case .timeout, .drawnTooLong: self.init(.timeout, stage: .decode, cause: error)
        case .crashed:
            self.init(.crashed, stage: .decode, detail: "\(error)", cause: error)
        case .render(.stopped), .outOfMemory, .refused, .unavailable:
            self.init(.limitDecode, stage: .decode, detail: "\(error)", cause: error)
        }
    }
}
