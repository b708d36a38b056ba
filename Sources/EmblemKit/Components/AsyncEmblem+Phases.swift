extension AsyncEmblem {
    /// Returns the phases of loading: ``AsyncImagePhase/empty``, then the image or the failure.
    ///
    /// Loading starts when the second phase is requested, in the requesting task, and ends with
    /// that task. After a cancellation the sequence ends without a final phase. Each iteration
    /// loads the image again; a later ``render(scale:scheme:)`` does not.
    public func phases() -> Phases {
        Phases(emblem: self)
    }

    /// The sequence that ``phases()`` returns.
    public struct Phases: AsyncSequence, Sendable {
        let emblem: AsyncEmblem

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(emblem: emblem)
        }

        /// The iterator of one sequence of phases.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private enum Place {
                case start, loading, end
            }

            private let emblem: AsyncEmblem
            private var place = Place.start

            init(emblem: AsyncEmblem) {
                self.emblem = emblem
            }

            public mutating func next() async -> AsyncImagePhase? {
                await next(isolation: nil)
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async -> AsyncImagePhase? {
                guard !Task.isCancelled, place != .end else {
                    place = .end
                    return nil
                }
                guard place == .loading else {
                    place = .loading
                    return .empty
                }
                place = .end
                let result = await emblem.load()
                guard !Task.isCancelled else { return nil }
                emblem.lastLoad.result = result
                return AsyncImagePhase(result)
            }
        }
    }

    private func load() async -> Result<Image, any Error> {
        do {
            let loader = self.loader ?? DesignSystem.shared.emblemImageLoader
            return .success(try await source.loadChecked(with: loader))
        } catch {
            return .failure(error)
        }
    }
}
