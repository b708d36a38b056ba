import Batch
import Console
import Engine
import Gauge
import Notation
import Transport

/// Detects a slow run: items are in progress, and none has ended for a while.
struct RunWatch {
    /// The time without an ended item before the first report and between reports, in nanoseconds.
    static let patience: UInt64 = 5_000_000_000

    private var done = -1
    /// The time at which `done` last changed.
    private var since: UInt64 = 0
    /// The time of the last report, or `since`.
    private var lastSaid: UInt64 = 0

    /// Returns whether the slowest items should be printed now.
    mutating func isDragging(_ counts: RunCounts, at now: UInt64) -> Bool {
        if counts.done != done {
            done = counts.done
            since = now
            lastSaid = now
        }
        guard counts.inFlight > 0, now >= lastSaid + Self.patience else { return false }
        lastSaid = now
        return true
    }

    /// Returns the seconds since the last item ended.
    func secondsStill(at now: UInt64) -> Int { Int((now - since) / 1_000_000_000) }
}

/// A report of the transfers that have been in progress longest, as text and as JSON.
struct WaitingReport {
    let flights: [NetworkProgress]
    let mask: SourceMask

    var lines: [String] {
        flights.map { flight in
            let source = PrintableText.escaped(mask.shown(flight.url), limit: 160)
            return "\(seconds(flight)) s  \(flight.stage.rawValue)  attempt \(flight.attempts)  "
                + "\(ProgressReport.grouped(flight.bytes)) bytes  \(source)"
        }
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.array("waiting") { json in
                for flight in flights {
                    json.object { json in
                        json.member("source", mask.shown(flight.url))
                        json.member("stage", flight.stage.rawValue)
                        json.member("attempt", flight.attempts)
                        json.member("bytes", flight.bytes)
                        json.member("seconds", JSON.number(JSONNumber(tenths(flight))))
                    }
                }
            }
        }
        return String(decoding: json.take(), as: UTF8.self)
    }

    private func tenths(_ flight: NetworkProgress) -> Double {
        (Double(flight.active) / 1e8).rounded() / 10
    }

    private func seconds(_ flight: NetworkProgress) -> String { "\(tenths(flight))" }
}
