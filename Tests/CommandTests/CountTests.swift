import Foundation
import Notation
import Raster
import Support
import Testing

/// Counts do not depend on who else uses the machine, so they can be held under limits.
@Suite("What an item costs, in counts")
struct CountTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func limits() throws -> JSON {
        let url = root.appending(path: "Benchmarks/Counts/limits.json")
        return try JSONParser.parse(Array(Data(contentsOf: url)).span)
    }

    /// Instrumented builds cost what their instruments cost.
    private static let isPlain = ["/asan/", "/coverage/", "/fuzz/"].allSatisfy {
        !Tool.path(of: "emblem").contains($0)
    }

    private static func works(_ program: String, _ arguments: [String]) -> Bool {
        do {
            return try Tool.run("/usr/bin/env", [program] + arguments).status == 0
        } catch {
            return false
        }
    }

    #if arch(x86_64)
        private static let hasValgrind =
            isPlain && works("valgrind", ["--version"]) && works("strip", ["--version"])
    #else
        /// The limits on instructions are those of one kind of processor.
        private static let hasValgrind = false
    #endif
    private static let hasStrace = isPlain && works("strace", ["-c", "true"])

    @Test(
        "calls to the heap, bytes asked of it and bytes written stay under their limits",
        .enabled(if: isPlain), arguments: ["logos", "photos", "layouts", "webp"])
    func rendering(work: String) throws {
        let run = try Tool.run(Tool.path(of: "emblem-counts"), [work])
        #expect(run.status == 0, "\(run.errors)")
        let counts = try JSONParser.parse(Array(run.output.utf8).span)
        let limits = try #require(try Self.limits()[path: ["render", work]]?.members)
        for limit in limits {
            let found = try #require(counts[limit.name]?.intValue)
            let most = try #require(limit.value.intValue)
            #expect(found > 0 && found <= most, "\(work): \(limit.name)")
        }
    }

    @Test(
        "instructions stay under their limits", .enabled(if: hasValgrind),
        arguments: ["logos", "photos"])
    func instructions(work: String) throws {
        let folder = try ScratchFolder()
        // This valgrind gives up on the debugging records of Swift.
        let program = folder.path("counts")
        let stripped = try Tool.run(
            "/usr/bin/env", ["strip", "-g", "-o", program, Tool.path(of: "emblem-counts")])
        #expect(stripped.status == 0, "\(stripped.errors)")
        let run = try Tool.run(
            "/usr/bin/env",
            [
                "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                "--collect-atstart=no", "--toggle-collect=emb_counted", program, work,
            ])
        #expect(run.status == 0, "\(run.errors)")
        let items = try #require(
            try JSONParser.parse(Array(run.output.utf8).span)["items"]?.intValue)
        let line = try #require(run.errors.firstMatch(of: /Collected : (\d+)/))
        let found = try #require(Int(line.1)) / items / 1000
        let most = try #require(
            try Self.limits()[path: ["thousand_instructions_per_item", work]]?.intValue)
        #expect(found > most / 100 && found <= most, "\(work)")
    }

    @Test("system calls about files stay under their limit", .enabled(if: hasStrace))
    func systemCalls() throws {
        let folder = try ScratchFolder()
        for number in 0..<24 {
            let color = Color(red: UInt8(number * 9), green: 80, blue: 200)
            try folder.write(
                Pictures.disc(color, width: 64, height: 64), to: "in/p\(100 + number).png")
        }
        let few = try fileCalls(items: 4, in: folder)
        let many = try fileCalls(items: 24, in: folder)
        let most = try #require(try Self.limits()["system_calls_per_item"]?.intValue)
        let found = Double(many - few) / 20
        #expect(found > 3 && found <= Double(most))
    }

    /// Those calls whose number does not hang on how threads happen to meet.
    private func fileCalls(items: Int, in folder: ScratchFolder) throws -> Int {
        let names: Set<Substring> = [
            "openat", "close", "read", "pread64", "write", "pwrite64", "newfstatat", "fstat",
            "statx", "rename", "renameat", "renameat2", "unlinkat", "linkat", "mkdirat", "lseek",
            "fsync", "fdatasync", "ftruncate", "getdents64", "fcntl", "getpid",
        ]
        let run = try Tool.run(
            "/usr/bin/env",
            [
                "strace", "-f", "-c", "-o", folder.path("calls"), Tool.path(of: "emblem"), "batch",
                "in", "-o", "out-\(items)", "--limit", "\(items)", "--isolate", "none", "--jobs",
                "1", "--layout", "medium", "--quiet",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        return try folder.text("calls").split(separator: "\n").reduce(0) { sum, line in
            let cells = line.split(separator: " ")
            guard cells.count >= 5, let name = cells.last, names.contains(name) else { return sum }
            return sum + (Int(cells[3]) ?? 0)
        }
    }
}
