import Render

/// The place where images are decoded, and the limits for decoding time.
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
        /// A call returns when the time limit expires, but a started step cannot be stopped. Its
        /// thread continues, and after a number of such threads no further image is decoded. Memory
        /// is estimated from headers; a decoder that uses more is not limited.
        case none
    }

    /// The isolation between an image and the program.
    public var isolation = Isolation.process
    /// The time limit for one image from the moment when a worker receives it. The wait for memory
    /// does not count.
    public var timeout = Duration.seconds(30)
    /// The CPU-time limit for one image.
    public var processorTime = Duration.seconds(5)

    /// Creates settings with the defaults of the tool.
    public init(_ isolation: Isolation = .process) {
        self.isolation = isolation
    }

    /// Applies the limits to an order.
    func limit(_ order: inout RenderOrder) {
        order.patienceNanoseconds = Self.nanoseconds(timeout)
        order.processorNanoseconds = Self.nanoseconds(processorTime)
        order.memory = .library
    }

    private static func nanoseconds(_ time: Duration) -> UInt64 {
        UInt64(min(max(0, time / .nanoseconds(1)), 9e18))
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
            try await Workers.shared.place(decoding.isolation)
        }
        let (never, keeper) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        keeper.finish()
        await shutdown()
    }
}
