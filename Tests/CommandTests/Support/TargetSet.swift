import Foundation
import Notation
import Raster
import Support
import Testing

/// Sets for several platforms, and the programs that check them.
enum TargetSet {
    /// The number of rows in the list.
    static let count = 8
    static let longID = String(repeating: "long-name-", count: 12)

    /// Creates images and a list: names that collide after conversion, names in other scripts, a
    /// row that shares the files of another, and one whose image is missing.
    static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for (number, name) in ["one", "two", "three"].enumerated() {
            let color = Color(red: UInt8(40 + number * 60), green: 90, blue: 200)
            try folder.write(
                Pictures.disc(color, width: 90, height: 60 + number), to: "in/\(name).png")
        }
        try folder.write(
            #"""
            source,id,label,hint,extra
            in/one.png,acme-bank,"Acme & Sons ""Bank""",Opens the bank,a
            in/two.png,acme.bank,Acme,,b
            in/three.png,Bücher,,,c
            in/gone.png,9 lives,Nine,,d
            in/one.png,acme-bank,Again,,e
            in/two.png,日本,,,f
            in/three.png,中国,,,g
            in/three.png,\#(longID),,,h

            """#, to: "list.csv")
        return folder
    }

    @discardableResult
    static func run(
        _ arguments: [String], in folder: ScratchFolder, status: Int32 = 0
    ) throws -> Tool.Ending {
        let ending = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "out", "--quiet"] + arguments, in: folder.path)
        #expect(ending.status == status, "\(ending.errors)")
        return ending
    }

    /// Runs an independent program on a set; it ends with 0 if the set is correct.
    static func check(
        _ checker: String, _ arguments: [String], in folder: ScratchFolder
    ) throws -> String {
        let path = Repository.path("Tests/Checkers/\(checker).py")
        let ending = try Tool.run(
            "/usr/bin/python3", [path] + arguments, in: folder.path,
            environment: ["HOME": folder.path])
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        return ending.output
    }

    static func report(
        _ checker: String, _ arguments: [String], in folder: ScratchFolder
    ) throws -> JSON {
        let bytes = Array(try check(checker, arguments, in: folder).utf8)
        return try JSONParser.parse(bytes.span)
    }

    /// Returns the time and inode of each file below the folder, except the files of the run
    /// itself.
    static func stamps(_ folder: ScratchFolder) throws -> [String: String] {
        let list = try Tool.run(
            "/usr/bin/find", [".", "-type", "f", "-printf", "%P %i %T@ %s\\n"], in: folder.path)
        var stamps: [String: String] = [:]
        for line in list.output.split(separator: "\n") {
            let parts = line.split(separator: " ")
            let name = parts.dropLast(3).joined(separator: " ")
            let own = ["run.json", "lock", "journal.ndjson", "rows"]
            guard !own.contains(where: { name.hasSuffix($0) }) else { continue }
            stamps[name] = parts.suffix(3).joined(separator: " ")
        }
        return stamps
    }
}
