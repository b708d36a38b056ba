import Notation
import Support
import Testing

/// Uninitialised memory must not affect the output: glibc can fill new memory with a chosen byte.
@Suite("Uninitialised memory", .ownThreads, .enabled(if: Thorough.isOn))
struct LastingMemoryTests {
    /// Returns a folder with a photograph in every kind of scan, and images of all other formats.
    private static func folder() throws -> ScratchFolder {
        let folder = try Pictures.mixedFolder()
        let (width, height) = (700, 525)
        let drawn = try folder.write(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)">\
            <radialGradient id="g"><stop stop-color="#fd2"/><stop offset="1" stop-color="#07a"/>\
            </radialGradient><rect width="700" height="525" fill="url(#g)"/></svg>
            """, to: "photograph.svg")
        let made = try Tool.emblem(
            [
                "render", "emblem", drawn, "--layout", "xLarge", "--scale", "4", "--mode", "fill",
                "-o", folder.path("photograph.jpg"),
            ])
        #expect(made.status == 0, "\(made.errors)")
        let photograph = try folder.read("photograph.jpg")
        for (index, script) in JPEGScanScript.all.enumerated() {
            let bytes = try JPEGScanScript.divide(photograph, script.text)
            for copy in 0..<3 { try folder.write(bytes, to: "in/scans-\(index)-\(copy).jpg") }
        }
        return folder
    }

    @Test("uninitialised memory affects no output, isolated or not, with one job or two")
    func perturbed() throws {
        let folder = try Self.folder()
        var manifests: [String: String] = [:]
        for perturbation in ["0", "85", "170"] {
            for options in [["--jobs", "1"], ["--jobs", "2"], ["--sandbox", "none"]] {
                let run = try Tool.emblem(
                    ["batch", "in", "-o", "out", "--force", "--layout", "small,xLarge"] + options,
                    in: folder.path, environment: ["MALLOC_PERTURB_": perturbation])
                #expect(run.status == 0, "\(run.errors)")
                let name = "\(perturbation) \(options.joined(separator: " "))"
                manifests[name] = try folder.text("out/manifest.ndjson")
            }
        }
        #expect(Set(manifests.values).count == 1, "\(manifests.keys.sorted())")
        var digests: [String: Set<String>] = [:]
        for line in (manifests.first?.value ?? "").split(separator: "\n") {
            let bytes = Array(line.utf8)
            let record = try JSONParser.parse(bytes.span)
            guard let name = record["id"]?.stringValue, name.hasPrefix("scans-") else { continue }
            let outputs = record["outputs"]?.elements ?? []
            let script = name.split(separator: "-").dropLast().joined(separator: "-")
            digests[script, default: []].insert(
                outputs.compactMap { $0["sha256"]?.stringValue }.joined(separator: " "))
        }
        #expect(digests.count == JPEGScanScript.all.count)
        #expect(digests.values.allSatisfy { $0.count == 1 })
    }
}
