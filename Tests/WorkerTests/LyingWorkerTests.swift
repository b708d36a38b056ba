import Codecs
import Gauge
import Glibc
import Render
import Testing
import Worker

@Suite("A worker that sends false replies")
struct LyingWorkerTests {
    private static let words: [UInt64] = [0, .max, 1 << 31, 1 << 40, 1 << 63]

    private static func lie(_ what: String, _ offset: Int, _ word: UInt64) -> [UInt8] {
        Array("lie:\(what):\(offset):\(String(word, radix: 16))".utf8)
    }

    /// Expects that the image fails, its worker is replaced, and the next image is rendered.
    private func expectCrash(_ lies: [[UInt8]]) async throws {
        let pool = WorkerFixture.pool()
        let picture = try WorkerFixture.picture()
        let before = await pool.render(WorkerFixture.order(picture))
        for lie in lies {
            let started = pool.startedCount
            let answer = await pool.render(WorkerFixture.order(lie))
            guard case .crashed = answer.error else {
                Issue.record("\(String(decoding: lie, as: UTF8.self)): \(answer.result)")
                continue
            }
            let after = await pool.render(WorkerFixture.order(picture))
            #expect(after.images.map(\.bytes) == before.images.map(\.bytes))
            #expect(pool.startedCount > started)
        }
        #expect(before.images.count == 1 && pool.failure == nil)
    }

    @Test(
        "a worker that sends a false header (sides, bits, exact sides) is replaced",
        arguments: [2, 10, 20, 33, 41, 49])
    func headers(offset: Int) async throws {
        // Zero is possible for the bits, and true for the additional memory of a PNG.
        let words = Self.words.filter { ![20, 33].contains(offset) || $0 != 0 }
        try await expectCrash(words.map { Self.lie("header", offset, $0) })
    }

    @Test(
        "a worker that sends a false picture size, in any format, is replaced",
        arguments: ImageFormat.allCases)
    func sizes(format: ImageFormat) async throws {
        // A drawing may declare any size up to a limit.
        let sides: [UInt64] = [1 << 16, 1 << 31, 1 << 40, 1 << 62].filter {
            !format.isVector || $0 > 1 << 30
        }
        try await expectCrash(sides.map { Self.lie(format.name, 0, $0) })
    }

    @Test(
        "a worker that sends a false size of its region, table count or table length is replaced",
        arguments: [("room", 1), ("done", 1), ("done", 9)])
    func lengths(message: String, offset: Int) async throws {
        try await expectCrash(Self.words.map { Self.lie(message, offset, $0) })
    }

    @Test(
        "a worker that sends a false table (header, moments, images, likeness) is replaced",
        arguments: [2, 10, 33, 41, 49, 57, 102, 110, 118, 126, 135])
    func tables(offset: Int) async throws {
        // Zero is true for the additional memory of a PNG.
        let words = Self.words.filter { offset != 33 || $0 != 0 }
        try await expectCrash(words.map { Self.lie("table", offset, $0) })
    }

    @Test("false stage times of a worker are clamped and harm no other item", arguments: words)
    func moments(word: UInt64) async throws {
        let pool = WorkerFixture.pool()
        let answer = await pool.render(WorkerFixture.order(Self.lie("table", 66, word)))
        #expect(answer.images.count == 1)
        #expect(answer.moments.allSatisfy { $0.nanoseconds > 0 && $0.nanoseconds < .max / 2 })
    }

    /// The lies, in order: a script, wrong size, wrong format, half a file, nothing, trailing
    /// bytes, only a header, no file, two files.
    @Test("a worker that sends a false result is replaced", arguments: 1...9)
    func results(kind: Int) async throws {
        try await expectCrash([Self.lie("result", kind, 0)])
    }

    @Test("a worker that sends a correct reply is accepted")
    func truth() async throws {
        let answer = await WorkerFixture.pool().render(
            WorkerFixture.order(Self.lie("result", 0, 0)))
        #expect(answer.error == nil && answer.images.count == 1)
    }
}
