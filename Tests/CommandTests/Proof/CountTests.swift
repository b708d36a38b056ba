import Foundation
import Support
import Testing

/// Counts do not depend on other programs on the machine, so fixed limits are possible.
@Suite("The cost of an item in counts", .ownThreads)
struct CountTests {
    private static let gate = Repository.path("Benchmarks/gate.py")

    /// Instrumented builds execute additional instructions.
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
        private static let canCount =
            isPlain && works("valgrind", ["--version"]) && works("strip", ["--version"])
            && works("strace", ["-c", "true"])
    #else
        /// The limits on instructions apply to one kind of processor.
        private static let canCount = false
    #endif

    @Test(
        "heap, bytes, instructions, system calls and context switches stay below their limits",
        .enabled(if: Thorough.isOn && canCount))
    func limits() throws {
        let built = URL(filePath: Tool.path(of: "emblem")).deletingLastPathComponent().path
        let run = try Tool.run("/usr/bin/python3", [Self.gate, "--built", built])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.split(separator: "\n").count >= 15)
    }
}
