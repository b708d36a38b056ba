import Codecs
import Gauge
import Raster
import Render
import Support
import System
import Testing
import Theming
import Worker

@Suite("Malformed replies of a worker")
struct HostileWireTests {
    private static let header = ImageHeader(
        format: .png, codedSize: PixelSize(width: 64, height: 32), profileName: "sRGB")

    private static func outcome() -> Outcome {
        let variant = Variant(layout: .small, scale: 1, scheme: .light)
        let image = RenderedImage(
            variant: variant, format: .png, size: PixelSize(width: 40, height: 40), bytes: [1, 2])
        return Outcome(
            header: header,
            moments: RunStage.allCases.filter(\.isDrawing).map {
                StageMoment(stage: $0, nanoseconds: 150)
            },
            Rendering(
                images: [image, image],
                preview: Preview(thumbHash: [1, 2, 3], dominant: .black),
                lint: [.unsupportedFeature]))
    }

    private func isRefused(_ table: [UInt8]) -> Bool {
        do {
            _ = try Outcome(table: table, between: 100, and: 200)
            return false
        } catch {
            return true
        }
    }

    @Test("a complete outcome table is accepted")
    func whole() throws {
        let outcome = try Outcome(table: Self.outcome().table, between: 100, and: 200)
        #expect(outcome.header?.codedSize == Self.header.codedSize)
        #expect(outcome.moments == Self.outcome().moments)
        guard case .success(let images) = outcome.result else {
            Issue.record("a success was sent")
            return
        }
        #expect(images.entries.map(\.bytes) == [2, 2])
        #expect(images.preview == Preview(thumbHash: [1, 2, 3], dominant: .black))
        #expect(images.lint == [.unsupportedFeature])
    }

    @Test("an outcome table that is cut or has extra bytes is refused")
    func lengths() {
        let table = Self.outcome().table
        for count in 0..<table.count { #expect(isRefused(Array(table[..<count]))) }
        #expect(isRefused(table + [0]))
    }

    @Test("an outcome table with any changed byte is refused or read within its bounds")
    func anyByte() throws {
        let table = Self.outcome().table
        var taken = 0
        for offset in table.indices {
            for value in [0, 1, 2, 127, 128, 254, 255] as [UInt8] {
                var changed = table
                changed[offset] = value
                guard !isRefused(changed) else { continue }
                taken += 1
                let outcome = try Outcome(table: changed, between: 100, and: 200)
                #expect(outcome.moments.allSatisfy { (100...200).contains($0.nanoseconds) })
                if let header = outcome.header {
                    #expect(header.codedSize.width >= 0 && header.exactSize.width.isFinite)
                }
            }
        }
        #expect(taken > 0 && taken < table.count * 7)
    }

    @Test("stage moments outside the time of the order, or out of order, are clamped to it")
    func moments() throws {
        var outcome = Self.outcome()
        outcome.moments = [0, 170, 120, .max].map { StageMoment(stage: .decode, nanoseconds: $0) }
        let read = try Outcome(table: outcome.table, between: 100, and: 200)
        #expect(read.moments.map(\.nanoseconds) == [100, 170, 170, 200])
    }

    @Test("random bytes are refused as a worker reply")
    func noise() {
        var generator = SeededRandom(seed: TestSeed.value)
        var taken = 0
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...64, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            do {
                _ = try WorkerReply(bytes)
                taken += 1
            } catch {
                continue
            }
        }
        #expect(taken < 100, "\(TestSeed.words)")
    }

    @Test("a header whose exact size is negative, infinite or not a number is refused")
    func notANumber() throws {
        var header = Self.header
        for value in [Double.nan, .infinity, -1, 1e300] {
            header.exactSize.width = value
            let bytes = Wire.bytes(of: header) { try $0.code(&$1) }
            #expect(throws: WireDamage.self) {
                try Wire.read(bytes, into: header) { try $0.code(&$1) }
            }
        }
    }
}
