/// Where answers are kept, and how much of them.
package struct CacheSettings: Sendable {
    /// A folder of ours; it is made if it is missing.
    package var folder: String
    package var bytesLimit: Int
    /// Where the folder cannot be made, loading goes on without it.
    package var isOptional: Bool

    package init(folder: String, bytesLimit: Int = 1 << 30, isOptional: Bool = false) {
        self.folder = folder
        self.bytesLimit = bytesLimit
        self.isOptional = isOptional
    }
}
