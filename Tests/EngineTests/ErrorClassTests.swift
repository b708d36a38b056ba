import Codecs
import Engine
import Gauge
import Testing
import Transport

@Suite("The classes of errors")
struct ErrorClassTests {
    @Test("each error class has its own sentence, with a full stop", arguments: ErrorClass.allCases)
    func sentences(_ errorClass: ErrorClass) {
        #expect(errorClass.message.hasSuffix(".") && errorClass.message.count > 15)
        let same = ErrorClass.allCases.filter { $0.message == errorClass.message }
        #expect(same == [errorClass])
        #expect(errorClass.rawValue.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" })
    }

    @Test("only temporary error classes are retried")
    func retryable() {
        let retryable = ErrorClass.allCases.filter(\.isRetryable).map(\.rawValue)
        #expect(
            retryable == [
                "dns", "connect", "timeout", "http_5xx", "rate_limited", "canceled", "offline",
                "host_skipped", "busy", "unavailable",
            ])
    }

    @Test("a source that the cache lacks offline can be retried, as its class says")
    func offline() {
        let failure = ItemFailure.notInCache
        #expect(failure.isRetryable && failure.errorClass.isRetryable)
    }

    @Test("the reason for a refused address names the option that allows it")
    func blocked() {
        let failure = ItemFailure.notPublic
        #expect(failure.explanation.hasPrefix("The address is not public; use --allow-private"))
        #expect(failure.message.contains("--allow-private"))
        #expect(ItemFailure(.blockedAddress, stage: .fetch).explanation == failure.message)
    }

    @Test(
        "every error of a decoder has an error class",
        arguments: [
            (DecodeError.notImage, ErrorClass.notImage), (.unsupported("x"), .unsupported),
            (.truncated, .truncated), (.corrupt("x"), .corrupt), (.limitPixels, .limitPixels),
            (.limitDecode("x"), .limitDecode),
        ])
    func decoding(_ error: DecodeError, _ errorClass: ErrorClass) {
        let failure = ItemFailure(error)
        #expect(failure.errorClass == errorClass && failure.stage == "decode")
        #expect(!failure.detail.isEmpty)
    }
}
