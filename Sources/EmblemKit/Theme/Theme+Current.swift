extension Theme {
    /// The theme of the current task; `nil` means the theme of the program.
    @TaskLocal static var inTask: Theme?

    /// Returns the theme of a component. It is read once per rendering, so that a switch during
    /// rendering has no effect.
    static func inForce(_ own: Theme?) -> Theme { own ?? current }

    /// Runs `operation` with `theme` as the current theme of its task and of the child tasks. Other
    /// tasks are not affected.
    ///
    /// A server with many tenants renders each request this way:
    ///
    /// ```swift
    /// let emblem = try await Theme.withCurrent(tenant.theme) {
    ///     try await AsyncEmblem(url: logo, layout: .large).render(scale: 2)
    /// }
    /// ```
    ///
    /// A component with its own theme keeps it. A detached task does not inherit the theme. A batch
    /// uses the theme of the task that requests its first outcome.
    public static func withCurrent<Result, Failure>(
        _ theme: Theme, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try $inTask.withValue(theme) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try operation()) } catch { return .failure(error) }
        }.get()
    }

    /// Runs an asynchronous `operation` with `theme` as the current theme of its task and of the
    /// child tasks.
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
