/// Bytes in place of pictures; the loader does not parse them.
package enum TestPicture {
    package static let fault: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + (0..<4096).map { UInt8(truncatingIfNeeded: $0) }

    package static let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)

    /// Returns two to ten kilobytes that depend on the index.
    package static func bytes(_ index: Int) -> [UInt8] {
        (0..<(2048 + index * 160)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
    }
}
