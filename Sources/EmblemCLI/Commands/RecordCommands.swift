import Batch
import Console
import Engine
import Flags
import Notation
import Render
import Transport

extension CommandContext {
    /// `emblem verify OUT`: checks that the files match the manifest.
    func verify() throws -> Int32 {
        let verification = try Verification(folder: FilePath(arguments.operands[0]))
        if arguments[Options.json] {
            try output.write(json(verification))
        } else if arguments[Options.quiet] {
            try output.write(line(verification))
        } else {
            for mismatch in verification.mismatches {
                try output.write(
                    "\(PrintableText.escaped(mismatch.path)): \(mismatch.reason.rawValue), "
                        + "\(PrintableText.escaped(mismatch.detail))\n")
            }
            for path in verification.orphans {
                try output.write(
                    "\(PrintableText.escaped(path)): in no manifest\n")
            }
            try output.write(summary(verification))
        }
        return verification.isIntact ? 0 : 2
    }

    /// Returns the summary with the number of foreign files, on one line.
    private func line(_ verification: Verification) -> String {
        let foreign = verification.orphans.count
        guard foreign > 0 else { return summary(verification) }
        return summary(verification).dropLast()
            + "; \(Counted(foreign, "file is", many: "files are")) in no manifest\n"
    }

    private func summary(_ verification: Verification) -> String {
        let files =
            "\(Counted(verification.files, "file")) of \(Counted(verification.items, "item"))"
        if !verification.isComplete {
            return "\(files) checked; the manifest has no summary, so the run did not finish\n"
        }
        let wrong = verification.mismatches.count { $0.reason == .records }
        let bad = verification.mismatches.count - wrong
        if wrong > 0 {
            return
                "\(files) checked, \(Figure.grouped(bad)) \(bad == 1 ? "differs" : "differ"), and the manifest was "
                + "changed; run the batch again to repair it\n"
        }
        return bad == 0
            ? "\(files) \(verification.files == 1 ? "matches" : "match") the manifest\n"
            : "\(files) checked, \(Figure.grouped(bad)) \(bad == 1 ? "differs" : "differ"); run the batch again to "
                + "repair them\n"
    }

    private func json(_ verification: Verification) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("items", verification.items)
            json.member("files", verification.files)
            json.member("complete", verification.isComplete)
            json.array("mismatches") { json in
                for mismatch in verification.mismatches {
                    json.object { json in
                        json.member("path", mismatch.path)
                        json.member("id", mismatch.id)
                        json.member("reason", mismatch.reason.rawValue)
                        json.member("detail", mismatch.detail)
                    }
                }
            }
            json.array("orphans") { json in
                for path in verification.orphans { json.write(path) }
            }
        }
        json.endLine()
        return json.take()
    }
}

extension CommandContext {
    /// `emblem failures OUT`: lists the items that failed or got a placeholder, and the warnings.
    func failures() throws -> Int32 {
        let list = try FailureList(
            folder: FilePath(arguments.operands[0]),
            errorClass: arguments[Options.Failures.errorClass])
        if let fault = list.fault {
            throw ManifestError.damaged(folder: arguments.operands[0], fault)
        }
        if arguments[Options.json] {
            try output.write(list.json)
        } else if arguments[Options.Failures.csv] {
            try output.write(list.csv)
        } else {
            try tell(list)
            return 0
        }
        if list.entries.isEmpty { noteNoFailure() }
        if list.hasRelativePaths {
            note(
                "some paths are relative; save this list in the folder of the original list")
        }
        let masked = list.entries.count { entry in
            entry.record.sources.contains { SourceMask.isMasked($0) }
        }
        if masked > 0 {
            note(
                "\(Counted(masked, "source")) had a password or a query, which records hide; "
                    + "replace *** before using this list")
        }
        let broken = list.entries.count { $0.errorClass == .badRow }
        if broken > 0 {
            note(
                "\(Counted(broken, "row")) could not be used and may be incomplete here; correct "
                    + "them before using this list")
        }
        return 0
    }

    /// Writes a line for each failure and warning, then a note with the remedy for each kind.
    private func tell(_ list: FailureList) throws {
        for entry in list.entries { try output.write(text(of: entry)) }
        for warning in list.warnings {
            try output.write(
                line([warning.lint.text, warning.id, warning.source], row: warning.row))
        }
        // The notes follow the list on a terminal.
        try output.flush()
        if list.entries.isEmpty, list.warnings.isEmpty { noteNoFailure() }
        guard !arguments[Options.quiet] else { return }
        let classes = Dictionary(grouping: list.entries, by: \.errorClass)
        let kinds = Dictionary(grouping: list.warnings, by: \.lint.kind)
        for errorClass in ErrorClass.allCases {
            note(errorClass.rawValue, classes[errorClass]?.count, errorClass.remedy)
        }
        for kind in PictureLint.Kind.allCases {
            note(kind.rawValue, kinds[kind]?.count, kind.remedy)
        }
    }

    private func note(_ name: String, _ count: Int?, _ remedy: String) {
        if let count { note("\(name) (\(Figure.grouped(count))): \(remedy)") }
    }

    /// Prints the note that no item failed, or none with the class.
    private func noteNoFailure() {
        guard !arguments[Options.quiet] else { return }
        let kind = arguments[Options.Failures.errorClass].map { " with class \($0.rawValue)" } ?? ""
        note(
            PrintableText.escaped("no item of \(arguments.operands[0]) failed\(kind)"))
    }

    /// Returns the class, id, source, reason and row of an item. The reason of an unusable row
    /// begins with its line.
    private func text(of entry: FailureList.Entry) -> String {
        let line = entry.errorClass == .badRow ? entry.record.line.map { "line \($0): " } : nil
        return self.line(
            [
                entry.errorClass.rawValue, entry.record.id, entry.record.source,
                (line ?? "") + entry.explanation,
            ], row: entry.record.row)
    }

    private func line(_ cells: [String], row: Int?) -> String {
        (cells + (row.map { ["row \($0)"] } ?? [])).map { PrintableText.escaped($0) }
            .joined(separator: "\t") + "\n"
    }
}
