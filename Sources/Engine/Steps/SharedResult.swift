import Render
import Synchronization
import Transport

/// The bytes of a source, and what holds their place in memory.
final class SourceBytes: Sendable {
    let bytes: [UInt8]
    /// What is drawn in their place, where nothing has to be decoded.
    let subject: RenderOrder.Subject?
    /// How many of the bytes a budget of bodies accounts for; decoding answers for the others.
    let covered: Int
    private let hold: Hold

    private enum Hold: ~Copyable, Sendable {
        case nothing
        case grant(Grant)
        /// Whoever loaded them.
        case loader(any Sendable)
    }

    /// Bytes that nothing accounts for yet.
    init(_ bytes: [UInt8], showing subject: RenderOrder.Subject? = nil) {
        self.bytes = bytes
        self.subject = subject
        covered = 0
        hold = .nothing
    }

    /// Bytes that somebody else accounts for.
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

    /// What no budget of bodies accounts for.
    var uncovered: Int { max(0, bytes.count - covered) }
}

/// What came of a source, for the other items that name it.
package final class SharedResult: Sendable {
    /// What was drawn from it.
    struct Drawing: Sendable {
        let recipe: Recipe
        let rendering: Rendering
        /// The name and the files of the item that it was drawn for.
        let name: String
        let outputs: [OutputRecord]
    }

    let src: SourceRecord?
    /// Why an old answer stands for the source.
    let staleReason: ItemFailure?
    /// What was drawn, nothing where outputs of an earlier run were taken over, or what went wrong.
    let result: Result<Drawing?, ItemFailure>
    private let held: Mutex<SourceBytes?>
    /// What others drew of it by recipes of their own.
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

    /// What came of the item's own source.
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
            // What its header said is known from then, and was not read again.
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

    /// The bytes, for another recipe; nil once somebody needed their place.
    var bytes: SourceBytes? { held.withLock { $0 } }

    /// What was drawn by `recipe`.
    func drawing(by recipe: Recipe) -> Drawing? {
        if case .success(let drawing?) = result, drawing.recipe == recipe { return drawing }
        return others.withLock { $0.first { $0.recipe == recipe } }
    }

    /// Keeps what another item drew of it.
    func keep(_ rendering: Rendering, of input: JobInput) {
        let drawing = Drawing(
            recipe: input.recipe, rendering: rendering, name: input.item.name, outputs: [])
        others.withLock { if $0.count < Self.othersLimit { $0.append(drawing) } }
    }

    /// The same with the files that were written for the item.
    func storing(_ outputs: [OutputRecord]) -> SharedResult {
        guard case .success(let drawing?) = result else { return self }
        let stored = Drawing(
            recipe: drawing.recipe, rendering: drawing.rendering, name: drawing.name,
            outputs: outputs)
        return SharedResult(src, .success(stored), bytes, staleReason: staleReason)
    }

    /// Lets go of the bytes: whoever waits for memory must not hold some.
    func letGo() {
        held.withLock { $0 = nil }
    }
}
