import Artwork
import Codecs
import Digest
import Render
import Synchronization
import System
import Testing
import Theming

@Suite("The memory of expensive orders")
struct OrderMemoryTests {
    private static let long = Permits.slowNanoseconds
    private static let theme = Theme.builtIn

    private static func order(_ source: String = "picture", height: Double = 1) -> RenderOrder {
        let variants = [Variant(layout: EmblemLayout.small, scale: height, scheme: .light)]
        return RenderOrder(
            .picture, of: Array(source.utf8), recipe: Recipe(variants: variants),
            patienceNanoseconds: 1_000, processorNanoseconds: 1_000)
    }

    private static func verdict(_ memory: OrderMemory, _ order: RenderOrder) -> OrderMemory.Verdict
    {
        var digest: Digest256?
        return memory.verdict(on: order, in: theme, &digest)
    }

    private static func note(
        _ memory: OrderMemory, _ error: OrderError?, _ order: RenderOrder, after used: UInt64 = long
    ) {
        var digest: Digest256?
        memory.note(error, after: used, on: order, in: theme, &digest)
    }

    @Test(
        "an expensive failure of a picture is remembered for equal bytes",
        arguments: [
            OrderError.drawnTooLong, .timeout, .outOfMemory,
            .render(.decode(.limitDecode("a limit"))), .render(.decode(.corrupt("a row"))),
        ])
    func failures(error: OrderError) {
        let memory = OrderMemory()
        Self.note(memory, error, Self.order())
        #expect(Self.verdict(memory, Self.order()) == .failed(error))
        #expect(Self.verdict(memory, Self.order("pictur3")) == .unknown)
        #expect(Self.verdict(memory, Self.order("longer picture")) == .unknown)
    }

    @Test(
        "a cheap failure, or one that the picture did not cause, is not remembered",
        arguments: [
            OrderError.crashed("signal 11"), .render(.stopped), .busy("later"),
            .unavailable(WorkerLack("none")), .render(.encode("too large")),
        ])
    func others(error: OrderError) {
        let memory = OrderMemory()
        Self.note(memory, error, Self.order())
        Self.note(memory, .drawnTooLong, Self.order(), after: Permits.quickNanoseconds - 1)
        #expect(memory.count == 0)
        #expect(Self.verdict(memory, Self.order()) == .unknown)
    }

    @Test("a time limit applies to outputs of the same size or larger, with the same limit or less")
    func limits() {
        let memory = OrderMemory()
        Self.note(memory, .drawnTooLong, Self.order(height: 2))
        #expect(Self.verdict(memory, Self.order(height: 1)) == .unknown)
        #expect(Self.verdict(memory, Self.order(height: 3)) == .failed(.drawnTooLong))
        var patient = Self.order(height: 2)
        patient.processorNanoseconds = 1_001
        #expect(Self.verdict(memory, patient) == .slow)
        var other = Self.order(height: 2)
        other.recipe.limits.pixels = 7
        #expect(Self.verdict(memory, other) == .unknown)
    }

    @Test("a slow success is remembered as slow, and never replaces a failure")
    func slowOnes() {
        let memory = OrderMemory()
        Self.note(memory, nil, Self.order())
        #expect(Self.verdict(memory, Self.order()) == .slow)
        Self.note(memory, .timeout, Self.order())
        Self.note(memory, nil, Self.order())
        #expect(Self.verdict(memory, Self.order()) == .failed(.timeout))
    }

    @Test("an entry expires after ten minutes, and the oldest makes room for a new one")
    func bounds() {
        let clock = Mutex<UInt64>(0)
        let memory = OrderMemory(now: { clock.withLock { $0 } })
        for number in 0...OrderMemory.countLimit {
            clock.withLock { $0 = UInt64(number) }
            Self.note(memory, .timeout, Self.order("picture \(number)"))
        }
        #expect(memory.count == OrderMemory.countLimit)
        #expect(Self.verdict(memory, Self.order("picture 0")) == .unknown)
        #expect(Self.verdict(memory, Self.order("picture 1")) == .failed(.timeout))
        clock.withLock { $0 = OrderMemory.lifetimeNanoseconds + 1 }
        #expect(Self.verdict(memory, Self.order("picture 1")) == .unknown)
        #expect(Self.verdict(memory, Self.order("picture 2")) == .failed(.timeout))
        #expect(memory.count == OrderMemory.countLimit - 1)
    }
}
