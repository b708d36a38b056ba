import Glibc

/// The address space that the limits of the system leave this process.
enum AddressSpace {
    /// Refuses to go on where so many bytes are not to be had.
    ///
    /// librsvg leaves a picture out for which there is no room, and says nothing. Nothing is taken
    /// here: the range is asked for and given back.
    static func check(_ bytes: Int) throws(DecodeError) {
        guard bytes > 0 else { return }
        let range = unsafe mmap(
            nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let range = unsafe range, unsafe range != MAP_FAILED else {
            throw .limitDecode("no memory for the pictures in an SVG")
        }
        unsafe munmap(range, bytes)
    }
}
