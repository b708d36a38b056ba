import Artwork
import Codecs
import Engine
import Gauge
import Raster
import Render
import Synchronization
import System
import Theming
import Transport
import Worker

/// The isolation in which images are decoded, and the limits for decoding.
///
/// Decoders are large C libraries, and a hostile image may crash one, keep it busy forever or take
/// it over. Images are therefore decoded in worker processes, which can be killed without harm to
/// the program. <doc:Safety> describes their confinement.
///
/// The worker is a program that links this library. It is the program named by `EMBLEM_WORKER` in
/// the environment, or this program if it calls ``EmblemWorker/runIfAsked()``, or an `emblem` in
/// the program's folder. `PATH` is not searched.
///
/// ```swift
/// DesignSystem.shared.decoding.isolation = .strict
/// DesignSystem.shared.update { $0.decoding.timeout = .seconds(10) }
/// print(await DesignSystem.shared.decoding.settle())
/// ```
///
/// ``DesignSystem/Settings/decoding`` holds the settings of the program. A component can have its own
/// settings, such as ``BatchOptions/decoding``. So can a task, such as a request of a server
/// (``withCurrent(_:operation:)``).
///
/// Images share a few workers. Large and slow images use at most half of them while other images
/// wait.
public struct Decoding: Hashable, Sendable {
    /// The isolation between an image and the program.
    public enum Isolation: String, CaseIterable, Hashable, Sendable {
        /// Worker processes. If none can be started, every image is an error
        /// (``EmblemError/unavailable(_:)``).
        case process
        /// Worker processes. If none can be started, images are decoded in the program, and
        /// ``Decoding/inForce`` reports it.
        case processIfPossible
        /// Worker processes confined by both the system call filter and Landlock. If this is not
        /// possible, every image is an error.
        case strict
        /// No isolation: images are decoded in the program. Use it for trusted images only.
        ///
        /// A call returns when the time limit expires, but a started decoding step cannot be
        /// stopped: its thread continues. When as many such threads run as there are renderers,
        /// further images fail with ``EmblemError/busy(_:)``. Memory is estimated from headers; a
        /// decoder that uses more is not limited.
        case none
    }

    /// The isolation between an image and the program.
    public var isolation = Isolation.process
    /// The time limit for one image from the moment when a worker receives it. The wait for memory
    /// does not count.
    public var timeout = Duration.seconds(30)
    /// The most pixels that the header of an image may declare. A progressive JPEG may have half as
    /// many.
    public var pixelsLimit = 50_000_000
    /// The most memory that decoding one image may take, in bytes, as estimated from its header.
    ///
    /// `nil` sets no limit: an image that needs more than the memory for large images is decoded
    /// while no other large image is.
    public var memoryLimit: Int?
    /// The most images that may wait for a renderer at once; `nil` sets no limit. One more fails
    /// with ``EmblemError/busy(_:)``.
    public var queueLimit: Int?

    /// Creates settings with the defaults of the tool.
    public init(_ isolation: Isolation = .process) {
        self.isolation = isolation
    }

    /// Applies the limits to an order.
    func limit(_ order: inout RenderOrder) {
        order.patienceNanoseconds = Self.nanoseconds(timeout)
        order.recipe.limits = limits
        order.queueLimit = max(0, queueLimit ?? .max)
        order.memoryLimit = max(0, memoryLimit ?? .max)
    }

    var limits: DecodeLimits { DecodeLimits(pixels: min(max(1, pixelsLimit), 1 << 40)) }

    private static func nanoseconds(_ time: Duration) -> UInt64 {
        UInt64(min(max(0, time / .nanoseconds(1)), 9e18))
    }
}

extension Decoding {
    @TaskLocal private static var inTask: Decoding?

    /// The settings of the current task (``withCurrent(_:operation:)``), otherwise those of the
    /// program (``DesignSystem/Settings/decoding``).
    public static var current: Decoding { inForce(nil) }

    /// Returns the settings that apply to a component: its own, or those of the task or of the
    /// design system, in this order.
    static func inForce(_ own: Decoding?) -> Decoding {
        own ?? inTask ?? DesignSystem.shared.decoding
    }

