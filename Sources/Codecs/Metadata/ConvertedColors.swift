/// A cache of the converted colours of an image.
///
/// A logo has few colours, and converting a colour takes twenty times as long as a lookup. An image
/// with mostly new colours soon bypasses the cache: a photograph loses at most a tenth of its time.
@safe
struct ConvertedColors: ~Copyable {
    /// The number of slots, as a power of two. A slot holds the last colour that maps to it.
    private static let slotBits = 12
    /// The number of pixels that are looked up before the new colours are converted together.
    private static let block = 2048
    /// The number of blocks that are converted without lookup after a block of mostly new colours.
    private static let pause = 8
    /// A flag that marks an entry as the index of a new colour that is not converted yet.
    private static let pending: UInt32 = 1 << 31
    private static let colorMask: UInt32 = 0xFF_FFFF

    /// Pairs of a colour and its converted value.
    private let slots: UnsafeMutablePointer<(key: UInt32, value: UInt32)>
    /// The lookup result of each pixel of a block.
    private let found: UnsafeMutablePointer<UInt32>
    /// The new colours of a block, which are converted in place.
    private let fresh: UnsafeMutablePointer<UInt32>
    /// The new colours of a block before conversion.
    private let keys: UnsafeMutablePointer<UInt32>

    /// The least number of pixels for which the cache pays off.
    static let leastCount = 4096

    init() {
        let count = 1 << Self.slotBits
        unsafe slots = .allocate(capacity: count)
        // A 24-bit colour never equals this key.
        unsafe slots.initialize(repeating: (.max, 0), count: count)
        unsafe found = .allocate(capacity: Self.block)
        unsafe fresh = .allocate(capacity: Self.block)
        unsafe keys = .allocate(capacity: Self.block)
        unsafe found.initialize(repeating: 0, count: Self.block)
        unsafe fresh.initialize(repeating: 0, count: Self.block)
        unsafe keys.initialize(repeating: 0, count: Self.block)
    }

    deinit {
        unsafe slots.deallocate()
        unsafe found.deallocate()
        unsafe fresh.deallocate()
        unsafe keys.deallocate()
    }

    /// Converts the three colours of each pixel in place; leaves the fourth byte unchanged.
    @unsafe
    func convert(
        _ pixels: UnsafeMutableRawPointer, pixelCount: Int,
        by convert: (UnsafeMutableRawPointer, Int) -> Void
    ) {
        var (done, plainly) = (0, 0)
        while done < pixelCount {
            let count = min(Self.block, pixelCount - done)
            let start = unsafe pixels + done * 4
            if plainly > 0 {
                unsafe convert(start, count)
                plainly -= 1
            } else {
                let new = unsafe lookUp(start, count)
                unsafe convert(UnsafeMutableRawPointer(fresh), new)
                unsafe store(start, count)
                cache(new)
                if new * 2 > count { plainly = Self.pause }
            }
            done += count
        }
    }

    /// Looks up the pixels of a block and returns the number of new colours.
    private func lookUp(_ pixels: UnsafeMutableRawPointer, _ count: Int) -> Int {
        var new = 0
        var (last, value) = (UInt32.max, UInt32(0))
        for index in 0..<count {
            let pixel = unsafe pixels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            let key = pixel & Self.colorMask
            if key != last {
                last = key
                let slot = unsafe slots + Self.slotIndex(of: key)
                if unsafe slot.pointee.key != key {
                    unsafe fresh[new] = key
                    unsafe keys[new] = key
                    unsafe slot.pointee = (key, Self.pending | UInt32(truncatingIfNeeded: new))
                    new &+= 1
                }
                value = unsafe slot.pointee.value
            }
            unsafe found[index] = value
        }
        return new
    }

    /// Writes the pixels of a block after all of its colours are converted.
    private func store(_ pixels: UnsafeMutableRawPointer, _ count: Int) {
        for index in 0..<count {
            var value = unsafe found[index]
            if value & Self.pending != 0 { value = unsafe fresh[Int(value & ~Self.pending)] }
            let pixel = unsafe pixels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            let result = value & Self.colorMask | pixel & ~Self.colorMask
            unsafe pixels.storeBytes(of: result, toByteOffset: index &* 4, as: UInt32.self)
        }
    }

    /// Stores the converted values of new colours in their slots, unless a later colour of the
    /// block took the slot.
    private func cache(_ new: Int) {
        for index in 0..<new {
            let key = unsafe keys[index]
            let slot = unsafe slots + Self.slotIndex(of: key)
            if unsafe slot.pointee.key == key {
                unsafe slot.pointee.value = fresh[index] & Self.colorMask
            }
        }
    }

    @inline(__always)
    private static func slotIndex(of key: UInt32) -> Int {
        Int((key &* 0x9E37_79B1) &>> (32 &- UInt32(slotBits)))
    }
}
