import CShims

/// The compression function, on raw pointers because bounds checks would halve its speed.
enum SHA256Rounds {
    /// Whether the processor has SHA instructions, which are five times as fast.
    static let isAccelerated = emb_sha256_is_available() != 0

    static func compress(
        _ state: inout SIMD8<UInt32>, _ bytes: UnsafeRawPointer, blocks: Int, accelerated: Bool
    ) {
        unsafe constants.withUnsafeBufferPointer { constants in
            guard let constants = constants.baseAddress else { return }
            if accelerated {
                unsafe withUnsafeMutableBytes(of: &state) { words in
                    guard let words = words.baseAddress else { return }
                    unsafe emb_sha256_compress(
                        words.assumingMemoryBound(to: UInt32.self),
                        bytes.assumingMemoryBound(to: UInt8.self), blocks, constants)
                }
                return
            }
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { schedule in
                guard let schedule = schedule.baseAddress else { return }
                for block in 0..<blocks {
                    unsafe mix(&state, bytes + block * 64, constants, schedule)
                }
            }
        }
    }

    /// Computes the message schedule of a block and its 64 rounds; only sixteen words are kept at a
    /// time.
    @inline(__always)
    private static func mix(
        _ state: inout SIMD8<UInt32>, _ block: UnsafeRawPointer, _ constants: UnsafePointer<UInt32>,
        _ words: UnsafeMutablePointer<UInt32>
    ) {
        for index in 0..<16 {
            unsafe words[index] =
                block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self).bigEndian
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var index = 0
        while index < 64 {
            if index >= 16 { unsafe extend(words + (index & 8), words + (~index & 8)) }
            let words = unsafe words + (index & 8)
            let constants = unsafe constants + index
            unsafe round(a, b, c, &d, e, f, g, &h, words[0] &+ constants[0])
            unsafe round(h, a, b, &c, d, e, f, &g, words[1] &+ constants[1])
            unsafe round(g, h, a, &b, c, d, e, &f, words[2] &+ constants[2])
            unsafe round(f, g, h, &a, b, c, d, &e, words[3] &+ constants[3])
            unsafe round(e, f, g, &h, a, b, c, &d, words[4] &+ constants[4])
            unsafe round(d, e, f, &g, h, a, b, &c, words[5] &+ constants[5])
            unsafe round(c, d, e, &f, g, h, a, &b, words[6] &+ constants[6])
            unsafe round(b, c, d, &e, f, g, h, &a, words[7] &+ constants[7])
            index += 8
        }
        state = state &+ SIMD8(a, b, c, d, e, f, g, h)
    }

    /// Advances eight words of the message schedule by sixteen; `other` are the eight words in
    /// between.
    @inline(__always)
    private static func extend(
        _ words: UnsafeMutablePointer<UInt32>, _ other: UnsafeMutablePointer<UInt32>
    ) {
        // w[i] += s0(w[i+1]) + w[i+9] + s1(w[i+14]), where s0 and s1 are `small0` and `small1`.
        // From i = 2 on, w[i+14] is a word that was updated already.
        unsafe words[0] &+= small0(words[1]) &+ other[1] &+ small1(other[6])
        unsafe words[1] &+= small0(words[2]) &+ other[2] &+ small1(other[7])
        unsafe words[2] &+= small0(words[3]) &+ other[3] &+ small1(words[0])
        unsafe words[3] &+= small0(words[4]) &+ other[4] &+ small1(words[1])
        unsafe words[4] &+= small0(words[5]) &+ other[5] &+ small1(words[2])
        unsafe words[5] &+= small0(words[6]) &+ other[6] &+ small1(words[3])
        unsafe words[6] &+= small0(words[7]) &+ other[7] &+ small1(words[4])
        unsafe words[7] &+= small0(other[0]) &+ words[0] &+ small1(words[5])
    }

    @inline(__always)
    private static func small0(_ word: UInt32) -> UInt32 {
        rotated(word, 7) ^ rotated(word, 18) ^ (word &>> 3)
    }

    @inline(__always)
    private static func small1(_ word: UInt32) -> UInt32 {
        rotated(word, 17) ^ rotated(word, 19) ^ (word &>> 10)
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
        _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ word: UInt32
    ) {
        let choice = g ^ (e & (f ^ g))
        let majority = (a & b) ^ (c & (a ^ b))
        let first = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ word
        d = d &+ first
        h = first &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
    }

    @inline(__always)
    private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value &>> count | value &<< (0 &- count)
    }

    /// The first 32 fractional bits of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}
