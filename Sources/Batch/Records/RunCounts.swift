import Artwork
import Engine
import Notation
import Render
import Synchronization
import Transport

/// The numbers of items, outputs, bytes, errors and lint of a run.
package struct RunCounts: Sendable, Hashable {
    package var total = 0
    /// Files in folders that were skipped, because their names have no picture extension.
    package var skippedFiles = 0
    package var done = 0
    package var ok = 0
    package var placeholders = 0
    package var failed = 0
    /// Items among `ok` that show an earlier picture, because their source cannot be loaded now.
    package var stale = 0
    package var canceled = 0
    package var outputs = 0
    package var inFlight = 0
    /// Items whose outputs of an earlier run were reused without drawing.
    package var reused = 0
    /// Items among `reused` that were done before the run was interrupted; their sources were not
    /// loaded.
    package var resumed = 0
    package var bytesIn = 0
    package var bytesOut = 0
    package var errors: [ErrorClass: Int] = [:]
    /// Errors that may be gone in a later run, such as timeouts.
    package var retryableErrors = 0
    /// The number of items with each kind of lint; an item counts once for each kind.
    package var lint: [PictureLint.Kind: Int] = [:]
    /// The number of items with any lint.
    package var linted = 0

    package init(total: Int = 0) { self.total = total }

    /// The number of items that show a placeholder, a stale picture or nothing.
    package var withoutPicture: Int { done - canceled - fresh }

    /// The number of items that show a picture of this run.
    private var fresh = 0

    mutating func count(_ record: ItemRecord, _ reuse: Reuse = .none) {
        done += 1
        if reuse != .none { reused += 1 }
        if reuse == .resumed { resumed += 1 }
        switch record.status {
        case .ok: ok += 1
        case .placeholder: placeholders += 1
        case .failed: failed += 1
        case .canceled: canceled += 1
        }
        if record.isStale { stale += 1 } else if record.status == .ok { fresh += 1 }
        outputs += record.outputs.count
        if reuse == .none {
            bytesIn += (record.src?.bytes ?? 0) + (record.srcDark?.bytes ?? 0)
            for output in record.outputs { bytesOut += output.bytes }
        }
        count(record.lint)
        if let failure = record.failure {
            errors[failure.errorClass, default: 0] += 1
            if failure.isRetryable { retryableErrors += 1 }
        }
    }

    private mutating func count(_ found: [PictureLint]) {
        guard !found.isEmpty else { return }
        linted += 1
        for kind in Set(found.map(\.kind)) { lint[kind, default: 0] += 1 }
    }

    /// The kinds of lint with their counts, the most frequent first.
    package var lintText: String {
        PictureLint.Kind.allCases.compactMap { kind in lint[kind].map { (kind, $0) } }
            .sorted { $0.1 > $1.1 }
            .map { "\($0.rawValue) \($1)" }.joined(separator: ", ")
    }

    /// Writes the member `lint`, with kinds in a fixed order.
    package func write(lintInto json: inout JSONWriter) {
        json.object("lint") { json in
            for kind in PictureLint.Kind.allCases {
                if let count = lint[kind] { json.member(kind.rawValue, count) }
            }
        }
    }

    /// Writes the member `errors`, with classes in a fixed order.
    package func write(errorsInto json: inout JSONWriter) {
        json.object("errors") { json in
            for errorClass in ErrorClass.allCases {
                if let count = errors[errorClass] { json.member(errorClass.rawValue, count) }
            }
        }
    }
}

/// The live counts of a run, for progress output.
package final class RunCounter: Sendable {
    private let counts: Mutex<RunCounts>

    package init() { counts = Mutex(RunCounts()) }

    package var now: RunCounts { counts.withLock { $0 } }

    func begin(total: Int, skippedFiles: Int) {
        counts.withLock {
            $0.total = total
            $0.skippedFiles = skippedFiles
        }
    }

    package func started() { counts.withLock { $0.inFlight += 1 } }

    package func ended(_ end: JobResult) {
        counts.withLock {
            $0.inFlight -= 1
            // An item whose placeholder waits ends later.
            if end.held == nil { $0.count(end.record, end.reuse) }
        }
    }
}

extension RunCounts {
    /// The state view that explains a run without pictures; nil if there are pictures.
    package var state: StateKind? {
        if done == 0 { return .noResults }
        guard ok == 0 else { return nil }
        let offline: Set<ErrorClass> = [.dns, .connect, .offline, .hostSkipped, .timeout]
        let met = errors.filter { $0.value > 0 }.keys
        let isOffline = !met.isEmpty && met.allSatisfy { offline.contains($0) }
        return isOffline && errors[.timeout] != errors.values.reduce(0, +)
            ? .noConnection : .loadingFailure
    }

    /// The texts of the state view, with the next command to run.
    package func stateContent(output: String) -> StateContent? {
        guard let state else { return nil }
        var content = StateContent(state)
        let command: String
        switch state {
        case .noResults:
            content.title = "No pictures to show"
            content.subtitle = "None of the sources is an image"
            command = "emblem help batch"
        case .noConnection:
            content.subtitle = "None of the servers could be reached"
            command = "emblem batch … -o \(output)"
        case .loadingFailure, .generic:
            content.title = "Couldn't load a single picture"
            content.subtitle = "Every source failed; see the manifest for the reasons"
            command = "emblem failures \(output)"
        }
        content.buttons = [.init(title: command)]
        return content
    }
}
