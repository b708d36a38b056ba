import Codecs
import Render

/// One order carried out in this process.
struct LocalVisit {
    private let order: RenderOrder
    private let renderer: Renderer
    private let memoryBytes: Int
    private let began = Moment.now

    init(_ order: RenderOrder, renderer: Renderer, memoryBytes: Int) {
        self.order = order
        self.renderer = renderer
        self.memoryBytes = memoryBytes
    }

    func run(_ admit: (ImageHeader, RenderCost) async -> Bool) async -> RenderAnswer {
        var answer = RenderAnswer(result: .failure(.refused))
        var moments: [RenderMoment] = []
        // Steps cannot be broken off, but none begins that is too late.
        func follow(_ step: RenderStep) throws(RenderError) {
            guard !Task.isCancelled else { throw .stopped }
            moments.append(RenderMoment(step: step, nanoseconds: Moment.now))
        }
        do throws(RenderError) {
            switch order.content {
            case .icon(let icon):
                answer.result = .success(
                    try renderer.icon(icon, recipe: order.recipe, observer: follow))
            case .initials(let initials):
                answer.result = .success(
                    try renderer.initials(initials, recipe: order.recipe, observer: follow))
            case .picture(let bytes):
                try follow(.sniff)
                let header = try renderer.header(of: bytes.span)
                answer.header = header
                try renderer.check(header, recipe: order.recipe)
                let cost = RenderCost(
                    of: header, order.recipe, renderer, memoryBytes: memoryBytes)
                if cost.bytes > order.allowanceBytes, await !admit(header, cost) { break }
                answer.result = .success(
                    try renderer.render(
                        bytes.span, header: header, request: cost.request, recipe: order.recipe,
                        observer: follow))
            }
        } catch {
            answer.result = .failure(.render(error))
        }
        answer.moments = moments
        return answer
    }
}
