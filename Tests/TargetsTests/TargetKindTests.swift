import Codecs
import Targets
import Testing

@Suite("What pictures are laid out for")
struct TargetKindTests {
    @Test("a target's usual formats and scales are ones that it can hold", arguments: TargetKind.allCases)
    func usual(kind: TargetKind) {
        for format in kind.usualFormats {
            #expect(kind.allowedFormats?.contains(format) ?? true)
        }
        for scale in kind.usualScales { #expect(kind.allowedScales?.contains(scale) ?? true) }
        #expect(!kind.holdsOneFormat || kind.usualFormats.count == 1)
    }
}
