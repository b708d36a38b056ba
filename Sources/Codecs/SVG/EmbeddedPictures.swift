import Notation
import Raster
import System

/// The images embedded in a document as `data:` URLs, found by a search of its bytes.
///
/// librsvg decodes every pixel of them, so all images together may have as many pixels as a single
/// image. In a worker librsvg can open only PNG and JPEG, and only under their media types. An
/// image in another format is therefore decoded by this module and embedded again as PNG; a URL
/// without a valid image becomes empty. URLs in entities or with character references in their
/// scheme are not found; the limits of the worker process bound them.
struct EmbeddedPictures {
    /// The number of enclosing documents.
    private var depth = 0
    private var pixels = 0
    /// The most bytes that decoding one image needs in addition to its surface.
    private var largestBytes = 0
    /// The length of all URLs in the text.
    private(set) var textBytes = 0

    private static let depthLimit = 4

    /// The most bytes held at once: the surfaces of all images, and the memory for decoding one
    /// image at a time. A replaced text is held several times.
    var bytes: Int {
        pixels.saturating(times: 4).saturating(plus: largestBytes).saturating(plus: 6 * textBytes)
    }

    /// Measures the images by their headers. The result is empty if loading the document will fail
    /// because of an image.
    init(measuring text: Span<UInt8>, _ limits: DecodeLimits) {
        var index = 0
        while let range = Self.address(in: text, from: index) {
            index = range.upperBound
            textBytes += range.count
            guard let bytes = Self.content(of: text.extracting(range))?.bytes else { continue }
            do throws(DecodeError) {
                let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
                try add(header, limits)
                guard header.format == .svg else { continue }
                largestBytes = max(
                    largestBytes, VectorPicture.documentBytes(of: bytes.span, limits: limits))
            } catch .limitDecode {
                self = EmbeddedPictures()
                return
            } catch {
                continue
            }
        }
    }

    init() {}

    /// Checks all images against the limits, and returns the document with the URLs that librsvg
    /// can open; nil if nothing changes.
    mutating func replace(
        in text: Span<UInt8>, _ limits: DecodeLimits
    ) throws(DecodeError) -> [UInt8]? {
        var output: [UInt8] = []
        var copied = 0
        var index = 0
        while let range = Self.address(in: text, from: index) {
            index = range.upperBound
            guard let address = try replacement(of: text.extracting(range), limits) else {
                continue
            }
            output += text.array(copied..<range.lowerBound) + address.utf8
            copied = range.upperBound
            guard output.count <= limits.svgBytes.saturating(times: 2) else {
                throw .limitDecode("an SVG with large embedded pictures")
            }
        }
        return copied > 0 ? output + text.array(copied..<text.count) : nil
    }

    /// Returns the URL to embed instead; nil if librsvg can open the image under this URL.
    private mutating func replacement(
        of address: Span<UInt8>, _ limits: DecodeLimits
    ) throws(DecodeError) -> String? {
        guard let (type, bytes) = Self.content(of: address) else { return "data:," }
        let format: ImageFormat
        switch ImageSniffer.sniff(bytes.span) {
        case .picture(let found): format = found
        case .known(let name): throw .unsupported("a picture of \(name) in an SVG")
        case .unknown: return "data:,"
        }
        // Only some processes have the libraries of these formats open.
        guard !format.needsOpening || format == .svg else {
            throw .unsupported("a picture of \(format.name) in an SVG")
        }
        do throws(DecodeError) {
            if format == .svg { return Self.address(of: try draw(bytes.span, limits)) }
            let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
            try add(header, limits)
            if format == .png || format == .jpeg {
                return type == format.mediaType
                    ? nil : "data:\(format.mediaType);base64,\(Base64.encode(bytes.span))"
            }
            let request = DecodeRequest(limits: limits)
            switch try ImageDecoder.decode(bytes.span, header: header, request: request) {
            case .raster(let pixels): return Self.address(of: try Self.encoded(pixels))
            case .vector: return "data:,"
            }
        } catch {
            switch error {
            case .limitDecode, .limitPixels, .unsupported: throw error
            case .notImage, .truncated, .corrupt: return "data:,"
            }
        }
    }

