import Glibc

/// A door of ours that is fed with bytes from nowhere.
///
/// A target ends for every input, never throws, and stops the process where a law is broken that
/// holds for all inputs.
package struct FuzzTarget: Sendable {
    package let name: String
    private let body: @Sendable ([UInt8], inout OutcomeDigest) -> Void

    init(_ name: String, _ body: @escaping @Sendable ([UInt8], inout OutcomeDigest) -> Void) {
        self.name = name
        self.body = body
    }

    /// Feeds the bytes; what came of them as a number, equal for equal bytes.
    package func digest(of bytes: [UInt8]) -> UInt64 {
        var digest = OutcomeDigest()
        body(bytes, &digest)
        return digest.value
    }

    /// The target of that name.
    package static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }
}

/// Something that holds for every input; says what was broken, which an optimised precondition
/// would not, and stops.
package func law(_ holds: Bool, _ broken: @autoclosure () -> String) {
    guard !holds else { return }
    let line = Array("\nBroken: \(broken())\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    preconditionFailure("A law does not hold.")
}

/// What came of an input, folded into a number (FNV-1a).
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
