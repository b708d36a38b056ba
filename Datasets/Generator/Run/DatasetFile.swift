struct DatasetFile: Sendable {
    let path: String
    /// The number of zeros after the bytes, which the file system stores as a hole.
    var hole = 0
    let make: @Sendable () -> [UInt8]
}

extension DatasetFile {
    init(text path: String, _ text: String) {
        self.path = path
        make = { Array(text.utf8) }
    }
}
