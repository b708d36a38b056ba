import CLibDeflate

/// Writes PNG files of every kind, and splits them into chunks to make broken files.
enum PNGFile {
    enum Form: Sendable {
        case rgba, rgb, grey, greyAlpha, deep, palette

        var colorType: UInt8 {
            switch self {
            case .rgba, .deep: 6
            case .rgb: 2
            case .grey: 0
            case .greyAlpha: 4
            case .palette: 3
            }
        }
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func encode(
        _ bitmap: Bitmap, _ form: Form, interlaced: Bool = false, extra: [UInt8] = []
    ) -> [UInt8] {
        let palette = form == .palette ? Palette(bitmap) : nil
        let depth = Self.depth(form, colors: palette?.colors.count ?? 0)
        var file = signature
        file += chunk(
            "IHDR",
            header(
                width: UInt32(bitmap.width), height: UInt32(bitmap.height), depth: UInt8(depth),
                colorType: form.colorType, interlaced: interlaced))
        file += extra
        if let palette {
            file += chunk("PLTE", palette.colors.flatMap { $0.prefix(3) })
            let alphas = palette.colors.map { $0[3] }
            let soft = alphas.prefix { $0 < 255 }
            if !soft.isEmpty { file += chunk("tRNS", Array(soft)) }
        }
        let rows = PNGRows(bitmap, form, palette: palette, depth: depth)
        let scanlines = interlaced ? rows.interlaced() : rows.plain()
        let packed = deflate(scanlines)
        // Several chunks, as in the files of most writers.
        for start in stride(from: 0, to: packed.count, by: 32_768) {
            file += chunk("IDAT", Array(packed[start..<min(start + 32_768, packed.count)]))
        }
        return file + chunk("IEND", [])
    }

    static func header(
        width: UInt32, height: UInt32, depth: UInt8 = 8, colorType: UInt8 = 6,
        interlaced: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBig32(width)
        bytes.appendBig32(height)
        return bytes + [depth, colorType, 0, 0, interlaced ? 1 : 0]
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBig32(UInt32(body.count))
        let named = Array(name.utf8) + body
        bytes += named
        bytes.appendBig32(crc(named))
        return bytes
    }

    static func deflate(_ bytes: [UInt8], level: Int32 = 7) -> [UInt8] {
        guard let compressor = unsafe libdeflate_alloc_compressor(level) else {
            preconditionFailure("libdeflate has no memory for a compressor.")
        }
        defer { unsafe libdeflate_free_compressor(compressor) }
        let bound = unsafe libdeflate_zlib_compress_bound(compressor, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
            unsafe count = bytes.withUnsafeBytes { source in
                unsafe libdeflate_zlib_compress(
                    compressor, source.baseAddress, source.count, room.baseAddress, bound)
            }
        }
    }

    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        guard let compressor = unsafe libdeflate_alloc_compressor(9) else {
            preconditionFailure("libdeflate has no memory for a compressor.")
        }
        defer { unsafe libdeflate_free_compressor(compressor) }
        let bound = unsafe libdeflate_gzip_compress_bound(compressor, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
            unsafe count = bytes.withUnsafeBytes { source in
                unsafe libdeflate_gzip_compress(
                    compressor, source.baseAddress, source.count, room.baseAddress, bound)
            }
        }
    }

    static func chunks(of file: [UInt8]) -> [(start: Int, name: String, length: Int)] {
        var found: [(start: Int, name: String, length: Int)] = []
        var start = 8
        while start + 12 <= file.count {
            let length = file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: file[(start + 4)..<(start + 8)], as: UTF8.self)
            found.append((start, name, length))
            start += length + 12
        }
        return found
    }

    private static func depth(_ form: Form, colors: Int) -> Int {
        switch form {
        case .deep: 16
        case .palette: colors <= 2 ? 1 : colors <= 4 ? 2 : colors <= 16 ? 4 : 8
        default: 8
        }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(0, $0.baseAddress, $0.count) }
    }
}
