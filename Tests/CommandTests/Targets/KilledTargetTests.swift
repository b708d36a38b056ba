import Foundation
import Raster
import Support
import Testing

@Suite("Killed runs with several targets", .ownThreads, .enabled(if: Thorough.isOn))
struct KilledTargetTests {
    @Test("a run with targets killed at any of 20 moments is resumed to the same result")
    func kills() async throws {
        let script = Repository.path("Benchmarks/Proof/kill-and-resume.py")
        let folder = try ScratchFolder()
        for number in 0..<40 {
            try folder.write(
                Pictures.disc(.black, width: 24 + number, height: 24), to: "in/\(number).png")
        }
        let seed = ProcessInfo.processInfo.environment["EMBLEM_SEED"]
        let proof = try await apart {
            try Tool.run(
                "/usr/bin/python3",
                [
                    script, Tool.path(of: "emblem"), "in", "scratch", "--kills", "20", "--workers",
                    "0", "--stops", "0", "--layout", "small", "--target",
                    "files,xcassets,android,web", "--format", "png",
                ], in: folder.path, environment: seed.map { ["EMBLEM_SEED": $0] } ?? [:])
        }
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("kills: 20 SIGKILL"), "\(proof.output)")
    }
}
