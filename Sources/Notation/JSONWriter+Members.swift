extension JSONWriter {
    /// A name and a text.
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        write(value)
    }

    /// A name and an integer.
    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        write(value)
    }

    /// A name and a number, `null` if it is not finite.
    package mutating func member(_ name: String, _ value: Double) {
        self.name(name)
        write(value)
    }

    /// A name and a truth value.
    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        write(value)
    }

    /// A name and a whole value of any kind.
    package mutating func member(_ name: String, _ value: JSON) {
        self.name(name)
        write(value)
    }

    /// A member that holds an object, filled by `body`.
    package mutating func object<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        beginObject()
        try body(&self)
        endObject()
    }

    /// A member that holds an array, filled by `body`.
    package mutating func array<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        beginArray()
        try body(&self)
        endArray()
    }

    /// An object as a whole line or as an element, filled by `body`.
    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }
}
