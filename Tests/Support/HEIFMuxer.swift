/// Makes HEIF files like those of phones: a grid of tiles, with optional auxiliary items.
///
/// The available encoders write single pictures; `pieces(of:)` extracts their coded data.
package struct HEIFMuxer {
    package struct Piece {
        package var kind: String
        package var data: [UInt8]
        /// Complete boxes: the decoder configuration, the channel depths, the size.
        package var properties: [[UInt8]]
    }

    private struct Item {
        let kind: String
        let data: [UInt8]
        let isHidden: Bool
        var properties: [Int]
    }

    private var items: [Item] = []
    private var properties: [[UInt8]] = []
    private var links: [(kind: String, from: Int, to: [Int])] = []
    /// Whether a grid's few bytes are in the `idat` box instead of among the pixels.
    package var keepsGridsInside = true

    package init() {}

    /// Adds an item and returns its number; the first one is the primary item.
    package mutating func add(
        _ kind: String, _ data: [UInt8], _ boxes: [[UInt8]], isHidden: Bool = false
    ) -> Int {
        var indices: [Int] = []
        for box in boxes { indices.append(share(box)) }
        items.append(Item(kind: kind, data: data, isHidden: isHidden, properties: indices))
        return items.count
    }

    package mutating func add(_ piece: Piece, isHidden: Bool = true) -> Int {
        add(piece.kind, piece.data, piece.properties, isHidden: isHidden)
    }

    /// Adds a grid whose tiles are added later.
    package mutating func addGrid(
        columns: Int, rows: Int, width: Int, height: Int, _ boxes: [[UInt8]] = [],
        isHidden: Bool = false
    ) -> Int {
        let isWide = max(width, height) > 65_535
        let head = [0, isWide ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)] as [UInt8]
        let size =
            isWide ? Self.four(width) + Self.four(height) : Self.two(width) + Self.two(height)
        return add("grid", head + size, [Self.size(width, height)] + boxes, isHidden: isHidden)
    }

    package mutating func link(_ kind: String, from: Int, to: [Int]) {
        links.append((kind, from, to))
    }

    /// Shares equal boxes, as real writers do.
    private mutating func share(_ box: [UInt8]) -> Int {
        if let known = properties.firstIndex(of: box) { return known + 1 }
        properties.append(box)
        return properties.count
    }

    package func bytes(brand: String = "heic") -> [UInt8] {
        let head = Self.box(
            "ftyp", Array("\(brand)".utf8) + Self.four(0) + Array("mif1\(brand)".utf8))
        // The length of the table does not depend on the extents in it.
        let length = meta(dataStart: 0).count
        let pixels = items.filter { !isInside($0) }.flatMap(\.data)
        return head + meta(dataStart: head.count + length + 8) + Self.box("mdat", pixels)
    }

    private func isInside(_ item: Item) -> Bool { keepsGridsInside && item.kind == "grid" }

    private func meta(dataStart: Int) -> [UInt8] {
        var (offset, inside) = (dataStart, 0)
        var extents: [UInt8] = []
        var names: [UInt8] = []
        var uses: [UInt8] = []
        for (index, item) in items.enumerated() {
            let id = Self.two(index + 1)
            extents += id + Self.two(isInside(item) ? 1 : 0) + Self.two(0) + Self.two(1)
            extents += Self.four(isInside(item) ? inside : offset) + Self.four(item.data.count)
            if isInside(item) { inside += item.data.count } else { offset += item.data.count }
            let entry = id + Self.two(0) + Array(item.kind.utf8) + [0]
            names += Self.box("infe", [2, 0, 0, item.isHidden ? 1 : 0] + entry)
            uses += id + [UInt8(item.properties.count)] + item.properties.map(UInt8.init)
        }
        let handler =
            Self.four(0) + Self.four(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
        let shared = Self.box("ipco", properties.flatMap(\.self))
        let given = Self.box("ipma", Self.four(0) + Self.four(items.count) + uses)
        let references = links.flatMap { link in
            Self.box(
                link.kind, Self.two(link.from) + Self.two(link.to.count) + link.to.flatMap(Self.two)
            )
        }
        var body = Self.four(0) + Self.box("hdlr", handler)
        body += Self.box("pitm", Self.four(0) + Self.two(1))
        body += Self.box("iloc", [1, 0, 0, 0, 0x44, 0] + Self.two(items.count) + extents)
        body += Self.box("iinf", Self.four(0) + Self.two(items.count) + names)
        body += Self.box("iref", Self.four(0) + references)
        body += Self.box("iprp", shared + given)
        body += Self.box("idat", items.filter(isInside).flatMap(\.data))
        return Self.box("meta", body)
    }
}

