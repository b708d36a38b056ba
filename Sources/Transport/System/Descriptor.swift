import Glibc

/// An open file that closes itself.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over a descriptor that nobody else closes.
    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        _ = Glibc.close(number)
    }
}

/// A descriptor that several owners hold; the last one closes it.
package final class SharedDescriptor: Sendable {
    package let descriptor: Descriptor

    package init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    package var number: Int32 { descriptor.number }
}
