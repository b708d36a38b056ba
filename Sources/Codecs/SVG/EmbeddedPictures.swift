import Raster

/// The pictures inside of a document, as `data:` addresses.
///
/// librsvg decodes them whole, whatever they declare, so they are held against the limits before: the
/// pixels of all of them together are what one picture may have. Of what it opens by modules of the
/// system, a process that decodes strangers' pictures has only PNG and JPEG; so every address is
/// written anew as one of these, decoded by the decoders of this library where it is another format.
/// What is no picture gets an
/// empty address.
enum EmbeddedPictures {
    /// The deepest document in a document.
    private static let depthLimit = 4

    /// The document with each address as librsvg reads it everywhere; nil where all of them are.
    static func write(
        _ text: Span<UInt8>, limits: DecodeLimits, depth: Int, tally: inout PictureTally,
        bytesLimit: Int
    ) throws(DecodeError) -> [UInt8]? {
        var output: [UInt8] = []
        var copied = 0
        var addresses = PictureAddresses(text)
        while let address = addresses.next() {
            let picture = try picture(address, limits: limits, depth: depth, tally: &tally)
            if let picture, picture.isAsSaid { continue }
            output.append(text, copied..<address.value.lowerBound)
            copied = address.value.upperBound
            if let picture {
                output.append(
                    picture.isJPEG ? "data:image/jpeg;base64," : "data:image/png;base64,")
                DataAddress.append(picture.bytes.span, to: &output)
            } else if !address.isInclude {
                output.append("data:,")
            }
            guard output.count <= bytesLimit else {
                throw .limitDecode("an SVG that grows to more than \(bytesLimit) bytes")
            }
        }
        guard copied > 0 else { return nil }
        output.append(text, copied..<text.count)
        return output
    }

    /// What the pictures of a document take, as far as their headers tell; none where one of them
    /// stands in the way of the document.
    static func weigh(_ text: Span<UInt8>, limits: DecodeLimits) -> PictureTally {
        var tally = PictureTally()
        var addresses = PictureAddresses(text)
        while let address = addresses.next() {
            guard !address.isInclude, let bytes = address.bytes else { continue }
            tally.textBytes += address.value.count
            do throws(DecodeError) {
                let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
                try tally.add(header, limits)
                if header.format == .svg {
                    tally.within(VectorPicture.documentBytes(of: bytes.span, limits: limits))
                }
            } catch .limitDecode {
                return PictureTally()
            } catch {
                continue
            }
        }
        return tally
    }

    private struct Embedded {
        let bytes: [UInt8]
        var isJPEG = false
        /// It may stay as it stands.
        var isAsSaid = false
    }

    /// The picture behind an address, as PNG or JPEG; nil where there is none to be shown.
    private static func picture(
        _ address: PictureAddresses.Address, limits: DecodeLimits, depth: Int,
        tally: inout PictureTally
    ) throws(DecodeError) -> Embedded? {
        guard !address.isInclude, let bytes = address.bytes else { return nil }
        let format: ImageFormat
        switch ImageSniffer.sniff(bytes.span) {
        case .picture(let found): format = found
        case .known(let name): throw .unsupported("a picture of \(name) in an SVG")
        case .unknown: return nil
        }
        do throws(DecodeError) {
            if format == .svg {
                let drawn = try drawn(bytes.span, limits: limits, depth: depth, tally: &tally)
                return Embedded(bytes: drawn)
            }
            // Its library is not in every process.
            guard !format.needsOpening else {
                throw .unsupported("a picture of \(format.name) in an SVG")
            }
            let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
            try tally.add(header, limits)
            if format == .png || format == .jpeg {
                return Embedded(
                    bytes: bytes, isJPEG: format == .jpeg, isAsSaid: address.saidFormat == format)
            }
            let request = DecodeRequest(limits: limits)
            switch try ImageDecoder.decode(bytes.span, header: header, request: request) {
            case .raster(let pixels): return Embedded(bytes: try encoded(pixels))
            case .vector: return nil
            }
        } catch {
            switch error {
            case .limitDecode, .limitPixels, .unsupported: throw error
            case .notImage, .truncated, .corrupt: return nil
            }
        }
    }

    /// A document in a document, drawn at its own size.
    private static func drawn(
        _ svg: Span<UInt8>, limits: DecodeLimits, depth: Int, tally: inout PictureTally
    ) throws(DecodeError) -> [UInt8] {
        guard depth < depthLimit else {
            throw .limitDecode("an SVG with more than \(depthLimit) nested documents")
        }
        guard !XMLEncoding.needsTable(svg) else {
            throw .unsupported("an embedded SVG in another encoding")
        }
        let picture = try VectorPicture(
            svg: svg, limits: limits, depth: depth + 1, tally: &tally)
        let header = picture.header
        try tally.add(header, limits)
        return try encoded(try picture.render(at: header.codedSize))
    }

    private static func encoded(_ pixels: borrowing PixelBuffer) throws(DecodeError) -> [UInt8] {
        do throws(EncodeError) {
            return try ImageEncoder.encode(pixels, EncodeSettings(format: .png))
        } catch {
            throw .limitDecode("an embedded picture that cannot be encoded again")
        }
    }
}

/// What the pictures of one document come to.
struct PictureTally {
    private var pixels = 0
    /// What the hungriest of them takes until it is a surface.
    private var largest = 0
    /// How much of the document's text their addresses are.
    var textBytes = 0

    /// Counts a picture, or refuses it.
    mutating func add(_ header: ImageHeader, _ limits: DecodeLimits) throws(DecodeError) {
        let area = header.codedSize.area
        pixels = pixels.saturating(plus: area)
        let isLegal: Bool
        do throws(DecodeError) {
            try header.check(limits)
            isLegal = pixels <= limits.pixels
        } catch {
            isLegal = false
        }
        guard isLegal else {
            throw .limitDecode("an SVG whose pictures exceed the pixel limit")
        }
        // Beside its surface: rows with alpha, or coefficients and rows.
        var bytes = area.saturating(times: 4)
        if header.isProgressive {
            let channels = header.colorModel == .cmyk ? 4 : 3
            bytes = area.saturating(times: 2 * channels)
        }
        if header.format != .png, header.format != .jpeg {
            // Decoded here, and written anew.
            bytes = max(
                bytes,
                ImageDecoder.memoryCost(
                    of: header, request: DecodeRequest(neededSize: header.codedSize)))
        }
        within(bytes)
    }

    /// Some picture takes so much for a while.
    mutating func within(_ bytes: Int) { largest = max(largest, bytes) }

    /// The most bytes held at once: every surface stays, and one picture is made into one. A text
    /// that is written anew is held some times over.
    var bytes: Int {
        pixels.saturating(times: 4).saturating(plus: largest).saturating(plus: 6 * textBytes)
    }
}
