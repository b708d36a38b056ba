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
    /// The memory for reading the header of a document, in bytes; 0 for other images.
    package private(set) var headerBytes = 0
    /// The memory that the work takes, as far as it is known, in bytes.
    package private(set) var costBytes = 0

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

    /// Carries out the order. Returns nil before anything is decoded if that takes more than the
    /// allowance; `costBytes` tells how much.
    ///
    /// - Parameter willTake: is called before each part of the work, with the memory in bytes that
    ///   the part takes.
    package mutating func carryOut(
        _ source: Span<UInt8>, willTake: (Int) -> Void = { _ in },
        observer: Renderer.StageObserver
    ) throws(RenderError) -> Rendering? {
        guard subject.isPicture else {
            // Built-in content is neither read nor decoded.
            let request = DecodeRequest(limits: recipe.limits)
            return try draw(source, RenderCost.unread, nil, request, observer)
        }
        try observer(.decode)
        headerBytes = renderer.headerBytes(of: source, recipe: recipe)
        if headerBytes > 0 {
            let cost = RenderCost(headerBytes: headerBytes, recipe, renderer)
            guard covers(cost, willTake) else { return nil }
        }
        let (header, drawing) = try renderer.open(source, recipe: recipe)
        self.header = header
        try renderer.check(header, recipe: recipe)
        let cost = RenderCost(
            of: subject, header, recipe, renderer, memoryBytes: memoryBytes,
            headerBytes: headerBytes)
        guard covers(cost, willTake) else { return nil }
        return try draw(source, header, drawing, cost.request, observer)
    }

    /// Returns whether the allowance covers `cost`, and reports the cost in that case.
    private mutating func covers(_ cost: RenderCost, _ willTake: (Int) -> Void) -> Bool {
        costBytes = max(costBytes, cost.bytes)
        guard costBytes <= allowanceBytes else { return false }
        willTake(costBytes)
        return true
    }

    private func draw(
        _ source: Span<UInt8>, _ header: ImageHeader, _ drawing: OpenedDrawing?,
        _ request: DecodeRequest, _ observer: Renderer.StageObserver
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
