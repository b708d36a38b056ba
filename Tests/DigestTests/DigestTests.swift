import Digest
import Testing

@Suite struct SHA256Tests {
    @Test(
        "SHA-256 gives the published test values",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func known(text: String, hex: String) {
        #expect(SHA256.hash(text).hex == hex)
        #expect(SHA256.hash(text).description == hex)
        #expect(Digest256(hex: hex) == SHA256.hash(text))
        #expect(Digest256(hex: hex.uppercased()) == SHA256.hash(text))
    }

    @Test("SHA-256 of a million letters is the same in parts of every size")
    func pieces() {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        var hash = SHA256()
        var index = 0
        var step = 1
        while index < letters.count {
            let end = min(index + step, letters.count)
            hash.update(letters.span.extracting(index..<end))
            index = end
            step = step % 197 + 1
        }
        let whole = SHA256.hash(letters.span)
        #expect(hash.finish() == whole)
        #expect(whole.hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(hash.finish() == whole)
    }

    @Test("SHA-256 of every length near the block size is the same in two parts")
    func lengths() {
        var seen: Set<Digest256> = []
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            var hash = SHA256()
            hash.update(bytes.span.extracting(first: count / 2))
            hash.update(bytes.span.extracting(droppingFirst: count / 2))
            let whole = SHA256.hash(bytes.span)
            #expect(hash.finish() == whole)
            seen.insert(whole)
        }
        #expect(seen.count == 200)
    }

    @Test("SHA-256 with processor instructions equals the plain rounds at every length")
    func kernels() {
        var bytes: [UInt8] = []
        for count in 0..<400 {
            var best = SHA256(kernel: .best)
            var plain = SHA256(kernel: .plain)
            best.update(bytes.span)
            plain.update(bytes.span.extracting(first: count / 3))
            plain.update(bytes.span.extracting(droppingFirst: count / 3))
            #expect(best.finish() == plain.finish(), "\(count) bytes, kernel \(SHA256.kernelName)")
            bytes.append(UInt8(truncatingIfNeeded: count &* 151 &+ 3))
        }
    }

    @Test("a digest prints the requested number of digits")
    func prefix() {
        let digest = SHA256.hash("abc")
        #expect(digest.prefixHex(8) == "ba7816bf")
        #expect(digest.prefixHex(0) == "" && digest.prefixHex(-1) == "")
        #expect(digest.prefixHex(100) == digest.hex)
        #expect(digest.bytes.prefix(4) == [0xBA, 0x78, 0x16, 0xBF] && digest.bytes.count == 32)
    }

    @Test("a text without 64 hexadecimal digits is not a digest")
    func notHex() {
        #expect(Digest256(hex: "ba78") == nil)
        #expect(Digest256(hex: String(repeating: "g", count: 64)) == nil)
    }
}

@Suite struct CRC32Tests {
    @Test(
        "CRC-32 gives the published test values",
        arguments: [
            ("", 0), ("123456789", 0xCBF4_3926), ("IEND", 0xAE42_6082),
            ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
        ] as [(String, UInt32)])
    func known(text: String, checksum: UInt32) {
        let found = CRC32.checksum(Array(text.utf8).span)
        #expect(found == checksum)
    }

    @Test("CRC-32 by many bytes equals CRC-32 by bits for every split")
    func steps() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
            var slow: UInt32 = .max
            for byte in bytes {
                slow ^= UInt32(byte)
                for _ in 0..<8 { slow = slow & 1 == 0 ? slow >> 1 : slow >> 1 ^ 0xEDB8_8320 }
            }
            var crc = CRC32()
            crc.update(bytes.span.extracting(first: count / 3))
            crc.update(bytes.span.extracting(droppingFirst: count / 3))
            #expect(crc.value == ~slow)
        }
    }
}
