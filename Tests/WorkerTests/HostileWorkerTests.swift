import Codecs
import Glibc
import Render
import Testing
import Worker

@Suite("A worker that an image has taken over")
struct HostileWorkerTests {
    /// The expected result of a deed.
    struct Case: CustomTestStringConvertible {
        let deed: String
        let expected: OrderError
        var testDescription: String { deed }

        init(_ deed: String, _ expected: OrderError) {
            self.deed = deed
            self.expected = expected
        }
    }

    private static let stopped = OrderError.crashed("the sandbox stopped a forbidden system call")
    private static let refused = OrderError.crashed("exit 41 without a reply")
    private static let done = OrderError.crashed("exit 40 without a reply")
    private static let broken = OrderError.crashed("a malformed reply of the worker")

    static let cases = [
        Case("segv", .crashed("signal \(SIGSEGV)")), Case("abort", .crashed("signal \(SIGABRT)")),
        Case("shootSelf", stopped), Case("leave", .crashed("exit 0 without a reply")),
        Case("allocate", refused), Case("fill", .outOfMemory), Case("writeFile", stopped),
        Case("makeFile", stopped), Case("removeFile", stopped), Case("socket", stopped),
        Case("execute", stopped), Case("spawn", stopped), Case("changeUser", stopped),
        Case("shootParent", stopped), Case("runBytes", stopped), Case("runShared", stopped),
        Case("makeExecutable", stopped), Case("raiseMemory", refused),
        Case("readEnvironment", refused), Case("readFont", done),
        Case("thread", done), Case("lieAboutTable", broken), Case("claimTheRegion", broken),
        Case("hangUp", .crashed("signal \(SIGKILL)")), Case("nonsense", .crashed("signal 9")),
        Case("flood", .crashed("signal 9")),
    ]

    @Test(
        "a compromised worker harms no other item and is replaced",
        arguments: cases)
    func harmsNobody(_ deed: Case) async throws {
        let pool = WorkerFixture.pool()
        let picture = try WorkerFixture.picture()
        let before = await pool.render(WorkerFixture.order(picture))
        let answer = await pool.render(WorkerFixture.order(WorkerFixture.deed(deed.deed)))
        #expect(answer.error == deed.expected)
        let after = await pool.render(WorkerFixture.order(picture))
        #expect(after.images.map(\.bytes) == before.images.map(\.bytes))
        #expect(before.images.count == 1)
        // At most two processes for one image.
        #expect(pool.startedCount <= 3)
        pool.close()
        #expect(pool.processes.isEmpty)
    }

    @Test("a compromised worker reads no file and lists no folder")
    func readsNothing() async throws {
        let pool = WorkerFixture.pool()
        for deed in ["readFile", "listFolder"] {
            let answer = await pool.render(WorkerFixture.order(WorkerFixture.deed(deed)))
            #expect(answer.error == Self.refused)
        }
    }

    @Test("a compromised worker cannot write to standard output, and the run continues")
    func printsNothing() async throws {
        let pool = WorkerFixture.pool()
        let answer = await pool.render(WorkerFixture.order(WorkerFixture.deed("print")))
        #expect(answer.error == .render(.decode(.notImage)))
        #expect(pool.startedCount == 1)
    }

    @Test("a compromised worker that hangs is ended at its deadline, and other workers continue")
    func hangs() async throws {
        let pool = WorkerFixture.pool(2)
        let picture = try WorkerFixture.picture()
        async let stuck = pool.render(
            WorkerFixture.order(WorkerFixture.deed("hang"), seconds: 0.3))
        for _ in 0..<5 {
            #expect(await pool.render(WorkerFixture.order(picture)).images.count == 1)
        }
        #expect(await stuck.error == .timeout)
        #expect(await pool.render(WorkerFixture.order(picture)).images.count == 1)
    }
}
