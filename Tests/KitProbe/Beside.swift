import EmblemKit
import FoundationEssentials
import Glibc
import Synchronization

/// Runs a batch next to a task that sleeps for 5 ms repeatedly, and measures the lateness of the
/// task and the speed of the batch.
enum Beside {
    static func run(_ words: [String]) async {
        DesignSystem.shared.decoding.isolation =
            words.first.flatMap(Decoding.Isolation.init) ?? .process
        _ = await DesignSystem.shared.decoding.settle()
        let count = words.dropFirst().first.flatMap { Int($0) } ?? 1_000
        guard let photo = try? await picture() else { return }
        var batch = EmblemBatch((0..<count).map { _ in ImageSource.captured(image: photo) })
        batch.layouts = [.small, .large]
        batch.scales = [1, 2]
        let over = Flag()
        let sleeper = Task { await lateness(until: over) }
        let start = ContinuousClock.now
        var made = 0
        for await outcome in batch where outcome.status == .ok { made += 1 }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        over.raise()
        let late = await sleeper.value.sorted()
        print("\(made) of \(count) in \(seconds) s, \(Double(count) / seconds) a second")
        guard !late.isEmpty else { return }
        func share(_ part: Double) -> Double { late[Int(Double(late.count - 1) * part)] }
        print("\(late.count) wakes, late by ms: p50 \(share(0.5)), p99 \(share(0.99)), \(share(1))")
    }

    private static func lateness(until over: Flag) async -> [Double] {
        var late: [Double] = []
        while !over.isUp {
            let start = ContinuousClock.now
            // The lateness after the sleep is the measured value.
            try? await Task.sleep(for: .milliseconds(5))
            late.append((ContinuousClock.now - start) / .milliseconds(1) - 5)
        }
        return late
    }

    private static func picture() async throws -> Image {
        var state: UInt32 = 7
        let rgba = (0..<(1_200 * 900 * 4)).map { index -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            let value = UInt8(truncatingIfNeeded: index / 4_800 + Int(state >> 28))
            return index % 4 == 3 ? 255 : value
        }
        let pixels = try Image(width: 1_200, height: 900, rgba: rgba)
        return try await Image(data: pixels.data(as: .webp))
    }
}

private final class Flag: Sendable {
    private let state = Atomic(false)
    var isUp: Bool { state.load(ordering: .acquiring) }
    func raise() { state.store(true, ordering: .releasing) }
}
