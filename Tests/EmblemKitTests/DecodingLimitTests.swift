import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("Limits of decoding")
struct DecodingLimitTests {
    private static func captured(_ side: Int) throws -> AsyncEmblem {
        AsyncEmblem(source: .captured(image: try TestPictures.image(side, side)))
    }

    private static func limited(_ change: (inout Decoding) -> Void) -> Decoding {
        var decoding = Decoding.current
        change(&decoding)
        return decoding
    }

    private static func busyReason(of error: (any Error)?) -> String? {
        if case EmblemError.busy(let reason)? = error { reason } else { nil }
    }

    /// Returns an emblem whose drawing never ends, and which no other test draws.
    private static func endless(_ name: String, in folder: ScratchFolder) throws -> AsyncEmblem {
        let drawing = try #require(
            HostileDrawing.all.first { $0.name == "a million octaves of noise" })
        let bytes = drawing.bytes() + Array("<!-- \(name) -->".utf8)
        return AsyncEmblem(source: .local(name: try folder.write(bytes, to: "\(name).svg")))
    }

    @Test("the decoding limits of a task apply to its components and to no other task")
    func taskLimits() async throws {
        let emblem = try Self.captured(20)
        let bytes = try TestPictures.png(20, 20)
        let strict = Self.limited { $0.pixelsLimit = 399 }
        try await Decoding.withCurrent(strict) { () async throws in
            #expect(Decoding.current == strict)
            let error = try await emblem.render().error
            #expect(error.map { "\($0)".contains("Decoding.pixelsLimit") } == true)
            await #expect(throws: EmblemError.self) { try await Image(data: bytes) }
            #expect(throws: EmblemError.self) {
                try Decoding.withCurrent(strict) { try Image(blockingData: bytes) }
            }
            let detached = await Task.detached { Decoding.current == strict }.value
            #expect(!detached)
            var batch = EmblemBatch([emblem.source])
            for await outcome in batch { #expect(outcome.status == .placeholder) }
            batch.decoding = Decoding()
            for await outcome in batch { #expect(outcome.status == .ok) }
        }
        #expect(try await emblem.render().error == nil)
        let enough = Self.limited { $0.pixelsLimit = 400 }
        let drawn = try await Decoding.withCurrent(enough) { try await emblem.render() }
        #expect(drawn.error == nil)
    }

    @Test("an image that needs more memory than the limit fails with the name of the limit")
    func memoryLimit() async throws {
        let emblem = try Self.captured(1_000)
        let small = Self.limited { $0.memoryLimit = 1 << 20 }
        let error = try await Decoding.withCurrent(small) { try await emblem.render().error }
        #expect(error.map { "\($0)".contains("Decoding.memoryLimit") } == true)
        #expect(try await emblem.render().error == nil)
    }

    @Test("a batch that is written to a folder uses the limits of its task")
    func writing() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(TestPictures.png(20, 20), to: "a.png")
        let batch = EmblemBatch([ImageSource.local(name: path)])
        let strict = Self.limited { $0.pixelsLimit = 399 }
        let written = try await Decoding.withCurrent(strict) {
            try await batch.write(to: folder.path("out"))
        }
        #expect(written.placeholders == 1)
    }

    @Test(
        "small images are drawn next to endless drawings, and large ones end as busy",
        .timeLimit(.minutes(2)))
    func busy() async throws {
        let folder = try ScratchFolder()
        let (small, large) = (try Self.captured(40), try Self.captured(3_000))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                let endless = try Self.endless("busy\(number)", in: folder)
                // The task is cancelled below, before or after it has ended.
                group.addTask { _ = try? await endless.render() }
            }
            var reason: String?
            let none = Self.limited { $0.queueLimit = 0 }
            while reason == nil {
                reason = Self.busyReason(
                    of: try await Decoding.withCurrent(none) { try await large.render().error })
            }
            #expect(reason?.contains("Decoding.queueLimit") == true)
            for _ in 0..<10 { #expect(try await small.render().error == nil) }
            group.cancelAll()
        }
    }

    @Test(
        "a manifest says busy of a picture for which the queue was full, and the next run draws the picture",
        .timeLimit(.minutes(2)))
    func busyManifest() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(TestPictures.png(3_000, 3_000), to: "large.png")
        var batch = EmblemBatch([EmblemItem(source: .local(name: path), id: "large")])
        batch.decoding = Self.limited { $0.queueLimit = 0 }
        var out = "out"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                let endless = try Self.endless("manifest\(number)", in: folder)
                // The task is cancelled below, before or after it has ended.
                group.addTask { _ = try? await endless.render() }
            }
            var failure: WrittenBatch.Failure?
            while failure == nil {
                out += "o"
                failure = try await batch.write(to: folder.path(out)).failures.first
            }
            #expect(Self.busyReason(of: failure?.error)?.contains("Decoding.queueLimit") == true)
            group.cancelAll()
        }
        let manifest = String(decoding: try folder.read("\(out)/manifest.ndjson"), as: UTF8.self)
        #expect(manifest.contains(#""status":"placeholder""#))
        #expect(manifest.contains(#""class":"busy""#) && manifest.contains(#""retryable":true"#))
        batch.decoding = nil
        #expect(try await batch.write(to: folder.path(out)).ok == 1)
    }
}
