import Foundation
import Support
import Testing

@Suite("Nights in which servers, lists and processes fail", .ownThreads)
struct NightsProofTests {
    private static let script = Repository.path(
        "Benchmarks/Proof/nights.py")
    private static let kinds =
        Thorough.isOn ? "first,up,down,page,flaky,short,empty,killed" : "first,down,killed"

    @Test("no good emblem is lost in several nights of failures")
    func nights() async throws {
        let folder = try ScratchFolder()
        let nights = Self.kinds.split(separator: ",").count
        let proof = try await apart {
            try Tool.run(
                "/usr/bin/python3",
                [
                    Self.script, Tool.path(of: "emblem"), "scratch",
                    "--nights", "\(nights)", "--rows", "200", "--kinds", Self.kinds,
                ],
                in: folder.path)
        }
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("nights: \(nights)"), "\(proof.output)")
    }
}
