import Artwork
import Cell
import Codecs
import Render
import Transport

extension Job {
    /// Reads the header, waits until the pixels have a place in memory, decodes once and draws
    /// every variant.
    func render(_ work: inout JobWork) async throws(JobStop) {
        guard let body = work.body else { return }
        let uncovered = max(0, body.bytes.count - body.covered)
        let answer = try await carry(
            out: work.source?.icon.map { .icon($0) } ?? .picture(body.bytes), recipe: work.recipe,
            beside: uncovered,
            patience: work.clock.nanosecondsLeft, &work)
        if let header = answer.header {
            work.record.src?.header = SourceRecord.Header(header)
        }
        work.rendering = try answer.rendering()
        work.record.status = .ok
        work.record.describe(work.rendering)
    }

    /// Has an order carried out where this run renders, and waits for the memory it takes.
    ///
    /// - Parameter beside: bytes of the source that no other budget counts.
    func carry(
        out content: RenderOrder.Content, recipe: Recipe, beside: Int, patience: UInt64,
        _ work: inout JobWork
    ) async throws(JobStop) -> RenderAnswer {
        // Drawings of strangers share one time, however many of them an item tries.
        let isOurs = if case .picture = content { false } else { true }
        guard isOurs || work.drawingNanoseconds > 0 else { throw .drawnTooLong }
        // Nobody waits for memory while holding some.
        work.pixels = nil
        var order = RenderOrder(
            content, recipe: recipe, patienceNanoseconds: patience,
            processorNanoseconds: isOurs
                ? shop.settings.renderNanoseconds : work.drawingNanoseconds)
        if let grant = shop.pixels.grantNow(of: shop.smallPictureBytes) {
            order.allowanceBytes = grant.amount - beside
            work.pixels = consume grant
        }
        let output = isOurs ? RenderCost.outputBytes(recipe, shop.settings.theme) : 0
        if output > order.allowanceBytes {
            // What we draw ourselves is drawn all the same, but not beside anything else.
            try await admit(min(output, shop.pixels.total), beside: 0, &work)
        }
        var stop: JobStop?
        let answer = await shop.place.render(order) { _, cost in
            do throws(JobStop) {
                try await admit(cost.bytes, beside: beside, &work)
                return true
            } catch {
                stop = error
                return false
            }
        }
        if !isOurs {
            work.drawingNanoseconds -= min(work.drawingNanoseconds, answer.processorNanoseconds)
        }
        if let stop { throw stop }
        work.clock.follow(answer.moments)
        return answer
    }

    /// Waits until the pixels have a place in memory; what never fits is refused.
    private func admit(
        _ bytes: Int, beside: Int, _ work: inout JobWork
    ) async throws(JobStop) {
        work.pixels = nil
        let (cost, overflow) = bytes.addingReportingOverflow(beside)
        guard !overflow, cost <= shop.pixels.total else {
            throw .failure(
                ItemFailure(
                    .limitDecode, stage: .decode,
                    detail: "decoding takes \(cost) bytes; --memory allows \(shop.pixels.total)"))
        }
        work.clock.enter(.queue)
        guard let grant = await granted(cost, from: shop.pixels) else { throw .canceled }
        work.clock.enter(.decode)
        work.pixels = consume grant
    }
}

extension SourceReference {
    /// The built-in icon that it names.
    fileprivate var icon: BuiltInIcon? {
        guard case .icon(let name) = kind else { return nil }
        return BuiltInIcon(rawValue: name)
    }
}

extension JobStop {
    /// The same picture would take as long again, so that nobody tries it again.
    fileprivate static let drawnTooLong = JobStop.failure(
        ItemFailure(
            .timeout, stage: .decode, detail: "\(CellError.drawnTooLong)", isRetryable: false))
}

extension RenderAnswer {
    /// What is wrong with the picture; nil where nothing is.
    package var failure: ItemFailure? {
        do throws(JobStop) {
            _ = try rendering()
            return nil
        } catch {
            guard case .failure(let failure) = error else { return nil }
            return failure
        }
    }

    /// The emblems, or what is wrong with the picture.
    func rendering() throws(JobStop) -> Rendering {
        switch result {
        case .success(let rendering): return rendering
        case .failure(.render(let error)): throw JobStop(error)
        // Neither is the picture's doing.
        case .failure(.refused), .failure(.unavailable): throw .canceled
        case .failure(.timeout): throw .failure(ItemFailure(.timeout, stage: .decode))
        case .failure(.drawnTooLong): throw .drawnTooLong
        case .failure(.outOfMemory):
            throw .failure(
                ItemFailure(.limitDecode, stage: .decode, detail: "\(CellError.outOfMemory)"))
        case .failure(let error):
            throw .failure(ItemFailure(.crashed, stage: .decode, detail: "\(error)"))
        }
    }
}
