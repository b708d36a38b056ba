import Console
import Notation
import Synchronization
import Testing

@Suite struct ProgressReportTests {
    private let report = ProgressReport(
        done: 1_234, total: 5_000, placeholders: 12, failed: 1, inFlight: 64)

    @Test("the progress line shows done, rate, time left, placeholders and items in flight")
    func line() {
        #expect(
            report.line(rate: 352.4, secondsLeft: 10.6, elapsedSeconds: 4, columns: 100)
                == "1,234/5,000  24%  352/s  ETA 0:11  12 placeholders  1 failed  64 in flight")
        #expect(
            ProgressReport(done: 5, total: 5).line(
                rate: 5, secondsLeft: 0, elapsedSeconds: 1, columns: 100)
                == "5/5  100%  5.00/s  0:01  0 placeholders")
        #expect(
            ProgressReport(done: 5, total: 5, reused: 4).line(
                rate: 5, secondsLeft: 0, elapsedSeconds: 1, columns: 100)
                == "5/5  100%  5.00/s  0:01  0 placeholders  4 unchanged")
        #expect(
            ProgressReport(done: 0, total: 5).line(
                rate: nil, secondsLeft: nil, elapsedSeconds: 0, columns: 100)
                == "0/5  0%  -/s  ETA -  0 placeholders")
        #expect(
            ProgressReport(done: 0, total: 0).line(
                rate: nil, secondsLeft: nil, elapsedSeconds: 0, columns: 9) == "0/0  -/s")
    }

    @Test(
        "a progress line is cut at the width of a narrow terminal",
        arguments: [0, 8, 11, 12, 30, 33, 60, 74, 75, 90])
    func narrow(columns: Int) {
        let line = report.line(rate: 352.4, secondsLeft: 10.6, elapsedSeconds: 4, columns: columns)
        let wholeLines = [
            "1,234/5,000", "1,234/5,000  24%", "1,234/5,000  24%  352/s",
            "1,234/5,000  24%  352/s  ETA 0:11",
            "1,234/5,000  24%  352/s  ETA 0:11  12 placeholders",
            "1,234/5,000  24%  352/s  ETA 0:11  12 placeholders  1 failed",
            "1,234/5,000  24%  352/s  ETA 0:11  12 placeholders  1 failed  64 in flight",
        ]
        // The longest line that fits; if none does, the beginning of the shortest one.
        let fitting = wholeLines.last { $0.count <= columns }
        #expect(line == fitting ?? String("1,234/5,000".prefix(columns)))
    }

    @Test("the JSON progress is one object that is read back")
    func json() throws {
        let text = report.json(rate: 352.4444, secondsLeft: nil, elapsedSeconds: 4.00049)
        let bytes = Array(text.utf8)
        let value = try JSONParser.parse(bytes.span)
        #expect(value["done"] == 1234 && value["total"] == 5000 && value["in_flight"] == 64)
        #expect(
            value["per_second"] == 352.444 && value["seconds_left"]?.isNull == true
                && value["elapsed_seconds"] == 4)
        #expect(!text.contains("\n"))
    }

    @Test("progress numbers are grouped, rates are short, and durations have clock form")
    func numbers() {
        let numbers = [
            0: "0", 999: "999", 1000: "1,000", -1_234_567: "-1,234,567", 100_000: "100,000",
        ]
        for (value, text) in numbers { #expect(Figure.grouped(value) == text) }
        let rates = [
            0.0: "0.000", 0.056: "0.056", 7.34: "7.34", 84.4: "84.4", 1240: "1,240",
            .infinity: "-",
        ]
        for (value, text) in rates { #expect(Figure.short(value) == text) }
        let times = [
            0.0: "0:00", -5: "0:00", 6.1: "0:07", 750: "12:30", 3_723: "1:02:03", 1e12: "-",
        ]
        for (value, text) in times { #expect(Figure.duration(value) == text) }
    }
}

@Suite struct RateMeterTests {
    @Test("a steady run shows its rate, and a change shows within the window")
    func steady() throws {
        var meter = RateMeter()
        #expect(meter.perSecond == nil && meter.secondsLeft(for: 5) == nil)
        for second in UInt64(1)...30 {
            meter.note(done: Int(second) * 100, at: second * 1_000_000_000)
        }
        #expect(try abs(#require(meter.perSecond) - 100) < 0.01)
        #expect(try abs(#require(meter.secondsLeft(for: 200)) - 2) < 0.01)
        for second in UInt64(31)...60 {
            meter.note(done: 3000 + (Int(second) - 30) * 10, at: second * 1_000_000_000)
        }
        #expect(try abs(#require(meter.perSecond) - 10) < 0.01)
        meter.note(done: 0, at: 5)
        #expect(try abs(#require(meter.perSecond) - 10) < 0.01)
    }

    @Test("a million updates keep the progress meter small and correct")
    func bounded() throws {
        var meter = RateMeter()
        for step in 1...1_000_000 { meter.note(done: step, at: UInt64(step) * 20_000) }
        #expect(try abs(#require(meter.perSecond) - 50_000) < 500)
        #expect(String(describing: meter).utf8.count < 40_000)
    }
}

@Suite struct ProgressLineTests {
    @Test("a progress line follows the width of the terminal window")
    func width() {
        let sent = Sent()
        let line = ProgressLine(style: .terminal, columns: sent.texts.isEmpty ? 60 : 20) {
            sent.add($0)
        }
        line.update(ProgressReport(done: 1, total: 1000, placeholders: 1), at: 0)
        line.update(ProgressReport(done: 2, total: 1000, placeholders: 1), at: 1_000_000_000)
        #expect(sent.texts.count == 2)
        #expect(sent.texts[0].count > 30 && sent.texts[1].count < 30, "\(sent.texts)")
    }

    @Test(
        "a progress line is drawn at once, at most ten times a second, and at the end")
    func terminal() {
        let sent = Sent()
        let line = ProgressLine(style: .terminal, columns: 60) { sent.add($0) }
        for step in 0...1000 {
            line.update(ProgressReport(done: step, total: 1000), at: UInt64(step) * 1_000_000)
        }
        #expect(sent.texts.count == 11)
        #expect(sent.texts.allSatisfy { $0.hasPrefix("\r") && $0.hasSuffix("\u{1B}[K") })
        line.interrupt()
        #expect(sent.texts.last == "\r\u{1B}[K")
        let count = sent.texts.count
        line.interrupt()
        #expect(sent.texts.count == count)
        line.update(ProgressReport(done: 1000, total: 1000), at: 1_000_000_001)
        line.finish(ProgressReport(done: 1000, total: 1000), at: 2_000_000_000)
        #expect(sent.texts.last == "\r1,000/1,000  100%  500/s  0:02  0 placeholders\u{1B}[K\n")
    }

    @Test(
        "progress without a terminal is a line every five seconds or an object a second")
    func lines() {
        for (style, count) in [(ProgressLine.Style.plain, 4), (.json, 21), (.none, 0)] {
            let sent = Sent()
            let line = ProgressLine(style: style, columns: 20) { sent.add($0) }
            for step in UInt64(0)...200 {
                line.update(ProgressReport(done: Int(step), total: 500), at: step * 100_000_000)
            }
            #expect(sent.texts.count == count)
            if style == .plain { #expect(sent.texts.first?.hasPrefix("note: 1/500") == true) }
            #expect(
                sent.texts.allSatisfy {
                    $0.hasSuffix("\n") && !$0.contains("\u{1B}") && !$0.contains("\r")
                })
            line.interrupt()
            line.finish(ProgressReport(done: 500, total: 500), at: 30_000_000_000)
            #expect(sent.texts.count == count + (style == .none ? 0 : 1))
        }
    }
}

/// A sink that records the lines sent to it.
final class Sent: Sendable {
    private let state = Mutex<[String]>([])

    var texts: [String] { state.withLock { $0 } }

    func add(_ text: String) { state.withLock { $0.append(text) } }
}
