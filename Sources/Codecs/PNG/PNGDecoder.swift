import CLibDeflate
import CShims
import CZlib
import Raster

extension ImageFormat {
    /// PNG; of an animation, only the default image.
    package static let png = ImageFormat(
        "png", fileExtensions: ["png", "apng"],
        libraries: [
            CodecLibrary("libpng", version: unsafe String(cString: emb_png_version())),
            CodecLibrary("libdeflate", version: LIBDEFLATE_VERSION_STRING),
            CodecLibrary("zlib", version: unsafe String(cString: zlibVersion())),
        ],
        reader: CodecName(
            fast: "emblem with libdeflate; libpng if memory is short", system: "libpng"),
        output: .png,
        recognizes: { bytes in
            if ByteReader(bytes).big32(0) == 0x8950_4E47 { return true }
            // A file damaged by a text-mode transfer counts as a damaged PNG.
            if case .damaged = PNGSignature(of: bytes) { return true }
            return false
        },
        header: PNGDecoder.header, memoryCost: PNGDecoder.memoryCost,
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try PNGDecoder.decode(bytes, header: header, request: request))
        })
}

extension OutputFormat {
    package static let png = OutputFormat(
        "png", defaultQuality: .lossless, compression: .lossless, edgeLimit: 0x7FFF_FFFF,
        writer: CodecName(fast: "emblem", system: "libpng"),
        pixelBytes: (lossy: 12, lossless: 12),
        encode: { buffer, settings throws(EncodeError) in
            try PNGEncoder.encode(
                buffer, palette: settings.palette, effort: settings.effort,
                codecs: settings.codecs)
        },
        animate: { frames, _ throws(EncodeError) in try PNGAnimation.encode(frames) },
        isComplete: { bytes, size in EncodedPicture.png(ByteReader(bytes)) == size })
}

