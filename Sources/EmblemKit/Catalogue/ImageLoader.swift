import FoundationEssentials
import Observation
import Synchronization

/// An object that loads one image and publishes its phase. Corresponds to the observable loader of
/// a view.
///
/// ```swift
/// let loader = ImageLoader(source: .remote(url: logo))
/// await loader.load().value
/// print(loader.phase.image?.width ?? 0)
/// ```
///
/// `withObservationTracking` and `Observations` see changes of ``phase``. The end of the object
/// cancels its load. Unless the program sets ``DesignSystem/Settings/emblemImageLoader``, loaded images stay
/// in ``CachingImageLoader/shared``.
public final class ImageLoader: Observable, Sendable {
    private struct State {
        var phase = AsyncImagePhase.empty
        var task: Task<Void, Never>?
        /// The number of loads started so far, so that a cancelled load changes nothing.
        var load = 0
    }

    /// The source of the image.
    public let source: ImageSource
    private let loader: (any AsyncEmblemImageLoader)?
    private let state = Mutex(State())
    private let registrar = ObservationRegistrar()

    /// Creates a loader. It starts with ``load()``.
    ///
    /// - Parameters:
    ///   - source: The source of the image.
    ///   - loader: The loader for URLs; `nil` uses that of the program.
    public init(source: ImageSource, loader: (any AsyncEmblemImageLoader)? = nil) {
        self.source = source
        self.loader = loader
    }

    /// Creates a loader for an image at `url`.
    public convenience init(url: URL?, loader: (any AsyncEmblemImageLoader)? = nil) {
        self.init(source: .remote(url: url), loader: loader)
    }

    deinit {
        state.withLock { $0.task }?.cancel()
    }

    /// The current phase: ``AsyncImagePhase/empty`` until the image was loaded or failed.
    public var phase: AsyncImagePhase {
        registrar.access(self, keyPath: \.phase)
        return state.withLock { $0.phase }
    }

    /// Starts loading. A load in progress continues; a finished one is repeated.
    ///
    /// - Returns: The task of the load, whose `value` is its end.
    @discardableResult
    public func load() -> Task<Void, Never> {
        var emblem = AsyncEmblem.cached(source)
        emblem.loader = loader ?? emblem.loader
        return state.withLock { [emblem] state in
            if let task = state.task { return task }
            state.load += 1
            let load = state.load
            let task = Task { [weak self] in
                for await phase in emblem.phases() { self?.set(phase, in: load) }
                self?.end(load)
            }
            state.task = task
            return task
        }
    }

    /// Cancels the load in progress. The phase stays as it is.
    public func cancel() {
        let task = state.withLock { state in
            defer { state.task = nil }
            state.load += 1
            return state.task
        }
        task?.cancel()
    }

    /// Sets the phase of a load and notifies the observers; does neither for a canceled load, which
    /// may still deliver a phase. Not private, because a test cannot cause that moment otherwise.
    package func set(_ phase: AsyncImagePhase, in load: Int) {
        guard state.withLock({ $0.load == load }) else { return }
        registrar.withMutation(of: self, keyPath: \.phase) {
            state.withLock { state in
                if state.load == load { state.phase = phase }
            }
        }
    }

    private func end(_ load: Int) {
        state.withLock { state in
            if state.load == load { state.task = nil }
        }
    }
}
