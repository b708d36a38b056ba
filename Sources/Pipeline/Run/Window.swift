/// A task group of bounded width: a new child starts only when one has ended.
package enum Window {
    /// Starts `work` for each value that `next` gives, at most `width` at once, and hands each
    /// result to `receive` in the order of their ends.
    ///
    /// `next` returning `nil` ends the intake; the children in flight are still received. Both
    /// closures run in the calling task, so they may keep state without a lock.
    package static func slide<Work: Sendable, Result: Sendable>(
        width: Int,
        next: () -> Work?,
        work: @escaping @Sendable (Work) async -> Result,
        receive: (Result) -> Void
    ) async {
        precondition(width > 0, "A window lets at least one task through.")
        await withTaskGroup(of: Result.self) { group in
            var inFlight = 0
            while inFlight < width, let item = next() {
                group.addTask { await work(item) }
                inFlight += 1
            }
            while let result = await group.next() {
                receive(result)
                if let item = next() {
                    group.addTask { await work(item) }
                }
            }
        }
    }
}
