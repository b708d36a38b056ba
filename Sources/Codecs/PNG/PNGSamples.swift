import Raster

/// How the unfiltered bytes of a row become RGBA pixels, decided once per picture.
///
/// Every grey of at most eight bits and every palette index goes through a table that holds
/// finished pixels; the other kinds are computed, and premultiplied while the row is in the cache.
struct PNGSamples: Sendable {
    private let header: PNGHeader
    /// Finished pixels, red in the lowest byte, by sample or palette index.
    private let table: [UInt32]
    /// The colour that stands for transparent, of 16 bits a sample or as in the file.
    private let key: (red: Int, green: Int, blue: Int)?
    /// Rows leave straight, because a profile is to be applied to the picture.
    let leavesStraight: Bool
    /// No pixel can be other than opaque.
    let isSurelyOpaque: Bool

    init(
        layout: PNGLayout, bytes: Span<UInt8>, transform: borrowing PNGTransform
    ) {
        header = layout.header
        let depth = header.bitDepth
        isSurelyOpaque = !header.colorType.hasAlphaSample && layout.transparency == nil
        var key: (red: Int, green: Int, blue: Int)?
        if let range = layout.transparency, header.colorType != .palette {
            let body = bytes.extracting(range)
            // Bits above the sample's depth are left out, as everybody does.
            let mask = (1 << depth) - 1
            key =
                header.colorType == .grey
                ? (body.bigEndian16(at: 0) & mask, 0, 0)
                : (
                    body.bigEndian16(at: 0) & mask, body.bigEndian16(at: 2) & mask,
                    body.bigEndian16(at: 4) & mask
                )
        }
        self.key = key
        switch (header.colorType, depth) {
        case (.palette, _):
            table = transform.finished(Self.paletteTable(of: layout, bytes: bytes))
        case (.grey, ...8):
            table = transform.finished(Self.greyTable(depth: depth, key: key?.red))
        default:
            table = []
        }
        leavesStraight = table.isEmpty && transform.isNeeded
    }

    /// Straight pixels for each index. One beyond the palette is opaque black, as for libpng.
    private static func paletteTable(of layout: PNGLayout, bytes: Span<UInt8>) -> [UInt32] {
        var table = [UInt32](repeating: 0xFF00_0000, count: 256)
        guard let range = layout.palette else { return table }
        let body = bytes.extracting(range)
        let entries = min(body.count / 3, 1 << layout.header.bitDepth)
        for index in 0..<entries {
            table[index] =
                UInt32(body[index * 3]) | UInt32(body[index * 3 + 1]) << 8
                | UInt32(body[index * 3 + 2]) << 16 | 0xFF00_0000
        }
        if let range = layout.transparency {
            let alphas = bytes.extracting(range)
            for index in 0..<min(alphas.count, entries) {
                table[index] = table[index] & 0x00FF_FFFF | UInt32(alphas[index]) << 24
            }
        }
        return table
    }

    private static func greyTable(depth: Int, key: Int?) -> [UInt32] {
        let greatest = (1 << depth) - 1
        return (0..<256).map { sample in
            if sample == key { return 0 }
            return UInt32(min(sample, greatest) * (255 / greatest)) * 0x01_0101 | 0xFF00_0000
        }
    }

    /// Writes `count` pixels from the bytes of a row and returns the AND of their alphas in the
    /// highest byte. Up to four bytes past the row are read.
    @unsafe
    func convert(_ row: UnsafeRawPointer, to result: UnsafeMutableRawPointer, count: Int) -> UInt32
    {
        switch (header.colorType, header.bitDepth) {
        case (.palette, 8), (.grey, 8):
            return unsafe lookUp(row, result, count)
        case (.palette, _), (.grey, ...4):
            return unsafe lookUpBits(row, result, count)
        case (.rgb, 8):
            unsafe rgb(row, result, count)
        case (.rgba, 8):
            if leavesStraight {
                unsafe result.copyMemory(from: row, byteCount: count * 4)
            } else {
                return unsafe Premultiplication.row(row, result: result, count: count)
            }
        case (.greyAlpha, 8):
            unsafe greyAlpha(row, result, count)
        case (.grey, _):
            unsafe wide(row, result, count, (0, 0, 0, nil), step: 2)
        case (.greyAlpha, _):
            unsafe wide(row, result, count, (0, 0, 0, 2), step: 4)
        case (.rgb, _):
            unsafe wide(row, result, count, (0, 2, 4, nil), step: 6)
        case (.rgba, _):
            unsafe wide(row, result, count, (0, 2, 4, 6), step: 8)
        }
        if leavesStraight { return 0 }
        return isSurelyOpaque
            ? .max : unsafe Premultiplication.row(result, result: result, count: count)
    }

