import Raster

package enum ImageDecoder {
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits = DecodeLimits()
    ) throws(DecodeError) -> ImageHeader {
        switch ImageSniffer.sniff(bytes) {
        case .picture(let format): return try format.header(bytes, limits)
        case .known(let name): throw .unsupported(name)
        case .unknown: throw .notImage
        }
    }

    /// Reads as much of the header as takes no library, so that a process outside a sandbox can plan
    /// the decoding: no colour profile, and of an SVG only the memory for loading it, or `Int.max`
    /// if that takes a library, too.
    package static func outline(
        of bytes: Span<UInt8>
    ) throws(DecodeError) -> (header: ImageHeader, headerBytes: Int) {
        guard case .picture(let format) = ImageSniffer.sniff(bytes), format.isVector else {
            return (try header(of: bytes, limits: .outline), 0)
        }
        let header = ImageHeader(format: format, codedSize: PixelSize(width: 1, height: 1))
        return (header, VectorPicture.outlineBytes(of: bytes))
    }

    /// Reads the header. For an SVG this loads the drawing, which is returned with the header, so
    /// that `decode` need not load it again.
    package static func open(
        _ bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> (header: ImageHeader, drawing: OpenedDrawing?) {
        guard case .picture(let format) = ImageSniffer.sniff(bytes), format.isVector else {
            return (try header(of: bytes, limits: limits), nil)
        }
        let drawing = try VectorPicture(svg: bytes, limits: limits)
        let header = drawing.header
        return (header, OpenedDrawing(drawing, limits))
    }

    /// Returns the most bytes that `header` allocates; 0 if they are negligible.
    package static func headerBytes(of bytes: Span<UInt8>, limits: DecodeLimits) -> Int {
        guard case .picture(let format) = ImageSniffer.sniff(bytes) else { return 0 }
        return format.headerBytes(bytes, limits)
    }

    /// Returns the most bytes that `decode` holds at once, its result included.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let cost = header.format.memoryCost(header, request)
        guard header.orientation != .up, !request.defersOrientation else { return cost }
        // Rotating the result needs two copies of it; the decoder's own memory is released by then.
        let (twice, overflow) = header.format.storedSize(header, request).byteCount
            .multipliedReportingOverflow(by: 2)
        return overflow ? .max : max(cost, twice)
    }

    /// Decodes an image whose header was read from the same bytes.
    ///
    /// - Parameter opened: the drawing loaded with the header, which is not loaded again.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest,
        opened: OpenedDrawing? = nil
    ) throws(DecodeError) -> Picture {
        if let opened, let drawing = opened.take(for: request.limits) { return .vector(drawing) }
        switch try header.format.decode(bytes, header, request) {
        case .vector(let drawing): return .vector(drawing)
        case .raster(var pixels):
            guard request.defersOrientation else {
                return .raster(pixels.oriented(by: header.orientation))
            }
            pixels.pendingOrientation = header.orientation
            return .raster(pixels)
        }
    }
}

/// A decoded image: pixels, or a drawing that is rendered at each requested size.
package enum Picture: ~Copyable {
    /// Premultiplied sRGB pixels, already rotated unless `pendingOrientation` is set.
    case raster(PixelBuffer)
    case vector(VectorPicture)
}

package struct DecodeRequest: Hashable, Sendable {
    package var limits: DecodeLimits
    /// The largest size, after orientation, to which the image will be resampled; `nil` requests
    /// every pixel. A decoder reduces the image only if that does not lose quality.
    package var neededSize: PixelSize?
    /// Whether the decoder leaves the orientation to the resampler, which then rotates the smaller
    /// result. The decoder records it in `PixelBuffer.pendingOrientation`.
    package var defersOrientation: Bool
    /// The bytes that a decode may hold in addition to its result. A decoder that would need more
    /// uses a slower method that needs less.
    package var workingBytes: Int
    package var codecs: CodecChoice

    package init(
        limits: DecodeLimits = DecodeLimits(), neededSize: PixelSize? = nil,
        defersOrientation: Bool = false,
        workingBytes: Int = 256 << 20, codecs: CodecChoice = .fast
    ) {
        self.limits = limits
        self.neededSize = neededSize
        self.defersOrientation = defersOrientation
        self.workingBytes = workingBytes
        self.codecs = codecs
    }
}

