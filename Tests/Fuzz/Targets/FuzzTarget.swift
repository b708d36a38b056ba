import Glibc

/// A function that is fed with random bytes.
///
/// A target must terminate on every input and never throw. It stops the process if an invariant is
/// violated.
package struct FuzzTarget: Sendable {
    package let name: String
    private let body: @Sendable ([UInt8], inout OutcomeDigest) -> Void

    init(_ name: String, _ body: @escaping @Sendable ([UInt8], inout OutcomeDigest) -> Void) {
        self.name = name
        self.body = body
    }

    /// Feeds the bytes and returns a digest of the results, equal for equal bytes.
    package func digest(of bytes: [UInt8]) -> UInt64 {
        var digest = OutcomeDigest()
        body(bytes, &digest)
        return digest.value
    }

    package static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }
}

/// Checks an invariant; prints a message if it is violated, which an optimised precondition would
/// not, and stops.
package func law(_ holds: Bool, _ broken: @autoclosure () -> String) {
    guard !holds else { return }
    let line = Array("\nBroken: \(broken())\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    preconditionFailure("A law does not hold.")
}

/// A digest (FNV-1a) of the results of an input.
struct OutcomeDigest {
    private(set) var value: UInt64 = 14_695_981_039_346_656_037

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 1_099_511_628_211
    }

    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xFF)
    }

    mutating func add(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(number))
        for _ in 0..<8 {
            add(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}
