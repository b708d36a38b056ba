import Glibc

/// Why a list as a whole cannot be read.
package struct ListError: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        case missing
        case unreadable(String)
        /// The system lacked what it takes to open any file.
        case exhausted(Errno)
        /// It was written to between two reads.
        case changed
        /// The text is not what the format says; the words name what was found.
        case malformed(String)
        /// More bytes than a list may hold once it is decompressed.
        case tooLarge(limit: Int64)
        /// The copy that is needed to read the list twice could not be written.
        case scratch(Errno)
    }

    package var file: String
    package var line: Int?
    package var reason: Reason

    package init(file: String, line: Int? = nil, _ reason: Reason) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// The exit code of a run that ends with this error.
    package var exitCode: Int32 {
        switch reason {
        case .missing, .unreadable, .changed: 66
        case .malformed, .tooLarge: 65
        case .scratch, .exhausted: 74
        }
    }
}

extension ListError: CustomStringConvertible {
    package var description: String {
        let name = SourceMask().shown(file)
        let subject = line.map { "\(name), line \($0)" } ?? name
        return switch reason {
        case .missing: "the list \(subject) does not exist"
        case .unreadable(let cause): "the list \(subject) cannot be read: \(cause)"
        case .exhausted(let cause):
            "the list \(subject) cannot be opened: \(cause); raise `ulimit -n` or use fewer --jobs"
        case .changed:
            "the list \(subject) changed while it was read; run again when it is complete"
        case .malformed(let what): "the list \(subject): \(what)"
        case .tooLarge(let limit): "the list \(subject) is longer than \(limit) bytes"
        case .scratch(let cause):
            "the list \(subject) cannot be stored for a second pass: "
                + "\(cause)"
        }
    }
}
