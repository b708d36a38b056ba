import CSandbox

/// The words that the program was started with, read where they lie: nothing of them is copied into
/// memory that a cell would inherit.
package enum RawArguments {
    package static var count: Int { Int(emb_argument_count()) }

    /// Copies of all of them, the program's name first.
    package static var all: [String] {
        (0..<count).map { index in
            unsafe emb_argument(Int32(clamping: index)).map { unsafe String(cString: $0) } ?? ""
        }
    }

    package static func has(_ word: String, at index: Int) -> Bool {
        unsafe emb_argument_is(Int32(clamping: index), word) != 0
    }
}
