import Notation
import Testing

@Suite struct LineEndTests {
    @Test("a line ends only at a line feed")
    func lineEnds() {
        let bytes = Array("one\n\ntwo".utf8)
        #expect(bytes[...].lineEnd == 3 && bytes[4...].lineEnd == 4)
        #expect(bytes[5...].lineEnd == nil && bytes[3..<3].lineEnd == nil)
        #expect(([] as [UInt8])[...].lineEnd == nil)
    }
}
