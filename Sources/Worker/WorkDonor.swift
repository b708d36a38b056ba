/// Work in short pieces, in which the thread that hears the workers takes a hand.
package protocol WorkDonor: Sendable {
    /// A thread has come that will do what comes up from now on.
    func helperComes()
    /// The thread does what waits, and goes.
    func helperWorks()
}
