import Render
import Transport

/// Why a run could not be brought to its end.
package enum BatchError: Error {
    case outlet(OutletError)
    /// A list changed or vanished between planning and running.
    case plan(PlanError)
    /// No picture can be decoded in a process of its own; what was done is in the journal.
    case cells(OrderError)
    /// The run that is to be resumed differs from this one, in words.
    case otherRun(String)
    /// The folder holds another set, whose manifest this run would take the place of; in words.
    case otherSet(String)
    /// A target folder belongs to another set, or cannot be shared with it; in words.
    case heldTarget(String)
}
