extension AsyncEmblem {
    /// Returns the values that `content` makes from the phases of loading. Corresponds to
    /// `AsyncImage(url:content:)`, with values of any type instead of views.
    public func contents<Content>(
        _ content: @escaping @Sendable (AsyncImagePhase) -> Content
    ) -> Contents<Content> {
        Contents(phases: phases(), make: content)
    }

    /// Returns the values that `content` makes from the loaded image, and those of `placeholder`
    /// while there is no image. Corresponds to `AsyncImage(url:content:placeholder:)`.
    public func contents<Content>(
        content: @escaping @Sendable (Image) -> Content,
        placeholder: @escaping @Sendable () -> Content
    ) -> Contents<Content> {
        contents { phase in
            if case .success(let image) = phase { content(image) } else { placeholder() }
        }
    }

    /// The sequence that ``contents(_:)`` returns: one value per phase.
    public struct Contents<Content>: AsyncSequence, Sendable {
        let phases: Phases
        let make: @Sendable (AsyncImagePhase) -> Content

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(phases: phases.makeAsyncIterator(), make: make)
        }

        /// The iterator of one sequence of values.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var phases: Phases.AsyncIterator
            let make: @Sendable (AsyncImagePhase) -> Content

            public mutating func next() async -> Content? {
                await phases.next().map(make)
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async -> Content? {
                await phases.next(isolation: actor).map(make)
            }
        }
    }
}
