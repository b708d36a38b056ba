import Artwork
import Codecs
import Gauge
import Raster
import Render
import System

/// Copies outcomes out of a region, one after the other, and checks every number in them.
struct OutcomeReader {
    private let region: SharedRegion
    /// The time of the request.
    private let began: UInt64
    private var offset: Int

    init(_ region: SharedRegion, from offset: Int, since began: UInt64) {
        self.region = region
        self.began = began
        self.offset = offset
    }

    /// Returns the next outcome after checking it against its order; nil if the worker lacks a
    /// library that the order needs.
    mutating func answer(
        to order: RenderOrder, by renderer: Renderer, tableBytes: Int
    ) throws -> RenderAnswer? {
        let outcome = try Outcome(
            table: try take(tableBytes), between: began, and: MonotonicClock.now)
        try check(outcome, against: order)
        let result: Result<Rendering, OrderError>
        switch outcome.result {
        case .lacksLibrary: return nil
        case .failure(let error): result = .failure(.render(error))
        case .success(let images):
            result = .success(
                Rendering(
                    images: try self.images(images, of: outcome.header, order.recipe, renderer),
                    preview: images.preview, lint: images.lint,
                    decision: images.decision,
                    graphic: try graphic(images.graphic, of: order)))
        }
        return RenderAnswer(header: outcome.header, moments: outcome.moments, result: result)
    }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        let bytes = try region.read(count, at: offset)
        offset += count
        return bytes
    }

    /// Checks all fields of the table except the images against the order and the reported header.
    private func check(_ outcome: Outcome, against order: RenderOrder) throws {
        guard outcome.moments.count <= 4 * order.recipe.variants.count + 2 else {
            throw WireDamage()
        }
        let isPicture = order.subject.isPicture
        guard isPicture || outcome.header == nil else { throw WireDamage() }
        switch outcome.result {
        case .success(let images):
            guard isPicture == (outcome.header != nil),
                (images.preview == nil) == order.recipe.variants.isEmpty,
                images.lint.isPossible(for: order.recipe),
                images.decision.map({ order.recipe.couldDecide($0) }) ?? true
            else { throw WireDamage() }
            // The worker should have refused a header that exceeds the limits.
            try outcome.header?.check(order.recipe.limits)
        case .lacksLibrary: break
        case .failure(let error):
            // Only the parent can stop work, so a worker that reports `.stopped` is malformed.
            guard error != .stopped else { throw WireDamage() }
        }
    }

    private mutating func images(
        _ found: Outcome.Images, of header: ImageHeader?, _ recipe: Recipe, _ renderer: Renderer
    ) throws -> [RenderedImage] {
        guard found.entries.count == recipe.variants.count else { throw WireDamage() }
        var images: [RenderedImage] = []
        images.reserveCapacity(found.entries.count)
        for (variant, entry) in zip(recipe.variants, found.entries) {
            let style = recipe.style(for: variant, in: renderer.theme)
            guard entry.size.height == style.height, style.canHave(width: entry.size.width),
                entry.bytes <= Outcome.bytesLimit(of: entry.size)
            else { throw WireDamage() }
            let format = recipe.format(of: variant, source: header?.format)
            let bytes = try take(entry.bytes)
            guard EncodedPicture.isComplete(bytes.span, format, entry.size) else {
                throw WireDamage()
            }
            images.append(
                RenderedImage(variant: variant, format: format, size: entry.size, bytes: bytes))
        }
        return images
    }

    /// Reads a graphic: as many pixels as its size says, and a text within its limit. The contents
    /// of both are not inspected here.
    private mutating func graphic(
        _ found: Outcome.Graphic?, of order: RenderOrder
    ) throws -> DecodedGraphic? {
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
        let pixels = try take(found.size.byteCount)
        var drawing = found.drawing
        if found.textBytes > 0 { drawing?.text = try take(found.textBytes) }
        return DecodedGraphic(size: found.size, pixels: pixels, drawing: drawing)
    }
}

extension EmblemStyle {
    func canHave(width: Int) -> Bool {
        self.width == .auto
            ? (height...height * Self.widestAspect).contains(width) : width == plainCanvas.width
    }
}
