/// A task group whose intake says when another child may start.
package enum Window {
    /// Starts `work` for each value that `next` gives, and hands each result to `receive` in the
    /// order of their ends.
    ///
    /// `next` is asked again after every end, and returns `nil` while nothing may start; when it
    /// does so with no child in flight, all is done. Both closures run in the calling task, so
    /// they may keep state without a lock.
    package static func slide<Work: Sendable, Result: Sendable>(
        next: () -> Work?,
        work: @escaping @Sendable (Work) async -> Result,
        receive: (Result) -> Void
    ) async {
        await withTaskGroup(of: Result.self) { group in
            while true {
                while let item = next() {
                    group.addTask { await work(item) }
                }
                guard let result = await group.next() else { return }
                receive(result)
            }
        }
    }
}