    /// Returns a function that runs `work` with the settings of this task. A detached task does not
    /// inherit them.
    static func inheriting<Value>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> @Sendable () async throws -> Value {
        guard let decoding = inTask else { return work }
        return { try await $inTask.withValue(decoding, operation: work) }
    }

    /// Runs `operation` with `decoding` as the settings of its task and of the child tasks. Other
    /// tasks are not affected.
    ///
    /// A server limits a request this way:
    ///
    /// ```swift
    /// var decoding = Decoding.current
    /// decoding.pixelsLimit = 16_000_000
    /// let emblem = try await Decoding.withCurrent(decoding) {
    ///     try await AsyncEmblem(url: logo).render(scale: 2)
    /// }
    /// ```
    ///
    /// A component or renderer with its own settings keeps them. A detached task does not inherit
    /// the settings. A batch uses the settings of the task that requests its first outcome.
    @discardableResult
    public static func withCurrent<Result, Failure>(
        _ decoding: Decoding, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try $inTask.withValue(decoding) { Swift.Result(catching: operation) }.get()
    }

    /// Runs an asynchronous `operation` with `decoding` as the settings of its task and of the
    /// child tasks.
    @discardableResult
    public static func withCurrent<Result, Failure>(
        _ decoding: Decoding, isolation: isolated (any Actor)? = #isolation,
        operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await $inTask.with(decoding, isolation, operation)
    }

}

