import Glibc
import Raster
import System

/// The images embedded in a document as `data:` URLs.
///
/// librsvg decodes every pixel of them, so they are checked against the limits first: all images
/// together may have as many pixels as a single image. In a process that decodes untrusted images,
/// librsvg can open only PNG and JPEG, and only if the URL declares the format. Other URLs are
/// therefore rewritten: images in other formats are decoded by this module and written as PNG. A
/// URL without a valid image becomes empty.
enum EmbeddedPictures {
    private static let depthLimit = 4

    /// Returns the document with URLs that librsvg reads on every machine; nil if nothing changes.
    static func write(
        _ text: Span<UInt8>, limits: DecodeLimits, depth: Int, tally: inout PictureTally,
        bytesLimit: Int
    ) throws(DecodeError) -> [UInt8]? {
        var output: [UInt8] = []
        var copied = 0
        var addresses = PictureAddresses(text)
        while let address = addresses.next() {
            let picture = try picture(address, limits: limits, depth: depth, tally: &tally)
            if let picture, picture.canKeepURL { continue }
            output.append(text, copied..<address.value.lowerBound)
            copied = address.value.upperBound
            if let picture {
                output.append(
                    picture.isJPEG ? "data:image/jpeg;base64," : "data:image/png;base64,")
                DataAddress.appendBase64(picture.bytes.span, to: &output)
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

    /// Returns the memory that the images of a document need, according to their headers; an empty
    /// tally if loading the document will fail because of an image.
    static func measure(_ text: Span<UInt8>, limits: DecodeLimits) -> PictureTally {
        var tally = PictureTally()
        var addresses = PictureAddresses(text)
        while let address = addresses.next() {
            guard !address.isInclude, let bytes = address.bytes else { continue }
            tally.textBytes += address.value.count
            do throws(DecodeError) {
                let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
                try tally.add(header, limits)
                if header.format == .svg {
                    tally.recordTemporary(
                        VectorPicture.documentBytes(of: bytes.span, limits: limits))
                }
            } catch .limitDecode {
                return PictureTally()
            } catch {
                continue
            }
        }
        return tally
    }

    /// An embedded image as PNG or JPEG.
    private struct Embedded {
        let bytes: [UInt8]
        var isJPEG = false
        /// Whether the URL can stay unchanged.
        var canKeepURL = false
    }

    /// Returns the image of a URL as PNG or JPEG; nil if there is none.
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
            // Rejects formats whose library is not open in every process.
            guard !format.needsOpening else {
                throw .unsupported("a picture of \(format.name) in an SVG")
            }
            let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
            try tally.add(header, limits)
            if format == .png || format == .jpeg {
                return Embedded(
                    bytes: bytes, isJPEG: format == .jpeg,
                    canKeepURL: address.declaredFormat == format)
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

    /// Draws a nested document at its own size and returns it as PNG.
    private static func drawn(
        _ svg: Span<UInt8>, limits: DecodeLimits, depth: Int, tally: inout PictureTally
    ) throws(DecodeError) -> [UInt8] {
        guard depth < depthLimit else {
            throw .limitDecode("an SVG with more than \(depthLimit) nested documents")
        }
        guard !XMLEncoding.needsModule(svg) else {
            throw .unsupported("an embedded SVG in another encoding")
        }
        let picture = try VectorPicture(
            svg: svg, limits: limits, depth: depth + 1, tally: &tally)
        let header = picture.header
        try tally.add(header, limits)
        return try encoded(try picture.render(at: header.codedSize))
    }

    private static func encoded(_ pixels: borrowing PixelBuffer) throws(DecodeError) -> [UInt8] {
        try rethrowing(ImageEncoder.encode(pixels, EncodeSettings(format: .png))) {
            (error: EncodeError) in
            DecodeError.limitDecode("an embedded picture that cannot be encoded again")
        }
    }
}

/// The total resources of the images in a document.
struct PictureTally {
    private var pixels = 0
    /// The most bytes that decoding one image needs in addition to its surface.
    private var largest = 0
    /// The length of all URLs in the text.
    var textBytes = 0

    /// Adds an image; throws if the total exceeds the limits.
    mutating func add(_ header: ImageHeader, _ limits: DecodeLimits) throws(DecodeError) {
        let area = header.codedSize.area
        pixels = pixels.saturating(plus: area)
        guard (try? header.check(limits)) != nil, pixels <= limits.pixels else {
            throw .limitDecode("an SVG whose pictures exceed the pixel limit")
        }
        // In addition to the surface, decoding holds the rows with alpha, or the coefficients and
        // rows of a progressive JPEG.
        var bytes = area.saturating(times: 4)
        if header.isProgressive {
            let channels = header.colorModel == .cmyk ? 4 : 3
            bytes = area.saturating(times: 2 * channels)
        }
        if header.format != .png, header.format != .jpeg {
            // Images in other formats are decoded by this module and encoded as PNG.
            bytes = max(
                bytes,
                ImageDecoder.memoryCost(
                    of: header, request: DecodeRequest(neededSize: header.codedSize)))
        }
        recordTemporary(bytes)
    }

    /// Records the bytes that decoding one image needs in addition to its surface.
    mutating func recordTemporary(_ bytes: Int) { largest = max(largest, bytes) }

    /// The most bytes held at once: the surfaces of all images, and the memory for decoding one
    /// image at a time. A rewritten text is held several times.
    var bytes: Int {
        pixels.saturating(times: 4).saturating(plus: largest).saturating(plus: 6 * textBytes)
    }
}

/// The `data:` URLs that librsvg would open: images, images in filters, and XInclude documents.
struct PictureAddresses: ~Escapable {
    struct Address {
        /// The range of the value between its quotes.
        let value: Range<Int>
        let isInclude: Bool
        /// The decoded content of the URL.
        let bytes: [UInt8]?
        /// The declared format, if librsvg reads the URL on every machine.
        let declaredFormat: ImageFormat?
    }

    private let text: Span<UInt8>
    private var walker: XMLWalker
    /// The attributes of the last tag that `next` has not returned yet.
    private var unreadAttributes: ArraySlice<XMLWalker.Attribute> = []
    private var isInclude = false

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        self.text = text
        walker = XMLWalker(text)
    }

    mutating func next() -> Address? {
        while true {
            while let attribute = unreadAttributes.popFirst() {
                guard has("href", attribute.name), let address = address(attribute.value) else {
                    continue
                }
                return address
            }
            switch walker.next() {
            case .open(let name, let attributes, _):
                isInclude = has("include", name)
                guard isInclude || has("image", name) || has("feImage", name) else { continue }
                unreadAttributes = attributes[...]
            case .close, .text, .doctype: continue
            case .end, .truncated: return nil
            }
        }
    }

    /// Returns whether the local part of a name equals `word`.
    private func has(_ word: StaticString, _ name: Range<Int>) -> Bool {
        let start = name.upperBound - word.utf8CodeUnitCount
        guard start >= name.lowerBound, text.hasWord(word, at: start) else { return false }
        return start == name.lowerBound || text[start - 1] == UInt8(ascii: ":")
    }

    private func address(_ value: Range<Int>) -> Address? {
        let prefix: (ImageFormat, Int)? =
            text.hasWord("data:image/png;base64,", at: value.lowerBound)
            ? (.png, 22)
            : text.hasWord("data:image/jpeg;base64,", at: value.lowerBound) ? (.jpeg, 23) : nil
        let isStrict =
            prefix.map { DataAddress.isStrict(text, (value.lowerBound + $0.1)..<value.upperBound) }
            ?? false
        let plain = isStrict ? text.array(value) : DataAddress.parsed(text, value)
        guard DataAddress.isData(plain.span) else { return nil }
        return Address(
            value: value, isInclude: isInclude, bytes: DataAddress.bytes(plain.span),
            declaredFormat: isStrict ? prefix?.0 : nil)
    }
}

/// Parses and writes `data:` URLs in attributes.
enum DataAddress {
    /// Returns the URL after XML and URL parsing: character references are resolved, and
    /// surrounding white space and line breaks are removed.
    static func parsed(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var value = text.array(range)
        // A line break in an attribute is a space; a numeric reference to a line break stays.
        for index in value.indices where SVGCharacter.isSpace(value[index]) { value[index] = 0x20 }
        let signs = XMLReference.resolved(value.span, 0..<value.count)
        let whole = signs.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let first = whole.firstIndex { $0 > 0x20 } ?? whole.count
        let last = whole.lastIndex { $0 > 0x20 } ?? first - 1
        return Array(whole[first..<(last + 1)])
    }

    static func isData(_ address: Span<UInt8>) -> Bool {
        address.hasWord("data:", at: 0, anyCase: true)
    }

    /// Returns the content of a URL; nil if there is none.
    static func bytes(_ address: Span<UInt8>) -> [UInt8]? {
        guard isData(address) else { return nil }
        var comma = 5
        while comma < address.count, address[comma] != UInt8(ascii: ",") { comma += 1 }
        guard comma < address.count else { return nil }
        let isPacked = address.contains(";base64", in: 0..<comma, anyCase: true)
        var end = comma + 1
        while end < address.count, address[end] != UInt8(ascii: "#") { end += 1 }
        let body = percentDecoded(address, (comma + 1)..<end)
        return isPacked ? base64(body.span) : body
    }

    private static func percentDecoded(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            if text[index] == UInt8(ascii: "%"), index + 2 < range.upperBound,
                let byte = UInt8(text.string((index + 1)..<(index + 3)), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// Decodes Base64 and skips characters outside the alphabet.
    private static func base64(_ text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for index in 0..<text.count {
            guard let value = value(text[index]) else { continue }
            bits = bits << 6 | value
            count += 1
            if count == 4 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (0, 0)
            }
        }
        if count > 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 10)) }
        if count > 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 2)) }
        if count == 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        return bytes
    }

    /// Returns whether a range contains only Base64 in whole groups of four characters, and white
    /// space.
    static func isStrict(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var (signs, padding) = (0, 0)
        for index in range where !SVGCharacter.isSpace(text[index]) {
            if text[index] == UInt8(ascii: "=") {
                padding += 1
            } else {
                guard padding == 0, value(text[index]) != nil else { return false }
                signs += 1
            }
        }
        return padding <= 2 && (signs + padding) % 4 == 0
    }

    /// Returns the six bits of a Base64 character; nil for other characters.
    @inline(__always)
    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - 65)
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - 71)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte + 4)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    static func appendBase64(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        output.reserveCapacity(output.count + (bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let left = bytes.count - start
            let bits =
                Int(bytes[start]) << 16 | (left > 1 ? Int(bytes[start + 1]) << 8 : 0)
                | (left > 2 ? Int(bytes[start + 2]) : 0)
            output.append(character(bits >> 18))
            output.append(character(bits >> 12))
            output.append(left > 1 ? character(bits >> 6) : UInt8(ascii: "="))
            output.append(left > 2 ? character(bits) : UInt8(ascii: "="))
        }
    }

    /// Returns the Base64 character of the lowest six bits.
    @inline(__always)
    private static func character(_ bits: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 63)
        switch value {
        case 0..<26: return value + UInt8(ascii: "A")
        case 26..<52: return value - 26 + UInt8(ascii: "a")
        case 52..<62: return value - 52 + UInt8(ascii: "0")
        default: return value == 62 ? UInt8(ascii: "+") : UInt8(ascii: "/")
        }
    }
}

/// The address space that system limits leave to this process.
enum AddressSpace {
    /// Throws if this many bytes cannot be allocated.
    ///
    /// librsvg silently omits an image for which there is no memory. The check maps the range and
    /// unmaps it at once; it uses no memory.
    static func check(_ bytes: Int) throws(DecodeError) {
        guard bytes > 0 else { return }
        let range = unsafe mmap(
            nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let range = unsafe range, unsafe range != MAP_FAILED else {
            throw .limitDecode("no memory for the pictures in an SVG")
        }
        unsafe munmap(range, bytes)
    }
}
