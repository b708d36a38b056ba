import Codecs
import Render
import System

/// One order carried out in this process.
struct LocalVisit {
    private let order: RenderOrder
    private let renderer: Renderer
    private let memoryBytes: Int
    private let began = MonotonicClock.now
    private let deadline: UInt64

    init(_ order: RenderOrder, renderer: Renderer, memoryBytes: Int) {
        self.order = order
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        let (sum, overflow) = began.addingReportingOverflow(order.patienceNanoseconds)
        deadline = overflow ? .max : sum
    }

    func run(_ admit: (ImageHeader, RenderCost) async -> Bool) async -> RenderAnswer {
        var answer = RenderAnswer(result: .failure(.refused))
        var moments: [RenderMoment] = []
        var deadline = deadline
        var isLate = false
        var worked: UInt64 = 0
        var mark = MonotonicClock.ofThread
        var isOverdrawn: Bool { worked > order.processorNanoseconds }
        func count() {
            let now = MonotonicClock.ofThread
            worked = worked &+ (now - min(now, mark))
            mark = now
        }
        // Steps cannot be broken off, but none begins that is too late.
        func follow(_ step: RenderStep) throws(RenderError) {
            let now = MonotonicClock.now
            count()
            guard !isOverdrawn else { throw .stopped }
            isLate = now > deadline
            guard !Task.isCancelled, !isLate else { throw .stopped }
            moments.append(RenderMoment(step: step, nanoseconds: now))
        }
        do throws(RenderError) {
            switch order.content {
            case .icon(let icon):
                answer.result = .success(
                    try renderer.icon(icon, recipe: order.recipe, observer: follow))
            case .initials(let initials):
                answer.result = .success(
                    try renderer.initials(initials, recipe: order.recipe, observer: follow))
            case .picture(let bytes), .graphic(let bytes, _), .check(let bytes),
                .pixels(let bytes):
                let content = CellOrder.Content(order.content)
                try follow(.sniff)
                let headerBytes = renderer.headerBytes(of: bytes.span, recipe: order.recipe)
                var admitted = order.allowanceBytes
                let reading = RenderCost(headerBytes: headerBytes, order.recipe, renderer)
                if headerBytes > 0, reading.bytes > admitted {
                    let asked = MonotonicClock.now
                    guard await admit(RenderCost.unread, reading) else { break }
                    let (later, overflow) = deadline.addingReportingOverflow(
                        MonotonicClock.now - asked)
                    deadline = overflow ? .max : later
                    admitted = reading.bytes
                }
                let header = try renderer.header(of: bytes.span)
                answer.header = header
                try renderer.check(header, recipe: order.recipe)
                let cost = content.cost(
                    of: header, order.recipe, renderer, memoryBytes: memoryBytes,
                    headerBytes: headerBytes)
                if cost.bytes > admitted {
                    let asked = MonotonicClock.now
                    count()
                    guard await admit(header, cost) else { break }
                    // Perhaps another thread goes on.
                    mark = MonotonicClock.ofThread
                    // Waiting for memory is not the picture's doing.
                    let (later, overflow) = deadline.addingReportingOverflow(
                        MonotonicClock.now - asked)
                    deadline = overflow ? .max : later
                }
                answer.result = .success(
                    try content.carryOut(
                        bytes.span, header: header, cost.request, order.recipe, renderer,
                        observer: follow))
            }
        } catch {
            answer.result = .failure(isLate && !Task.isCancelled ? .timeout : .render(error))
        }
        count()
        // As in a cell, where the work would not have come to its end.
        if isOverdrawn, !Task.isCancelled { answer.result = .failure(.drawnTooLong) }
        answer.processorNanoseconds = worked
        answer.moments = moments
        return answer
    }
}