    private func lookUp(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) -> UInt32 {
        unsafe table.withUnsafeBufferPointer { table in
            var alphas = UInt32.max
            for index in 0..<count {
                let sample = unsafe row.load(fromByteOffset: index, as: UInt8.self)
                let pixel = unsafe table[Int(sample)]
                alphas &= pixel
                unsafe result.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
            }
            return alphas
        }
    }

    private func lookUpBits(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) -> UInt32 {
        let depth = header.bitDepth
        let mask = UInt8(truncatingIfNeeded: (1 << depth) - 1)
        return unsafe table.withUnsafeBufferPointer { table in
            var alphas = UInt32.max
            for index in 0..<count {
                let bit = index &* depth
                let byte = unsafe row.load(fromByteOffset: bit &>> 3, as: UInt8.self)
                let shift = UInt8(truncatingIfNeeded: 8 &- depth &- bit & 7)
                let pixel = unsafe table[Int(byte &>> shift & mask)]
                alphas &= pixel
                unsafe result.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
            }
            return alphas
        }
    }

    private func rgb(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) {
        let transparent = key.map { UInt32($0.red | $0.green << 8 | $0.blue << 16) | 0xFF00_0000 }
        for index in 0..<count {
            let pixel =
                unsafe row.loadUnaligned(fromByteOffset: index &* 3, as: UInt32.self) | 0xFF00_0000
            unsafe result.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
        }
        guard let transparent else { return }
        for index in 0..<count
        where unsafe result.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            == transparent
        {
            unsafe result.storeBytes(of: 0, toByteOffset: index &* 4, as: UInt32.self)
        }
    }

    private func greyAlpha(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) {
        for index in 0..<count {
            let grey = unsafe row.load(fromByteOffset: index &* 2, as: UInt8.self)
            let alpha = unsafe row.load(fromByteOffset: index &* 2 &+ 1, as: UInt8.self)
            let pixel = UInt32(grey) &* 0x01_0101 | UInt32(alpha) &<< 24
            unsafe result.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
        }
    }

    /// Samples of 16 bits, by their offsets in a pixel of `step` bytes.
    private func wide(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int,
        _ offsets: (red: Int, green: Int, blue: Int, alpha: Int?), step: Int
    ) {
        for index in 0..<count {
            let pixel = unsafe row + index &* step
            let red = unsafe Self.sample(pixel + offsets.red)
            let green = unsafe Self.sample(pixel + offsets.green)
            let blue = unsafe Self.sample(pixel + offsets.blue)
            var alpha: UInt32 = 0xFFFF
            if let offset = offsets.alpha {
                alpha = unsafe Self.sample(pixel + offset)
            } else if let key, Int(red) == key.red,
                header.colorType == .grey || Int(green) == key.green && Int(blue) == key.blue
            {
                alpha = 0
            }
            let bytes =
                Self.byte(red) | Self.byte(green) &<< 8 | Self.byte(blue) &<< 16
                | Self.byte(alpha) &<< 24
            unsafe result.storeBytes(of: bytes, toByteOffset: index &* 4, as: UInt32.self)
        }
    }

    @inline(__always)
    private static func sample(_ bytes: UnsafeRawPointer) -> UInt32 {
        UInt32(unsafe bytes.loadUnaligned(as: UInt16.self).bigEndian)
    }

    /// The nearest byte of a 16-bit sample.
    @inline(__always)
    private static func byte(_ sample: UInt32) -> UInt32 {
        (sample &* 255 &+ 32895) &>> 16
    }
}
