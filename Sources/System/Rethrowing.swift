/// Evaluates a throwing expression and converts its error to the error of the caller.
@inlinable package func rethrowing<Value: ~Copyable, Cause, Failure>(
    _ value: @autoclosure () throws(Cause) -> Value, as convert: (Cause) -> Failure
) throws(Failure) -> Value {
    try rethrowing(as: convert, value)
}

/// Runs throwing statements and converts their error to the error of the caller. The closure needs
/// an explicit `() throws(Cause) in`.
@inlinable package func rethrowing<Value: ~Copyable, Cause, Failure>(
    as convert: (Cause) -> Failure, _ body: () throws(Cause) -> Value
) throws(Failure) -> Value {
    do throws(Cause) {
        return try body()
    } catch {
        throw convert(error)
    }
}
