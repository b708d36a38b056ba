import Raster

/// The items of a HEIF or AVIF file, read from its `meta` box before the library opens the file
/// (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12).
struct HEIFItems {
    /// The fields of an item that determine its size and cost.
    struct Item {
        var kind = 0
        var size: PixelSize?
        /// Whether the size follows a rotation by 90° in the list of properties.
        var hasSizeAfterRotation = false
        var bits = 8
        /// The crops, rotations and mirrors of the item, in order.
        var transforms: [Transform] = []
        var isAlpha = false
        /// The offset of the item's first extent, in the `idat` box or in the file.
        var extent: (isInline: Bool, offset: Int)?
    }

    enum Transform {
        case orient(Orientation)
        /// A clean aperture: its width and height, and the offsets of its centre to the right and
        /// down (ISO/IEC 14496-12, 12.1.4).
        case crop([(numerator: Int, denominator: Int)])
    }

    /// A reference from an item to other items (`iref`).
    struct Link {
        let kind: Int
        let from: Int
        let to: [Int]
    }

    private enum Property {
        case size(PixelSize)
        case bits(Int)
        case transform(Transform)
        case alpha, other
    }

    /// A box (ISO/IEC 14496-12, 4.2).
    private struct Box {
        /// The four-character type as a number.
        let kind: Int
        let start: Int
        let body: Range<Int>
    }

    private(set) var primary: Int?
    private(set) var links: [Link] = []
    /// Replacement bytes for data that libheif 1.15 rejects or applies incorrectly.
    private(set) var replacementBytes: [(offset: Int, value: UInt8)] = []
    /// The length of the boxes; data after the last box does not belong to the image.
    private(set) var byteCount = 0
    /// The longest side in any property.
    private(set) var edge = 0
    private var items: [Int: Item] = [:]
    /// The item data inside the `meta` box (`idat`).
    private var inlineData: Range<Int>?
    private var properties: [Property] = []
    private var seen: Set<Int> = []

    /// The reference types for which libheif 1.15 accepts only one target.
    private static let singleTargets = [fourCC("cdsc"), fourCC("auxl"), fourCC("thmb")]

    /// Reads the boxes and checks every size in them against the limits.
    init(_ reader: ByteReader, limits: DecodeLimits) throws(DecodeError) {
        var (hasItems, hasMovie, offset) = (false, false, 0)
        do throws(DecodeError) {
            while let box = try next(reader, at: &offset, end: reader.count, isFile: true) {
                hasMovie = hasMovie || box.kind == fourCC("moov")
                guard box.kind == fourCC("meta") else { continue }
                guard !hasItems else { throw .corrupt("a HEIF with two item lists") }
                try readMeta(reader, box, limits)
                hasItems = true
            }
        } catch {
            // Some programs append other data to a file.
            guard hasItems, error != .corrupt("a HEIF with two item lists") else { throw error }
        }
        byteCount = min(offset, reader.count)
        // A file lists its items before the pixels; without them it is truncated.
        guard !hasMovie || hasItems else { throw .unsupported("a sequence without a still image") }
        guard hasItems else { throw .truncated }
    }

    subscript(id: Int) -> Item? { items[id] }

    /// Returns the targets of an item's references of this kind.
    func targets(of id: Int, _ kind: StaticString) -> [Int] {
        links.first { $0.from == id && $0.kind == fourCC(kind) }?.to ?? []
    }

    /// Returns the file offset of an item's data.
    func start(of item: Item) -> Int? {
        guard let (isInline, offset) = item.extent else { return nil }
        guard isInline else { return offset }
        return inlineData.map { min($0.lowerBound &+ offset, $0.upperBound) }
    }

    /// Returns the next box and moves the offset to its end; returns `nil` at the end. Throws
    /// `truncated` for a box past the end of the file, except for pixel data, whose absence the
    /// library reports.
    private mutating func next(
        _ reader: ByteReader, at offset: inout Int, end: Int, isFile: Bool = false
    ) throws(DecodeError) -> Box? {
        guard offset < end else { return nil }
        guard let declared = reader.big32(offset), let kind = reader.big32(offset + 4) else {
            throw .truncated
        }
        var (head, length) = (8, declared)
        if declared == 1 {
            guard let high = reader.big32(offset + 8), let low = reader.big32(offset + 12),
                high == 0
            else { throw .truncated }
            (head, length) = (16, low)
        } else if declared == 0, end - offset <= Int(UInt32.max) {
            // The length of a last box may be left open (0), which libheif 1.15 does not support.
            length = end - offset
            for byte in 0..<4 where isFile {
                let value = UInt8(truncatingIfNeeded: length >> (24 - 8 * byte))
                replacementBytes.append((offset + byte, value))
            }
        }
        guard length >= head else { throw .corrupt("a box of invalid length") }
        let stop = offset + length
        guard stop <= end || isFile && kind == fourCC("mdat") else {
            throw stop > reader.count
                ? .truncated : .corrupt("a box that ends outside its parent")
        }
        defer { offset = stop }
        return Box(kind: kind, start: offset, body: offset + head..<stop)
    }

