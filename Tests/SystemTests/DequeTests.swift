import System
import Testing

@Suite("A deque")
struct DequeTests {
    @Test("a deque behaves like an array", arguments: 0..<20)
    func model(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var deque = Deque<Int>()
        var array: [Int] = []
        for step in 0..<2_000 {
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1:
                deque.append(step)
                array.append(step)
            case 2:
                deque.prepend(step)
                array.insert(step, at: 0)
            case 3, 4:
                #expect(deque.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
            case 5:
                let wanted = array.randomElement(using: &random) ?? -1
                let index = array.firstIndex(of: wanted)
                #expect(deque.removeFirst { $0 == wanted } == index.map { array.remove(at: $0) })
            default:
                guard step.isMultiple(of: 50) else { continue }
                #expect(deque.removeAll() == array)
                array = []
            }
            #expect(deque.count == array.count && deque.first == array.first)
        }
        #expect(deque.removeAll() == array)
        #expect(deque.isEmpty)
    }
}
