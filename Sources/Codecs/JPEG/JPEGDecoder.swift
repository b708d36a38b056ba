import CShims
import Raster

extension ImageFormat {
    /// JPEG: baseline, progressive and arithmetic; grey, colour and CMYK.
    package static let jpeg = ImageFormat(
        "jpeg", fileExtensions: ["jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp"],
        libraries: [
            CodecLibrary("libjpeg-turbo", version: unsafe String(cString: emb_jpeg_version()))
        ],
        reader: CodecName(
            fast: "libjpeg-turbo; emblem at 1/4 and 1/8 size", system: "libjpeg-turbo"),
        output: .jpeg,
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            return reader.big16(0) == 0xFFD8 && (reader.count == 2 || reader.u8(2) == 0xFF)
        },
        header: JPEGDecoder.header, memoryCost: JPEGDecoder.memoryCost,
        storedSize: JPEGDecoder.scaledSize,
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try JPEGDecoder.decode(bytes, header: header, request: request))
        })
}

extension OutputFormat {
    package static let jpeg: OutputFormat = OutputFormat(
        "jpeg", fileExtension: "jpg", defaultQuality: .lossy(85), compression: .lossy,
        hasAlpha: false,
        edgeLimit: 65_500, writer: CodecName("libjpeg-turbo"), pixelBytes: (lossy: 4, lossless: 4),
        encode: { buffer, settings throws(EncodeError) in
            switch settings.quality {
            case .lossy(let quality):
                try JPEGEncoder.encode(buffer, quality: quality, matte: settings.matte)
            case .lossless: throw .unavailable(.jpeg, "JPEG is always lossy")
            }
        },
        isComplete: { bytes, size in EncodedPicture.jpeg(ByteReader(bytes)) == size })
}

/// A decoder for JPEG: baseline, progressive and arithmetic; grey, YCbCr, RGB, CMYK and YCCK.
///
/// Whether a file is damaged depends on its bytes alone, never on the requested size or on
/// `CodecChoice`. The check therefore covers only the parts that every decoder reads. In a
/// progressive file with an end marker, these parts are the DC scans of all components; later scans
/// may be damaged or missing, as in browsers. Without the end marker, every scan must be intact.
package enum JPEGDecoder {
    /// The longest side that libjpeg accepts.
    private static let edgeLimit = 65_500

    /// Reads the marker segments and checks them against the limits.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let markers = try JPEGMarkers(bytes, limits: limits)
        try check(markers, limits: limits)
        let profile = usableProfile(markers)
        return ImageHeader(
            format: .jpeg, codedSize: markers.size, orientation: markers.orientation,
            bitsPerChannel: markers.bitsPerChannel, colorModel: markers.colorModel,
            hasProfile: profile != nil, profileName: profile?.name,
            isProgressive: markers.hasSeveralScans)
    }

    /// Returns the most bytes a decode holds: pixels, and all coefficients if there are several
    /// scans.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        var bytes = scaledSize(for: header, request: request).byteCount
        if header.isProgressive {
            let components = header.colorModel == .grey ? 1 : header.colorModel == .cmyk ? 4 : 3
            bytes = bytes.saturating(plus: header.codedSize.area.saturating(times: 2 * components))
        }
        // Adds the memory of some rows of blocks at full width, of tables, and of the colour
        // transform.
        return bytes.saturating(plus: header.codedSize.width.saturating(times: 4 * 32))
            .saturating(plus: 1 << 20)
    }

    /// Decodes to opaque sRGB pixels as stored, before orientation.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let markers = try JPEGMarkers(bytes, limits: request.limits)
        try check(markers, limits: request.limits)
        let eighths = eighths(for: header, request: request)
        var buffer = PixelBuffer(unwritten: scaled(markers.size, eighths))
        let result = try read(bytes, into: &buffer, eighths: eighths, request: request)
        convert(&buffer, markers: markers, result: result)
        buffer.isOpaque = true
        if eighths < 8 { buffer.shrinkage = Shrinkage(whole: markers.size, block: 8 / eighths) }
        return buffer
    }

    private static func check(
        _ markers: JPEGMarkers, limits: DecodeLimits
    ) throws(DecodeError) {
        try limits.check(markers.size, progressive: markers.hasSeveralScans)
        guard max(markers.size.width, markers.size.height) <= edgeLimit else { throw .limitPixels }
    }

    /// Returns the embedded profile; `nil` if it is broken or describes another colour model. Grey
    /// pixels are decoded to equal red, green and blue, so an RGB profile applies to them, too.
    private static func usableProfile(_ markers: JPEGMarkers) -> ColorProfile? {
        guard !markers.profile.isEmpty,
            let profile = ColorProfile(markers.profile.span, bytesLimit: .max),
            profile.model == markers.colorModel
                || profile.model == .rgb && markers.colorModel == .grey
        else { return nil }
        return profile
    }

    private static func read(
        _ bytes: Span<UInt8>, into buffer: inout PixelBuffer, eighths: Int,
        request: DecodeRequest
    ) throws(DecodeError) -> emb_jpeg_read_result {
        var result = emb_jpeg_read_result()
        let size = buffer.size
        let status = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe buffer.withUnsafeMutablePixels { pixels in
                var call = unsafe emb_jpeg_read_request(
                    bytes: input.baseAddress, length: input.count, eighths: Int32(eighths),
                    width: Int32(size.width), height: Int32(size.height),
                    scans_limit: Int32(clamping: request.limits.jpegScans),
                    library_alone: request.codecs == .system ? 1 : 0)
                return unsafe Int(emb_jpeg_read(&call, pixels, &result))
            }
        }
        switch status {
        case EMB_JPEG_OK: return result
        case EMB_JPEG_TRUNCATED: throw .truncated
        case EMB_JPEG_TOO_MANY_SCANS:
            throw .limitDecode("a JPEG of more than \(request.limits.jpegScans) scans")
        case EMB_JPEG_NO_MEMORY: throw .limitDecode("no memory for a JPEG")
        case EMB_JPEG_UNSUPPORTED: throw .unsupported("this kind of JPEG")
        default: throw .corrupt(message(of: result))
        }
    }

    /// Returns the library's zero-terminated message.
    private static func message(of result: emb_jpeg_read_result) -> String {
        var result = result
        let bytes = unsafe withUnsafeBytes(of: &result.message) { unsafe [UInt8]($0) }
        let text = bytes.prefix { $0 != 0 }
        return text.isEmpty ? "broken JPEG data" : String(decoding: text, as: UTF8.self)
    }

    /// Converts to sRGB, with the embedded profile if its colour model matches.
    private static func convert(
        _ buffer: inout PixelBuffer, markers: JPEGMarkers, result: emb_jpeg_read_result
    ) {
        let count = buffer.size.area
        if result.is_cmyk != 0, result.is_adobe != 0 {
            unsafe buffer.withUnsafeMutablePixels { pixels in
                unsafe CMYKConversion.invert(pixels, pixelCount: count)
            }
        }
        if let transform = usableProfile(markers)?.transform() {
            var pixels = buffer.mutablePixels
            transform.convert(&pixels)
        } else if result.is_cmyk != 0 {
            unsafe buffer.withUnsafeMutablePixels { pixels in
                unsafe CMYKConversion.convert(pixels, pixelCount: count)
            }
        }
    }
}

