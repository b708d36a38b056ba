import Render

/// What a keeper tells its cell. Each is one message on the line; what is long lies in the region.
enum CellRequest: Equatable {
    /// The theme lies in the region; the cell never needs more than this for a picture.
    case begin(mapped: Int, themeBytes: Int, memoryBytes: Int)
    /// An order lies in the region, behind it the theme that holds from now on (of no bytes where
    /// it stays), then its picture.
    case draw(
        mapped: Int, orderBytes: Int, themeBytes: Int, pictureOffset: Int, pictureBytes: Int)
    /// The bytes that were asked for are granted.
    case go
    case refuse
    /// The region has grown.
    case room(mapped: Int)

    var bytes: [UInt8] {
        var wire = WireWriter()
        switch self {
        case .begin(let mapped, let themeBytes, let memoryBytes):
            wire.put(UInt8(0))
            wire.put(mapped)
            wire.put(themeBytes)
            wire.put(memoryBytes)
        case .draw(
            let mapped, let orderBytes, let themeBytes, let pictureOffset, let pictureBytes):
            wire.put(UInt8(1))
            wire.put(mapped)
            wire.put(orderBytes)
            wire.put(themeBytes)
            wire.put(pictureOffset)
            wire.put(pictureBytes)
        case .go: wire.put(UInt8(2))
        case .refuse: wire.put(UInt8(3))
        case .room(let mapped):
            wire.put(UInt8(4))
            wire.put(mapped)
        }
        return wire.bytes
    }

    init(_ bytes: [UInt8]) throws(WireDamage) {
        var wire = WireReader(bytes)
        let lengths = 0...Int.max
        switch try wire.byte() {
        case 0:
            self = .begin(
                mapped: try wire.number(in: lengths), themeBytes: try wire.number(in: lengths),
                memoryBytes: try wire.number(in: lengths))
        case 1:
            self = .draw(
                mapped: try wire.number(in: lengths), orderBytes: try wire.number(in: lengths),
                themeBytes: try wire.number(in: lengths),
                pictureOffset: try wire.number(in: lengths),
                pictureBytes: try wire.number(in: lengths))
        case 2: self = .go
        case 3: self = .refuse
        case 4: self = .room(mapped: try wire.number(in: lengths))
        default: throw WireDamage()
        }
        try wire.finish()
    }
}
