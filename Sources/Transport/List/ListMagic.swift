/// Beginnings of files that are no lists, for a better message than a thousand bad rows.
enum ListMagic {
    private static let known: [([UInt8], String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
        (Array("GIF8".utf8), "a GIF picture"),
        (Array("RIFF".utf8), "a WebP image or an audio file"),
        (Array("%PDF".utf8), "a PDF document"),
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive or a spreadsheet"),
        (Array("BZh".utf8), "compressed with bzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz"),
        ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd"),
        (Array("PAR1".utf8), "a Parquet file"),
    ]

    /// What the bytes are instead of a list, with its article.
    static func foreign(_ bytes: [UInt8]) -> String? {
        known.first { bytes.starts(with: $0.0) }?.1
    }
}
