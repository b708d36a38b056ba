import Codecs
import Render
import Synchronization
import System

/// A task in the line for cells.
final class CellTurn: Sendable {
    /// What the line came to.
    enum End: Sendable {
        /// A cell is the task's, which takes the orders of others along.
        case cell(Cell, along: [CellTurn])
        /// The order went along with another task's, and this came of it; nil where it came back as
        /// it was.
        case wentAlong(RenderAnswer?)
        case refused(OrderError)
    }

    let waiter = Waiter<End>()
    /// An order that may be carried out in company; nil for a task that will be alone with its cell.
    let parcel: RenderOrder?
    /// It left the line with another's order; changed under the lock of the line.
    let isAlong = Atomic(false)

    /// The most that may come of the parcel.
    let outcomeBytes: Int

    init(_ parcel: RenderOrder? = nil, outcomeBytes: Int = 0) {
        self.parcel = parcel
        self.outcomeBytes = outcomeBytes
    }
}

extension RenderOrder {
    /// The longest picture that goes in company.
    private static let companySource = 128 << 10
    /// The most that may come of it.
    private static let companyOutcome = 3 << 20

    /// It is the emblems of a picture of a usual format, in few bytes: what is like that takes about
    /// as long as the way to a cell and back. And it can spare the time of a company that fails.
    func isSmall(in renderer: Renderer) -> Bool {
        guard subject == .picture, source.count <= Self.companySource,
            patienceNanoseconds >= 2 * CellCompany.nanoseconds,
            processorNanoseconds >= 2 * CellCompany.processorNanoseconds,
            case .picture(let format) = ImageSniffer.sniff(source.span), !format.needsOpening,
            !format.isVector
        else { return false }
        return CellLetter.room(for: self, in: renderer.theme) <= Self.companyOutcome
    }
}