package struct DecodeLimits: Hashable, Sendable {
    /// The most pixels that a header may declare.
    package var pixels: Int
    /// The most pixels of a progressive JPEG, whose coefficients stay in memory at any scale: half
    /// of `pixels`, but at least 25 million.
    package var progressivePixels: Int
    /// The longest side in pixels.
    package var edge: Int
    /// The longest colour profile that is read, in bytes; a longer profile is ignored.
    package var profileBytes: Int
    /// The longest SVG in bytes, after decompression.
    package var svgBytes: Int
    package var jpegScans: Int

    package init(
        pixels: Int = 50_000_000, progressivePixels: Int? = nil, edge: Int = 1_000_000,
        profileBytes: Int = 4 << 20, svgBytes: Int = 10 << 20, jpegScans: Int = 100
    ) {
        self.pixels = pixels
        self.progressivePixels = progressivePixels ?? max(pixels / 2, 25_000_000)
        self.edge = edge
        self.profileBytes = profileBytes
        self.svgBytes = svgBytes
        self.jpegScans = jpegScans
    }

    /// Throws `corrupt` if a side is not positive and `limitPixels` if the size is too large.
    package func check(_ size: PixelSize, progressive: Bool = false) throws(DecodeError) {
        guard size.width > 0, size.height > 0 else {
            throw .corrupt("a picture without pixels")
        }
        guard size.width <= edge, size.height <= edge,
            size.area <= (progressive ? min(pixels, progressivePixels) : pixels),
            size.byteCount < .max
        else { throw .limitPixels }
    }
}

package enum DecodeError: Error, Hashable, Sendable {
    /// The bytes are empty or not in a recognised image format.
    case notImage
    /// A recognised format or variant that is not supported; the text names it.
    case unsupported(String)
    case truncated
    /// The data breaks the rules of its format; the text says which.
    case corrupt(String)
    /// The header declares more pixels, or a longer side, than the limits allow.
    case limitPixels
    /// Decoding would exceed another limit; the text names it.
    case limitDecode(String)
}

extension DecodeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notImage: "The bytes are not a known image format."
        case .unsupported(let what): "This kind of picture is not supported: \(what)."
        case .truncated: "The data ends before the last pixel; load it again."
        case .corrupt(let what): "The picture is damaged: \(what)."
        case .limitPixels:
            "The picture declares more pixels than --max-pixels allows. A progressive JPEG may "
                + "declare half as many, because all its coefficients stay in memory; raise "
                + "--max-pixels to decode it."
        case .limitDecode(let what): "Decoding would exceed a limit: \(what)."
        }
    }
}

package enum ColorModel: String, CaseIterable, Hashable, Sendable {
    case grey, rgb, cmyk, palette
}

/// The properties of an image, known before any pixel is decoded.
package struct ImageHeader: Sendable {
    package var format: ImageFormat
    /// The size of the stored pixels, before orientation.
    package var codedSize: PixelSize
    package var orientation: Orientation
    package var hasAlpha: Bool
    package var bitsPerChannel: Int
    package var colorModel: ColorModel
    /// Whether the file has a complete colour profile within the size limit.
    package var hasProfile: Bool
    /// The text of the profile's description tag.
    package var profileName: String?
    package var isProgressive: Bool
    package var isAnimated: Bool
    /// The most bytes that decoding holds at once, if the other fields do not determine it; else 0.
    package var decodingBytes: Int
    /// The size after orientation, not rounded; differs from `size` only for vectors.
    package var exactSize: (width: Double, height: Double)

    package init(
        format: ImageFormat, codedSize: PixelSize, orientation: Orientation = .up,
        hasAlpha: Bool = false, bitsPerChannel: Int = 8, colorModel: ColorModel = .rgb,
        hasProfile: Bool = false, profileName: String? = nil, isProgressive: Bool = false,
        isAnimated: Bool = false, decodingBytes: Int = 0,
        exactSize: (width: Double, height: Double)? = nil
    ) {
        self.format = format
        self.codedSize = codedSize
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.bitsPerChannel = bitsPerChannel
        self.colorModel = colorModel
        self.hasProfile = hasProfile
        self.profileName = profileName
        self.isProgressive = isProgressive
        self.isAnimated = isAnimated
        self.decodingBytes = decodingBytes
        let turned = orientation.transposes ? codedSize.transposed : codedSize
        self.exactSize = exactSize ?? (Double(turned.width), Double(turned.height))
    }

    package var size: PixelSize { orientation.transposes ? codedSize.transposed : codedSize }
}

extension DecodeLimits {
    /// Limits that accept every size, for describing an image that would be rejected.
    package static let headerOnly = DecodeLimits(
        pixels: .max, progressivePixels: .max, edge: .max)

    /// Limits that accept every size and no colour profile. Headers are then read by the code of
    /// this module alone, without a library.
    package static let outline = DecodeLimits(
        pixels: .max, progressivePixels: .max, edge: .max, profileBytes: 0)

    /// Whether colour profiles are read.
    var readsProfiles: Bool { profileBytes > 0 }
}

extension ImageHeader {
    /// Checks the declared size. A vector always passes; it is rendered at the requested size.
    package func check(_ limits: DecodeLimits) throws(DecodeError) {
        guard !format.isVector else { return }
        try limits.check(codedSize, progressive: format == .jpeg && isProgressive)
    }
}