extension JPEGDecoder {
    /// Returns the scale at which libjpeg decodes, in eighths: 1, 2, 4 or 8.
    ///
    /// This is the smallest scale at which each decoded side is at least `leastRatioTenths` tenths
    /// of the needed side, so that the resampler determines the quality, not the JPEG decoder.
    static func eighths(for header: ImageHeader, request: DecodeRequest) -> Int {
        guard var needed = request.neededSize else { return 8 }
        if header.orientation.transposes { needed = needed.transposed }
        let (width, first) = needed.width.multipliedReportingOverflow(by: leastRatioTenths)
        let (height, second) = needed.height.multipliedReportingOverflow(by: leastRatioTenths)
        guard !first, !second else { return 8 }
        for eighths in [1, 2, 4] {
            let shrinkage = Shrinkage(whole: header.codedSize, block: 8 / eighths)
            // At the right and bottom edges, a pixel may average an incomplete block. The resampler
            // expects such pixels there, so the decoder must not rotate the image.
            guard header.orientation == .up || request.defersOrientation || shrinkage.isEven else {
                continue
            }
            let size = shrinkage.size
            if size.width * 10 >= width, size.height * 10 >= height { return eighths }
        }
        return 8
    }

    static func scaledSize(for header: ImageHeader, request: DecodeRequest) -> PixelSize {
        scaled(header.codedSize, eighths(for: header, request: request))
    }

    /// The least ratio of a decoded side to the needed side, in tenths. Compared with a full decode
    /// and an exact kernel, photographs decoded at 2 to 2.5 times the needed size have a PSNR of 51
    /// to 55 dB on average, and of at least 47 dB. Higher ratios give a higher PSNR.
    static let leastRatioTenths = 20

    /// Returns a size at 1, 2, 4 or 8 eighths, rounded up as in libjpeg.
    static func scaled(_ size: PixelSize, _ eighths: Int) -> PixelSize {
        Shrinkage(whole: size, block: 8 / eighths).size
    }
}

/// The marker segments of a JPEG, parsed here before libjpeg is called.
struct JPEGMarkers {
    var size = PixelSize(width: 0, height: 0)
    var bitsPerChannel = 8
    var componentCount = 0
    /// Whether the image has several scans, so that all coefficients stay in memory.
    var hasSeveralScans = false
    var orientation = Orientation.up
    var hasExif = false
    var profile: [UInt8] = []

