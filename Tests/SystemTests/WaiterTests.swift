import Synchronization
import System
import Testing

@Suite("A waiter")
struct WaiterTests {
    @Test("a waiter returns at once a value that is already there")
    func early() async {
        let waiter = Waiter<Int>()
        waiter.resume(returning: 1)
        waiter.resume(returning: 2)
        #expect(await waiter.value {} == 1)
    }

    @Test("a task waits for the value of a waiter")
    func late() async {
        let waiter = Waiter<Int>()
        async let value = waiter.value {}
        await Task.yield()
        waiter.resume(returning: 3)
        #expect(await value == 3)
    }

    @Test("a task that is cancelled before it waits returns at once")
    func canceled() async {
        let waiter = Waiter<String>()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await waiter.value { waiter.resume(returning: "left") }
        }
        task.cancel()
        #expect(await task.value == "left")
    }

    @Test("a waiter accepts only the first of several resumes")
    func race() async {
        for _ in 0..<200 {
            let waiter = Waiter<Int>()
            let value = await withTaskGroup(of: Void.self, returning: Int.self) { group in
                for number in 0..<4 { group.addTask { waiter.resume(returning: number) } }
                return await waiter.value {}
            }
            #expect((0..<4).contains(value))
            #expect(await waiter.value {} == value)
        }
    }
}
