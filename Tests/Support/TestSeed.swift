import Glibc
import System

/// Where tests of random input begin: a new seed each time, or `EMBLEM_SEED` to see a failure again.
package enum TestSeed {
    package static let value: UInt64 = {
        guard let text = unsafe getenv("EMBLEM_SEED") else { return .random(in: .min ... .max) }
        return UInt64(unsafe String(cString: text)) ?? 0
    }()

    /// For the message of an expectation.
    package static var words: String { "EMBLEM_SEED=\(value)" }
}

extension SeededRandom {
    /// A whole number from zero to one less than `limit`; zero where there is no choice.
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
