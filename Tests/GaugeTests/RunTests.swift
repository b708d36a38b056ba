import Gauge
import System
import Testing

@Suite struct RunTimelineTests {
    @Test("a recorded run of any length keeps its sum and its size limit")
    func bounded() {
        var random = SeededRandom(seed: 9)
        var timeline = RunTimeline(limit: 8, width: 1_000)
        var sum: UInt64 = 0
        for _ in 0..<2_000 {
            let moment = UInt64.random(in: 0...10_000_000, using: &random)
            timeline.record(at: moment, amount: 2)
            sum += 2
            #expect(timeline.counts.count <= 8)
        }
        #expect(timeline.counts.reduce(0, +) == sum)
        #expect(timeline.width == 1_000 << 11)
        timeline.record(at: .max)
        #expect(timeline.counts.count <= 8)
    }

    @Test("joined intervals equal intervals that were long from the start")
    func joined() {
        var narrow = RunTimeline(limit: 4, width: 1)
        var wide = RunTimeline(limit: 4, width: 4)
        for moment in UInt64(0)..<16 {
            narrow.record(at: moment, amount: moment)
            wide.record(at: moment, amount: moment)
        }
        #expect(narrow == wide)
    }

    @Test("a timeline is written with its counts and the length of an interval in seconds")
    func json() {
        var timeline = RunTimeline()
        for _ in 0..<10 { timeline.record(at: 500_000_000) }
        for _ in 0..<10 { timeline.record(at: 1_200_000_000) }
        #expect(written { timeline.write(to: &$0) } == #"{"bucket_seconds":1,"done":[10,10]}"#)
    }
}

@Suite struct SlowestListTests {
    @Test("the slowest items are found in any order, with equal times sorted by index")
    func order() {
        var random = SeededRandom(seed: 5)
        let items = (0..<200).map { (index: $0, time: UInt64.random(in: 0..<50, using: &random)) }
        var lists: [[SlowestList.Entry]] = []
        for _ in 0..<3 {
            var list = SlowestList()
            for item in items.shuffled(using: &random) {
                list.record(index: item.index, nanoseconds: item.time, name: "n\(item.index)")
            }
            lists.append(list.entries)
        }
        let truth = items.sorted { ($1.time, $0.index) < ($0.time, $1.index) }.prefix(10)
        #expect(lists[0].map(\.index) == truth.map(\.index))
        #expect(lists[0] == lists[1] && lists[1] == lists[2])
    }

    @Test("a list of the slowest items with a negative limit stays empty")
    func none() {
        var list = SlowestList(limit: -1)
        list.record(index: 0, nanoseconds: 1, name: "a")
        #expect(list.entries.isEmpty)
    }
}

@Suite struct ClockTests {
    @Test(
        "times are written in forms for people and for programs",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
            (1_700_000_000_123, "2023-11-14T22:13:20.123Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func iso8601(milliseconds: Int64, text: String) {
        #expect(WallClock.iso8601(milliseconds: milliseconds) == text)
    }

    @Test("both clocks run forward")
    func clocks() {
        let start = MonotonicClock.now
        #expect(MonotonicClock.now >= start)
        #expect(MonotonicClock.elapsed(since: .max) == 0)
        #expect(MonotonicClock.elapsed(since: start) < 60_000_000_000)
        #expect(WallClock.nowMilliseconds > 1_600_000_000_000)
    }
}

@Suite struct MachineTests {
    @Test("the facts of this machine are available")
    func current() {
        let facts = MachineFacts.current()
        #expect(facts.cores >= 1 && facts.memoryBytes > 1 << 20)
        #expect(facts.kernel.hasPrefix("Linux ") && !facts.architecture.isEmpty)
        let text = written { facts.write(to: &$0) }
        #expect(text.hasPrefix("{\"cpu\":") && text.contains("\"cores\":\(facts.cores)"))
    }

    @Test("machine facts are parsed from kernel texts, and missing ones are empty")
    func texts() {
        let facts = MachineFacts(
            cpuInfo: "processor\t: 0\nmodel name\t: Fast  CPU @ 3 GHz\n",
            memoryInfo: "MemTotal:  2048 kB\n",
            cores: 2, kernel: "k", architecture: "a")
        #expect(facts.cpu == "Fast  CPU @ 3 GHz" && facts.memoryBytes == 2048 * 1024)
        let empty = MachineFacts(
            cpuInfo: "", memoryInfo: "MemTotal: x", cores: 1, kernel: "", architecture: "")
        #expect(empty.cpu == "" && empty.memoryBytes == 0)
        #expect(
            MachineFacts.allowedCores(
                "Name: x\nCpus_allowed:\tff,00000003\nCpus_allowed_list: 0-1\n") == 10)
        #expect(MachineFacts.allowedCores("Cpus_allowed: 0") == nil)
        #expect(MachineFacts.allowedCores("") == nil)
    }

    @Test("CPU work is visible in the usage of the machine")
    func usage() {
        let before = ProcessUsage.current()
        let bytes = [UInt8](repeating: 1, count: 8 << 20)
        var random = SeededRandom(seed: 1)
        var sum: UInt64 = UInt64(bytes[7])
        for _ in 0..<20_000_000 { sum &+= random.next() }
        #expect(sum != 0)
        let after = ProcessUsage.current()
        #expect(after.cpuSeconds > before.cpuSeconds && after.peakResidentBytes > 1 << 20)
        #expect(after.minorFaults >= before.minorFaults)
        #expect(written { after.write(to: &$0) }.contains("\"peak_resident_bytes\":"))
    }
}
