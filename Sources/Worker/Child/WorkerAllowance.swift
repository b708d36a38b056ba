import CSandbox

/// The address space that a worker may use, enforced with a resource limit.
struct WorkerAllowance {
    /// Grants are rounded up to this step, so that a series of small images needs no further system
    /// calls.
    private static let step = 16 << 20

    private var granted = -1

    /// Grants `bytes`, rounded up, plus `WorkerMain.slackBytes`.
    mutating func grant(_ bytes: Int) {
        let (sum, overflow) = max(bytes, 1).addingReportingOverflow(Self.step - 1)
        let rounded = overflow ? Int.max : sum / Self.step * Self.step
        guard rounded != granted else { return }
        granted = rounded
        let (whole, isTooMuch) = rounded.addingReportingOverflow(WorkerMain.slackBytes)
        _ = emb_worker_grant_memory(isTooMuch ? .max : whole)
    }
}
