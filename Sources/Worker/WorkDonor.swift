/// Work in short pieces that the keeper's thread can help with.
package protocol WorkDonor: Sendable {
    /// Announces that the thread will do new work from now on.
    func helperComes()
    /// Does the work that is waiting, on the thread, and ends its help.
    func helperWorks()
}
