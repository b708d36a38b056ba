import Artwork
import Digest
import Raster
import Render
import Transport
import Worker

/// The state that the jobs of one run share: the settings, the renderer, and the permits.
package struct RunContext: Sendable {
    package let settings: RunSettings
    package let backend: any RenderBackend
    let workers: WorkerPool?
    private let confinementNow: @Sendable () -> Confinement
    /// Bytes of sources that were read and not yet released.
    package let bodies: Budget
    package let network: LazyNetworkLoader
    let loader: (any SourceLoader)?
    /// Replacements for missing pictures; the first that can be drawn is used, before the recipe's
    /// placeholder.
    let standIns: [any GivenSource]
    let placeholders = PlaceholderCache()

    /// - Parameters:
    ///   - workers: Worker processes; without them, rendering runs in this process.
    ///   - crashed: The digests of SVG files that are not drawn in this process, see `InProcess`.
    package init(
        settings: RunSettings, renderer: Renderer, workers: WorkerPool? = nil,
        crashed: Set<Digest256>? = nil
    ) {
        self.init(
            settings,
            workers
                ?? InProcess(
                    renderer, Permits(renderers: settings.jobs, bytes: settings.decodeBytes),
                    crashed: crashed),
            workers: workers, loader: nil, standIns: [],
            confinement: { workers.map { $0.knownConfinement ?? .unused } ?? .none })
    }

    /// Creates a context with the caller's backend.
    ///
    /// - Parameters:
    ///   - loader: Used instead of the network.
    ///   - standIns: Replacements for missing pictures; the first that can be drawn is used.
    package init(
        settings: RunSettings, backend: any RenderBackend, loader: (any SourceLoader)? = nil,
        standIns: [any GivenSource] = [], confinement: @escaping @Sendable () -> Confinement
    ) {
        self.init(
            settings, backend, workers: nil, loader: loader, standIns: standIns,
            confinement: confinement)
    }

    private init(
        _ settings: RunSettings, _ backend: any RenderBackend, workers: WorkerPool?,
        loader: (any SourceLoader)?, standIns: [any GivenSource],
        confinement: @escaping @Sendable () -> Confinement
    ) {
        self.settings = settings
        self.backend = backend
        self.workers = workers
        self.loader = loader
        self.standIns = standIns
        confinementNow = confinement
        bodies = Budget(total: settings.bodyBytes)
        var network = settings.network
        network.bodyLimit = settings.bytesLimit
        network.heldBytesLimit = settings.bodyBytes
        self.network = LazyNetworkLoader(network)
    }

    /// The largest useful number of items in progress; more would only wait for renderers.
    package var rowsAtOnce: Int { settings.jobs + (workers?.groupedCount ?? settings.jobs) + 2 }

    package var renderer: Renderer { backend.renderer }

    package var confinement: Confinement { confinementNow() }

    /// Runs the tasks of `work` on few threads if workers render, otherwise on all cores.
    package func withExecutor(_ work: () async -> Void) async {
        guard let workers else { return await work() }
        let crew = RunExecutor(threads: max(2, settings.jobs / 2))
        guard !crew.isEmpty else { return await work() }
        workers.help(with: crew)
        await withTaskExecutorPreference(crew) { await work() }
        workers.help(with: nil)
        crew.close()
    }

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
