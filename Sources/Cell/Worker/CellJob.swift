import Artwork
import Codecs
import Glibc
import Raster
import Render
import System

/// One order under way in a cell.
struct CellJob {
    let renderer: Renderer
    let memoryBytes: Int
    let order: CellOrder
    /// It is left undone where memory would have to be asked for.
    let isCompany: Bool

    private(set) var header: ImageHeader?
    private(set) var moments: [StepMoment] = []
    private(set) var costBytes = 0
    private(set) var allowance: CellAllowance

    init(
        renderer: Renderer, memoryBytes: Int, order: CellOrder, isCompany: Bool,
        allowance: CellAllowance
    ) {
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        self.order = order
        self.isCompany = isCompany
        self.allowance = allowance
    }

    /// What came of it; `nil` when the keeper refused, or would have had to be asked in company.
    mutating func run(_ picture: Span<UInt8>) -> Result<Rendering, RenderError>? {
        var work = OrderWork(
            order.subject, order.recipe, allowanceBytes: order.allowanceBytes, renderer,
            memoryBytes: memoryBytes)
        defer { header = work.header }
        grant(0)
        do throws(RenderError) {
            while true {
                let progress = try work.advance(picture) { step in
                    moments.append(StepMoment(step: step, nanoseconds: MonotonicClock.now))
                }
                switch progress {
                case .done(let rendering): return .success(rendering)
                case .needs(let need):
                    guard need.isCovered || (!isCompany && asks(CellReply(need))) else {
                        return nil
                    }
                    costBytes = max(costBytes, need.cost.bytes)
                    grant(costBytes)
                }
            }
        } catch {
            return .failure(error)
        }
    }

    private func asks(_ report: CellReply) -> Bool {
        CellLine.send(report)
        do throws(WireDamage) {
            return try CellRequest(CellLine.receive()) == .go
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

extension CellReply {
    /// Asks for the memory.
    fileprivate init(_ need: OrderWork.Need) {
        self =
            need.header.map { .header($0) }
            ?? .document(bytes: min(need.headerBytes, Self.documentLimit))
    }
}