    private mutating func readMeta(
        _ reader: ByteReader, _ meta: Box, _ limits: DecodeLimits
    ) throws(DecodeError) {
        var offset = meta.body.lowerBound + 4
        while let box = try next(reader, at: &offset, end: meta.body.upperBound) {
            let kinds = ["pitm", "iinf", "iloc", "iref", "iprp", "idat"] as [StaticString]
            guard kinds.contains(where: { fourCC($0) == box.kind }) else { continue }
            // If a box occurs twice, two parsers could read different boxes.
            guard seen.insert(box.kind).inserted else {
                throw .corrupt("a HEIF with a duplicate entry")
            }
            var fields = HEIFFields(reader, box.body)
            switch box.kind {
            case fourCC("iprp"): try readProperties(reader, box, limits)
            case fourCC("idat"): inlineData = box.body
            default:
                let version = fields.next(1) ?? 0
                fields.skip(3)
                switch box.kind {
                case fourCC("pitm"): primary = fields.next(version == 0 ? 2 : 4)
                case fourCC("iinf"):
                    fields.skip(version == 0 ? 2 : 4)
                    try readItemTypes(reader, from: fields.offset, box)
                case fourCC("iloc"): readLocations(&fields, version)
                default: try readLinks(reader, from: fields.offset, box, version)
                }
            }
        }
    }

    private mutating func readItemTypes(
        _ reader: ByteReader, from start: Int, _ box: Box
    ) throws(DecodeError) {
        var offset = start
        while let entry = try next(reader, at: &offset, end: box.body.upperBound) {
            var fields = HEIFFields(reader, entry.body)
            let version = fields.next(1) ?? 0
            fields.skip(3)
            guard entry.kind == fourCC("infe"), version >= 2,
                let id = fields.next(version == 3 ? 4 : 2), fields.next(2) != nil,
                let kind = fields.next(4)
            else { continue }
            items[id, default: Item()].kind = kind
        }
    }

    private mutating func readLinks(
        _ reader: ByteReader, from start: Int, _ box: Box, _ version: Int
    ) throws(DecodeError) {
        let wide = version == 0 ? 2 : 4
        var offset = start
        while let list = try next(reader, at: &offset, end: box.body.upperBound) {
            var fields = HEIFFields(reader, list.body)
            let early = DecodeError.corrupt("a list of references that ends early")
            guard let from = fields.next(wide), let count = fields.next(2) else { throw early }
            var to: [Int] = []
            for _ in 0..<count {
                guard let id = fields.next(wide) else { throw early }
                to.append(id)
            }
            links.append(Link(kind: list.kind, from: from, to: to))
            // libheif 1.15 rejects a file in which one of these references has several targets, as
            // in photos of iOS 18. The image does not need them, so their type is replaced by an
            // unknown one.
            if count > 1, Self.singleTargets.contains(list.kind) {
                for (index, byte) in "free".utf8.enumerated() {
                    replacementBytes.append((list.start + 4 + index, byte))
                }
            }
        }
    }

    private mutating func readLocations(_ fields: inout HEIFFields, _ version: Int) {
        let idBytes = version == 2 ? 4 : 2
        guard let sizes = fields.next(2), let count = fields.next(idBytes) else { return }
        let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexBytes = version == 0 ? 0 : sizes & 15
        for _ in 0..<count {
            guard let id = fields.next(idBytes),
                let method = fields.next(version > 0 ? 2 : 0), fields.next(2) != nil,
                let base = fields.next(baseBytes), let pieces = fields.next(2)
            else { return }
            let rest = fields
            if pieces > 0, fields.next(indexBytes) != nil, let offset = fields.next(offsetBytes),
                fields.next(lengthBytes) != nil
            {
                items[id, default: Item()].extent = (method & 15 == 1, base &+ offset)
            }
            fields = rest
            fields.skip(pieces * (indexBytes + offsetBytes + lengthBytes))
        }
    }

    private mutating func readProperties(
        _ reader: ByteReader, _ box: Box, _ limits: DecodeLimits
    ) throws(DecodeError) {
        var offset = box.body.lowerBound
        while let child = try next(reader, at: &offset, end: box.body.upperBound) {
            if child.kind == fourCC("ipco") {
                var start = child.body.lowerBound
                while let value = try next(reader, at: &start, end: child.body.upperBound) {
                    properties.append(
                        try property(value.kind, HEIFFields(reader, value.body), limits))
                }
            } else if child.kind == fourCC("ipma") {
                assign(HEIFFields(reader, child.body))
            }
        }
    }

