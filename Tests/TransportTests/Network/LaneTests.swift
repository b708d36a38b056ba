import Gauge
import Support
import Testing
import Transport

@Suite("Transfers on several loader threads")
struct LaneTests {
    @Test("a host returns to the lane that has its connection")
    func faithful() {
        var places = LaneAssignment(lanes: 8, room: 16)
        for host in (0..<50).map({ "https://h\($0)" }) {
            var seen: Set<Int> = []
            for _ in 0..<20 {
                let lane = places.take(host)
                seen.insert(lane)
                places.leave(lane, host)
            }
            #expect(seen.count == 1)
        }
    }

    @Test("many hosts are spread over all lanes")
    func spread() {
        var places = LaneAssignment(lanes: 8, room: 400)
        let lanes = (0..<400).map { places.take("https://h\($0)") }
        for lane in 0..<8 { #expect(lanes.count { $0 == lane } > 10) }
    }

    @Test("the simultaneous transfers of a host are spread evenly", arguments: [1, 2, 5, 16])
    func busyHost(lanes: Int) {
        var places = LaneAssignment(lanes: lanes, room: 100)
        let few = (0..<LaneAssignment.together).map { _ in places.take("a") }
        #expect(Set(few).count == 1)
        let more = (few.count..<LaneAssignment.together * lanes).map { _ in places.take("a") }
        for lane in 0..<lanes {
            #expect((few + more).count { $0 == lane } == LaneAssignment.together)
        }
        let beyond = (0..<lanes).map { _ in places.take("a") }
        #expect(Set(beyond).count == lanes)
        // Other hosts are not affected.
        #expect(Set((0..<LaneAssignment.together).map { _ in places.take("b") }).count == 1)
        // The first free lane is taken next.
        places.leave(few[0], "a")
        places.leave(few[0], "a")
        #expect(places.take("a") == few[0])
    }

    @Test("the lanes that a host once used at the same time take turns")
    func turns() {
        var places = LaneAssignment(lanes: 8, room: 100)
        let six = (0..<6).map { _ in places.take("a") }
        #expect(Set(six).count == 6 / LaneAssignment.together)
        for lane in six { places.leave(lane, "a") }
        var met: [Int: Int] = [:]
        for _ in 0..<60 {
            let lane = places.take("a")
            met[lane, default: 0] += 1
            places.leave(lane, "a")
        }
        #expect(Set(met.keys) == Set(six))
        #expect(met.values.allSatisfy { $0 == 60 / met.count })
    }

    @Test("only some of many hosts with several lanes are remembered")
    func forgotten() {
        var places = LaneAssignment(lanes: 8, room: 10_000)
        for host in 0..<1_000 {
            for lane in (0..<6).map({ _ in places.take("h\(host)") }) {
                places.leave(lane, "h\(host)")
            }
        }
        let counts = (0..<1_000).map { host in
            Set(
                (0..<6).map { _ in
                    let lane = places.take("h\(host)")
                    places.leave(lane, "h\(host)")
                    return lane
                }
            ).count
        }
        #expect(counts.count { $0 > 1 } <= 300)
        #expect(counts.contains(1) && counts.contains(3))
    }

    @Test("no lane exceeds its room while another lane has room")
    func room() {
        var places = LaneAssignment(lanes: 4, room: 5)
        let all = (0..<20).map { places.take("https://h\($0 % 3)") }
        for lane in 0..<4 { #expect(all.count { $0 == lane } == 5) }
        // If all lanes are full, a lane is still returned.
        let beyond = places.take("https://h0")
        #expect((0..<4).contains(beyond))
        places.leave(beyond, "https://h0")
        places.leave(all[7], "https://h1")
        #expect(places.take("https://another") == all[7])
    }

    @Test("releasing a transfer in a lane that it did not use changes nothing")
    func elsewhere() {
        var places = LaneAssignment(lanes: 2, room: 3)
        let lane = places.take("a")
        places.leave(2, "a")
        places.leave(lane, "b")
        places.leave(lane, "a")
        places.leave(lane, "a")
        #expect(Set((0..<LaneAssignment.together).map { _ in places.take("a") }) == [lane])
    }

    private static func loader(_ lanes: Int) throws -> NetworkLoader {
        try TestLoader.make {
            $0.lanes = lanes
            $0.connections = 64
            $0.resolver = TestResolver { _, _ in .addresses([[127, 0, 0, 1]]) }
        }
    }

    @Test(
        "bodies are complete and connections are reused with any number of threads",
        .timeLimit(.minutes(5)), arguments: [0, 1, 2, 5])
    func whole(lanes: Int) async throws {
        let loader = try Self.loader(lanes)
        let port = TestServers.nginx.port(.plain)
        let reused = await withTaskGroup { group in
            for index in 0..<700 {
                group.addTask {
                    let file = index % 50
                    let url = "http://h\(index % 7).test:\(port)/files/logo-\(file).png?\(index)"
                    let outcome = await loader.load(url)
                    #expect(outcome.bytes == TestPicture.bytes(file), "\(outcome.result)")
                    #expect(outcome.wireBytes == TestPicture.bytes(file).count)
                    return outcome.reusedConnection ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(reused >= 600)
    }

    @Test(
        "every waiting load ends when the loader shuts down",
        .timeLimit(.minutes(5)), arguments: [0, 1, 2, 5])
    func shutDown(lanes: Int) async throws {
        let loader = try Self.loader(lanes)
        let port = TestServers.faults.port("plain")
        let held = "held/lane-\(lanes)"
        let paths = [held, "stall-body", "slow-head", "endless-chunks", "status/302"]
        let tasks = (0..<40).map { index in
            Task {
                let path = "\(paths[index % paths.count])/?\(index)"
                return await loader.load("http://h\(index % 9).test:\(port)/\(path)")
            }
        }
        _ = try await Waiting.yielding {
            await loader.slowest(64).contains { $0.stage == .ttfb || $0.stage == .fetch }
        }
        loader.shutDown()
        for (index, task) in tasks.enumerated() {
            let ended = await task.value.className
            if paths[index % paths.count] == held { #expect(ended == "canceled") }
        }
        #expect(await loader.load("http://h1.test:\(port)/ok").className == "canceled")
    }
}
