import Targets
import Testing

@Suite("Tar headers")
struct TarHeaderTests {
    @Test(
        "a tar header fills one block, has a valid checksum and names no owner or time",
        arguments: [
            "a.png", String(repeating: "x", count: 100), String(repeating: "y", count: 101),
            "ü.png",
        ])
    func headers(name: String) {
        let bytes = TarHeader.bytes(named: name, size: 1234)
        #expect(bytes.count.isMultiple(of: 512))
        // The last block is the member's own header.
        let block = Array(bytes.suffix(512))
        let sum = block.enumerated().reduce(0) { sum, byte in
            sum + ((148..<156).contains(byte.offset) ? 0x20 : Int(byte.element))
        }
        let stated = String(decoding: block[148..<154], as: UTF8.self)
        #expect(Int(stated, radix: 8) == sum)
        #expect(String(decoding: block[124..<135], as: UTF8.self) == "00000002322")
        #expect(block[136..<147].allSatisfy { $0 == UInt8(ascii: "0") })
        let isPlain = name.utf8.count <= 100 && name.utf8.allSatisfy { $0 < 0x80 }
        #expect((bytes.count == 512) == isPlain)
        if !isPlain {
            #expect(String(decoding: bytes[512..<1024], as: UTF8.self).contains(" path=\(name)\n"))
        }
    }

    @Test("the contents of a tar member end at a block boundary")
    func padding() {
        #expect([0, 1, 512, 513].map(TarHeader.padded) == [0, 512, 512, 1024])
    }
}
