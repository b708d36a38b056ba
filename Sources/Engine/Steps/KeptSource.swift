import Render
import Synchronization
import Transport

/// The bytes of a source, and what holds their place in memory.
final class SourceBody: Sendable {
    let bytes: [UInt8]
    /// How many of the bytes a budget of bodies accounts for; decoding answers for the others.
    let covered: Int
    private let hold: Hold

    private enum Hold: ~Copyable, Sendable {
        case nothing
        case grant(Grant)
        case loader(NetworkBody)
    }

    /// Bytes that nothing accounts for yet.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        covered = 0
        hold = .nothing
    }

    /// Bytes that somebody else accounts for.
    init(_ bytes: [UInt8], covered: Int) {
        self.bytes = bytes
        self.covered = covered
        hold = .nothing
    }

    init(_ bytes: [UInt8], _ grant: consuming Grant) {
        self.bytes = bytes
        covered = grant.amount
        hold = .grant(grant)
    }

    init(_ body: NetworkBody, covered: Int) {
        bytes = body.bytes
        self.covered = min(bytes.count, covered)
        hold = .loader(body)
    }
}

/// What came of a source, for the other items that name it.
package final class KeptSource: Sendable {
    /// What was drawn from it.
    struct Drawing: Sendable {
        let recipe: Recipe
        let rendering: Rendering
        /// The name and the files of the item that it was drawn for.
        let id: String
        let outputs: [OutputRecord]
    }

    let src: SourceRecord?
    /// What was drawn, nothing where outputs of an earlier run were taken over, or what went wrong.
    let result: Result<Drawing?, ItemFailure>
    private let held: Mutex<SourceBody?>

    init(_ src: SourceRecord?, _ result: Result<Drawing?, ItemFailure>, _ body: SourceBody?) {
        self.src = src
        self.result = result
        held = Mutex(body)
    }

    /// The bytes, for another recipe; nil once somebody needed their place.
    var body: SourceBody? { held.withLock { $0 } }

    /// The same with the files that were written for the item.
    func storing(_ outputs: [OutputRecord]) -> KeptSource {
        guard case .success(let drawing?) = result else { return self }
        let stored = Drawing(
            recipe: drawing.recipe, rendering: drawing.rendering, id: drawing.id,
            outputs: outputs)
        return KeptSource(src, .success(stored), body)
    }

    /// Lets go of the bytes: whoever waits for memory must not hold some.
    func letGo() {
        held.withLock { $0 = nil }
    }
}
