import Codecs
import Render

/// Where pictures are rendered. The same orders have the same outcomes in either place, but for
/// those that bring a process down.
package enum RenderPlace: Sendable {
    /// Here, by the calling task.
    case inProcess(Renderer, memoryBytes: Int)
    case cells(CellPool)

    /// What the place knows of themes and sizes, on this side.
    package var renderer: Renderer {
        switch self {
        case .inProcess(let renderer, _): renderer
        case .cells(let pool): pool.renderer
        }
    }

    /// Carries out an order; `admit` is asked for the memory that decoding takes.
    package func render(
        _ order: RenderOrder, admit: (ImageHeader, RenderCost) async -> Bool
    ) async -> RenderAnswer {
        switch self {
        case .inProcess(let renderer, let memoryBytes):
            return await LocalVisit(order, renderer: renderer, memoryBytes: memoryBytes).run(admit)
        case .cells(let pool):
            let answer = await pool.render(order, admit: admit)
            // Our own icons are no stranger's: what stands in for pictures can still be had.
            guard case .icon = order.content, case .failure(.unavailable) = answer.result else {
                return answer
            }
            return await LocalVisit(order, renderer: pool.renderer, memoryBytes: 0).run(admit)
        }
    }

    /// Ends the processes, which then count as children that were waited for; orders that come
    /// later are refused.
    package func close() {
        if case .cells(let pool) = self { pool.close() }
    }

    /// Why no process can be had any more, where one is needed.
    package var failure: CellError? {
        if case .cells(let pool) = self { pool.failure } else { nil }
    }

    /// What held the pictures that were decoded until now.
    package var confinement: Confinement {
        switch self {
        case .inProcess: .none
        case .cells(let pool): pool.knownConfinement ?? .unused
        }
    }
}
