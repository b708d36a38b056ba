extension AsyncEmblem {
    /// What `content` makes of each phase; the counterpart of `AsyncImage(url:content:)`, with
    /// values of any type in the place of views.
    public func contents<Content>(
        _ content: @escaping @Sendable (AsyncImagePhase) -> Content
    ) -> Contents<Content> {
        Contents(phases: phases(), make: content)
    }

    /// What `content` makes of the picture, and `placeholder` as long as there is none; the
    /// counterpart of `AsyncImage(url:content:placeholder:)`.
    public func contents<Content>(
        content: @escaping @Sendable (Image) -> Content,
        placeholder: @escaping @Sendable () -> Content
    ) -> Contents<Content> {
        contents { phase in
            if case .success(let image) = phase { content(image) } else { placeholder() }
        }
    }

    /// What ``contents(_:)`` gives: one value a phase.
    public struct Contents<Content>: AsyncSequence, Sendable {
        let phases: Phases
        let make: @Sendable (AsyncImagePhase) -> Content

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(phases: phases.makeAsyncIterator(), make: make)
        }

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
