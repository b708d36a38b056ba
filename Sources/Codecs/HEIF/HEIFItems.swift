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
        var extent: Extent?
    }

    /// The position of the first extent of an item's data.
    struct Extent {
        var isInline = false
        var offset = 0
    }

    /// A reference from an item to other items (`iref`).
    struct Link {
        let kind: Int
        let from: Int
        let to: [Int]
    }

    private(set) var primary: Int?
    private(set) var links: [Link] = []
    /// The item data inside the `meta` box (`idat`).
    private(set) var inlineData: Range<Int>?
    /// Replacement bytes for the file, mainly so that the library does not rotate or crop items.
    private(set) var replacementBytes: [(offset: Int, value: UInt8)] = []
    private(set) var byteCount = 0
    private var items: [Int: Item] = [:]
    private var properties: [Property] = []
    private var seen: Set<Int> = []
    private let limits: DecodeLimits

    /// The reference types for which libheif 1.15 accepts only one target.
    private static let singleTargets = [fourCC("cdsc"), fourCC("auxl"), fourCC("thmb")]

    private enum Property {
        case size(PixelSize)
        case bits(Int)
        case transform(Transform)
        case alpha, other
    }

    /// Reads the boxes and checks every size in them against the limits.
    init(_ reader: ByteReader, limits: DecodeLimits) throws(DecodeError) {
        self.limits = limits
        var (hasItems, hasMovie) = (false, false)
        var boxes = HEIFBox.Cursor(0..<reader.count, isFile: true)
        while let box = hasItems ? boxes.nextIfAny(reader) : try boxes.next(reader) {
            hasMovie = hasMovie || box.kind == fourCC("moov")
            guard box.kind == fourCC("meta") else { continue }
            guard !hasItems else { throw .corrupt("a HEIF with two item lists") }
            hasItems = true
            try readMeta(reader, box)
        }
        byteCount = min(boxes.offset, reader.count)
        replacementBytes += boxes.openLengths
        // A file lists its items before the pixels; without them it is truncated.
        guard !hasMovie || hasItems else { throw .unsupported("a sequence without a still image") }
        guard hasItems else { throw .truncated }
    }

    subscript(id: Int) -> Item? { items[id] }

    /// Returns the targets of an item's references of this kind.
    func targets(of id: Int, _ kind: StaticString) -> [Int] {
        links.first { $0.from == id && $0.kind == fourCC(kind) }?.to ?? []
    }

    /// The longest side in any property.
    var edge: Int {
        properties.reduce(0) { edge, property in
            guard case .size(let size) = property else { return edge }
            return max(edge, size.width, size.height)
        }
    }

    private mutating func readMeta(
        _ reader: ByteReader, _ meta: HEIFBox
    ) throws(DecodeError) {
        var boxes = HEIFBox.Cursor(Self.full(meta))
        while let box = try boxes.next(reader) {
            let read = HEIFFields(reader, box.body)
            switch box.kind {
            case fourCC("pitm"), fourCC("iinf"), fourCC("iloc"), fourCC("iref"), fourCC("iprp"),
                fourCC("idat"):
                // If a box occurs twice, two parsers could read different boxes.
                guard seen.insert(box.kind).inserted else {
                    throw .corrupt("a HEIF with a duplicate entry")
                }
            default: continue
            }
            switch box.kind {
            case fourCC("pitm"): primary = read.number(4, bytes: read.version == 0 ? 2 : 4)
            case fourCC("iinf"):
                let skipped = read.version == 0 ? 6 : 8
                try readItemTypes(reader, Self.tail(box.body, from: skipped))
            case fourCC("iloc"): try readLocations(read)
            case fourCC("iref"): try readLinks(reader, box)
            case fourCC("iprp"): try readProperties(reader, box)
            default: inlineData = box.body
            }
        }
    }

    private mutating func readItemTypes(
        _ reader: ByteReader, _ range: Range<Int>
    ) throws(DecodeError) {
        var entries = HEIFBox.Cursor(range)
        while let entry = try entries.next(reader) {
            let read = HEIFFields(reader, entry.body)
            let wide = read.version == 3 ? 4 : 2
            guard entry.kind == fourCC("infe"), read.version >= 2,
                let id = read.number(4, bytes: wide), let kind = read.number(6 + wide, bytes: 4)
            else { continue }
            items[id, default: Item()].kind = kind
        }
    }

    private mutating func readLinks(
        _ reader: ByteReader, _ box: HEIFBox
    ) throws(DecodeError) {
        let wide = HEIFFields(reader, box.body).version == 0 ? 2 : 4
        var lists = HEIFBox.Cursor(Self.full(box))
        while let list = try lists.next(reader) {
            let read = HEIFFields(reader, list.body)
            guard let from = read.number(0, bytes: wide), let count = read.number(wide, bytes: 2)
            else { throw .corrupt("a list of references that ends early") }
            var to: [Int] = []
            for index in 0..<count {
                guard let id = read.number(wide + 2 + index * wide, bytes: wide) else {
                    throw .corrupt("a list of references that ends early")
                }
                to.append(id)
            }
            links.append(Link(kind: list.kind, from: from, to: to))
            // libheif 1.15 rejects a file in which one of these references has several targets, as
            // in photos of iOS 18. The image does not need them, so their type is replaced by an
            // unknown one.
            if count > 1, Self.singleTargets.contains(list.kind) {
                for (index, byte) in "free".utf8.enumerated() {
                    replacementBytes.append((list.kindOffset + index, byte))
                }
            }
        }
    }

    private mutating func readLocations(_ read: borrowing HEIFFields) throws(DecodeError) {
        guard let sizes = read.number(4, bytes: 2) else { return }
        let isWide = read.version == 2
        let widths = (
            offset: sizes >> 12, length: sizes >> 8 & 15, base: sizes >> 4 & 15,
            index: read.version == 0 ? 0 : sizes & 15
        )
        let perPiece = widths.index + widths.offset + widths.length
        guard let count = read.number(6, bytes: isWide ? 4 : 2) else { return }
        var at = isWide ? 10 : 8
        for _ in 0..<count {
            guard let id = read.number(at, bytes: isWide ? 4 : 2) else { break }
            at += isWide ? 4 : 2
            var extent = Extent()
            if read.version > 0 {
                extent.isInline = (read.number(at, bytes: 2) ?? 0) & 15 == 1
                at += 2
            }
            at += 2
            guard let base = read.number(at, bytes: widths.base),
                let pieces = read.number(at + widths.base, bytes: 2)
            else { break }
            at += widths.base + 2
            if pieces > 0, let offset = read.number(at + widths.index, bytes: widths.offset),
                read.number(at + widths.index + widths.offset, bytes: widths.length) != nil
            {
                extent.offset = base &+ offset
                items[id, default: Item()].extent = extent
            }
            at += pieces * perPiece
        }
    }

    private mutating func readProperties(
        _ reader: ByteReader, _ box: HEIFBox
    ) throws(DecodeError) {
        var boxes = HEIFBox.Cursor(box.body)
        while let child = try boxes.next(reader) {
            if child.kind == fourCC("ipco") {
                var values = HEIFBox.Cursor(child.body)
                while let value = try values.next(reader) {
                    properties.append(try property(reader, value))
                }
            } else if child.kind == fourCC("ipma") {
                apply(HEIFFields(reader, child.body))
            }
        }
    }

    private func property(
        _ reader: ByteReader, _ box: HEIFBox
    ) throws(DecodeError) -> Property {
        let read = HEIFFields(reader, box.body)
        switch box.kind {
        case fourCC("ispe"):
            guard let width = read.number(4, bytes: 4), let height = read.number(8, bytes: 4) else {
                return .other
            }
            let size = PixelSize(width: width, height: height)
            try limits.check(size)
            return .size(size)
        case fourCC("hvcC"):
            let depths = (read.number(17, bytes: 1) ?? 0, read.number(18, bytes: 1) ?? 0)
            return .bits(8 + max(depths.0 & 7, depths.1 & 7))
        case fourCC("av1C"):
            let flags = read.number(2, bytes: 1) ?? 0
            return .bits(flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12)
        case fourCC("colr"):
            // libheif 1.15 converts newer matrices, such as both reversible forms of YCgCo,
            // incorrectly and without an error.
            let isNumbers = read.number(0, bytes: 4) == fourCC("nclx")
            let matrix = isNumbers ? read.number(8, bytes: 2) ?? 0 : 0
            guard matrix < 15 else { throw .unsupported("the colour matrix \(matrix)") }
            return .other
        case fourCC("auxC"):
            let names: [StaticString] = [
                "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
                "urn:mpeg:avc:2015:auxid:1",
            ]
            let start = box.body.lowerBound + 4
            return names.contains { reader.holds($0, at: start) } ? .alpha : .other
        default: return Transform(box.kind, read).map(Property.transform) ?? .other
        }
    }

    /// Assigns the listed properties to the items, by index.
    private mutating func apply(_ read: borrowing HEIFFields) {
        guard let flags = read.number(3, bytes: 1), let count = read.number(4, bytes: 4) else {
            return
        }
        let (idBytes, indexBytes) = (read.version == 0 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
        var at = 8
        for _ in 0..<count {
            guard let id = read.number(at, bytes: idBytes),
                let uses = read.number(at + idBytes, bytes: 1)
            else { return }
            at += idBytes + 1
            var item = items[id, default: Item()]
            let begin = at
            var (entries, hasTransforms, isTransposed) = ([Int](), false, false)
            for _ in 0..<uses {
                guard let word = read.number(at, bytes: indexBytes) else { return }
                at += indexBytes
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
                    if case .orient(let orientation) = transform {
                        isTransposed = isTransposed != orientation.transposes
                    }
                    entries.removeLast()
                    hasTransforms = true
                case .alpha: item.isAlpha = true
                case .other: break
                }
            }
            items[id] = item
            guard hasTransforms else { continue }
            // Index 0, "no property", goes last: libheif reads no property that follows it.
            entries += Array(repeating: 0, count: uses - entries.count)
            for (index, word) in entries.enumerated() {
                for byte in 0..<indexBytes {
                    let offset = read.range.lowerBound + begin + index * indexBytes + byte
                    let value = UInt8(truncatingIfNeeded: word >> (8 * (indexBytes - 1 - byte)))
                    replacementBytes.append((offset, value))
                }
            }
        }
    }

    /// Returns the body of a full box after its version and flags.
    private static func full(_ box: HEIFBox) -> Range<Int> { tail(box.body, from: 4) }

    private static func tail(_ range: Range<Int>, from offset: Int) -> Range<Int> {
        min(range.lowerBound + offset, range.upperBound)..<range.upperBound
    }
}
