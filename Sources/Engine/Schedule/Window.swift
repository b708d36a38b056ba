/// A task group whose intake says when another child may start.
package enum Window {
    private enum Event<Arrival: Sendable, Result: Sendable>: Sendable {
        case arrived(Arrival?)
        case ended(Result)
    }

    /// Starts `work` for each value that `next` gives, and hands each result to `receive` in the
    /// order of their ends.
    ///
    /// `next` is asked again after every end, and returns `nil` while nothing may start; when it
    /// does so with no child in flight, all is done. Once `isEnding` returns true, nothing more
    /// starts, and the children in flight are cancelled, so that every wait in them ends. The
    /// closures but `work` run in the calling task, so they may keep state without a lock.
    package static func slide<Work: Sendable, Result: Sendable>(
        next: () -> Work?,
        isEnding: () -> Bool = { false },
        work: @escaping @Sendable (Work) async -> Result,
        receive: (Result) async -> Void
    ) async {
        await slide(
            arrivals: { () -> Never? in nil }, wantsMore: { false }, arrive: { (_: Never) in },
            next: next, isEnding: isEnding, work: work, receive: receive)
    }

    /// The same for work that comes by and by: `arrivals` is waited for beside what is under way, as
    /// long as `wantsMore`, until it returns `nil`.
    package static func slide<Arrival: Sendable, Work: Sendable, Result: Sendable>(
        arrivals: @escaping @Sendable () async -> Arrival?,
        wantsMore: () -> Bool,
        arrive: (Arrival) -> Void,
        next: () -> Work?,
        isEnding: () -> Bool = { false },
        work: @escaping @Sendable (Work) async -> Result,
        receive: (Result) async -> Void
    ) async {
        await withTaskGroup(of: Event<Arrival, Result>.self) { group in
            var isOver = false
            var isWaiting = false
            while true {
                if !isOver, !isWaiting, !isEnding(), wantsMore() {
                    isWaiting = true
                    group.addTask { .arrived(await arrivals()) }
                }
                while !isEnding(), let item = next() {
                    group.addTask { .ended(await work(item)) }
                }
                if isEnding() { group.cancelAll() }
                switch await group.next() {
                case nil: return
                case .ended(let result): await receive(result)
                case .arrived(let arrival):
                    isWaiting = false
                    if let arrival { arrive(arrival) } else { isOver = true }
                }
            }
        }
    }
}
