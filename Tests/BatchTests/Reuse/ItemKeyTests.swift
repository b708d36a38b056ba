import Batch
import Digest
import Engine
import Testing

@Suite("The key of an item")
struct ItemKeyTests {
    private static let look = SHA256.hash(Array("look".utf8).span)

    private func key(_ source: String, id: String = "a", label: String? = nil) -> ItemKey {
        var item = BatchItem(argument: source, label: label)
        item.name = id
        return ItemKey(item, nil, look: Self.look)
    }

    @Test("the key of an item differs if the same letters are in other fields")
    func fields() {
        let keys = [
            key("x", id: "ab", label: "c"), key("x", id: "a", label: "bc"),
            key("xa", id: "b", label: "c"), key("x", id: "abc", label: ""),
            key("x", id: "abc", label: nil),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(keys[0] == key("x", id: "ab", label: "c"))
    }
}
