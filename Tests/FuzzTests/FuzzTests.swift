import FuzzTargets
import Support
import System
import Testing

@Suite("Fuzz targets")
struct FuzzTests {
    @Test("every archive of inputs has a fuzz target, and every target has an archive")
    func targets() {
        #expect(Fixtures.targets().sorted() == FuzzTarget.all.map { $0.name }.sorted())
    }

    @Test(
        "fuzz seeds and findings satisfy the laws with one result",
        arguments: FuzzTarget.all.map { $0.name })
    func fixtures(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for fixture in try Fixtures.files(of: name) {
            let first = target.digest(of: fixture.bytes)
            #expect(target.digest(of: fixture.bytes) == first, "\(fixture.name)")
        }
    }

    @Test(
        "small changes to fuzz seeds and findings satisfy the laws with one result",
        arguments: FuzzTarget.all.map { $0.name })
    func changes(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let fixtures = try Fixtures.files(of: name)
        var dice = SeededRandom(seed: TestSeed.value)
        for round in 0..<300 {
            let bytes = dice.changed(
                fixtures[dice.below(fixtures.count)].bytes,
                other: fixtures[dice.below(fixtures.count)].bytes)
            let first = target.digest(of: bytes)
            #expect(target.digest(of: bytes) == first, "\(name), round \(round), \(TestSeed.words)")
        }
    }
}

extension SeededRandom {
    /// Returns the bytes with a few changes, deletions, repetitions or parts of another input.
    fileprivate mutating func changed(_ bytes: [UInt8], other: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(4) {
            let offset = below(bytes.count)
            let end = min(bytes.count, offset + 1 + below(16))
            guard offset < end else { break }
            switch below(6) {
            case 0: bytes[offset] ^= 1 << UInt8(below(8))
            case 1: bytes[offset] = UInt8(below(256))
            case 2: bytes[offset] = [0, 0x7F, 0x80, 0xFF][below(4)]
            case 3: bytes.removeSubrange(offset..<end)
            case 4: bytes.insert(contentsOf: bytes[offset..<end], at: offset)
            default:
                let start = below(other.count)
                bytes.insert(contentsOf: other[start..<min(other.count, start + 16)], at: offset)
            }
        }
        return bytes
    }
}
