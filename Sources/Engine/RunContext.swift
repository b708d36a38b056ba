import Artwork
import Digest
import Raster
import Render
import Transport
import Worker

/// What the jobs of one run share: the settings, the renderer, and the permits.
package struct RunContext: Sendable {
    package let settings: RunSettings
    /// Where pictures are rendered.
    package let backend: any RenderBackend
    /// The processes that do it, where processes do.
    let workers: WorkerPool?
    private let confinementNow: @Sendable () -> Confinement
    /// Counted in bytes of sources that were read.
    package let bodies: Budget
    /// The way to the network.
    package let network: LazyNetworkLoader
    /// What is asked in its place.
    let loader: (any SourceLoader)?
    /// What stands in for missing pictures, the first that can be drawn, before what recipes say.
    let standIns: [any GivenSource]
    let placeholders = PlaceholderCache()

    /// - Parameters:
    ///   - workers: processes to render in; without them it is done here.
    ///   - crashed: the digests of SVG files that are not drawn here, see `InProcess`.
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

    /// With a backend that is not the run's own.
    ///
    /// - Parameters:
    ///   - loader: is asked in the place of the network.
    ///   - standIns: are shown in the place of missing pictures, the first that can be drawn.
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

    /// The most items that are of use before those who render.
    package var rowsAtOnce: Int { settings.jobs + (workers?.groupedCount ?? settings.jobs) + 2 }

    /// What knows themes and sizes.
    package var renderer: Renderer { backend.renderer }

    /// What held the pictures that were decoded until now.
    package var confinement: Confinement { confinementNow() }

    /// Runs the tasks of `work` on few threads where the rendering is done by other processes, else
    /// on all cores.
    package func withExecutor(_ work: () async -> Void) async {
        guard let workers else { return await work() }
        let crew = RunExecutor(threads: max(2, settings.jobs / 2))
        guard !crew.isEmpty else { return await work() }
        workers.help(with: crew)
        await withTaskExecutorPreference(crew) { await work() }
        workers.help(with: nil)
        crew.close()
    }

    /// Makes the emblems of one item without storing them.
    package func draw(_ item: BatchItem) async -> (record: ItemRecord, rendering: Rendering?) {
        let draft = await Job(self).make(item)
        return (draft.record, draft.rendering)
    }

    /// Finds what a sketch of one item shows, as sharp as `box` needs it.
    package func content(
        of item: BatchItem, in box: PixelSize
    ) async -> (record: ItemRecord, content: EmblemContent?) {
        let draft = await Job(self, .content(box)).make(item)
        return (draft.record, draft.content)
    }
}
