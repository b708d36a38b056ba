import Artwork
import Codecs
import Raster
import Render
import System

/// One order in one cell, seen from the task that gave it.
struct CellSession {
    private let order: RenderOrder
    private let cell: Cell
    private let keeper: CellKeeper
    private let renderer: Renderer
    private let theme: [UInt8]

    private let began = MonotonicClock.now
    private var patience: CellPatience
    private var header: ImageHeader?
    /// What the picture takes before its header can be read.
    private var headerBytes = 0
    /// The cell waits for the next order; otherwise nobody knows what it does.
    private(set) var isClean = false
    /// The cell broke the rules.
    private(set) var isOdd = false
    /// The cell ended because it came from dividing this process, and lacks a library: the next one
    /// may have it. A program has all of them.
    private(set) var lacksLibrary = false
    private var hasGrown = false

    /// Whether the cell has begun with the order, as it says itself: one that was gone before has
    /// not met the picture.
    var wasTaken: Bool {
        do throws(WireDamage) {
            return try cell.region.read(1, at: 0) != [0]
        } catch {
            return true
        }
    }

    /// The offset of a picture in the region, so that it does not begin in the middle of a word.
    private static let alignment = 64

    init(_ order: RenderOrder, cell: Cell, keeper: CellKeeper, _ themed: ThemedRenderer) {
        self.order = order
        self.cell = cell
        self.keeper = keeper
        renderer = themed.renderer
        theme = themed.theme
        patience = CellPatience(
            deadline: Self.sum(began, order.patienceNanoseconds),
            processor: order.processorNanoseconds, of: cell)
    }

    /// What the processors worked for the order.
    private var processorNanoseconds: UInt64 { patience.used(by: cell) ?? 0 }

    private static func sum(_ moment: UInt64, _ nanoseconds: UInt64) -> UInt64 {
        let (sum, overflow) = moment.addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }

    mutating func run(
        _ admit: (RenderCost) async -> Bool
    ) async -> RenderAnswer {
        do throws(WireDamage) {
            var answer = try await converse(admit)
            answer.processorNanoseconds = processorNanoseconds
            if isClean { cell.region.clear() }
            return answer
        } catch {
            isClean = false
            isOdd = true
            var answer = RenderAnswer(
                result: .failure(.crashed("an answer that breaks the rules")))
            answer.processorNanoseconds = processorNanoseconds
            return answer
        }
    }

    private mutating func converse(
        _ admit: (RenderCost) async -> Bool
    ) async throws(WireDamage) -> RenderAnswer {
        var request = try place()
        while true {
            let report: CellReply
            switch await keeper.exchange(request, with: cell, patience) {
            case .ended(let end):
                lacksLibrary = end == .lacksLibrary && cell.isDivided
                return failure(end.error)
            case .report(let received): report = received
            }
            switch report {
            case .header(let header):
                guard self.header == nil, order.subject.isPicture else {
                    throw WireDamage()
                }
                // Nothing is reckoned from sizes that the cell should have refused itself.
                try hold(header)
                self.header = header
                let cost = RenderCost(
                    of: order.subject, header, order.recipe, renderer,
                    memoryBytes: keeper.settings.memoryBytes, headerBytes: headerBytes)
                guard await ask(admit, cost) else {
                    isClean = cell.send(.refuse) == .taken
                    return failure(.refused)
                }
                request = .go
            case .document(let bytes):
                guard header == nil, headerBytes == 0, order.subject.isPicture else {
                    throw WireDamage()
                }
                headerBytes = bytes
                let cost = RenderCost(headerBytes: bytes, order.recipe, renderer)
                guard await ask(admit, cost) else {
                    isClean = cell.send(.refuse) == .taken
                    return failure(.refused)
                }
                request = .go
            case .room(let count):
                guard !hasGrown,
                    count <= Outcome.bytesLimit(for: order, in: renderer.theme)
                else { throw WireDamage() }
                hasGrown = true
                try cell.region.reserve(count)
                request = .room(mapped: cell.region.count)
            case .done(let tableBytes, let leaves):
                let answer = try collect(tableBytes)
                isClean = !leaves
                return answer
            case .ready, .foreign: throw WireDamage()
            }
        }
    }

    /// Refuses a header that is over the limits of the order.
    private func hold(_ header: ImageHeader) throws(WireDamage) {
        do throws(RenderError) {
            try renderer.check(header, recipe: order.recipe)
        } catch {
            throw WireDamage()
        }
    }

    private func failure(_ error: OrderError) -> RenderAnswer {
        RenderAnswer(
            header: header, moments: [StepMoment(step: .sniff, nanoseconds: began)],
            result: .failure(error))
    }

