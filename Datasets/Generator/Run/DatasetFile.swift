/// A file still to be made, and where it goes.
struct DatasetFile: Sendable {
    /// Below the output folder.
    let path: String
    /// Zeros after the bytes, kept as a hole.
    var hole = 0
    let make: @Sendable () -> [UInt8]
}

extension DatasetFile {
    init(text path: String, _ text: String) {
        self.path = path
        make = { Array(text.utf8) }
    }
}
