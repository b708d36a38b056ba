import Artwork
import Gauge
import Glibc
import Raster
import Render
import System

/// One order in a worker, and the memory limit of the process while it is carried out.
struct WorkerJob {
    let renderer: Renderer
    let memoryBytes: Int
    let order: WorkerOrder
    private(set) var costBytes = 0
    private(set) var allowance: WorkerAllowance

    init(
        renderer: Renderer, memoryBytes: Int, order: WorkerOrder, allowance: WorkerAllowance
    ) {
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        self.order = order
        self.allowance = allowance
    }

    /// Carries out the order. Returns the outcome, and the blocks of bytes that follow its table.
    mutating func run(_ picture: Span<UInt8>) -> (Outcome, [[UInt8]]) {
        var work = OrderWork(
            order.subject, order.recipe, allowanceBytes: order.allowanceBytes, renderer,
            memoryBytes: memoryBytes)
        var moments: [StageMoment] = []
        grant(0)
        do throws(RenderError) {
            let rendering = try work.carryOut(picture) { bytes in
                costBytes = bytes
                grant(bytes)
            } observer: { stage in
                moments.append(StageMoment(stage: stage, nanoseconds: MonotonicClock.now))
            }
            var blocks = rendering.images.map(\.bytes)
            if let graphic = rendering.graphic {
                blocks += [graphic.pixels, graphic.drawing?.text ?? []]
            }
            return (Outcome(header: work.header, moments: moments, rendering), blocks)
        } catch {
            return (Outcome(header: work.header, moments: moments, .failure(error)), [])
        }
    }

    /// Grants `bytes` for the image, plus the memory of the canvases.
    private mutating func grant(_ bytes: Int) {
        let (sum, overflow) = bytes.addingReportingOverflow(canvasBytes)
        allowance.grant(overflow ? .max : sum)
    }

    /// The memory of the largest canvas and its encoder: ten bytes a sample, or 1.5 times the
    /// estimate of the recipe if that is more.
    private var canvasBytes: Int {
        let heights = order.recipe.variants.map {
            order.recipe.style(for: $0, in: renderer.theme).height
        }
        let height = heights.max() ?? 0
        let isWide = order.recipe.width != .square
        let reckoned = order.recipe.outputBytes(
            of: (isWide ? 4 : 1, 1), format: nil, in: renderer.theme)
        return max(
            height * height * (isWide ? 16 : 4) * 10, reckoned.saturating(plus: reckoned / 2))
    }
}
