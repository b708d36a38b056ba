import Artwork
import Raster
import Render
import System
import Transport
import Worker

/// The objects that all jobs of a run share: settings, renderer or workers, memory budget and
/// network.
package struct RunContext: Sendable {
    package let settings: RunSettings
    package let backend: any RenderBackend
    let workers: WorkerPool?
    private let confinementNow: @Sendable () -> Confinement
    /// The budget for source bytes in memory that wait to be decoded.
    package let bodies: Budget
    package let network: NetworkLoader
    /// A replacement for the network; nil to use the network.
    let loader: (any SourceLoader)?
    /// Images to show instead of the image of an item that cannot be shown. The first that can be
    /// drawn is used, in preference to the placeholder of the recipe.
    let fallbacks: [any GivenSource]
    let placeholders = PlaceholderCache()

    /// - Parameter workers: The worker processes; without them, this process renders.
    package init(settings: RunSettings, renderer: Renderer, workers: WorkerPool? = nil) {
        self.init(
            settings,
            workers
                ?? InProcess(
                    renderer, OrderQueue(slots: settings.jobs, bytes: settings.decodeBytes)),
            workers: workers, loader: nil, fallbacks: [],
            confinement: { workers.map { $0.knownConfinement ?? .unused } ?? .none })
    }

    /// Creates a context with a backend of the caller.
    ///
    /// - Parameters:
    ///   - loader: A replacement for the network.
    ///   - fallbacks: Images to show instead of one that cannot be shown; the first that can be
    ///     drawn is used.
    package init(
        settings: RunSettings, backend: any RenderBackend, loader: (any SourceLoader)? = nil,
        fallbacks: [any GivenSource] = [], confinement: @escaping @Sendable () -> Confinement
    ) {
        self.init(
            settings, backend, workers: nil, loader: loader, fallbacks: fallbacks,
            confinement: confinement)
    }

    private init(
        _ settings: RunSettings, _ backend: any RenderBackend, workers: WorkerPool?,
        loader: (any SourceLoader)?, fallbacks: [any GivenSource],
        confinement: @escaping @Sendable () -> Confinement
    ) {
        self.settings = settings
        self.backend = backend
        self.workers = workers
        self.loader = loader
        self.fallbacks = fallbacks
        confinementNow = confinement
        bodies = Budget(total: settings.bodyBytes)
        var network = settings.network
        network.bodyLimit = settings.bytesLimit
        network.heldBytesLimit = settings.bodyBytes
        self.network = NetworkLoader(network)
    }

    /// The largest useful number of items in progress; more would only wait for renderers.
    package var rowsAtOnce: Int { settings.jobs + (workers?.groupedCount ?? settings.jobs) + 2 }

    package var renderer: Renderer { backend.renderer }

    package var confinement: Confinement { confinementNow() }

    /// Runs the tasks of `work` on a few threads if workers render, otherwise on all cores.
    package func withExecutor(_ work: () async -> Void) async {
        guard let workers else { return await work() }
        let executor = RunExecutor(threads: max(2, settings.jobs / 2))
        guard !executor.isEmpty else { return await work() }
        workers.help(with: executor)
        await withTaskExecutorPreference(executor) { await work() }
        workers.help(with: nil)
        executor.close()
    }

    /// Draws one item, or its placeholder, without storing the images.
    package func draw(_ item: BatchItem) async -> (record: ItemRecord, rendering: Rendering?) {
        let draft = await Job(self).make(item)
        return (draft.record, draft.rendering)
    }

    /// Loads the content of a sketch for one item, with the resolution that `box` needs.
    package func content(
        of item: BatchItem, in box: PixelSize
    ) async -> (record: ItemRecord, content: EmblemContent?) {
        let draft = await Job(self, .content(box)).make(item)
        return (draft.record, draft.content)
    }
}
