import Batch
import Console
import Engine
import Gauge
import Notation
import Transport

/// Detects a slow run: items are in progress, and no item has ended for a while.
struct RunWatch {
    /// The time without an ended item before the first report and between reports, in nanoseconds.
    static let reportInterval: UInt64 = 5_000_000_000

    private var done = -1
    /// The time at which `done` last changed.
    private var since: UInt64 = 0
    /// The time of the last report, or `since`.
    private var lastReport: UInt64 = 0

    /// Returns whether the slowest items should be printed now.
    mutating func isReportDue(_ counts: RunCounts, at now: UInt64) -> Bool {
        if counts.done != done {
            done = counts.done
            since = now
            lastReport = now
        }
        guard counts.inFlight > 0, now >= lastReport + Self.reportInterval else { return false }
        lastReport = now
        return true
    }

    func secondsWithoutEnd(at now: UInt64) -> Int { Int((now - since) / 1_000_000_000) }
}

/// The transfers that have been in progress longest, as text and as JSON.
struct SlowTransfers {
    let transfers: [NetworkProgress]
    let mask: SourceMask

    var lines: [String] {
        transfers.map { transfer in
            let source = PrintableText.escaped(mask.shown(transfer.url), limit: 160)
            return
                "\(seconds(transfer)) s  \(transfer.stage.rawValue)  attempt \(transfer.attempts)  "
                + "\(ProgressReport.grouped(transfer.bytes)) bytes  \(source)"
        }
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.array("waiting") { json in
                for transfer in transfers {
                    json.object { json in
                        json.member("source", mask.shown(transfer.url))
                        json.member("stage", transfer.stage.rawValue)
                        json.member("attempt", transfer.attempts)
                        json.member("bytes", transfer.bytes)
                        json.member("seconds", JSON.number(JSONNumber(tenths(transfer))))
                    }
                }
            }
        }
        return String(decoding: json.take(), as: UTF8.self)
    }

    private func tenths(_ transfer: NetworkProgress) -> Double {
        (Double(transfer.active) / 1e8).rounded() / 10
    }

    private func seconds(_ transfer: NetworkProgress) -> String { "\(tenths(transfer))" }
}
