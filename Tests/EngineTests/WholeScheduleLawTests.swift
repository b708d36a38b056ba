import Engine
import Support
import System
import Testing
import Transport

/// Tests the look-ahead and the network scheduler together, in virtual time: lists, hosts that
/// answer, fail, stall and redirect, and a stop at any moment.
@Suite("The laws of a whole schedule")
struct WholeScheduleLawTests {
    fileprivate static let second: Int64 = 1_000_000_000

    private struct World: ~Copyable {
        var dice: SeededRandom
        var list: SourceRows
        var bounds: LookAheadBounds
        var limits: NetworkSettings
        var scheduler: HostScheduler
        var now: Int64 = 0
        var isStopped = false
        /// Items in progress, by row.
        var open: [Int: LookAhead.Start] = [:]
        /// The end times of local work and of transfers.
        var events: [(at: Int64, row: Int)] = []
        var ends: [Int: Int] = [:]
        var problems: [String] = []
        /// If set, each host refuses connections until this time, and answers afterwards.
        var healsAt: Int64?
        var untried = 0

        init(_ sources: [String], dice: SeededRandom, seed: Int, probes: Int? = nil) {
            var dice = dice
            bounds = LookAheadBounds(RunSettings(), local: 6)
            bounds.rows = 1 + dice.below(60)
            bounds.local = 1 + dice.below(4)
            bounds.perHost = 1 + dice.below(6)
            bounds.remote = 1 + dice.below(20)
            limits = NetworkSettings()
            limits.connections = 1 + dice.below(8)
            limits.perHost = 1 + dice.below(4)
            limits.retries = dice.below(3)
            limits.breakerItems = 2 + dice.below(6)
            limits.breakerProbes = probes ?? dice.below(4)
            limits.rate = dice.below(2) == 0 ? nil : RequestRate("\(2 + dice.below(99))/s")
            list = SourceRows(sources, bounds)
            limits.seed = UInt64(seed)
            scheduler = HostScheduler(limits, connections: limits.connections)
            self.dice = dice
        }

        mutating func run() throws {
            let stopAt =
                healsAt == nil && dice.below(4) == 0 ? Int64(dice.below(60)) * second : .max
            while true {
                if now >= stopAt, !isStopped { stop() }
                let endedBefore = ends.count
                while !isStopped, let start = list.next() { begin(start) }
                transfer()
                // An item that has ended may allow another one to begin.
                if !isStopped, ends.count > endedBefore { continue }
                guard !open.isEmpty else { return }
                let next = min(events.map(\.at).min() ?? .max, scheduler.nextEvent ?? .max)
                guard next != .max else {
                    problems.append("\(open.count) items are stuck")
                    return
                }
                now = max(now, isStopped ? next : min(next, max(now, stopAt)))
                arrive()
            }
        }

        private mutating func begin(_ start: LookAhead.Start) {
            let row = start.row.index
            if open.updateValue(start, forKey: row) != nil || ends[row] != nil {
                problems.append("row \(row) begins twice")
            }
            let isRemote = list.sources[row].hasPrefix("http")
            if isRemote, !start.ticket.isFollower {
                let host = list.sources[row].split(separator: "/")[1]
                scheduler.add(UInt64(row), origin: String(host), at: now)
            } else {
                events.append((now + Int64(1 + dice.below(900)) * 1_000_000, row))
            }
        }

        /// Carries out the scheduler's steps.
        private mutating func transfer() {
            while let step = scheduler.step(at: now) {
                switch step {
                case .end(let id, let failure):
                    if failure.errorClass == .hostSkipped { untried += 1 }
                    end(Int(id))
                case .start(let id):
                    let row = Int(id)
                    if open[row] == nil { problems.append("row \(row) connects after its end") }
                    // Some hosts never answer.
                    guard healsAt != nil || dice.below(8) > 0 else { break }
                    events.append((now + Int64(1 + dice.below(5_000)) * 1_000_000, row))
                }
                if scheduler.runningItems.count > limits.connections {
                    problems.append("too many connections")
                }
            }
            // Waiting for the run's own permits does not count towards the item timeout.
            for id in scheduler.runningItems
            where scheduler.activeTime(of: id, at: now) > 30 * WholeScheduleLawTests.second {
                problems.append("row \(id) goes on after its deadline")
            }
        }