/// Reads PNG: every colour type and depth, plain and interlaced, into premultiplied RGBA.
///
/// A wrong checksum in a critical chunk is `corrupt`; damaged or misplaced ancillary chunks are
/// ignored. libdeflate inflates the rows of usual images, and `PNGRows` converts them. libpng reads
/// the rest: interlaced images, 16-bit samples, data that libdeflate rejects, data that does not
/// fit the allowed memory, and all data if only the libraries are allowed. In image data, a wrong
/// checksum or an unknown filter is `corrupt`, an end before the last pixel is `truncated`, and
/// surplus data is ignored. A file gives the same error on both paths.
package enum PNGDecoder {
    /// Reads the file's properties; only the image header must be valid.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let layout = try PNGLayout(of: bytes, limits: limits, depth: .header)
        let profile = layout.colorProfile(in: bytes, limits: limits)
        let orientation = layout.exif.map { ExifOrientation.read(bytes.extracting($0)) }
        let type = layout.header.colorType
        return ImageHeader(
            format: .png, codedSize: layout.header.size, orientation: orientation ?? .up,
            hasAlpha: type.hasAlphaSample || layout.transparency != nil,
            bitsPerChannel: layout.header.bitDepth, colorModel: type.model,
            hasProfile: profile != nil,
            profileName: profile?.name, isProgressive: layout.header.isInterlaced,
            isAnimated: layout.isAnimated)
    }

    /// Returns the most bytes `decode` holds at once, the result included.
    ///
    /// The image data may have to be copied into one piece, which at most doubles its size. If that
    /// exceeds `workingBytes`, libpng reads it row by row instead.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let result = header.codedSize.byteCount
        // The most channels of a stored pixel, which take eight bytes at 16 bits per sample.
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
        let rowBytes = (rowBits / 8).saturating(plus: 2)
        let (raw, overflow) = rowBytes.multipliedReportingOverflow(by: header.codedSize.height)
        // libpng holds two rows at up to eight bytes per pixel, and a third row for an interlaced
        // image.
        let rows = rowBytes.saturating(times: 5).saturating(plus: width.saturating(times: 24))
            .saturating(plus: libraryBytes)
        let (whole, overflowed) = raw.addingReportingOverflow(rows)
        let scratch =
            request.codecs == .system || header.isProgressive || bits > 8 || overflow || overflowed
                || whole > request.workingBytes
            ? rows : min(request.workingBytes, whole.saturating(plus: raw))
        let (cost, tooMuch) = result.addingReportingOverflow(scratch)
        return tooMuch ? .max : cost
    }

    /// The memory of zlib's window, state and tables, and of libpng's own structures.
    private static let libraryBytes = 64 << 10

    /// Decodes the pixels as stored, before orientation; for an animation, its default image.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try PNGLayout(of: bytes, limits: request.limits, depth: .whole)
        guard let firstData = layout.firstData else {
            throw layout.hasEnd ? .corrupt("there is no image data") : .truncated
        }
        let raw = layout.header.rawByteCount
        // Deflate compresses at most 1032:1, so this data cannot be the whole image. Rejects it
        // before memory is allocated.
        if raw / 1032 > layout.dataByteCount + 64 { throw .truncated }
        let transform = layout.colorProfile(in: bytes, limits: request.limits)?.transform()
        let copy = layout.dataChunkCount > 1 ? layout.dataByteCount : 0
        let (scratch, overflow) = raw.addingReportingOverflow(copy)
        if request.codecs == .fast, !layout.header.isInterlaced, layout.header.bitDepth <= 8,
            !overflow, scratch <= request.workingBytes
        {
            let samples = PNGSamples(layout: layout, bytes: bytes, transform: transform)
            let whole = try unsafe bytes.withUnsafeBufferPointer {
                file throws(DecodeError) -> PixelBuffer? in
                try unsafe decodeWhole(UnsafeRawBufferPointer(file), layout, samples, firstData)
            }
            if var picture = whole {
                if samples.writesStraightPixels { finish(&picture, transform) }
                return picture
            }
        }
        var picture = try PNGLibrary.decode(bytes, layout: layout, firstData: firstData)
        finish(&picture, transform)
        return picture
    }

    /// Converts straight pixels to sRGB and premultiplies them.
    private static func finish(_ picture: inout PixelBuffer, _ transform: ColorTransform?) {
        let count = picture.size.area
        picture.isOpaque = unsafe picture.withUnsafeMutablePixels { pixels in
            unsafe transform?.convert(pixels, pixelCount: count)
            return unsafe Premultiplication.row(pixels, result: pixels, count: count) >> 24 == 255
        }
    }

    /// Inflates all data at once; nil if libdeflate rejects it. libpng then finds the reason.
    private static func decodeWhole(
        _ file: UnsafeRawBufferPointer, _ layout: PNGLayout, _ samples: PNGSamples,
        _ firstData: PNGChunk
    ) throws(DecodeError) -> PixelBuffer? {
        let (header, count) = (layout.header, layout.header.rawByteCount)
        // RGBA rows are converted in place: every inflated row begins after the position to which
        // its pixels are written.
        let isInPlace = header.colorType == .rgba
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
            try unsafe rows.convert(raw, into: pixels)
            return true
        }
        guard isWhole else { return nil }
        picture.isOpaque = rows.isOpaque
        return picture
    }

    /// Inflates all image data chunks; returns false unless they give `count` bytes.
    private static func inflate(
        _ file: UnsafeRawBufferPointer, _ layout: PNGLayout, _ firstData: PNGChunk, _ count: Int,
        to raw: UnsafeMutableRawPointer
    ) throws(DecodeError) -> Bool {
        if layout.dataChunkCount == 1 {
            let source = unsafe UnsafeRawBufferPointer(rebasing: file[firstData.body])
            return unsafe Inflate.exactly(count, from: source, to: raw)
        }
        let source = UnsafeMutableRawBufferPointer.allocate(
            byteCount: layout.dataByteCount, alignment: 16)
        defer { unsafe source.deallocate() }
        try unsafe layout.copyData(of: file, firstData, to: source)
        return unsafe Inflate.exactly(count, from: UnsafeRawBufferPointer(source), to: raw)
    }
}
