import Notation
import Targets
import Transport

/// An input of a run, in command-line order.
package enum PlanInput: Hashable, Sendable {
    /// A file, a folder, a URL, a `data:` URI, or `-` for standard input.
    case source(String)
    /// A list, or `-` for standard input. Its format follows from its name, else from its
    /// first bytes.
    case list(String)
}

package struct PlanOptions: Sendable {
    package var remoteOnly: Bool
    /// Whether labels are drawn (as initials), so that rows with different labels do not share
    /// files.
    package var drawsLabels: Bool
    package var dialect: ListDialect
    package var selection = FolderSelection()
    /// The output folder, skipped when folders are walked.
    package var output: FileIdentity?
    /// The output folders outside OUT, which are skipped too.
    package var otherOutputs: [FileIdentity]
    /// The folders that outputs are written to.
    package var places: [OutputPlace]
    package var ownFiles: [FilePath]
    /// The targets that items need extra names for.
    package var targets: [TargetKind]
    /// An existing folder for scratch files.
    package var scratch: FilePath
    /// The number of rows above which a plan uses scratch files.
    package var rowsInMemory: Int

    package init(
        remoteOnly: Bool = false, drawsLabels: Bool = false,
        dialect: ListDialect = ListDialect(),
        output: FileIdentity? = nil, otherOutputs: [FileIdentity] = [],
        places: [OutputPlace] = [], ownFiles: [FilePath] = [], targets: [TargetKind] = [],
        scratch: FilePath, rowsInMemory: Int = 16_384
    ) {
        self.remoteOnly = remoteOnly
        self.drawsLabels = drawsLabels
        self.dialect = dialect
        self.output = output
        self.otherOutputs = otherOutputs
        self.places = places
        self.ownFiles = ownFiles
        self.targets = targets
        self.scratch = scratch
        self.rowsInMemory = rowsInMemory
    }
}

/// Selects files of a folder by their relative paths.
package struct FolderSelection: Sendable {
    /// Files that match one of these patterns are skipped.
    package var excluded: [PathPattern] = []
    /// The suffix of the names of dark twins; nil if twins are not in use.
    package var darkSuffix: String?

    package init() {}

    func takes(_ path: [UInt8]) -> Bool {
        !excluded.contains { $0.matches(path) }
    }
}

/// A row with a field of too many lines, which may lack a closing quote.
package struct LongField: Hashable, Sendable {
    package let list: String
    /// The number of the row in its list, 1 for the first.
    package let row: Int
    package let line: Int
    package let lines: Int
}
