import Glibc
import Render
import Testing
import Worker

@Suite("Missing resources when no worker can start")
struct WorkerLackTests {
    @Test("a missing resource is identified by its error number, not by its message")
    func code() {
        for code in [EMFILE, ENFILE, EFBIG, ENOSPC, ENOMEM, EAGAIN] {
            let error = OrderError.unavailable(WorkerLack("a call", code: code))
            #expect(error.isLimit)
            #expect(!"\(error)".contains("--sandbox none"))
        }
        for code in [EPERM, EACCES, ENOSYS] {
            let error = OrderError.unavailable(WorkerLack("a call", code: code))
            #expect(!error.isLimit)
            #expect("\(error)".contains("--sandbox none"))
        }
        // The name of a program may contain the text of an errno, which must not count as a limit.
        let words = unsafe String(cString: strerror(EMFILE))
        #expect(!OrderError.unavailable(WorkerLack("posix_spawn of \(words)")).isLimit)
        #expect(!OrderError.timeout.isLimit)
    }

    @Test("a thread with its own seccomp filter is told apart from a kernel without filters")
    func threadApart() {
        func lack(_ refusal: Int32) -> String {
            let found = Confinement(flags: 0, filterRefusal: refusal, rulesRefusal: 0)
            return Isolation.process.lack(in: found).map { "\(OrderError.unavailable($0))" }
                ?? ""
        }
        #expect(lack(ESRCH).contains("a thread has its own seccomp filter"))
        #expect(lack(ENOSYS).contains("this kernel or container refuses seccomp filters"))
    }

    @Test("the message about missing processes states how many descriptors a worker needs")
    func descriptors() {
        let lack = OrderError.unavailable(
            WorkerLack("a worker cannot open the fonts", code: EMFILE))
        #expect("\(lack)".contains("raise `ulimit -n`: a worker needs up to"))
    }
}
