import Artwork
import Codecs
import Gauge
import Raster

/// The work on one order, from sniffing to encoding. Only this type decides which work each subject
/// needs, in this process and in a worker.
package struct OrderWork {
    private let subject: RenderOrder.Subject
    private let recipe: Recipe
    private let renderer: Renderer
    private let memoryBytes: Int
    private let allowanceBytes: Int
    package private(set) var header: ImageHeader?

    /// - Parameters:
    ///   - allowanceBytes: the memory that the work may take.
    ///   - memoryBytes: the memory that decoding may have if nothing else is decoded.
    package init(
        _ subject: RenderOrder.Subject, _ recipe: Recipe, allowanceBytes: Int,
        _ renderer: Renderer, memoryBytes: Int
    ) {
        self.subject = subject
        self.recipe = recipe
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        self.allowanceBytes = allowanceBytes
    }

    /// Carries out the order. Throws `.tooLarge` before anything is decoded if that takes more than
    /// the allowance.
    ///
    /// - Parameter willTake: is called before each part of the work, with the memory in bytes that
    ///   the part takes.
    package mutating func carryOut(
        _ source: Span<UInt8>, willTake: (Int) -> Void = { _ in },
        observer: Renderer.StageObserver
    ) throws(RenderError) -> Rendering {
        switch subject {
        // Built-in content and pixels are neither read nor decoded.
        case .icon(let icon): return try renderer.icon(icon, recipe: recipe, observer: observer)
        case .initials(let initials):
            return try renderer.initials(initials, recipe: recipe, observer: observer)
        case .raster(let shared):
            return try renderer.render(
                .raster(shared.buffer.copy()), recipe: recipe, observer: observer)
        case .picture, .graphic, .check, .pixels: break
        }
        do {
            return try decode(source, willTake, observer)
        } catch {
            throw RenderError(error)
        }
    }

    private mutating func decode(
        _ source: Span<UInt8>, _ willTake: (Int) -> Void, _ observer: Renderer.StageObserver
    ) throws -> Rendering {
        try observer(.decode)
        // A document is loaded for its header.
        let headerBytes = ImageDecoder.headerBytes(of: source, limits: recipe.limits)
        if headerBytes > 0 {
            let least = ImageHeader(format: .svg, codedSize: PixelSize(width: 1, height: 1))
            let cost = RenderCost(
                of: .picture, least, recipe, renderer, memoryBytes: 0, headerBytes: headerBytes)
            try take(cost.bytes, willTake)
        }
        // A header may exceed the limits, so that a refused image can still be described; only the
        // length of a document is limited.
        var limits = DecodeLimits.headerOnly
        limits.svgBytes = recipe.limits.svgBytes
        let (header, drawing) = try ImageDecoder.open(source, limits: limits)
        self.header = header
        try header.check(recipe.limits)
        let cost = RenderCost(
            of: subject, header, recipe, renderer, memoryBytes: memoryBytes,
            headerBytes: headerBytes)
        try take(cost.bytes, willTake)
        if case .picture = subject {
            return try renderer.render(
                source, header: header, opened: drawing, request: cost.request, recipe: recipe,
                observer: observer)
        }
        try observer(.decode)
        if case .graphic(let box) = subject {
            let graphic = try DecodedGraphic(
                source, header: header, opened: drawing, in: box, cost.request)
            return Rendering(images: [], preview: nil, graphic: graphic)
        }
        if subject == .pixels {
            let graphic = try DecodedGraphic(
                allOf: source, header: header, opened: drawing, cost.request)
            return Rendering(images: [], preview: nil, graphic: graphic)
        }
        _ = try ImageDecoder.decode(source, header: header, request: cost.request, opened: drawing)
        return Rendering(images: [], preview: nil)
    }

    /// Announces the memory of a part of the work, or throws if it exceeds the allowance.
    private func take(_ bytes: Int, _ willTake: (Int) -> Void) throws(RenderError) {
        guard bytes <= allowanceBytes else {
            throw .tooLarge(bytes, allowed: allowanceBytes)
        }
        willTake(bytes)
    }
}
