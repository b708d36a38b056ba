extension BrokenFile {
    static func pngs(seed: UInt64) -> [BrokenFile] {
        damagedPNGs(seed: seed) + boundlessPNGs + harmlessPNGs(seed: seed)
    }

    private static func damagedPNGs(seed: UInt64) -> [BrokenFile] {
        [
            BrokenFile("png-magic-only.png", "truncated") { PNGFile.signature },
            BrokenFile("png-cut-header.png", "truncated") { Array(whole(seed).prefix(24)) },
            BrokenFile("png-cut-10.png", "truncated") { cut(whole(seed), percent: 10) },
            BrokenFile("png-cut-50.png", "truncated", typical: true) {
                cut(whole(seed), percent: 50)
            },
            BrokenFile("png-cut-90.png", "truncated") { cut(whole(seed), percent: 90) },
            BrokenFile("png-cut-palette-50.png", "truncated") {
                cut(PNGFile.encode(logo(seed), .palette), percent: 50)
            },
            BrokenFile("png-cut-interlaced-50.png", "truncated") {
                cut(PNGFile.encode(logo(seed), .rgba, interlaced: true), percent: 50)
            },
            BrokenFile("png-crc-header.png", "corrupt") { flipSum(of: "IHDR", in: whole(seed)) },
            BrokenFile("png-crc-data.png", "corrupt", typical: true) {
                flipSum(of: "IDAT", in: whole(seed))
            },
            BrokenFile("png-crc-palette.png", "corrupt") {
                flipSum(of: "PLTE", in: PNGFile.encode(logo(seed), .palette))
            },
            BrokenFile("png-adler.png", "corrupt", typical: true) {
                rebuilt(stream: { stream in stream[stream.count - 1] ^= 0x55 })
            },
            BrokenFile("png-deflate.png", "corrupt") {
                rebuilt(stream: { stream in stream[2] |= 0x06 })
            },
            BrokenFile("png-filter.png", "corrupt") {
                rebuilt(rows: { rows in rows[0] = 9 })
            },
            BrokenFile("png-no-palette.png", "corrupt") {
                file(PNGFile.header(width: 8, height: 8, colorType: 3), rows(8, 8, 1))
            },
            BrokenFile("png-zero-width.png", "corrupt", typical: true) {
                file(PNGFile.header(width: 0, height: 8), rows(8, 8, 4))
            },
            BrokenFile("png-zero-height.png", "corrupt") {
                file(PNGFile.header(width: 8, height: 0), rows(8, 8, 4))
            },
            BrokenFile("png-depth-3.png", "corrupt") {
                file(PNGFile.header(width: 8, height: 8, depth: 3), rows(8, 8, 4))
            },
            BrokenFile("png-color-type-5.png", "corrupt") {
                file(PNGFile.header(width: 8, height: 8, colorType: 5), rows(8, 8, 4))
            },
        ]
    }

    private static let boundlessPNGs = [
        BrokenFile("png-bomb-30000.png", "limit_pixels", typical: true) {
            file(PNGFile.header(width: 30_000, height: 30_000), rows(64, 64, 4))
        },
        BrokenFile("png-bomb-65535-1-bit.png", "limit_pixels") {
            file(
                PNGFile.header(width: 65_535, height: 65_535, depth: 1, colorType: 0),
                rows(64, 64, 1))
        },
        BrokenFile("png-bomb-46341.png", "limit_pixels") {
            file(PNGFile.header(width: 46_341, height: 46_341), rows(64, 64, 4))
        },
        BrokenFile("png-bomb-32768.png", "limit_pixels") {
            file(PNGFile.header(width: 32_768, height: 32_768), rows(64, 64, 4))
        },
        BrokenFile("png-bomb-2147483647.png", "limit_pixels") {
            file(PNGFile.header(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF), rows(64, 64, 4))
        },
        BrokenFile("png-bomb-interlaced.png", "limit_pixels") {
            file(PNGFile.header(width: 12_000, height: 12_000, interlaced: true), rows(64, 64, 4))
        },
        BrokenFile("png-long-side.png", "limit_pixels") {
            file(PNGFile.header(width: 1_000_001, height: 1), rows(64, 1, 4))
        },
    ]

    private static func harmlessPNGs(seed: UInt64) -> [BrokenFile] {
        [
            BrokenFile("png-no-end.png", "ok") { Array(whole(seed).dropLast(12)) },
            BrokenFile("png-crc-text.png", "ok", typical: true) {
                let text = PNGFile.chunk("tEXt", Array("Title".utf8) + [0] + Array("A logo".utf8))
                return flipSum(of: "tEXt", in: PNGFile.encode(logo(seed), .rgba, extra: text))
            },
            BrokenFile("png-bad-profile.png", "ok") {
                let body = Array("odd".utf8) + [0, 0] + PNGFile.deflate([1, 2, 3, 4, 5, 6, 7, 8])
                return PNGFile.encode(logo(seed), .rgba, extra: PNGFile.chunk("iCCP", body))
            },
            BrokenFile("png-trailing-zip.png", "ok", typical: true) {
                whole(seed) + [0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: 600)
            },
            BrokenFile("png-surplus-rows.png", "ok") {
                file(PNGFile.header(width: 8, height: 8), rows(8, 4096, 4))
            },
        ]
    }

    private static func whole(_ seed: UInt64) -> [UInt8] {
        PNGFile.encode(logo(seed), .rgba)
    }

    private static func rows(_ width: Int, _ height: Int, _ channels: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<height {
            bytes.append(0)
            bytes += [UInt8](repeating: 180, count: width * channels)
        }
        return bytes
    }

    /// Returns a file with correct checksums around a header and rows that need not match.
    private static func file(_ header: [UInt8], _ rows: [UInt8]) -> [UInt8] {
        PNGFile.signature + PNGFile.chunk("IHDR", header)
            + PNGFile.chunk("IDAT", PNGFile.deflate(rows)) + PNGFile.chunk("IEND", [])
    }

    /// Returns a small file whose rows or stream were changed before the checksums were computed.
    private static func rebuilt(
        rows change: (inout [UInt8]) -> Void = { _ in },
        stream spoil: (inout [UInt8]) -> Void = { _ in }
    ) -> [UInt8] {
        var lines: [UInt8] = []
        for y in 0..<48 {
            lines.append(0)
            for x in 0..<48 { lines += [UInt8(x * 5), UInt8(y * 5), UInt8((x ^ y) * 3), 255] }
        }
        change(&lines)
        var stream = PNGFile.deflate(lines)
        spoil(&stream)
        return PNGFile.signature + PNGFile.chunk("IHDR", PNGFile.header(width: 48, height: 48))
            + PNGFile.chunk("IDAT", stream) + PNGFile.chunk("IEND", [])
    }

    private static func flipSum(of name: String, in file: [UInt8]) -> [UInt8] {
        var result = file
        for chunk in PNGFile.chunks(of: file) where chunk.name == name {
            result[chunk.start + 8 + chunk.length] ^= 0xFF
            return result
        }
        return result
    }
}
