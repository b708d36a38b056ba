extension AsyncEmblem {
    /// The phases of loading: ``AsyncImagePhase/empty``, then the picture or the failure.
    ///
    /// Loading begins when the second phase is asked for, in the task that asks, and ends with
    /// that task: after it was cancelled the sequence is over, without a last phase. Each walk
    /// along the sequence loads anew; ``render(scale:scheme:)`` afterwards does not.
    public func phases() -> Phases {
        Phases(emblem: self)
    }

    /// What ``phases()`` gives.
    public struct Phases: AsyncSequence, Sendable {
        let emblem: AsyncEmblem

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(emblem: emblem)
        }

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
