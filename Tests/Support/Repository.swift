import Foundation

/// The source tree that the tests were built from.
package enum Repository {
    /// The folder that contains `Tests`.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the absolute path of a file of the tree.
    package static func path(_ relative: String) -> String {
        root.appending(path: relative).path
    }
}
