import Cell
import Glibc
import Render
import Testing

@Suite("What is missing where no process can be had")
struct CellLackTests {
    @Test("is judged by the system's reason, not by its words")
    func code() {
        for code in [EMFILE, ENFILE, EFBIG, ENOMEM, EAGAIN] {
            let error = OrderError.unavailable(CellLack("a call", code: code))
            #expect(error.isLimit)
            #expect(!"\(error)".contains("--isolate none"))
        }
        for code in [EPERM, EACCES, ENOSYS] {
            let error = OrderError.unavailable(CellLack("a call", code: code))
            #expect(!error.isLimit)
            #expect("\(error)".contains("--isolate none"))
        }
        // The words of a limit in the name of a program are no limit.
        let words = unsafe String(cString: strerror(EMFILE))
        #expect(!OrderError.unavailable(CellLack("posix_spawn of \(words)")).isLimit)
        #expect(!OrderError.timeout.isLimit)
    }

    @Test("says how many descriptors a worker takes")
    func descriptors() {
        let lack = OrderError.unavailable(CellLack("it cannot open the fonts", code: EMFILE))
        #expect("\(lack)".contains("raise `ulimit -n`: a process that decodes has up to"))
    }
}