    private mutating func property(
        _ kind: Int, _ given: HEIFFields, _ limits: DecodeLimits
    ) throws(DecodeError) -> Property {
        var fields = given
        switch kind {
        case fourCC("ispe"):
            fields.skip(4)
            guard let width = fields.next(4), let height = fields.next(4) else { return .other }
            let size = PixelSize(width: width, height: height)
            try limits.check(size)
            edge = max(edge, width, height)
            return .size(size)
        case fourCC("hvcC"):
            fields.skip(17)
            return .bits(8 + max((fields.next(1) ?? 0) & 7, (fields.next(1) ?? 0) & 7))
        case fourCC("av1C"):
            fields.skip(2)
            let flags = fields.next(1) ?? 0
            return .bits(flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12)
        case fourCC("colr"):
            // libheif 1.15 converts newer matrices, such as both reversible forms of YCgCo,
            // incorrectly and without an error.
            guard fields.next(4) == fourCC("nclx") else { return .other }
            fields.skip(4)
            let matrix = fields.next(2) ?? 0
            guard matrix < 15 else { throw .unsupported("the colour matrix \(matrix)") }
            return .other
        case fourCC("auxC"):
            let names: [StaticString] = [
                "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
                "urn:mpeg:avc:2015:auxid:1",
            ]
            let start = fields.offset + 4
            for name in names where fields.reader.holds(name, at: start) { return .alpha }
            return .other
        case fourCC("irot"):
            // The angle counts anticlockwise.
            let turns: [Orientation] = [.up, .left, .down, .right]
            return .transform(.orient(turns[(fields.next(1) ?? 0) & 3]))
        case fourCC("imir"):
            let swapsSides = (fields.next(1) ?? 0) & 1 == 1
            return .transform(.orient(swapsSides ? .upMirrored : .downMirrored))
        case fourCC("clap"):
            var parts: [(numerator: Int, denominator: Int)] = []
            for _ in 0..<4 {
                guard let numerator = fields.next(4), let denominator = fields.next(4),
                    denominator > 0
                else { return .other }
                parts.append((Int(Int32(truncatingIfNeeded: numerator)), denominator))
            }
            return .transform(.crop(parts))
        default: return .other
        }
    }

    /// Assigns the listed properties to the items, by index, and hides crops, rotations and mirrors
    /// from libheif.
    private mutating func assign(_ given: HEIFFields) {
        var fields = given
        guard let head = fields.next(4), let count = fields.next(4) else { return }
        let (idBytes, indexBytes) = (head >> 24 == 0 ? 2 : 4, head & 1 == 0 ? 1 : 2)
        for _ in 0..<count {
            guard let id = fields.next(idBytes), let uses = fields.next(1) else { return }
            var item = items[id, default: Item()]
            var (isTransposed, begin) = (false, fields.offset)
            var entries: [Int] = []
            for _ in 0..<uses {
                guard let word = fields.next(indexBytes) else { return }
                entries.append(word)
                let index = word & (1 << (indexBytes * 8 - 1) - 1)
                guard index > 0, index <= properties.count else { continue }
                switch properties[index - 1] {
                case .size(let size):
                    item.size = size
                    item.hasSizeAfterRotation = isTransposed
                case .bits(let bits): item.bits = max(item.bits, bits)
                case .transform(let transform):
                    item.transforms.append(transform)
                    entries.removeLast()
                    if case .orient(let orientation) = transform {
                        isTransposed = isTransposed != orientation.transposes
                    }
                case .alpha: item.isAlpha = true
                case .other: break
                }
            }
            items[id] = item
            guard entries.count < uses else { continue }
            // Index 0, "no property", goes last: libheif reads no property that follows it.
            entries += Array(repeating: 0, count: uses - entries.count)
            for word in entries {
                for shift in (0..<indexBytes).reversed() {
                    let value = UInt8(truncatingIfNeeded: word >> (8 * shift))
                    replacementBytes.append((begin, value))
                    begin += 1
                }
            }
        }
    }
}

/// Reads big-endian numbers inside a box, one after the other.
struct HEIFFields: ~Escapable, Copyable {
    let reader: ByteReader
    private(set) var offset: Int
    private let end: Int

    @_lifetime(copy reader)
    init(_ reader: ByteReader, _ range: Range<Int>) {
        self.reader = reader
        (offset, end) = (range.lowerBound, range.upperBound)
    }

    /// Reads a number of 0 to 8 bytes; returns `nil` if it does not fit into the box or an integer.
    /// A number of 0 bytes is 0, as the format defines.
    mutating func next(_ bytes: Int) -> Int? {
        guard bytes > 0 else { return 0 }
        guard bytes <= 8, bytes <= end - offset else { return nil }
        var number = 0
        for index in offset..<offset + bytes {
            guard let byte = reader.u8(index), number >> 55 == 0 else { return nil }
            number = number << 8 | byte
        }
        offset += bytes
        return number
    }

    mutating func skip(_ bytes: Int) { offset += bytes }
}
