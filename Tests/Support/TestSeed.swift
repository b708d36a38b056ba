import Glibc
import System

/// The seed of random tests: new each time, or `EMBLEM_SEED` to repeat a failure.
package enum TestSeed {
    package static let value: UInt64 = {
        guard let text = unsafe getenv("EMBLEM_SEED") else { return .random(in: .min ... .max) }
        return UInt64(unsafe String(cString: text)) ?? 0
    }()

    package static var words: String { "EMBLEM_SEED=\(value)" }
}

extension SeededRandom {
    /// Returns a whole number from zero to `limit` - 1; zero if `limit` is at most 1.
    package mutating func below(_ limit: Int) -> Int {
        .random(in: 0..<max(1, limit), using: &self)
    }

    package mutating func number(in range: ClosedRange<Int>) -> Int {
        .random(in: range, using: &self)
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
