import Foundation
import Testing

@Suite("Package metadata")
struct PackagingTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    }

    @Test(
        "every font package is documented, and required ones are dependencies")
    func fonts() throws {
        let listed = try Self.text("Sources/Codecs/Fonts/FontFile.swift")
        let control = try Self.text("Packaging/deb/control.in")
        let depends = try #require(control.firstMatch(of: /(?m)^Depends: (.*)$/)).1
        let recommends = try #require(control.firstMatch(of: /(?m)^Recommends: (.*)$/)).1
        let installed = try Self.text("Packaging/apt.sh")
        let found = listed.matches(of: /package: "([\w-]+)"(, isNeeded: false)?/)
        #expect(found.count == 5)
        for match in found {
            #expect(installed.contains(match.1))
            #expect(
                (match.2 == nil ? depends : recommends).contains(match.1), "control.in: \(match.1)")
        }
    }

    @Test("every dynamically loaded library has a dlopen note in the program")
    func openedLibraries() throws {
        var openers = 0
        for file in try SourceTree.files(in: "Sources", endings: ["c", "h", "swift"])
        where file.text.contains("dlopen(") {
            let isNoted = file.text.contains("EMB_OPENED(")
            #expect(isNoted, "\(file.path) opens a library without EMB_OPENED")
            openers += 1
        }
        #expect(openers > 0)
    }

    @Test(
        "commands on the pages for contributors exist",
        arguments: ["CONTRIBUTING.md", "SECURITY.md", "Packaging/RELEASING.md"])
    func commands(page: String) throws {
        let makefile = try Self.text("Makefile")
        // Matches `make` after a backquote, or at the beginning of a line.
        for match in try Self.text(page).matches(of: /(?:`|\n)make ([^`#\n]+)/) {
            for target in match.1.split(separator: " ") where !target.contains("=") {
                let isThere = makefile.contains("\n\(target):")
                #expect(isThere, "\(page): make \(target)")
            }
        }
    }

    @Test("the Makefile has at most 22 commands, each with a description and at most two lines")
    func makefile() throws {
        let lines = try Self.text("Makefile").split(
            separator: "\n", omittingEmptySubsequences: false)
        let rules = lines.indices.filter { lines[$0].contains(/^[a-z0-9-]+:/) }
        #expect((10...22).contains(rules.count))
        for rule in rules {
            let recipe = lines[(rule + 1)...].prefix { $0.hasPrefix("\t") }
            #expect(recipe.count <= 2, "\(lines[rule])")
            #expect(lines[rule].contains(#/ ## [A-Z]/#), "\(lines[rule]) has no description")
        }
    }
}
