import Artwork
import Codecs
import Raster

/// One order on its way from sniffing to encoding: the one place that says what is done for which
/// subject, in this process as in a worker.
///
/// It stops where memory is needed and goes on when it is asked again, so that whoever drives it may
/// wait for the memory, or send for it.
package struct OrderWork {
    /// What the next step takes.
    package struct Need: Sendable {
        /// Nil where memory is needed to read it at all.
        package let header: ImageHeader?
        /// What reading the header takes and keeps.
        package let headerBytes: Int
        package let cost: RenderCost
        /// The order came with as much.
        package let isCovered: Bool
    }

    package enum Progress {
        case needs(Need)
        case done(Rendering)
    }

    private enum Stage {
        case begun, sniffed
        case measured(ImageHeader, RenderCost)
    }

    private let subject: RenderOrder.Subject
    private let recipe: Recipe
    private let renderer: Renderer
    private let memoryBytes: Int
    private var stage = Stage.begun
    private var headerBytes = 0
    private var coveredBytes: Int
    /// What the picture says of itself, once that was read.
    package private(set) var header: ImageHeader?
    /// What reading that left for decoding.
    private var drawing: OpenedDrawing?

    /// - Parameter memoryBytes: what decoding may have when nothing else is decoded.
    package init(
        _ subject: RenderOrder.Subject, _ recipe: Recipe, allowanceBytes: Int,
        _ renderer: Renderer, memoryBytes: Int
    ) {
        self.subject = subject
        self.recipe = recipe
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        coveredBytes = allowanceBytes
    }

    /// Goes as far as it can. Called again, it takes what it needed as granted.
    package mutating func advance(
        _ source: Span<UInt8>, observer: Renderer.StepObserver
    ) throws(RenderError) -> Progress {
        switch stage {
        case .begun:
            guard subject.isPicture else {
                // What is ours is neither read nor decoded.
                let request = DecodeRequest(limits: recipe.limits)
                return .done(try carryOut(source, RenderCost.unread, request, observer))
            }
            try observer(.sniff)
            stage = .sniffed
            headerBytes = renderer.headerBytes(of: source, recipe: recipe)
            guard headerBytes > 0 else { return try measure(source) }
            return .needs(need(nil, RenderCost(headerBytes: headerBytes, recipe, renderer)))
        case .sniffed: return try measure(source)
        case .measured(let header, let cost):
            return .done(try carryOut(source, header, cost.request, observer))
        }
    }

    /// Reads the header and reckons from it alone.
    private mutating func measure(_ source: Span<UInt8>) throws(RenderError) -> Progress {
        let (header, drawing) = try renderer.open(source, recipe: recipe)
        self.header = header
        self.drawing = drawing
        try renderer.check(header, recipe: recipe)
        let cost = RenderCost(
            of: subject, header, recipe, renderer, memoryBytes: memoryBytes,
            headerBytes: headerBytes)
        stage = .measured(header, cost)
        return .needs(need(header, cost))
    }

    private mutating func need(_ header: ImageHeader?, _ cost: RenderCost) -> Need {
        let isCovered = cost.bytes <= coveredBytes
        coveredBytes = max(coveredBytes, cost.bytes)
        return Need(
            header: header, headerBytes: headerBytes, cost: cost, isCovered: isCovered)
    }

    private func carryOut(
        _ source: Span<UInt8>, _ header: ImageHeader, _ request: DecodeRequest,
        _ observer: Renderer.StepObserver
    ) throws(RenderError) -> Rendering {
        switch subject {
        case .picture:
            try renderer.render(
                source, header: header, opened: drawing, request: request, recipe: recipe,
                observer: observer)
        case .graphic(let box):
            try renderer.graphic(
                source, header: header, opened: drawing, in: box, request, observer: observer)
        case .check:
            try renderer.check(
                source, header: header, opened: drawing, request, observer: observer)
        case .pixels:
            try renderer.pixels(
                source, header: header, opened: drawing, request, observer: observer)
        case .icon(let icon):
            try renderer.icon(icon, recipe: recipe, observer: observer)
        case .initials(let initials):
            try renderer.initials(initials, recipe: recipe, observer: observer)
        case .raster(let shared):
            try renderer.render(
                .raster(shared.buffer.copy()), recipe: recipe, observer: observer)
        }
    }
}
