import Synchronization

/// Where pictures are decoded, and how long that may take.
///
/// Decoders are large programs in C, and some picture will one day crash one, keep it busy for ever
/// or take it over. So pictures are decoded in worker processes, which can be ended without harm to
/// the program; <doc:Safety> says what holds them.
///
/// A worker is a program of this library: the one that `EMBLEM_WORKER` in the environment names,
/// else the program itself where it calls ``EmblemWorker/runIfAsked()``, else an `emblem` in the
/// folder of the program. `PATH` is not searched.
///
/// ```swift
/// DesignSystem.shared.decoding.isolation = .strict
/// DesignSystem.shared.decoding.timeout = .seconds(10)
/// print(await DesignSystem.shared.decoding.settle())
/// ```
public struct Decoding: Hashable, Sendable {
    /// What stands between a picture and the program.
    public enum Isolation: String, CaseIterable, Hashable, Sendable {
        /// Worker processes. Where none can be had pictures are decoded in the program itself, and
        /// ``Decoding/inForce`` says so.
        case process
        /// Worker processes that the filter of system calls and Landlock both hold; where there are
        /// none such, every picture is an error.
        case strict
        /// Nothing: pictures are decoded in the program itself. For pictures that you trust.
        ///
        /// Whoever waits is let go when the time is over, but nothing ends a step that has begun:
        /// its thread works on, until so many are left that no picture is decoded any more. Memory is
        /// reckoned from headers, and what a decoder takes beyond that is not limited.
        case none
    }

    /// What stands between a picture and the program.
    public var isolation = Isolation.process
    /// The time of one picture from the moment that a worker has it, waiting for memory not counted.
    public var timeout = Duration.seconds(30)
    /// How long the processors may work on one picture.
    public var processorTime = Duration.seconds(5)

    /// The defaults, which are those of the tool.
    public init(_ isolation: Isolation = .process) {
        self.isolation = isolation
    }

    var timeoutNanoseconds: UInt64 { Self.nanoseconds(timeout) }
    var processorNanoseconds: UInt64 { Self.nanoseconds(processorTime) }

    private static func nanoseconds(_ time: Duration) -> UInt64 {
        UInt64(min(max(0, time / .nanoseconds(1)), 9e18))
    }
}

extension Decoding {
    /// What came of the isolation asked for.
    public enum InForce: Hashable, Sendable {
        /// No picture was decoded yet.
        case undecided
        /// Pictures are decoded in worker processes; the text says what holds them.
        case workers(String)
        /// Pictures are decoded in the program itself; the text says why.
        case thisProgram(String)
        /// No picture is decoded, at least for the moment; the text says why.
        case nowhere(String)
    }

    /// What is in force by now, without starting anything.
    public var inForce: InForce { Workers.shared.inForce(isolation) }

    /// What is in force, once a worker was started where that is asked for.
    ///
    /// A program that would rather not run than decode by itself asks at its beginning.
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
        case .undecided: "no picture was decoded yet"
        case .workers(let text): text
        case .thisProgram(let reason): "none, pictures are decoded in this program: \(reason)"
        case .nowhere(let reason): "no picture is decoded: \(reason)"
        }
    }
}

extension DesignSystem {
    /// Where pictures are decoded for everyone who does not say so itself.
    ///
    /// Set it before the first picture; work that has begun keeps what it began with.
    public var decoding: Decoding {
        get { state.withLock { $0.decoding } }
        set { state.withLock { $0.decoding = newValue } }
    }
}
