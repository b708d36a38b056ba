/// SHA-256 (FIPS 180-4), computed incrementally. A copy continues independently from the current
/// state.
package struct SHA256: Sendable {
    private var state: SIMD8<UInt32>
    private var pending = InlineArray<64, UInt8>(repeating: 0)
    private var pendingCount = 0
    private var byteCount: UInt64 = 0

    package enum Kernel: String, CaseIterable, Sendable {
        case best
        case plain
    }

    private let isAccelerated: Bool

    package init(kernel: Kernel = .best) {
        isAccelerated = kernel == .best && SHA256Rounds.isAccelerated
        state = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c,
            0x1f83_d9ab, 0x5be0_cd19,
        ]
    }

    /// The name of the kernel that hashes, for the record of a run: `sha-ni` or `plain`.
    package static var kernelName: String { SHA256Rounds.isAccelerated ? "sha-ni" : "plain" }

    package static func hash(_ bytes: Span<UInt8>) -> Digest256 {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package static func hash(_ text: String) -> Digest256 {
        hash(Array(text.utf8).span)
    }

    /// Adds the next bytes; their division into pieces does not matter.
    package mutating func update(_ bytes: Span<UInt8>) {
        byteCount &+= UInt64(bytes.count)
        var index = 0
        if pendingCount > 0 {
            while pendingCount < 64, index < bytes.count {
                pending[pendingCount] = bytes[index]
                pendingCount += 1
                index += 1
            }
            guard pendingCount == 64 else { return }
            compressPending()
        }
        let blocks = (bytes.count - index) / 64
        if blocks > 0 {
            unsafe bytes.extracting(index..<index + blocks * 64).withUnsafeBytes { part in
                if let base = part.baseAddress {
                    unsafe SHA256Rounds.compress(
                        &state, base, blocks: blocks, accelerated: isAccelerated)
                }
            }
            index += blocks * 64
        }
        while index < bytes.count {
            pending[pendingCount] = bytes[index]
            pendingCount += 1
            index += 1
        }
    }

    package func finish() -> Digest256 {
        var last = self
        last.pending[last.pendingCount] = 0x80
        last.pendingCount += 1
        if last.pendingCount > 56 {
            last.fill(to: 64)
            last.compressPending()
        }
        last.fill(to: 56)
        let bits = byteCount &* 8
        for index in 0..<8 {
            last.pending[56 + index] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * index))
        }
        last.compressPending()
        return Digest256(words: last.state)
    }

    private mutating func fill(to end: Int) {
        while pendingCount < end {
            pending[pendingCount] = 0
            pendingCount += 1
        }
    }

    private mutating func compressPending() {
        unsafe pending.span.withUnsafeBytes { block in
            if let base = block.baseAddress {
                unsafe SHA256Rounds.compress(&state, base, blocks: 1, accelerated: isAccelerated)
            }
        }
        pendingCount = 0
    }
}
