import System
import Testing

@Suite("A bounded cache")
struct BoundedCacheTests {
    @Test("a cache evicts its least recently used entry first")
    func order() {
        let cache = BoundedCache<Int, String>(countLimit: 2)
        cache.keep("one", for: 1)
        cache.keep("two", for: 2)
        #expect(cache.value(for: 1) == "one")
        let gone = cache.keep("three", for: 3)
        #expect(gone.map(\.key) == [2])
        #expect(cache.value(for: 2) == nil)
        #expect(cache.value(for: 1) == "one" && cache.value(for: 3) == "three")
    }

    @Test("a cache stays below its weight limit and refuses an entry that exceeds it alone")
    func weight() {
        let cache = BoundedCache<Int, Int>(weightLimit: 10)
        for key in 1...4 { cache.keep(key, for: key, weight: 4) }
        #expect(cache.count == 2 && cache.weight == 8)
        cache.keep(9, for: 9, weight: 11)
        #expect(cache.value(for: 9) == nil && cache.count == 2)
        cache.keep(5, for: 4, weight: 1)
        #expect(cache.value(for: 4) == 5 && cache.weight == 5)
    }

    @Test("a cache with a limit of zero keeps nothing")
    func nothing() {
        let cache = BoundedCache<Int, Int>(countLimit: 0)
        cache.keep(1, for: 1)
        #expect(cache.count == 0)
        #expect(cache.value(for: 1) { 7 } == 7)
    }

    @Test("a cache holds the same entries as a list in the order of use", arguments: 0..<20)
    func model(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let cache = BoundedCache<Int, Int>(countLimit: 5, weightLimit: 30)
        var model: [(key: Int, value: Int, weight: Int)] = []
        for step in 0..<2_000 {
            let key = Int.random(in: 0..<12, using: &random)
            let index = model.firstIndex { $0.key == key }
            if Bool.random(using: &random) {
                #expect(cache.value(for: key) == index.map { model[$0].value })
                if let index { model.append(model.remove(at: index)) }
            } else {
                let weight = Int.random(in: 0...12, using: &random)
                cache.keep(step, for: key, weight: weight)
                if let index { model.remove(at: index) }
                model.append((key, step, weight))
                while model.count > 5 || model.reduce(0, { $0 + $1.weight }) > 30 {
                    model.removeFirst()
                }
            }
            #expect(cache.count == model.count)
        }
        let kept = Dictionary(uniqueKeysWithValues: cache.all.map { ($0.key, $0.value) })
        #expect(kept == Dictionary(uniqueKeysWithValues: model.map { ($0.key, $0.value) }))
        #expect(Set(cache.removeAll().map(\.key)) == Set(kept.keys))
        #expect(cache.count == 0 && cache.weight == 0)
    }

    @Test("a value whose creation fails is not cached, and its error is thrown")
    func failure() {
        struct Refusal: Error {}
        let cache = BoundedCache<Int, Int>(countLimit: 3)
        #expect(throws: Refusal.self) {
            try cache.value(for: 1) { () throws(Refusal) in throw Refusal() }
        }
        #expect(cache.count == 0)
    }
}