        /// Delivers all events whose time has come.
        private mutating func arrive() {
            for due in events.filter({ $0.at <= now }) {
                guard let index = events.firstIndex(where: { $0 == due }) else { continue }
                events.remove(at: index)
                guard let start = open[due.row] else { continue }
                let isRemote = list.sources[due.row].hasPrefix("http") && !start.ticket.isFollower
                if isRemote { answer(UInt64(due.row)) } else { end(due.row) }
            }
        }

        private mutating func answer(_ id: UInt64) {
            switch healsAt.map({ now < $0 ? 0 : 7 }) ?? dice.below(8) {
            case 0: scheduler.fail(id, ItemFailure(.connect), at: now)
            case 1: scheduler.fail(id, ItemFailure(.http4xx), at: now)
            case 2:
                let wait = Int64(dice.below(40)) * second
                scheduler.fail(id, ItemFailure(.rateLimited), retryAfter: wait, at: now)
            case 3: scheduler.redirect(id, to: "host\(dice.below(6))", at: now)
            default:
                scheduler.succeed(id, at: now)
                end(Int(id))
            }
        }

        private mutating func end(_ row: Int) {
            ends[row, default: 0] += 1
            guard let start = open.removeValue(forKey: row) else {
                problems.append("row \(row) ends twice")
                return
            }
            events.removeAll { $0.row == row }
            list.ended(start)
        }

        /// Starts nothing more, and asks items in progress to end.
        private mutating func stop() {
            isStopped = true
            for row in open.keys.sorted() {
                scheduler.cancel(UInt64(row), at: now)
                if open[row] != nil, !events.contains(where: { $0.row == row }) {
                    events.append((now, row))
                }
            }
            transfer()
            for row in open.keys.sorted() { end(row) }
        }
    }

    @Test("every item is tried although hosts refuse connections for less than three pauses")
    func shortOutage() throws {
        var refused = 0
        for seed in 1...500 {
            var dice = SeededRandom(seed: UInt64(seed))
            let sources = sources(&dice)
            var world = World(sources, dice: dice, seed: seed, probes: 3)
            world.healsAt = Int64(dice.below(15)) * Self.second
            try world.run()
            #expect(world.problems.isEmpty, "seed \(seed): \(world.problems.prefix(3))")
            #expect(world.untried == 0, "seed \(seed): \(world.untried) items were not tried")
            #expect(world.ends.count == sources.count, "seed \(seed)")
            if world.now > 5 * Self.second { refused += 1 }
        }
        #expect(refused > 100)
    }

    private func sources(_ dice: inout SeededRandom) -> [String] {
        let hosts = 1 + dice.below(6)
        let names = 1 + dice.below(60)
        return (0..<(1 + dice.below(120))).map { _ in
            let name = "\(dice.below(names)).png"
            let isLocal = dice.below(5) == 0
            return isLocal ? name : "http://host\(dice.below(hosts))/\(name)"
        }
    }

    @Test("each item ends once and in time within all bounds, and a stop ends all items")
    func everySchedule() throws {
        var stopped = 0
        for seed in 1...2_000 {
            var dice = SeededRandom(seed: UInt64(seed))
            let sources = sources(&dice)
            var world = World(sources, dice: dice, seed: seed)
            try world.run()
            #expect(world.problems.isEmpty, "seed \(seed): \(world.problems.prefix(3))")
            #expect(world.open.isEmpty && world.scheduler.runningItems.count == 0, "seed \(seed)")
            #expect(world.ends.values.allSatisfy { $0 == 1 }, "seed \(seed)")
            if world.isStopped {
                stopped += 1
            } else {
                #expect(world.ends.count == sources.count, "seed \(seed)")
            }
        }
        #expect(stopped > 100)
    }
}
