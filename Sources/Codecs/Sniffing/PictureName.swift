/// Which file names promise a picture.
package enum PictureName {
    /// Extensions of pictures, those we can only report as unsupported included, each as the bytes of
    /// a word.
    private static let extensions = Set(
        (ImageFormat.allCases.flatMap(\.fileExtensions)
            + ForeignFormat.all.flatMap(\.fileExtensions))
            .map { $0.utf8.reduce(0) { word($0, with: $1) } })

    private static let longestExtension = 5

    private static func word(_ word: UInt64, with letter: UInt8) -> UInt64 {
        word << 8 | UInt64((0x41...0x5A).contains(letter) ? letter | 0x20 : letter)
    }

    /// The extension of the name is a picture's, in any case of its letters.
    package static func hasPictureExtension(_ name: [UInt8]) -> Bool { endsLikePicture(name) }

    package static func hasPictureExtension(_ name: String) -> Bool { endsLikePicture(name.utf8) }

    @inline(__always)
    private static func endsLikePicture(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        let tail = name.suffix(longestExtension + 1)
        guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return extensions.contains(tail[tail.index(after: dot)...].reduce(0) { word($0, with: $1) })
    }

    /// The name without a picture's extension, if it has one.
    package static func withoutPictureExtension(_ name: String) -> Substring {
        guard hasPictureExtension(name), let dot = name.utf8.lastIndex(of: 0x2E)
        else { return name[...] }
        return name[..<dot]
    }
}
