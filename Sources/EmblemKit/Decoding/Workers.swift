import Artwork
import Render
import Synchronization
import System
import Theming
import Worker

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
                count: count, memoryBytes: memoryBytes, program: try WorkerProgram.find(),
                early: 1)
            settings.startNanoseconds = startNanoseconds
            settings.failuresLimit = failuresLimit
            settings.endsWithoutRoom = false
            let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
            return .open(
                WorkerPool(settings: settings, renderer: renderer, permits: .library),
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