    /// Reads the segments up to the first scan; copies only the profile.
    init(_ bytes: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        var chunks = ProfileChunks(bytesLimit: limits.profileBytes)
        let reader = ByteReader(bytes)
        var offset = 2
        while true {
            let marker = try Self.nextMarker(reader, from: &offset)
            switch marker {
            case 0x01, 0xD0...0xD8: continue
            case 0xD9: throw size.width == 0 ? .corrupt("a JPEG without pixels") : .truncated
            default: break
            }
            guard let length = reader.big16(offset) else { throw .truncated }
            guard length >= 2 else { throw .corrupt("a JPEG segment of invalid length") }
            let body = offset + 2
            let end = offset + length
            guard end <= reader.count else { throw .truncated }
            let segment = ByteReader(bytes.extracting(body..<end))
            offset = end
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                try readFrame(segment, marker: marker)
            // A JPEG-LS frame; such files begin like a JPEG.
            case 0xF7 where componentCount == 0: throw .unsupported("JPEG-LS")
            case 0xE1: readExif(segment)
            case 0xE2: chunks.add(segment)
            case 0xDA:
                guard componentCount > 0 else { throw .corrupt("a JPEG scan before its frame") }
                if (segment.u8(0) ?? 0) < componentCount { hasSeveralScans = true }
                profile = chunks.joined()
                return
            default: break
            }
        }
    }

    /// Skips padding and, as every reader does, stray bytes between segments.
    private static func nextMarker(
        _ reader: borrowing ByteReader, from offset: inout Int
    ) throws(DecodeError) -> Int {
        var position = offset
        while let byte = reader.u8(position) {
            position += 1
            guard byte == 0xFF else { continue }
            while reader.u8(position) == 0xFF { position += 1 }
            guard let marker = reader.u8(position) else { break }
            position += 1
            if marker != 0 {
                offset = position
                return marker
            }
        }
        throw .truncated
    }

    private mutating func readFrame(
        _ segment: borrowing ByteReader, marker: Int
    ) throws(DecodeError) {
        guard componentCount == 0 else { throw .corrupt("a JPEG with two frames") }
        guard let bits = segment.u8(0), let height = segment.big16(1),
            let width = segment.big16(3), let count = segment.u8(5),
            segment.count >= 6 + 3 * count
        else { throw .corrupt("a JPEG frame cut short") }
        switch marker {
        case 0xC0, 0xC1, 0xC9: break
        case 0xC2, 0xCA: hasSeveralScans = true
        case 0xC3, 0xCB: throw .unsupported("lossless JPEG")
        default: throw .unsupported("hierarchical JPEG")
        }
        guard bits == 8 else { throw .unsupported("JPEG with \(bits) bits per channel") }
        guard count == 1 || count == 3 || count == 4 else {
            throw count == 0
                ? .corrupt("a JPEG without components")
                : .unsupported("JPEG with \(count) components")
        }
        size = PixelSize(width: width, height: height)
        bitsPerChannel = bits
        componentCount = count
    }

    private mutating func readExif(_ segment: borrowing ByteReader) {
        guard !hasExif, segment.holds("Exif\0\0", at: 0) else { return }
        hasExif = true
        orientation = ExifOrientation.read(segment.bytes)
    }

    var colorModel: ColorModel {
        switch componentCount {
        case 1: .grey
        case 4: .cmyk
        default: .rgb
        }
    }
}

/// A colour profile split over APP2 segments, reassembled by their sequence numbers.
private struct ProfileChunks {
    let bytesLimit: Int
    private var totalBytes = 0
    /// The total number of parts, as stated in each part; 0 before the first part is added.
    private var count = 0
    private var parts: [Int: [UInt8]] = [:]
    private var isBroken = false

    init(bytesLimit: Int) {
        self.bytesLimit = bytesLimit
    }

    mutating func add(_ segment: borrowing ByteReader) {
        guard segment.holds("ICC_PROFILE\0", at: 0), !isBroken else { return }
        guard let number = segment.u8(12), let of = segment.u8(13), number >= 1, number <= of,
            count == 0 || count == of, parts[number] == nil,
            totalBytes + segment.count - 14 <= bytesLimit
        else {
            isBroken = true
            return
        }
        count = of
        totalBytes += segment.count - 14
        parts[number] = segment.bytes.extracting(14..<segment.count).copied()
    }

    /// Returns the whole profile, or nothing if a part is missing or duplicated.
    func joined() -> [UInt8] {
        guard !isBroken, count > 0, parts.count == count else { return [] }
        return (1...count).flatMap { parts[$0] ?? [] }
    }
}
