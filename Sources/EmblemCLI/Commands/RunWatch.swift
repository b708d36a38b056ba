import Batch
import Console
import Engine
import Notation
import Transport

/// Notices when a run drags: items are under way, and none has ended for a while.
struct RunWatch {
    /// Nothing ends for this long before anything is said, and between two times of saying so.
    static let patience: UInt64 = 5_000_000_000

    private var done = -1
    private var since: UInt64 = 0
    private var lastSaid: UInt64 = 0

    /// Whether it is time to name the slowest.
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

    /// Whole seconds since the last item ended.
    func secondsStill(at now: UInt64) -> Int { Int((now - since) / 1_000_000_000) }
}

/// What a run waits for, as people and programs read it.
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

    /// One object on one line.
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
