import Foundation
import Testing

@Suite("The list of mutants")
struct MutantListTests {
    private struct Mutant {
        let number: Int
        var fields: [String: String] = [:]
    }

    /// The blocks of the list, as `Tests/Mutants/run.py` reads them.
    private static func mutants() throws -> [Mutant] {
        let url = SourceTree.root.appending(path: "Tests/Mutants/list.txt")
        let lines = try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        var mutants: [Mutant] = []
        for line in lines where !line.hasPrefix("#") {
            if let number = Int(line) {
                mutants.append(Mutant(number: number))
            } else if let colon = line.firstRange(of: ": "), !mutants.isEmpty {
                let key = String(line[..<colon.lowerBound])
                mutants[mutants.count - 1].fields[key] = String(line[colon.upperBound...])
            }
        }
        return mutants
    }

    @Test("every mutant of the list matches its source exactly once")
    func places() throws {
        let mutants = try Self.mutants()
        #expect(mutants.count >= 40)
        for mutant in mutants {
            let file = try #require(mutant.fields["file"], "\(mutant.number)")
            let code = try #require(mutant.fields["code"], "\(mutant.number)")
            let text = try String(
                contentsOf: SourceTree.root.appending(path: file), encoding: .utf8)
            let plain = code.replacing("{{", with: "").replacing("}}", with: "")
            let count = text.ranges(of: plain).count
            #expect(count == 1, "mutant \(mutant.number): '\(plain)' stands \(count) times")
        }
    }

    @Test("every mutant of the list names an existing test")
    func tests() throws {
        let files = try SourceTree.swiftFiles(in: "Tests")
        for mutant in try Self.mutants() {
            let test = try #require(mutant.fields["test"], "\(mutant.number)")
            let parts = test.split { $0 == "." || $0 == "/" || $0 == "\\" }
            try #require(parts.count >= 2, "\(test)")
            let named = files.filter {
                $0.path.hasPrefix("Tests/\(parts[0])/") && $0.text.contains("struct \(parts[1])")
            }
            let isThere = named.contains { file in
                parts.count < 3 || file.text.contains("func \(parts[2])(")
            }
            #expect(isThere, "mutant \(mutant.number): \(test)")
        }
    }
}
