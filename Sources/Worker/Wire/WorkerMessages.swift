import Artwork
import Codecs
import Raster
import Render

/// The offsets of an order and of its image in the region.
struct WorkerPlace: Equatable {
    var order = 0
    var orderBytes = 0
    var picture = 0
    var pictureBytes = 0
}

/// A request from a keeper to its worker, as one message on the socket; long data is in the region.
///
/// The first request begins the worker: it has a theme, and the most memory that an image ever
/// needs. Each further request has orders, after the theme that applies from now on, if it changes.
/// The answer to `WorkerReply.room` has only the new size of the region.
struct WorkerRequest: Equatable {
    /// The number of bytes of the region that the worker maps.
    var mapped: Int
    var themeBytes = 0
    var memoryBytes = 0
    var places: [WorkerPlace] = []
    /// The offset from which the worker writes the results.
    var outcomes = 0

    static let ordersLimit = WorkerGroupSize.limit

    var bytes: [UInt8] {
        Wire.bytes(of: self) { try $0.code(&$1) }
    }
}

extension WorkerRequest {
    init(_ bytes: [UInt8]) throws {
        self = try Wire.read(bytes, into: WorkerRequest(mapped: 0)) { try $0.code(&$1) }
    }
}

extension Wire {
    fileprivate mutating func code(_ request: inout WorkerRequest) throws {
        let lengths = 0...Int.max
        try code(&request.mapped, in: lengths)
        try code(&request.themeBytes, in: lengths)
        try code(&request.memoryBytes, in: lengths)
        try list(&request.places, WorkerPlace(), limit: WorkerRequest.ordersLimit) { wire, place in
            try wire.code(&place.order, in: lengths)
            try wire.code(&place.orderBytes, in: lengths)
            try wire.code(&place.picture, in: lengths)
            try wire.code(&place.pictureBytes, in: lengths)
        }
        try code(&request.outcomes, in: lengths)
    }
}

/// A report from a worker to its keeper, which trusts none of it.
package enum WorkerReply {
    /// The worker is ready, with the confinement that it reports.
    case ready(Confinement)
    /// The worker belongs to another release, whose protocol may differ.
    case foreign
    /// The outcomes need this many bytes of the region.
    case room(Int)
    /// The outcomes are in the region one after the other, each with its table first. If `leaves`
    /// is true, the worker accepts no more work.
    case done(tableBytes: [Int], leaves: Bool)

    /// The version of the protocol. Increase it when messages, orders or outcomes change. Both
    /// sides are usually the same program, but a library may use another version of the tool, and
    /// either may be updated during a run.
    package static let version = 7

    package static let bytesLimit = 2048

    package var bytes: [UInt8] {
        Wire.bytes(of: self) { try $0.code(&$1) }
    }

    package init(_ bytes: [UInt8]) throws {
        // The rest of the message of another release is unknown.
        var version = Self.version
        if bytes.count >= 9, bytes[0] == 0 {
            version = try Wire.read(Array(bytes[1..<9]), into: 0) { try $0.code(&$1) }
        }
        guard version == Self.version else {
            self = .foreign
            return
        }
        self = try Wire.read(bytes, into: WorkerReply.foreign) { try $0.code(&$1) }
    }
}

extension Wire {
    fileprivate mutating func code(_ reply: inout WorkerReply) throws {
        var kind: UInt8 =
            switch reply {
            case .ready, .foreign: 0
            case .room: 1
            case .done: 2
            }
        try code(&kind)
        switch kind {
        case 0:
            var (version, revision) = (WorkerReply.version, Renderer.revision)
            var words = (0, 0, 0)
            if case .ready(let confinement) = reply {
                let known = confinement.words
                words = (Int(known.flags), Int(known.filterRefusal), Int(known.rulesRefusal))
            }
            try code(&version)
            try code(&revision)
            try code(&words.0, in: 0...255)
            try code(&words.1, in: 0...4095)
            try code(&words.2, in: 0...4095)
            guard revision == Renderer.revision else {
                reply = .foreign
                return
            }
            reply = .ready(
                Confinement(
                    flags: Int32(words.0), filterRefusal: Int32(words.1),
                    rulesRefusal: Int32(words.2)))
        case 1:
            var count = if case .room(let count) = reply { count } else { 0 }
            try code(&count, in: 1...Outcome.bytesLimit)
            reply = .room(count)
        case 2:
            var (tables, leaves): ([Int], Bool) =
                if case .done(let tables, let leaves) = reply {
                    (tables, leaves)
                } else {
                    ([], false)
                }
            try list(&tables, 0, limit: WorkerRequest.ordersLimit) { wire, count in
                try wire.code(&count, in: 1...Outcome.tableLimit)
            }
            try code(&leaves)
            reply = .done(tableBytes: tables, leaves: leaves)
        default: throw WireDamage()
        }
    }
}

/// An order as it is stored in the region, without its image and without the placeholder, which is
/// another order.
package struct WorkerOrder {
    package var subject: RenderOrder.Subject
    package var recipe: Recipe
    /// The most memory that the order may take for decoding.
    package var allowanceBytes: Int

    package init(_ order: RenderOrder, allowanceBytes: Int) {
        subject = order.subject
        recipe = order.recipe
        self.allowanceBytes = allowanceBytes
    }

    package init(_ bytes: [UInt8]) throws {
        let none = RenderOrder(.picture, recipe: Recipe(variants: []))
        self = try Wire.read(bytes, into: WorkerOrder(none, allowanceBytes: 0)) { try $0.code(&$1) }
    }

    package var bytes: [UInt8] {
        Wire.bytes(of: self) { try $0.code(&$1) }
    }
}

extension Wire {
    fileprivate mutating func code(_ order: inout WorkerOrder) throws {
        try code(&order.subject)
        try code(&order.recipe)
        try code(&order.allowanceBytes)
    }

    private mutating func code(_ subject: inout RenderOrder.Subject) throws {
        var kind: UInt8 =
            switch subject {
            case .picture: 0
            case .icon: 1
            case .initials: 2
            case .graphic: 3
            case .check: 4
            case .pixels: 5
            case .raster: preconditionFailure("Pixels are drawn where they are.")
            }
        try code(&kind)
        switch kind {
        case 0: subject = .picture
        case 1:
            var icon = if case .icon(let icon) = subject { icon } else { BuiltInIcon.photo }
            try choice(&icon)
            subject = .icon(icon)
        case 2:
            var text = if case .initials(let initials) = subject { initials.text } else { "" }
            try code(&text, limit: .max)
            subject = .initials(Initials(checked: text))
        case 3:
            let sides = 1...Sketch.longestSide
            var box = PixelSize(width: 1, height: 1)
            if case .graphic(let known) = subject { box = known }
            try code(&box.width, in: sides)
            try code(&box.height, in: sides)
            subject = .graphic(in: box)
        case 4: subject = .check
        case 5: subject = .pixels
        default: throw WireDamage()
        }
    }
}
