import CSandbox

/// The memory that a worker may take, as the system enforces it.
struct WorkerAllowance {
    /// Whatever comes is granted in steps of this size, so that one small picture after the other
    /// asks nothing of the system.
    private static let step = 16 << 20

    private var granted = -1

    /// Lets the process take `bytes`, rounded up, and what drawing takes beside them.
    mutating func grant(_ bytes: Int) {
        let (sum, overflow) = max(bytes, 1).addingReportingOverflow(Self.step - 1)
        let rounded = overflow ? Int.max : sum / Self.step * Self.step
        guard rounded != granted else { return }
        granted = rounded
        let (whole, isTooMuch) = rounded.addingReportingOverflow(WorkerMain.slackBytes)
        _ = emb_worker_grant_memory(isTooMuch ? .max : whole)
    }
}
