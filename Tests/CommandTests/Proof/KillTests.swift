import Foundation
import Raster
import Support
import Testing

/// A small part of `Benchmarks/Proof/kill-and-resume.py`, which kills 200 runs and stops 50 workers.
@Suite("Kills and stops at random moments", .ownThreads)
struct KillTests {
    private static let script = Repository.path(
        "Benchmarks/Proof/kill-and-resume.py")

    private static func prove(_ more: [String]) async throws -> Tool.Ending {
        let folder = try ScratchFolder()
        for number in 0..<100 {
            let color = Color(red: UInt8(number), green: 90, blue: 200)
            try folder.write(
                Pictures.disc(color, width: 24 + number % 9, height: 24), to: "in/\(number).png")
        }
        try folder.write("no picture", to: "in/bad.png")
        let seed = ProcessInfo.processInfo.environment["EMBLEM_SEED"]
        return try await apart {
            try Tool.run(
                "/usr/bin/python3",
                [script, Tool.path(of: "emblem"), "in", "scratch", "--layout", "small"] + more,
                in: folder.path, environment: seed.map { ["EMBLEM_SEED": $0] } ?? [:])
        }
    }

    @Test("a run killed at any of several moments is resumed to the result of an undisturbed run")
    func kills() async throws {
        let kills = Thorough.count(8, of: 40)
        let proof = try await Self.prove([
            "--kills", "\(kills)", "--workers", "6", "--stops", "0",
        ])
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("kills: \(kills) SIGKILL"), "\(proof.output)")
    }

    @Test("a run with six stopped workers, busy, spare or ending, ends anyway")
    func stops() async throws {
        let proof = try await Self.prove(["--kills", "0", "--workers", "0", "--stops", "6"])
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("stopped workers"), "\(proof.output)")
    }
}
