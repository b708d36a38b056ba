/// Recognises file names of images by their extension.
package enum PictureName {
    /// The extensions of supported and unsupported formats, each packed into a 64-bit word.
    private static let extensions = Set(
        (ImageFormat.allCases.flatMap(\.fileExtensions)
            + ForeignFormat.all.flatMap(\.fileExtensions))
            .map { text in
                precondition(text.utf8.count <= longestExtension, "A word holds an extension.")
                return word(of: text.utf8)
            })

    /// The most letters that fit into a word, after a leading 1 that marks the start.
    private static let longestExtension = 7

    /// Packs letters into a word, in lower case.
    @inline(__always)
    private static func word(of text: some Sequence<UInt8>) -> UInt64 {
        text.reduce(1) { word, letter in
            word << 8 | UInt64((0x41...0x5A).contains(letter) ? letter | 0x20 : letter)
        }
    }

    package static func hasPictureExtension(_ name: [UInt8]) -> Bool { endsLikePicture(name) }

    package static func hasPictureExtension(_ name: String) -> Bool { endsLikePicture(name.utf8) }

    @inline(__always)
    private static func endsLikePicture(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        let tail = name.suffix(longestExtension + 1)
        guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return extensions.contains(word(of: tail[tail.index(after: dot)...]))
    }

    /// Returns the name without its image extension, if it has one.
    package static func withoutPictureExtension(_ name: String) -> Substring {
        guard hasPictureExtension(name), let dot = name.utf8.lastIndex(of: 0x2E)
        else { return name[...] }
        return name[..<dot]
    }
}