    /// Draws a nested document at its own size and returns it as PNG.
    private mutating func draw(
        _ svg: Span<UInt8>, _ limits: DecodeLimits
    ) throws(DecodeError) -> [UInt8] {
        guard depth < Self.depthLimit else {
            throw .limitDecode("an SVG with more than \(Self.depthLimit) nested documents")
        }
        depth += 1
        defer { depth -= 1 }
        let picture = try VectorPicture(svg: svg, limits: limits, pictures: &self)
        let header = picture.header
        try add(header, limits)
        return try Self.encoded(try picture.render(at: header.codedSize))
    }

    private mutating func add(
        _ header: ImageHeader, _ limits: DecodeLimits
    ) throws(DecodeError) {
        let area = header.codedSize.area
        pixels = pixels.saturating(plus: area)
        guard (try? header.check(limits)) != nil, pixels <= limits.pixels else {
            throw .limitDecode("an SVG whose pictures exceed the pixel limit")
        }
        // The rows with alpha, or the coefficients of a progressive JPEG.
        let request = DecodeRequest(neededSize: header.codedSize)
        largestBytes = max(
            largestBytes, area.saturating(times: header.isProgressive ? 8 : 4),
            ImageDecoder.memoryCost(of: header, request: request))
    }

    private static func encoded(_ pixels: borrowing PixelBuffer) throws(DecodeError) -> [UInt8] {
        try rethrowing(ImageEncoder.encode(pixels, EncodeSettings(format: .png))) {
            (error: EncodeError) in
            DecodeError.limitDecode("an embedded picture that cannot be encoded again")
        }
    }

    private static func address(of png: [UInt8]) -> String {
        "data:image/png;base64,\(Base64.encode(png.span))"
    }

    /// Returns the next value of an `href` attribute that is a `data:` URL, without its quotes.
    static func address(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
        for index in start..<text.count where text[index] | 0x20 == UInt8(ascii: "d") {
            guard text.hasWord("data:", at: index, anyCase: true),
                let quote = openingQuote(in: text, before: index)
            else { continue }
            var end = index
            while end < text.count, text[end] != quote { end += 1 }
            return index..<end
        }
        return nil
    }

    private static func openingQuote(in text: Span<UInt8>, before index: Int) -> UInt8? {
        var start = index
        func skipSpace() { while start > 0, SVGCharacter.isSpace(text[start - 1]) { start -= 1 } }
        skipSpace()
        guard start > 0,
            text[start - 1] == UInt8(ascii: "\"") || text[start - 1] == UInt8(ascii: "'")
        else { return nil }
        let quote = text[start - 1]
        start -= 1
        skipSpace()
        guard start > 0, text[start - 1] == UInt8(ascii: "=") else { return nil }
        start -= 1
        skipSpace()
        return text.hasWord("href", at: start - 4) ? quote : nil
    }

    /// Returns the media type and the content of a URL; nil if it is malformed.
    private static func content(of address: Span<UInt8>) -> (type: String, bytes: [UInt8])? {
        var comma = 5
        while comma < address.count, address[comma] != UInt8(ascii: ",") { comma += 1 }
        guard comma < address.count, comma < 256 else { return nil }
        let head = address.string(5..<comma).lowercased().filter { !$0.isWhitespace }
        var body = address.array((comma + 1)..<address.count)
        // Drawing programs write line breaks as character references.
        if body.contains(UInt8(ascii: "&")) {
            var isReference = false
            body.removeAll { byte in
                if byte == UInt8(ascii: "&") { isReference = true }
                defer { if byte == UInt8(ascii: ";") { isReference = false } }
                return isReference
            }
        }
        if body.contains(UInt8(ascii: "%")) { body = PercentCoding.decoded(body.span) }
        let type = String(head.prefix { $0 != ";" })
        guard head.hasSuffix(";base64") else { return (type, body) }
        return (try? Base64.decode(body.span, manner: .lenient)).map { (type, $0) }
    }
}
