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
        let outcome = await context.network.load(
            NetworkRequest(
                url: source.text, timeLeft: meter.clock.timeLeft,
                failedBefore: input.past?.isRetried ?? false))
        meter.clock.divide(by: outcome.timings)
        meter.network.add(outcome)
        switch outcome.result {
        case .success(let response):
            return SourceBytes(response.body, covered: context.settings.bodyBytes)
        case .failure(let failure):
            guard failure.errorClass != .canceled else { throw .canceled }
            guard keepsStale(failure), let kept = context.network.cachedResponse(source.text)
            else { throw .failure(failure) }
            attempt.staleReason = failure
            return SourceBytes(kept.body, covered: context.settings.bodyBytes)
        }
    }
}
