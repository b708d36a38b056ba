/// Which file names promise a picture.
package enum PictureName {
    /// Extensions of pictures, those we can only report as unsupported included.
    private static let extensions = Set(
        ImageFormat.allCases.flatMap(\.fileExtensions)
            + ForeignFormat.all.flatMap(\.fileExtensions))

    /// The extension of the name is a picture's, in any case of its letters.
    package static func hasPictureExtension(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let tail = name[name.index(after: dot)...]
        guard (2...5).contains(tail.count) else { return false }
        let lower = tail.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return extensions.contains(String(decoding: lower, as: UTF8.self))
    }

    /// The name without a picture's extension, if it has one.
    package static func withoutPictureExtension(_ name: String) -> Substring {
        guard hasPictureExtension(Array(name.utf8)), let dot = name.utf8.lastIndex(of: 0x2E)
        else { return name[...] }
        return name[..<dot]
    }
}