extension TaskLocal {
    /// Runs `operation` with `value` as the task-local value. Unlike `withValue`, it keeps the type
    /// of the errors that `operation` throws.
    func with<Result, Failure>(
        _ value: Value, _ isolation: isolated (any Actor)?,
        _ operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withValue(
            value,
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

extension Decoding {
    /// The isolation that is in effect.
    public enum InForce: Hashable, Sendable {
        /// No image has been decoded yet.
        case undecided
        /// Images are decoded in worker processes; the text describes their confinement.
        case workers(String)
        /// Images are decoded in the program; the text gives the reason.
        case thisProgram(String)
        /// No image can be decoded at the moment; the text gives the reason.
        case nowhere(String)
    }

    /// The isolation in effect now. Reading it starts no worker.
    public var inForce: InForce { Workers.shared.inForce(isolation) }

    /// Starts a worker if needed and returns the isolation in effect.
    ///
    /// A program that requires isolation calls this function at startup.
    public func settle() async -> InForce {
        _ = try? await withTaskExecutorPreference(Executors.work) {
            try await Workers.shared.place(isolation)
        }
        return inForce
    }
}

extension Decoding.InForce: CustomStringConvertible {
    public var description: String {
        switch self {
        case .undecided: "nothing was decoded yet"
        case .workers(let text): text
        case .thisProgram(let reason): "none, decoding in this program: \(reason)"
        case .nowhere(let reason): "nothing can be decoded: \(reason)"
        }
    }
}

extension DesignSystem {
    /// Ends the worker processes and waits for them. The next image starts new ones.
    ///
    /// Call it at the end of a program that stops drawing but continues. An image in progress ends
    /// with `CancellationError` or an error of the class `canceled`.
    public func shutdown() async {
        await withTaskExecutorPreference(Executors.work) { Workers.shared.shutDown() }
    }

    /// Starts the workers, waits until the task is cancelled, and ends the workers.
    ///
    /// The function has the shape of a `Service` of swift-service-lifecycle (<doc:Servers>).
    ///
    /// - Throws: ``EmblemError/unavailable(_:)`` if no image can be decoded with the isolation of
    ///   ``Settings/decoding``.
    public func run() async throws {
        _ = try await withTaskExecutorPreference(Executors.work) {
            try await Workers.shared.place(self.decoding.isolation)
        }
        let (never, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        continuation.finish()
        await shutdown()
    }
}

extension Decoding {
    /// A renderer for orders that draw no emblem.
    private static let plain = ThemedRenderer(
        Renderer(theme: .builtIn, artwork: EmblemArtwork()))

    /// Carries out an order and returns its result. Throws ``EmblemError``, or `CancellationError`
    /// if the task is cancelled.
    func carryOut(
        _ subject: RenderOrder.Subject, of source: [UInt8] = [],
        _ recipe: Recipe = Recipe(variants: []), with themed: ThemedRenderer? = nil
    ) async throws -> (header: ImageHeader?, rendering: Rendering) {
        let order = RenderOrder(subject, of: source, recipe: recipe)
        let answer = try await answer(order, with: themed ?? Self.plain)
        switch answer.result {
        case .success(let rendering): return (answer.header, rendering)
        case .failure(let error):
            try Task.checkCancellation()
            throw EmblemError(error)
        }
    }

    /// Carries out an order with the library's workers, memory limit and timeouts. Throws
    /// ``EmblemError`` if neither a worker nor this program can decode, or `CancellationError`.
    func answer(
        _ order: RenderOrder, with themed: ThemedRenderer
    ) async throws -> RenderAnswer {
        // Acquire and release all shared resources on the library's threads. Callers may block the
        // threads of the program, and a task there could then not release a resource.
        let answer = try await withTaskExecutorPreference(Executors.work) {
            try await answerOnLibraryThread(order, with: themed)
        }
        if case .failure(.unavailable(let lack)) = answer.result {
            throw EmblemError.noWorker(lack.words)
        }
        return answer
    }

    private func answerOnLibraryThread(
        _ order: RenderOrder, with themed: ThemedRenderer
    ) async throws -> RenderAnswer {
        var order = order
        switch order.subject {
        case .icon, .raster:
            // Trusted content needs no worker and has no limits.
            (order.patienceNanoseconds, order.processorNanoseconds) = (.max, .max)
            return InProcess(themed.renderer, .here).attempt(order)
        case .picture, .initials, .graphic, .check, .pixels: break
        }
        limit(&order)
        switch try await Workers.shared.place(isolation) {
        case .workers(let pool): return await pool.render(order, with: themed)
        case .here: return await ThisProgram.render(order, themed.renderer)
        }
    }

    /// Decodes every part of an image once, and returns its header.
    func check(_ bytes: [UInt8]) async throws -> ImageHeader {
        guard let header = try await carryOut(.check, of: bytes).header else {
            throw EmblemError.nothing
        }
        return header
    }

    /// Decodes all pixels. They are oriented, in sRGB and premultiplied.
    func pixels(_ bytes: [UInt8]) async throws -> DecodedGraphic {
        guard let graphic = try await carryOut(.pixels, of: bytes).rendering.graphic else {
            throw EmblemError.nothing
        }
        return graphic
    }

    /// Decodes the image for a drawing that shows it in a box of that size in pixels. Returns the
    /// decoded graphic and the format of the image.
    func graphic(
        _ bytes: [UInt8], in box: PixelSize
    ) async throws -> (graphic: StateGraphic, format: ImageFormat) {
        let answer = try await carryOut(.graphic(in: box), of: bytes)
        guard let graphic = answer.rendering.graphic, let header = answer.header else {
            throw EmblemError.nothing
        }
        return (StateGraphic(graphic, of: bytes), header.format)
    }
}

extension OrderQueue {
    /// The memory that each slot has for small images, in bytes.
    private static let smallImageBytes = 24 << 20
    /// The memory for large images, in bytes, which all slots share.
    private static let largeImagesBytes = 184 << 20

    /// The queue of all workers of the library. An image that needs more than the memory for large
    /// images gets all of that memory, so that no other large image is decoded meanwhile.
    static let library = fair()

    /// The queue of images that are decoded in this program. It is separate from that of the
    /// workers, because an image whose decoding never ends keeps its memory forever.
    static let here = fair()

    private static func fair() -> OrderQueue {
        OrderQueue(
            slots: Workers.count, bytes: largeImagesBytes + Workers.count * smallImageBytes,
            admitsLarger: true, smallBytes: smallImageBytes, isFair: true)
    }
}

extension EmblemError {
    fileprivate static let nothing = EmblemError.failedToDecode("Nothing was decoded.")

    init(_ error: OrderError) {
        switch error {
        case .render(.stopped), .preempted:
            self = .failedToDecode("The work was stopped.", .canceled)
        case .render(.tooLarge(let bytes, _)):
            self = .failedToDecode(
                "Decoding needs \(bytes >> 20 + 1) MB, which is more than Decoding.memoryLimit.",
                .limitDecode)
        case .render(let error): self.init(error)
        case .crashed: self = .failedToDecode("\(error)", .crashed)
        case .outOfMemory:
            self = .failedToDecode("\(error)", .limitDecode)
        case .timeout:
            self = .failedToDecode("Decoding took longer than Decoding.timeout.", .timeout)
        case .drawnTooLong:
            // A retry of the same bytes would take as long.
            self = .failedToDecode(
                "Decoding took more than 5 seconds of CPU time.", .timeout,
                isRetryable: false)
        case .busy(let reason): self = .busy(reason)
        case .unavailable(let lack): self = .unavailable(lack.text)
        }
    }
}

/// The worker processes of this program: one pool for all decoding. It starts with the first image
/// and ends with the program or at ``DesignSystem/shutdown()``.
final class Workers: Sendable {
    static let shared = Workers()

    enum Place: Sendable {
        case workers(WorkerPool)
        /// In this program, without isolation.
        case here
    }

    private enum State {
        case untried
        case open(WorkerPool, hasServed: Bool)
        /// The permanent state if no worker can ever be started.
        case unavailable(String)
        /// A temporary state: no worker can be started now, but one ran before or only resources
        /// are missing. Images fail; they are not decoded in this process instead.
        case paused(String, until: UInt64)
    }

    private let state = Mutex(State.untried)

    /// The time until the next attempt to start workers.
    private static let pauseNanoseconds: UInt64 = 1_000_000_000
    /// The time limit for the start of a worker.
    private static let startNanoseconds: UInt64 = 10_000_000_000
    /// The number of failed starts in a row after which no more workers are started.
    private static let failuresLimit = 3

    /// The number of workers, at least two: slow images never use the last one, which quick images
    /// need.
    static var count: Int { max(2, WorkerSettings.count(jobs: Executors.cores)) }
    static let defaultRenderers = count
    /// The memory limit of the pool, for all workers together.
    static let memoryBytes = 256 << 20

    /// Returns the place where an image is decoded now. Throws ``EmblemError/unavailable(_:)``
    /// if decoding is not possible anywhere, or `CancellationError`.
    func place(_ isolation: Decoding.Isolation) async throws -> Place {
        guard isolation != .none else { return .here }
        for _ in 0..<2 {
            switch opened() {
            case .untried: break
            case .unavailable(let reason):
                guard isolation != .processIfPossible else { return .here }
                throw EmblemError.noWorker(reason)
            case .paused(let reason, _): throw EmblemError.noWorker(reason)
            case .open(let pool, _):
                let confinement = await pool.confinement()
                guard let confinement, pool.failure == nil else {
                    try Task.checkCancellation()
                    close(pool)
                    continue
                }
                if isolation == .strict, let lack = Worker.Isolation.strict.lack(in: confinement) {
                    throw EmblemError.noWorker(lack.text)
                }
                noteUse(of: pool)
                return .workers(pool)
            }
        }
        throw EmblemError.noWorker("its workers end repeatedly")
    }

    func inForce(_ isolation: Decoding.Isolation) -> Decoding.InForce {
        guard isolation != .none else { return .thisProgram("isolation is none") }
        switch state.withLock({ $0 }) {
        case .untried: return .undecided
        case .unavailable(let reason):
            return isolation == .processIfPossible ? .thisProgram(reason) : .nowhere(reason)
        case .paused(let reason, _): return .nowhere(reason)
        case .open(let pool, _):
            guard let confinement = pool.knownConfinement, pool.failure == nil else {
                return .undecided
            }
            if isolation == .strict, let lack = Worker.Isolation.strict.lack(in: confinement) {
                return .nowhere(EmblemError.inLibrary(lack.text))
            }
            return .workers("\(confinement)")
        }
    }

    var confinement: Confinement {
        guard case .open(let pool, _) = state.withLock({ $0 }) else { return .none }
        return pool.knownConfinement ?? .unused
    }

    /// Returns the current state, and opens a pool if possible.
    private func opened() -> State {
        state.withLock { state in
            switch state {
            case .open, .unavailable: break
            case .paused(_, let moment) where MonotonicClock.now < moment: break
            case .untried, .paused: state = Self.open()
            }
            return state
        }
    }

    private static func open() -> State {
        do throws(WorkerProgram.SearchError) {
            var settings = WorkerSettings(
                count: count, memoryBytes: OrderQueue.library.bytes,
                program: try WorkerProgram.find(),
                early: 1)
            settings.startNanoseconds = startNanoseconds
            settings.failuresLimit = failuresLimit
            settings.endsWithoutRoom = false
            let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
            return .open(
                WorkerPool(settings: settings, renderer: renderer, queue: .library),
                hasServed: false)
        } catch {
            return .unavailable(error.text)
        }
    }

    func shutDown() {
        let pool = state.withLock { state -> WorkerPool? in
            guard case .open(let pool, _) = state else { return nil }
            state = .untried
            return pool
        }
        pool?.close()
    }

    /// Records that a worker of the pool runs. From then on, `.processIfPossible` no longer falls
    /// back to this program.
    private func noteUse(of pool: WorkerPool) {
        state.withLock { state in
            if case .open(let own, false) = state, own === pool {
                state = .open(own, hasServed: true)
            }
        }
    }

    /// Records that the pool has no process left and will start none. Images that were isolated
    /// before are never decoded with less isolation. Otherwise an attacker could remove the
    /// isolation by making worker processes fail.
    private func close(_ pool: WorkerPool) {
        guard case .unavailable(let lack) = pool.failure else { return }
        state.withLock { state in
            guard case .open(let own, let hasServed) = state, own === pool else { return }
            state =
                hasServed || lack.isLimit
                ? .paused(lack.words, until: MonotonicClock.now &+ Self.pauseNanoseconds)
                : .unavailable(lack.words)
        }
    }
}

extension EmblemError {
    static func noWorker(_ reason: String) -> EmblemError {
        .unavailable(
            "No worker process can be started to decode pictures: \(inLibrary(reason)).")
    }

    /// Returns the reason with the tool's option replaced by the library's setting.
    static func inLibrary(_ reason: String) -> String {
        reason.replacing("'--sandbox strict'", with: "Decoding.Isolation.strict")
    }
}

/// The threads of the library. The thread pool of Swift belongs to the program, and the library
/// uses it only briefly.
enum Executors {
    static let cores = MachineFacts.availableCores

    /// The executor for the work of the library itself. No code of the program runs on it, so that
    /// its threads are never blocked.
    static let work = executor()

    /// The executor for batches and for the user's loaders.
    static let batches = executor()

    /// The executor for encoding, which holds a thread until the file is finished.
    static let encoding = executor()

    /// Creates an executor with as many threads as there are workers. A job may take as long as
    /// decoding an image, so each waiting job wakes another thread at once (`patience: 0`).
    private static func executor() -> RunExecutor? {
        let executor = RunExecutor(threads: Workers.count, patience: 0)
        // If no thread can be started, the thread pool of Swift is used.
        return executor.isEmpty ? nil : executor
    }
}

/// Synchronous waiting for the library's asynchronous work.
enum Blocking {
    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let end = Semaphore()
    }

    /// The longest time until a cancellation is noticed, in milliseconds.
    private static let cancellationCheckMilliseconds = 10

    /// Blocks the calling thread until `work` is done on the library's threads. It needs no thread
    /// of the program, so callers may block all of them.
    static func wait<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws(EmblemError) -> Value {
        let box = Box<Value>()
        let work = Decoding.inheriting(work)
        let task = Task.detached(executorPreference: Executors.work) {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            box.result.withLock { $0 = result }
            box.end.signal()
        }
        while !box.end.wait(milliseconds: cancellationCheckMilliseconds) {
            guard Task.isCancelled else { continue }
            task.cancel()
            box.end.wait()
            break
        }
        switch box.result.withLock({ $0 }) {
        case .success(let value): return value
        case .failure(let error as EmblemError): throw error
        case .failure, nil:
            throw .failedToDecode(
                "The work was stopped, because its task was cancelled.", .canceled)
        }
    }
}
