import CShims
import Raster

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