extension HEIFMuxer {
    package static func size(_ width: Int, _ height: Int) -> [UInt8] {
        box("ispe", four(0) + four(width) + four(height))
    }

    /// Quarter turns anticlockwise, then a mirror: 0 exchanges top and bottom, 1 left and right.
    package static func moves(turns: Int, mirror: Int?) -> [[UInt8]] {
        (turns == 0 ? [] : [box("irot", [UInt8(turns)])])
            + (mirror.map { [box("imir", [UInt8($0)])] } ?? [])
    }

    /// The role of an auxiliary item, by a URN such as that of alpha.
    package static func role(_ name: String) -> [UInt8] {
        box("auxC", four(0) + Array(name.utf8) + [0])
    }

    package static let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
    package static let gainMap = "urn:com:apple:photo:2020:aux:hdrgainmap"

    package static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        four(body.count + 8) + Array(kind.utf8) + body
    }

    package static func two(_ value: Int) -> [UInt8] {
        [UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    package static func four(_ value: Int) -> [UInt8] { two(value >> 16) + two(value) }
}

extension HEIFMuxer {
    /// Returns the coded pictures of a file in the order of their IDs, the primary item first.
    /// Supports the layout of the available encoders: tables of version 0 and 1, two-byte IDs, one
    /// extent per item.
    package static func pieces(of file: [UInt8]) -> [Piece] {
        let top = boxes(in: file)
        guard let meta = top["meta"]?.first else { return [] }
        let parts = boxes(in: Array(meta.dropFirst(4)))
        guard let table = parts["iloc"]?.first, let names = parts["iinf"]?.first,
            let inner = (parts["iprp"]?.first).map({ boxes(in: $0) }),
            let shared = (inner["ipco"]?.first).map({ list(in: $0) }),
            let uses = inner["ipma"]?.first
        else { return [] }
        var kinds: [Int: String] = [:]
        for (_, entry) in list(in: Array(names.dropFirst(6))) {
            kinds[number(entry, 4, 2)] = String(decoding: entry[8..<12], as: UTF8.self)
        }
        var given: [Int: [[UInt8]]] = [:]
        var at = 8
        for _ in 0..<number(uses, 4, 4) {
            let (id, count) = (number(uses, at, 2), Int(uses[at + 2]))
            given[id] = uses[(at + 3)..<(at + 3 + count)].map { use in
                let (kind, body) = shared[Int(use & 127) - 1]
                return box(kind, body)
            }
            at += 3 + count
        }
        var found: [(id: Int, piece: Piece)] = []
        let (version, widths) = (Int(table[0]), number(table, 4, 2))
        let (wide, long, base) = (widths >> 12, widths >> 8 & 15, widths >> 4 & 15)
        at = 8
        for _ in 0..<number(table, 6, 2) {
            let id = number(table, at, 2)
            at += (version == 0 ? 4 : 6)
            let start = number(table, at, base) + number(table, at + base + 2, wide)
            let length = number(table, at + base + 2 + wide, long)
            at += base + 2 + wide + long
            guard let kind = kinds[id], kind == "hvc1" || kind == "av01" else { continue }
            let kept = (given[id] ?? []).filter { box in
                ["hvcC", "av1C", "pixi", "ispe", "colr", "auxC"].contains(
                    String(decoding: box[4..<8], as: UTF8.self))
            }
            let data = Array(file[start..<start + length])
            found.append((id, Piece(kind: kind, data: data, properties: kept)))
        }
        return found.sorted { $0.id < $1.id }.map(\.piece)
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func list(in bytes: [UInt8]) -> [(String, [UInt8])] {
        var found: [(String, [UInt8])] = []
        var at = 0
        while at + 8 <= bytes.count {
            let length = number(bytes, at, 4)
            guard length >= 8, at + length <= bytes.count else { break }
            let kind = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            found.append((kind, Array(bytes[at + 8..<at + length])))
            at += length
        }
        return found
    }

    private static func boxes(in bytes: [UInt8]) -> [String: [[UInt8]]] {
        Dictionary(grouping: list(in: bytes)) { $0.0 }.mapValues { $0.map(\.1) }
    }
}
