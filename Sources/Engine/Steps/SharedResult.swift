import Render
import Synchronization
import Transport

/// The bytes of a source, with their memory grant.
final class SourceBytes: Sendable {
    let bytes: [UInt8]
    /// The subject to draw instead, if nothing has to be decoded.
    let subject: RenderOrder.Subject?
    /// The number of bytes that a body budget counts; decoding counts the others.
    let covered: Int
    private let hold: Hold

    private enum Hold: ~Copyable, Sendable {
        case nothing
        case grant(Grant)
        /// The loader's own accounting.
        case loader(any Sendable)
    }

    /// Bytes that no budget counts yet.
    init(_ bytes: [UInt8], showing subject: RenderOrder.Subject? = nil) {
        self.bytes = bytes
        self.subject = subject
        covered = 0
        hold = .nothing
    }

    /// Bytes that another owner counts.
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

    /// The number of bytes that no body budget counts.
    var uncovered: Int { max(0, bytes.count - covered) }
}

/// The result of a source, for the other items with the same source.
package final class SharedResult: Sendable {
    struct Drawing: Sendable {
        let recipe: Recipe
        let rendering: Rendering
        /// The name and the files of the item that it was drawn for.
        let name: String
        let outputs: [OutputRecord]
    }

    let src: SourceRecord?
    /// The reason why an expired cache entry is shown.
    let staleReason: ItemFailure?
    /// The drawing, nil if outputs of an earlier run were reused, or the failure.
    let result: Result<Drawing?, ItemFailure>
    private let held: Mutex<SourceBytes?>
    /// The drawings that other items made by their own recipes.
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
        case .standing(let past):
            // The header is known from the earlier run and was not read again.
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

    /// The bytes, for another recipe; nil after they were released.
    var bytes: SourceBytes? { held.withLock { $0 } }

    func drawing(by recipe: Recipe) -> Drawing? {
        if case .success(let drawing?) = result, drawing.recipe == recipe { return drawing }
        return others.withLock { $0.first { $0.recipe == recipe } }
    }

    func keep(_ rendering: Rendering, of input: JobInput) {
        let drawing = Drawing(
            recipe: input.recipe, rendering: rendering, name: input.item.name, outputs: [])
        others.withLock { if $0.count < Self.othersLimit { $0.append(drawing) } }
    }

    func storing(_ outputs: [OutputRecord]) -> SharedResult {
        guard case .success(let drawing?) = result else { return self }
        let stored = Drawing(
            recipe: drawing.recipe, rendering: drawing.rendering, name: drawing.name,
            outputs: outputs)
        return SharedResult(src, .success(stored), bytes, staleReason: staleReason)
    }

    /// Releases the bytes: a job that waits for memory must not hold any.
    func letGo() {
        held.withLock { $0 = nil }
    }
}
