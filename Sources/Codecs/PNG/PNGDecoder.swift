import Raster

/// Reads PNG: every colour type and depth, plain and interlaced, into premultiplied RGBA.
///
/// What is wrong in a file is judged alike on both paths. A wrong checksum of a critical chunk or
/// of the image data is `corrupt`, as is an unknown filter; data that ends before the last pixel is
/// `truncated`; ancillary chunks that are damaged or out of place are left out; image data beyond
/// the last pixel is ignored.
package enum PNGDecoder {
    /// What the file says of itself; only the image header must be sound for it.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let layout = try PNGLayout(of: bytes, limits: limits, depth: .header)
        let profile = PNGTransform.profile(of: layout, bytes: bytes, limits: limits)
        let orientation = layout.exif.map { ExifOrientation.read(bytes.extracting($0)) }
        let type = layout.header.colorType
        let model: ColorModel =
            switch type {
            case .grey, .greyAlpha: .grey
            case .palette: .palette
            case .rgb, .rgba: .rgb
            }
        return ImageHeader(
            format: .png, codedSize: layout.header.size, orientation: orientation ?? .up,
            hasAlpha: type.hasAlphaSample || layout.transparency != nil,
            bitsPerChannel: layout.header.bitDepth, colorModel: model, hasProfile: profile != nil,
            profileName: profile?.name, isProgressive: layout.header.isInterlaced,
            isAnimated: layout.isAnimated)
    }

    /// The most bytes `decode` holds at once, the result included.
    ///
    /// The image data may have to be copied into one piece, which at most doubles what it needs;
    /// where that passes `workingBytes` it is inflated row by row instead.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let result = header.codedSize.byteCount
        // Eight bytes a pixel is the most there is, and only with 16 bits a sample.
        let bits = header.bitsPerChannel
        let channels =
            switch header.colorModel {
            case .palette: 1
            case .grey: header.hasAlpha && bits >= 8 ? 2 : 1
            default: header.hasAlpha ? 4 : 3
            }
        let width = header.codedSize.width
        let (rowBits, wide) = width.multipliedReportingOverflow(by: bits * channels)
        if wide { return .max }
        // Interlacing rounds up each of seven passes and gives each row its filter byte.
        let rowBytes = rowBits / 8 + (header.isProgressive ? 16 : 2)
        let (raw, overflow) = rowBytes.multipliedReportingOverflow(by: header.codedSize.height)
        let rows = rowBytes * 5 + width * 4 + streamBytes
        let (whole, overflowed) = raw.addingReportingOverflow(rows)
        let scratch =
            overflow || overflowed || whole > request.workingBytes
            ? rows : min(request.workingBytes, whole + raw)
        let (cost, tooMuch) = result.addingReportingOverflow(scratch)
        return tooMuch ? .max : cost
    }

    /// What zlib's window, state and tables take.
    private static let streamBytes = 64 << 10

    /// The pixels as stored, before orientation; those of the default image where it is animated.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try PNGLayout(of: bytes, limits: request.limits, depth: .whole)
        guard let firstData = layout.firstData else {
            throw layout.hasEnd ? .corrupt("there is no image data") : .truncated
        }
        let raw = layout.header.rawByteCount
        // Deflate packs at most 1032 bytes into one, so this cannot be the whole picture, and no
        // memory is spent on it.
        if raw / 1032 > layout.dataByteCount + 64, !request.allowTruncated { throw .truncated }
        let transform = PNGTransform(layout: layout, bytes: bytes, limits: request.limits)
        let samples = PNGSamples(layout: layout, bytes: bytes, transform: transform)
        let copy = layout.dataChunkCount > 1 ? layout.dataByteCount : 0
        let (scratch, overflow) = raw.addingReportingOverflow(copy)
        var picture = try unsafe bytes.withUnsafeBufferPointer {
            file throws(DecodeError) -> PixelBuffer in
            let file = UnsafeRawBufferPointer(file)
            if !overflow, scratch <= request.workingBytes,
                let picture = try unsafe decodeWhole(file, layout, samples, firstData)
            {
                return picture
            }
            return try unsafe decodeByRows(
                file, layout, samples, firstData, allowTruncated: request.allowTruncated)
        }
        if samples.leavesStraight {
            let isOpaque = transform.apply(to: &picture)
            picture.isOpaque = isOpaque
        }
        return picture
    }

    /// Inflates all at once; nil where libdeflate refuses, which `decodeByRows` then explains.
    private static func decodeWhole(
        _ file: UnsafeRawBufferPointer, _ layout: PNGLayout, _ samples: PNGSamples,
        _ firstData: PNGChunk
    ) throws(DecodeError) -> PixelBuffer? {
        let (header, count) = (layout.header, layout.header.rawByteCount)
        // Four bytes a pixel are read where they will stand: a row's bytes lie behind its pixels.
        let isInPlace =
            header.colorType == .rgba && header.bitDepth == 8 && !header.isInterlaced
        let spare = count + PNGFilter.slack
        var picture = PixelBuffer(
            unwritten: header.size, spareBytes: isInPlace ? spare - header.size.byteCount : 0)
        let apart: UnsafeMutableRawPointer? =
            isInPlace ? nil : .allocate(byteCount: spare, alignment: 16)
        defer { unsafe apart?.deallocate() }
        var rows = PNGRows(header: header, samples: samples, isInPlace: isInPlace)
        let isWhole = try unsafe picture.withUnsafeMutablePixels {
            pixels throws(DecodeError) -> Bool in
            let raw = unsafe apart ?? UnsafeMutableRawPointer(pixels)
            guard try unsafe inflate(file, layout, firstData, count, to: raw) else { return false }
            unsafe (raw + count).initializeMemory(
                as: UInt8.self, repeating: 0, count: PNGFilter.slack)
            var offset = 0
            while !rows.isComplete {
                offset += try unsafe rows.take(raw + offset, hasMore: true, into: pixels)
            }
            return true
        }
        guard isWhole else { return nil }
        picture.isOpaque = rows.isOpaque
        return picture
    }

    /// Inflates all chunks of image data; false where they do not come to `count` bytes.
    private static func inflate(
        _ file: UnsafeRawBufferPointer, _ layout: PNGLayout, _ firstData: PNGChunk, _ count: Int,
        to raw: UnsafeMutableRawPointer
    ) throws(DecodeError) -> Bool {
        if layout.dataChunkCount == 1 {
            let source = unsafe UnsafeRawBufferPointer(rebasing: file[firstData.body])
            return unsafe PNGInflate.exactly(count, from: source, to: raw)
        }
        let source = UnsafeMutableRawBufferPointer.allocate(
            byteCount: layout.dataByteCount, alignment: 16)
        defer { unsafe source.deallocate() }
        try unsafe layout.copyData(of: file, firstData, to: source)
        return unsafe PNGInflate.exactly(count, from: UnsafeRawBufferPointer(source), to: raw)
    }

    /// Inflates row by row, in little memory, and tells why a file cannot be read.
    private static func decodeByRows(
        _ file: UnsafeRawBufferPointer, _ layout: PNGLayout, _ samples: PNGSamples,
        _ firstData: PNGChunk, allowTruncated: Bool
    ) throws(DecodeError) -> PixelBuffer {
        var stream = try unsafe PNGStream(file, firstData: firstData)
        var rows = PNGRows(header: layout.header, samples: samples)
        // A row may be used as it is by the next one, so two places are filled in turn.
        let stride = layout.header.rowBytes(width: layout.header.size.width) + 1 + PNGFilter.slack
        let place = UnsafeMutableRawPointer.allocate(byteCount: stride * 2, alignment: 16)
        defer { unsafe place.deallocate() }
        unsafe place.initializeMemory(as: UInt8.self, repeating: 0, count: stride * 2)
        // Nothing is spent on pixels before there is a row of them.
        var useSecond = false
        guard try unsafe stream.read(rows.nextByteCount, into: place) == rows.nextByteCount else {
            throw .truncated
        }
        var picture = PixelBuffer(size: layout.header.size)
        try unsafe picture.withUnsafeMutablePixels { pixels throws(DecodeError) in
            while true {
                try unsafe rows.take(place + (useSecond ? stride : 0), into: pixels)
                if rows.isComplete { return try stream.checkEnd() }
                useSecond.toggle()
                let count = rows.nextByteCount
                let row = unsafe place + (useSecond ? stride : 0)
                if try unsafe stream.read(count, into: row) < count {
                    guard allowTruncated else { throw .truncated }
                    return
                }
            }
        }
        picture.isOpaque = rows.isComplete && rows.isOpaque
        return picture
    }
}
