import Render
import Synchronization
import System
import Transport

/// The bytes of a source. They count in a memory budget as long as the object lives.
final class SourceBytes: Sendable {
    let bytes: [UInt8]
    /// The subject to draw if nothing has to be decoded.
    let subject: RenderOrder.Subject?
    /// The number of bytes that the budget for loaded sources counts. The other bytes count as
    /// memory for decoding.
    let covered: Int
    private let hold: Hold

    private enum Hold: ~Copyable, Sendable {
        case nothing
        case grant(Grant)
        /// An object of the loader, which counts the memory itself.
        case loader(any Sendable)
    }

    /// Creates an object for bytes that no budget counts.
    init(_ bytes: [UInt8], showing subject: RenderOrder.Subject? = nil) {
        self.bytes = bytes
        self.subject = subject
        covered = 0
        hold = .nothing
    }

    /// Creates an object for bytes. Another owner accounts for `covered` of them.
    init(_ bytes: [UInt8], covered: Int) {
        self.bytes = bytes
        subject = nil
        self.covered = covered
        hold = .nothing
    }

    init(
        _ bytes: [UInt8], showing subject: RenderOrder.Subject? = nil, _ grant: consuming Grant
    ) {
        self.bytes = bytes
        self.subject = subject
        covered = grant.amount
        hold = .grant(grant)
    }

    convenience init(_ body: NetworkBody, covered: Int) {
        self.init(LoadedSource(body.bytes, held: body), covered: covered)
    }

    init(_ loaded: LoadedSource, covered: Int) {
        bytes = loaded.bytes
        subject = loaded.subject
        self.covered = min(bytes.count, covered)
        hold = loaded.held.map { .loader($0) } ?? .nothing
    }

    /// The number of bytes that the budget for loaded sources does not count.
    var uncovered: Int { max(0, bytes.count - covered) }
}

/// The result of loading and drawing a source, for later rows with the same source.
package final class SharedResult: Sendable {
    struct Drawing: Sendable {
        let recipe: Recipe
        let rendering: Rendering
        /// The name and the stored files of the item for which it was drawn.
        let name: String
        let outputs: [OutputRecord]
    }

    let src: SourceRecord?
    /// The reason why an expired cache entry is shown.
    let staleReason: ItemFailure?
    /// The drawing, or the failure. The drawing is nil if outputs of an earlier run were reused.
    let result: Result<Drawing?, ItemFailure>
    private let held: Mutex<SourceBytes?>
    /// The drawings that other items made with their own recipes.
    private let others = Mutex<[Drawing]>([])
    private static let othersLimit = 16

    private init(
        _ src: SourceRecord?, _ result: Result<Drawing?, ItemFailure>, _ bytes: SourceBytes?,
        staleReason: ItemFailure?
    ) {
        self.src = src
        self.staleReason = staleReason
        self.result = result
        held = Mutex(bytes)
    }

    convenience init?(_ attempt: Attempt, _ input: JobInput) {
        if let failure = attempt.failure {
            self.init(attempt.src, .failure(failure), nil, staleReason: nil)
            return
        }
        switch attempt.showing {
        case .drawn(let rendering):
            self.init(attempt, rendering, input)
        case .shared(let drawing):
            self.init(attempt, drawing.rendering, input)
        case .unchanged(let past):
            // The earlier record has the header, which was not read again.
            self.init(
                past.src ?? attempt.src, .success(nil), attempt.bytes,
                staleReason: attempt.staleReason)
        case .content, nil: return nil
        }
    }

    private convenience init(_ attempt: Attempt, _ rendering: Rendering, _ input: JobInput) {
        let drawing = Drawing(
            recipe: input.recipe, rendering: rendering, name: input.item.name, outputs: [])
        self.init(
            attempt.src, .success(drawing), attempt.bytes, staleReason: attempt.staleReason)
    }

    /// The bytes, for items with another recipe; nil after they were released.
    var bytes: SourceBytes? { held.withLock { $0 } }

    /// Returns the drawing that was made with this recipe; nil if there is none.
    func drawing(by recipe: Recipe) -> Drawing? {
        if case .success(let drawing?) = result, drawing.recipe == recipe { return drawing }
        return others.withLock { $0.first { $0.recipe == recipe } }
    }

    /// Adds a drawing with another recipe, unless `othersLimit` is reached.
    func keep(_ rendering: Rendering, of input: JobInput) {
        let drawing = Drawing(
            recipe: input.recipe, rendering: rendering, name: input.item.name, outputs: [])
        others.withLock { if $0.count < Self.othersLimit { $0.append(drawing) } }
    }

    /// Returns a copy of the result that also names the stored files.
    func storing(_ outputs: [OutputRecord]) -> SharedResult {
        guard case .success(let drawing?) = result else { return self }
        let stored = Drawing(
            recipe: drawing.recipe, rendering: drawing.rendering, name: drawing.name,
            outputs: outputs)
        return SharedResult(src, .success(stored), bytes, staleReason: staleReason)
    }

    /// Releases the bytes. A job calls it before it waits for memory, because it must not hold any
    /// then.
    func releaseBytes() {
        held.withLock { $0 = nil }
    }
}
