import Render
import Theming

/// Orders on their way into a cell's region, one behind the other.
struct CellLetter {
    private let orders: [RenderOrder]
    private let wires: [[UInt8]]
    /// Empty where the cell has it, or needs none.
    private let theme: [UInt8]
    private let cell: Cell
    private let isCompany: Bool
    private let places: [CellPlace]
    private let outcomes: Int

    /// The offset of a picture in the region, so that it does not begin in the middle of a word.
    private static let alignment = 64

    /// Makes room for the orders in the region of the cell.
    init(
        orders: [RenderOrder], _ themed: ThemedRenderer, to cell: Cell, isCompany: Bool
    ) throws(CellFault) {
        self.orders = orders
        self.cell = cell
        self.isCompany = isCompany
        wires = orders.map { CellOrder($0).bytes }
        // Where nothing is drawn no theme is needed.
        let isDrawn = orders.contains { !$0.recipe.variants.isEmpty }
        theme = isDrawn && !cell.draws(in: themed.theme) ? themed.theme : []
        var end = SharedRegion.start + theme.count
        var places: [CellPlace] = []
        for (order, wire) in zip(orders, wires) {
            let picture = (end + wire.count) / Self.alignment * Self.alignment + Self.alignment
            places.append(
                CellPlace(
                    order: end, orderBytes: wire.count, picture: picture,
                    pictureBytes: order.source.count))
            end = picture + order.source.count
        }
        // What comes of an order may lie where it lay; in company each is read when its turn comes.
        var outcomes = SharedRegion.start
        var room = end
        if isCompany {
            outcomes = end
            for order in orders {
                room += Self.room(for: order, in: themed.renderer.theme)
            }
        }
        self.places = places
        self.outcomes = outcomes
        try cell.region.reserve(room)
    }

    /// Puts the orders into the region of the cell.
    func place() throws(WireDamage) -> CellRequest {
        let region = cell.region
        try region.write(([0] as [UInt8]).span, at: 0)
        if !theme.isEmpty {
            try region.write(theme.span, at: SharedRegion.start)
            cell.changes(to: theme)
        }
        for ((order, wire), place) in zip(zip(orders, wires), places) {
            try region.write(wire.span, at: place.order)
            let picture = order.source
            try region.write(picture.span, at: place.picture)
        }
        return .draw(
            mapped: region.count, themeBytes: theme.count, places: places, outcomes: outcomes,
            isCompany: isCompany)
    }

    /// What an order in company is given for its outcome; what takes more is to be given alone.
    static func room(for order: RenderOrder, in theme: Theme) -> Int {
        Outcome.bytesLimit(for: order, in: theme) - Outcome.tableLimit + tableRoom
    }

    private static let tableRoom = 64 << 10
}
