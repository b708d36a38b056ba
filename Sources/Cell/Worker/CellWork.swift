import Artwork
import Codecs
import Glibc
import Raster
import Render
import System

/// One order under way in a cell.
struct CellWork {
    let renderer: Renderer
    let memoryBytes: Int
    let order: CellOrder

    private(set) var header: ImageHeader?
    private(set) var moments: [RenderMoment] = []
    private(set) var costBytes = 0
    /// What was granted before the header was read.
    private var admittedBytes = 0
    private(set) var allowance: CellAllowance

    init(renderer: Renderer, memoryBytes: Int, order: CellOrder, allowance: CellAllowance) {
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        self.order = order
        self.allowance = allowance
    }

    /// What came of it; `nil` when the keeper refused.
    mutating func run(_ picture: Span<UInt8>) -> Result<Rendering, RenderError>? {
        var moments = self.moments
        defer { self.moments = moments }
        func note(_ step: RenderStep) {
            moments.append(RenderMoment(step: step, nanoseconds: MonotonicClock.now))
        }
        grant(0)
        do throws(RenderError) {
            switch order.content {
            case .icon(let icon):
                return .success(try renderer.icon(icon, recipe: order.recipe, observer: note))
            case .initials(let initials):
                return .success(
                    try renderer.initials(initials, recipe: order.recipe, observer: note))
            case .picture, .graphic, .check, .pixels:
                note(.sniff)
                let headerBytes = renderer.headerBytes(of: picture, recipe: order.recipe)
                guard admit(headerBytes: headerBytes) else { return nil }
                let header = try renderer.header(of: picture)
                self.header = header
                try renderer.check(header, recipe: order.recipe)
                let cost = order.content.cost(
                    of: header, order.recipe, renderer, memoryBytes: memoryBytes,
                    headerBytes: headerBytes)
                guard admit(header, cost.bytes) else { return nil }
                return .success(
                    try order.content.carryOut(
                        picture, header: header, cost.request, order.recipe, renderer,
                        observer: note))
            }
        } catch {
            return .failure(error)
        }
    }

    /// Asks for the memory that reading the header takes, where it is not granted already.
    private mutating func admit(headerBytes: Int) -> Bool {
        let cost = RenderCost(headerBytes: headerBytes, order.recipe, renderer)
        guard cost.bytes > order.allowanceBytes, headerBytes > 0 else { return true }
        guard asks(.document(bytes: min(headerBytes, CellReport.documentLimit))) else {
            return false
        }
        admittedBytes = cost.bytes
        grant(cost.bytes)
        return true
    }

    /// Asks for the memory, where it is not granted already.
    private mutating func admit(_ header: ImageHeader, _ bytes: Int) -> Bool {
        if bytes > max(order.allowanceBytes, admittedBytes) {
            guard asks(.header(header)) else { return false }
        }
        costBytes = bytes
        grant(max(bytes, admittedBytes))
        return true
    }

    private func asks(_ report: CellReport) -> Bool {
        CellLine.send(report)
        do throws(WireDamage) {
            return try Letter(CellLine.receive()) == .go
        } catch {
            _exit(1)
        }
    }

    /// Lets the process take so many bytes for the picture, and what its canvases take.
    private mutating func grant(_ bytes: Int) {
        let (sum, overflow) = bytes.addingReportingOverflow(canvasBytes)
        allowance.grant(overflow ? .max : sum)
    }

    /// What the largest canvas and its encoder take: ten bytes for each of its own, or half as much
    /// again as is reckoned.
    private var canvasBytes: Int {
        let heights = order.recipe.variants.map {
            order.recipe.style(for: $0, in: renderer.theme).height
        }
        let height = heights.max() ?? 0
        let isWide = order.recipe.width == .auto
        let reckoned = order.recipe.outputBytes(
            of: (isWide ? 4 : 1, 1), format: header?.format, in: renderer.theme)
        return max(
            height * height * (isWide ? 16 : 4) * 10, reckoned.saturating(plus: reckoned / 2))
    }
}
