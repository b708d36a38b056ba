import Foundation

package enum Repository {
    /// The folder that contains `Tests`.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    package static func path(_ relative: String) -> String {
        root.appending(path: relative).path
    }
}