    /// Puts the order into the region.
    private func place() throws(WireDamage) -> CellRequest {
        let bytes = CellOrder(order).bytes
        let picture = order.source
        // Where nothing is drawn no theme is needed.
        let theme = order.recipe.variants.isEmpty || cell.draws(in: self.theme) ? [] : self.theme
        let start = SharedRegion.start
        let before = bytes.count + theme.count
        let offset = start + (before / Self.alignment + 1) * Self.alignment
        let (end, overflow) = offset.addingReportingOverflow(picture.count)
        guard !overflow else { throw WireDamage() }
        try cell.region.reserve(end)
        try cell.region.write(([0] as [UInt8]).span, at: 0)
        try cell.region.write(bytes.span, at: start)
        if !theme.isEmpty {
            try cell.region.write(theme.span, at: start + bytes.count)
            cell.changes(to: theme)
        }
        try cell.region.write(picture.span, at: offset)
        return .draw(
            mapped: cell.region.count, orderBytes: bytes.count, themeBytes: theme.count,
            pictureOffset: offset, pictureBytes: picture.count)
    }

    /// Asks for memory; the time that takes is not the picture's.
    private mutating func ask(
        _ admit: (RenderCost) async -> Bool, _ cost: RenderCost
    ) async -> Bool {
        let asked = MonotonicClock.now
        let granted = await admit(cost)
        patience.deadline = Self.sum(patience.deadline, MonotonicClock.now &- asked)
        return granted
    }

    /// Copies the outcome out of the region, and believes no number in it.
    private func collect(_ tableBytes: Int) throws(WireDamage) -> RenderAnswer {
        let outcome = try Outcome(
            table: try cell.region.read(tableBytes, at: SharedRegion.start), between: began,
            and: MonotonicClock.now)
        try hold(outcome)
        let result: Result<Rendering, OrderError>
        switch outcome.result {
        case .failure(let error): result = .failure(.render(error))
        case .success(let images):
            let start = SharedRegion.start + tableBytes
            result = .success(
                Rendering(
                    images: try self.images(images, of: outcome.header, from: start),
                    preview: images.preview, lint: images.lint,
                    backgrounds: images.backgrounds,
                    graphic: try graphic(images.graphic, from: start)))
        }
        return RenderAnswer(
            header: outcome.header, moments: outcome.moments, result: result)
    }

    /// Holds what the table says beside the images against the order, and against what was said.
    private func hold(_ outcome: Outcome) throws(WireDamage) {
        guard outcome.moments.count <= 4 * order.recipe.variants.count + 2 else {
            throw WireDamage()
        }
        if let header, outcome.header.map({ header.isSame(as: $0) }) != true {
            throw WireDamage()
        }
        let isPicture = order.subject.isPicture
        guard isPicture || outcome.header == nil else { throw WireDamage() }
        switch outcome.result {
        case .success(let images):
            guard isPicture == (outcome.header != nil),
                (images.preview == nil) == order.recipe.variants.isEmpty,
                images.lint.couldHold(for: order.recipe),
                images.backgrounds.isEmpty || order.recipe.background == .auto,
                Set(images.backgrounds.map(\.scheme)).count == images.backgrounds.count
            else { throw WireDamage() }
            if let header = outcome.header { try hold(header) }
        case .failure(let error):
            // Who stops the work stands on this side.
            guard error != .stopped else { throw WireDamage() }
        }
    }

    private func images(
        _ found: Outcome.Images, of header: ImageHeader?, from start: Int
    ) throws(WireDamage) -> [RenderedImage] {
        let recipe = order.recipe
        guard found.entries.count == recipe.variants.count else { throw WireDamage() }
        var images: [RenderedImage] = []
        images.reserveCapacity(found.entries.count)
        var offset = start
        for (variant, entry) in zip(recipe.variants, found.entries) {
            let style = recipe.style(for: variant, in: renderer.theme)
            guard entry.size.height == style.height, style.canHave(width: entry.size.width),
                entry.bytes <= Outcome.bytesLimit(of: entry.size)
            else { throw WireDamage() }
            let format = recipe.format(of: variant, source: header?.format)
            let bytes = try cell.region.read(entry.bytes, at: offset)
            guard EncodedPicture.holds(bytes.span, format, entry.size) else { throw WireDamage() }
            offset += entry.bytes
            images.append(
                RenderedImage(variant: variant, format: format, size: entry.size, bytes: bytes))
        }
        return images
    }

    /// Pixels in the number that their size says, and a text within its limit: nothing of either is
    /// looked at here.
    private func graphic(
        _ found: Outcome.Graphic?, from start: Int
    ) throws(WireDamage) -> DecodedGraphic? {
        let side: Int
        switch order.subject {
        case .picture, .icon, .initials, .raster, .check:
            guard found == nil else { throw WireDamage() }
            return nil
        case .graphic: side = DecodedGraphic.longestSide
        case .pixels:
            guard found?.drawing == nil else { throw WireDamage() }
            side = .max
        }
        guard let found, max(found.size.width, found.size.height) <= side,
            found.size.area <= Outcome.graphicArea(for: order)
        else { throw WireDamage() }
        let pixels = try cell.region.read(found.size.byteCount, at: start)
        var drawing = found.drawing
        if found.textBytes > 0 {
            drawing?.text = try cell.region.read(
                found.textBytes, at: start + found.size.byteCount)
        }
        return DecodedGraphic(size: found.size, pixels: pixels, drawing: drawing)
    }
}
