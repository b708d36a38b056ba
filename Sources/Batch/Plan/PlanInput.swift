import Notation
import Targets
import Transport

/// What a run was asked to work on, in the order it was asked.
package enum PlanInput: Hashable, Sendable {
    /// A file, a folder, a URL, a `data:` URI, or `-`.
    case source(String)
    /// A list, or `-`; without a format its name decides, and its first bytes where that says nothing.
    case list(String, format: ListFormat?)
}

/// What else decides about a plan.
package struct PlanOptions: Sendable {
    /// Paths from lists are refused.
    package var remoteOnly: Bool
    /// The text before every name; empty for none.
    package var namePrefix: String
    /// The label of a row is drawn (as initials), so rows that differ in it do not share files.
    package var drawsLabels: Bool
    /// How lists are written that are somebody else's.
    package var dialect: ListDialect
    /// The files of folders that are taken.
    package var selection = FolderSelection()
    /// The output folder, left out when folders are walked.
    package var output: FileIdentity?
    /// Folders beside it that outputs go to, left out too.
    package var otherOutputs: [FileIdentity]
    /// Where pictures go, and the files beside sources that the run is made of.
    package var places: [OutputPlace]
    package var ownFiles: [FilePath]
    /// What items get names of their own for.
    package var targets: [TargetKind]
    /// An existing folder for files that take what memory should not.
    package var scratch: FilePath
    /// Longer lists are planned with files in `scratch`.
    package var rowsInMemory: Int

    package init(
        remoteOnly: Bool = false, namePrefix: String = "", drawsLabels: Bool = false,
        dialect: ListDialect = ListDialect(),
        output: FileIdentity? = nil, otherOutputs: [FileIdentity] = [],
        places: [OutputPlace] = [], ownFiles: [FilePath] = [], targets: [TargetKind] = [],
        scratch: FilePath, rowsInMemory: Int = 16_384
    ) {
        self.remoteOnly = remoteOnly
        self.namePrefix = namePrefix
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

/// Which files of a folder are taken, by their paths below it.
package struct FolderSelection: Sendable {
    /// Only files that one of these matches; all files where there are none.
    package var only: [PathPattern] = []
    /// No files that one of these matches.
    package var excluded: [PathPattern] = []
    /// Names that begin with a dot are taken too.
    package var takesHidden = false
    /// Links to folders are followed.
    package var followsLinks = false

    package init() {}

    func takes(_ path: [UInt8]) -> Bool {
        (only.isEmpty || only.contains { $0.matches(path) })
            && !excluded.contains { $0.matches(path) }
    }
}

/// A row whose field has too many lines, so that a quote may be missing.
package struct LongField: Hashable, Sendable {
    package let list: String
    /// The number of the row in its list, 1 for the first.
    package let row: Int
    package let line: Int
    package let lines: Int
}
