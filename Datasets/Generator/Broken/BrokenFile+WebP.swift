extension BrokenFile {
    static func webps(seed: UInt64) -> [BrokenFile] {
        [
            BrokenFile("webp-magic-only.webp", "truncated") {
                Array("RIFF".utf8) + [0x40, 0x10, 0, 0] + Array("WEBP".utf8)
            },
            BrokenFile("webp-cut-50.webp", "truncated", typical: true) {
                cut(WebPFile.lossy(photo(seed), quality: 80), percent: 50)
            },
            BrokenFile("webp-cut-lossless-50.webp", "truncated") {
                cut(WebPFile.lossless(logo(seed)), percent: 50)
            },
            BrokenFile("webp-cut-lossless-90.webp", "truncated") {
                cut(WebPFile.lossless(logo(seed)), percent: 90)
            },
            BrokenFile("webp-bomb-lossless-16383.webp", "limit_pixels", typical: true) {
                file(chunk: "VP8L", losslessHeader(side: 16_383))
            },
            BrokenFile("webp-bomb-lossless-12000.webp", "limit_pixels") {
                file(chunk: "VP8L", losslessHeader(side: 12_000))
            },
            BrokenFile("webp-bomb-lossy-16383.webp", "limit_pixels") {
                file(chunk: "VP8 ", lossyHeader(side: 16_383))
            },
            BrokenFile("webp-start-code.webp", "corrupt") {
                var bytes = WebPFile.lossy(photo(seed), quality: 80)
                bytes[23] ^= 0xFF
                return bytes
            },
            BrokenFile("webp-signature.webp", "corrupt") {
                var bytes = WebPFile.lossless(logo(seed))
                bytes[20] ^= 0xFF
                return bytes
            },
        ]
    }

    /// Returns a file that declares more than its few bytes can hold.
    private static func file(chunk name: String, _ header: [UInt8]) -> [UInt8] {
        let body =
            Array("WEBP".utf8) + WebPFile.chunk(name, header + [UInt8](repeating: 0, count: 64))
        var bytes = Array("RIFF".utf8)
        bytes.appendLittle(body.count, count: 4)
        return bytes + body
    }

    private static func losslessHeader(side: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x2F]
        bytes.appendLittle((side - 1) | (side - 1) << 14, count: 4)
        return bytes
    }

    private static func lossyHeader(side: Int) -> [UInt8] {
        // A shown key frame of version 0 whose first partition has ten bytes.
        var bytes: [UInt8] = []
        bytes.appendLittle(1 << 4 | 10 << 5, count: 3)
        bytes += [0x9D, 0x01, 0x2A]
        bytes.appendLittle(side, count: 2)
        bytes.appendLittle(side, count: 2)
        return bytes
    }
}
