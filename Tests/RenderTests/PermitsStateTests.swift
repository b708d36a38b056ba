import Render
import Support
import System
import Testing

@Suite("The rules of permits")
struct PermitsStateTests {
    private typealias Request = PermitsState.Request

    private static func state(_ renderers: Int = 3) -> PermitsState {
        PermitsState(renderers: renderers, bytes: 1_000, quickRenderers: 1, smallBytes: 100)
    }

    /// Serves a request now, or adds it to the queue.
    private static func add(
        _ bytes: Int, _ kind: PermitsState.Kind = .quick, key: String = "",
        to state: inout PermitsState
    ) -> (request: Request, isServed: Bool) {
        let request = state.request(bytes, kind, key: key)
        guard !state.takeNow(request) else { return (request, true) }
        state.enqueue(request)
        return (request, false)
    }

    @Test("slow requests leave a renderer and the memory of small requests to quick ones")
    func lane() {
        var state = Self.state()
        let large = Self.add(5_000, to: &state)
        #expect(large.isServed && large.request.bytes == 700)
        #expect(!Self.add(101, to: &state).isServed)
        #expect(Self.add(0, .slow, to: &state).isServed == false)
        #expect(Self.add(100, to: &state).isServed)
        #expect(Self.add(100, to: &state).isServed)
        #expect(!Self.add(100, to: &state).isServed)
        #expect(state.greatestBytes == 900 && state.greatestRenderers == 3)
    }

    @Test("slow requests never take the last renderer, and are served in order")
    func slowOnes() {
        var state = Self.state()
        let first = Self.add(0, .slow, to: &state)
        let second = Self.add(0, .slow, to: &state)
        #expect(first.isServed && second.isServed)
        let waiting = (0..<3).map { _ in Self.add(0, .slow, to: &state) }
        #expect(!waiting.contains { $0.isServed })
        #expect(state.release(second.request.id) == [waiting[0].request])
        #expect(state.release(first.request.id) == [waiting[1].request])
        #expect(state.leave(waiting[2].request).wasWaiting)
        #expect(!state.leave(waiting[2].request).wasWaiting)
    }

    @Test("permits serve keys in turn, even if one key has many requests")
    func keys() throws {
        var state = Self.state(2)
        var held = [Self.add(0, to: &state).request, Self.add(0, to: &state).request]
        let many = (0..<100).map { _ in Self.add(0, key: "many", to: &state).request }
        let few = (0..<3).map { _ in Self.add(0, key: "few", to: &state).request }
        #expect(state.waitingCount(of: "many") == 100 && state.waitingCount(of: "few") == 3)
        var order: [Request] = []
        while !held.isEmpty {
            let served = state.release(held.removeFirst().id)
            order += served
            held += served
        }
        #expect(Array(order.prefix(6)) == [many[0], few[0], many[1], few[1], many[2], few[2]])
        #expect(order.filter { $0.key == "many" } == many && order.count == 103)
    }

    @Test(
        "unsure requests leave a renderer to waiting quick ones, but one is served after eight, or after 64 if one yielded",
        arguments: [false, true])
    func unsureOnes(yields: Bool) {
        var state = Self.state(2)
        let first = Self.add(0, .unsure, to: &state).request
        var last = Self.add(0, .unsure, to: &state).request
        let unsure = (0..<2).map { _ in Self.add(0, .unsure, to: &state).request }
        let quick = (0..<80).map { _ in Self.add(0, to: &state).request }
        #expect(state.pace(of: first.id).pace == .settled)
        if yields { #expect(state.pace(of: last.id).pace == .yields) }
        var order: [Request] = []
        while let next = state.release(last.id).first {
            order.append(next)
            last = next
        }
        var expected = quick
        expected.insert(unsure[0], at: yields ? 64 : 8)
        // The first one ended in time.
        expected.insert(unsure[1], at: yields ? 73 : 17)
        #expect(order == expected)
    }

    /// Slow work never ends here, and quick work ends after one tick or yields. A quick request
    /// must be served as soon as the quick requests before it have had their turn.
    @Test("a quick request waits only for the quick requests before it", arguments: UInt64(0)..<20)
    func boundedWait(round: UInt64) {
        var generator = SeededRandom(seed: TestSeed.value &+ round)
        let renderers = Int.random(in: 2...5, using: &generator)
        var state = PermitsState(
            renderers: renderers, bytes: 1_000, quickRenderers: 1, smallBytes: 100)
        var due: [Int: Int] = [:]
        var running: [(request: Request, isEndless: Bool)] = []
        var endless: Set<Int> = []
        func start(_ requests: [Request], at tick: Int) {
            for request in requests {
                if request.kind == .quick {
                    let isTimely = tick <= due[request.id] ?? .max
                    #expect(isTimely, "\(TestSeed.words)")
                }
                running.append((request, endless.contains(request.id)))
            }
        }
        for tick in 0..<300 {
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let bytes = Int.random(in: 0...1_200, using: &generator)
                let isQuick = Bool.random(using: &generator)
                let (request, isServed) = Self.add(
                    isQuick ? min(bytes, 100) : bytes, isQuick ? .quick : .slow, to: &state)
                if isQuick, Int.random(in: 0..<4, using: &generator) == 0 {
                    endless.insert(request.id)
                }
                if isServed {
                    start([request], at: tick)
                } else if request.kind == .quick {
                    let before = due.count { $0.value >= tick }
                    due[request.id] = tick + before + 1
                }
            }
            for work in running where work.request.kind == .quick {
                let id = work.request.id
                let (pace, served) = work.isEndless ? state.pace(of: id) : (.yields, [])
                start(served, at: tick)
                guard pace == .yields else { continue }
                running.removeAll { $0.request == work.request }
                start(state.release(id), at: tick)
            }
        }
    }
}
