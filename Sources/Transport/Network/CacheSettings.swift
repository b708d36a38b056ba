/// Where answers are kept, and how much of them.
package struct CacheSettings: Sendable {
    /// A folder of ours; it is made if it is missing.
    package var folder: String
    package var bytesLimit: Int

    package init(folder: String, bytesLimit: Int = 1 << 30) {
        self.folder = folder
        self.bytesLimit = bytesLimit
    }
}
