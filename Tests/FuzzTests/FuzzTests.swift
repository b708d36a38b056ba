import FuzzTargets
import Testing

@Suite("Inputs from nowhere")
struct FuzzTests {
    @Test("every folder of fixtures feeds a target, and every target has some")
    func folders() {
        let folders = Fixtures.folders()
        #expect(Set(folders) == Set(FuzzTarget.all.map { $0.name }))
        #expect(folders.count == FuzzTarget.all.count)
    }

    @Test(
        "seeds and findings keep the laws and give one answer",
        arguments: FuzzTarget.all.map { $0.name })
    func fixtures(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for fixture in try Fixtures.files(of: name) {
            let first = target.digest(of: fixture.bytes)
            #expect(target.digest(of: fixture.bytes) == first, "\(fixture.name)")
        }
    }

    @Test("so do small changes to them", arguments: FuzzTarget.all.map { $0.name })
    func changes(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let fixtures = try Fixtures.files(of: name)
        var dice = Dice(state: 2_026)
        for round in 0..<300 {
            let bytes = dice.changed(
                fixtures[dice.next(below: fixtures.count)].bytes,
                other: fixtures[dice.next(below: fixtures.count)].bytes)
            let first = target.digest(of: bytes)
            #expect(target.digest(of: bytes) == first, "\(name), round \(round)")
        }
    }
}

/// Repeatable changes to bytes.
private struct Dice {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, limit)
    }

    /// A few bytes changed, left out, doubled, or taken from another input.
    mutating func changed(_ bytes: [UInt8], other: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...next(below: 4) {
            let place = next(below: bytes.count)
            let end = min(bytes.count, place + 1 + next(below: 16))
            guard place < end else { break }
            switch next(below: 6) {
            case 0: bytes[place] ^= 1 << UInt8(next(below: 8))
            case 1: bytes[place] = UInt8(next(below: 256))
            case 2: bytes[place] = [0, 0x7F, 0x80, 0xFF][next(below: 4)]
            case 3: bytes.removeSubrange(place..<end)
            case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                let start = next(below: other.count)
                bytes.insert(contentsOf: other[start..<min(other.count, start + 16)], at: place)
            }
        }
        return bytes
    }
}
