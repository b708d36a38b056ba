extension Theme {
    /// The theme of the task; `nil` is that of the program.
    @TaskLocal static var inTask: Theme?

    /// The theme of a component that may have one of its own. Asked once for each rendering, so that
    /// a switch midway mixes nothing.
    static func inForce(_ own: Theme?) -> Theme { own ?? current }

    /// Runs `operation` with `theme` as the current one of its task and of the tasks that it makes
    /// inside, whatever others draw in meanwhile.
    ///
    /// A server that serves many tenants draws each request so:
    ///
    /// ```swift
    /// let emblem = try await Theme.withCurrent(tenant.theme) {
    ///     try await AsyncEmblem(url: logo, layout: .large).render(scale: 2)
    /// }
    /// ```
    ///
    /// A component with a theme of its own keeps it, and so does a detached task. A batch draws in
    /// the theme of the task that asks for its first outcome.
    public static func withCurrent<Result, Failure>(
        _ theme: Theme, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try $inTask.withValue(theme) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try operation()) } catch { return .failure(error) }
        }.get()
    }

    /// The same for what takes its time.
    public static func withCurrent<Result, Failure>(
        _ theme: Theme, isolation: isolated (any Actor)? = #isolation,
        operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await $inTask.withValue(
            theme,
            operation: { () async -> Swift.Result<Result, Failure> in
                do throws(Failure) {
                    return .success(try await operation())
                } catch {
                    return .failure(error)
                }
            }, isolation: isolation
        ).get()
    }
}
