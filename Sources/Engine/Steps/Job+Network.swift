import System
import Transport

extension Job {
    /// Loads from the network within the item's remaining time.
    func fetch(
        _ source: SourceReference, _ input: JobInput, _ attempt: inout Attempt,
        _ meter: inout JobMeter
    ) async throws(JobStop) -> SourceBytes {
        if let loader = context.loader {
            return SourceBytes(
                try await loader.load(source.text), covered: context.settings.bodyBytes)
        }
        let loader = try rethrowing(context.network.loader()) { (error: NetworkFailure) in
            JobStop.failure(ItemFailure(error))
        }
        let outcome = await loader.load(
            NetworkRequest(
                url: source.text, timeLeft: meter.clock.timeLeft,
                failedBefore: input.past?.isRetried ?? false))
        meter.clock.divide(by: outcome.timings)
        meter.network.add(outcome)
        switch outcome.result {
        case .success(let response):
            return SourceBytes(response.body, covered: context.settings.bodyBytes)
        case .failure(let failure):
            guard failure.kind != .canceled else { throw .canceled }
            let reason = ItemFailure(failure)
            guard keepsStale(reason), let kept = loader.cachedResponse(source.text) else {
                throw .failure(reason)
            }
            attempt.staleReason = reason
            return SourceBytes(kept.body, covered: context.settings.bodyBytes)
        }
    }
}
