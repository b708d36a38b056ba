import Codecs
import Render

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
/// Images share a few renderers. One renderer and the memory of small images are set aside for
/// quick images, so that large and slow images do not delay them.
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
        order.terms.queueLimit = max(0, queueLimit ?? .max)
        order.terms.memoryLimit = max(0, memoryLimit ?? .max)
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
    ///   ``decoding``.
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
