#if arch(x86_64)
    import _Builtin_intrinsics.intel.sse2

    /// The resampler's loops with `pmaddwd` on eight lanes, which every x86-64 processor has.
    enum SSE2Kernel: ResampleKernel {
        typealias Lanes = SIMD2<Int64>

        static func blend(
            pixels rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int32>,
            pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, count: Int
        ) {
            let zero = _mm_setzero_si128()
            let half = _mm_set1_epi32((1 << shift) >> 1)
            let distance = _mm_cvtsi32_si128(shift)
            let whole = count & ~3
            var pixel = 0
            while pixel < whole {
                var (first, second, third, fourth) = (half, half, half, half)
                for pair in 0..<pairs {
                    let weight = unsafe _mm_set1_epi32(weights[pair])
                    let early = unsafe load(rows[2 * pair] + pixel * 4)
                    let late = unsafe load(rows[2 * pair + 1] + pixel * 4)
                    let low = _mm_unpacklo_epi8(early, late)
                    let high = _mm_unpackhi_epi8(early, late)
                    first = mixed(first, _mm_unpacklo_epi8(low, zero), weight)
                    second = mixed(second, _mm_unpackhi_epi8(low, zero), weight)
                    third = mixed(third, _mm_unpacklo_epi8(high, zero), weight)
                    fourth = mixed(fourth, _mm_unpackhi_epi8(high, zero), weight)
                }
                let left = _mm_packs_epi32(
                    _mm_sra_epi32(first, distance), _mm_sra_epi32(second, distance))
                let right = _mm_packs_epi32(
                    _mm_sra_epi32(third, distance), _mm_sra_epi32(fourth, distance))
                unsafe store(interleaved(left), to: target + pixel * 4)
                unsafe store(interleaved(right), to: target + pixel * 4 + 8)
                pixel += 4
            }
            unsafe PlainKernel.blend(
                pixels: rows, weights: weights, pairs: pairs, shift: shift, into: target,
                from: whole, to: count)
        }

        static func blend(
            values rows: UnsafePointer<UnsafePointer<Int16>>, weights: UnsafePointer<Int32>,
            pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, count: Int
        ) {
            let half = _mm_set1_epi32((1 << shift) >> 1)
            let distance = _mm_cvtsi32_si128(shift)
            let whole = count & ~7
            var index = 0
            while index < whole {
                var (first, second) = (half, half)
                for pair in 0..<pairs {
                    let weight = unsafe _mm_set1_epi32(weights[pair])
                    let early = unsafe load(rows[2 * pair] + index)
                    let late = unsafe load(rows[2 * pair + 1] + index)
                    first = mixed(first, _mm_unpacklo_epi16(early, late), weight)
                    second = mixed(second, _mm_unpackhi_epi16(early, late), weight)
                }
                let sums = _mm_packs_epi32(
                    _mm_sra_epi32(first, distance), _mm_sra_epi32(second, distance))
                unsafe store(sums, to: target + index)
                index += 8
            }
            unsafe PlainKernel.blend(
                values: rows, weights: weights, pairs: pairs, shift: shift, into: target,
                from: whole, to: count)
        }

        static func gather(
            row: UnsafePointer<Int16>, runs: UnsafePointer<FilterTable.Run>,
            weights: UnsafePointer<Int32>, shift: Int32, into target: UnsafeMutablePointer<Int16>,
            count: Int
        ) {
            let half = _mm_set1_epi32((1 << shift) >> 1)
            let distance = _mm_cvtsi32_si128(shift)
            let none = _mm_setzero_si128()
            for index in 0..<count {
                let run = unsafe runs[index]
                let values = unsafe row + run.start * 4
                let pairs = unsafe weights + run.first
                // Two independent sums, so that the multiplications overlap.
                var (even, odd) = (half, none)
                var pair = 0
                while pair + 1 < run.pairs {
                    even = unsafe mixed(
                        even, load(values + pair * 8), _mm_set1_epi32(pairs[pair]))
                    odd = unsafe mixed(
                        odd, load(values + pair * 8 + 8), _mm_set1_epi32(pairs[pair + 1]))
                    pair += 2
                }
                if pair < run.pairs {
                    even = unsafe mixed(
                        even, load(values + pair * 8), _mm_set1_epi32(pairs[pair]))
                }
                let sum = _mm_sra_epi32(_mm_add_epi32(even, odd), distance)
                let pixel = _mm_packs_epi32(sum, sum)
                unsafe UnsafeMutableRawPointer(target + index * 4).storeBytes(
                    of: pixel[0], as: Int64.self)
            }
        }

        static func store(
            values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            let half = _mm_set1_epi16(32)
            let whole = count & ~3
            var index = 0
            while index < whole {
                // The addition saturates, so that rounding the largest value does not wrap.
                let first = unsafe _mm_adds_epi16(load(values + index * 4), half)
                let second = unsafe _mm_adds_epi16(load(values + index * 4 + 8), half)
                let steps = _mm_packus_epi16(_mm_srai_epi16(first, 6), _mm_srai_epi16(second, 6))
                var alphas = _mm_srli_epi32(steps, 24)
                alphas = _mm_or_si128(alphas, _mm_slli_epi32(alphas, 8))
                alphas = _mm_or_si128(alphas, _mm_slli_epi32(alphas, 16))
                unsafe UnsafeMutableRawPointer(pixels + index * 4).storeBytes(
                    of: _mm_min_epu8(steps, alphas), as: Lanes.self)
                index += 4
            }
            unsafe PlainKernel.store(values: values, into: pixels, from: whole, to: count)
        }

        static func weigh(
            rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
            count: Int
        ) {
            let zero = _mm_setzero_si128()
            let whole = count & ~15
            let (above, first, second, below) = unsafe (rows[0], rows[1], rows[2], rows[3])
            var index = 0
            while index < whole {
                let (a, b) = unsafe (load(above + index), load(first + index))
                let (c, d) = unsafe (load(second + index), load(below + index))
                unsafe store(
                    weighed(
                        _mm_unpacklo_epi8(a, zero), _mm_unpacklo_epi8(b, zero),
                        _mm_unpacklo_epi8(c, zero), _mm_unpacklo_epi8(d, zero)),
                    to: sums + index)
                unsafe store(
                    weighed(
                        _mm_unpackhi_epi8(a, zero), _mm_unpackhi_epi8(b, zero),
                        _mm_unpackhi_epi8(c, zero), _mm_unpackhi_epi8(d, zero)),
                    to: sums + index + 8)
                index += 16
            }
            unsafe PlainKernel.weigh(rows: rows, into: sums, from: whole, to: count)
        }

        static func halve(
            sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
            into pixels: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            let whole = count & ~1
            for index in stride(from: 0, to: whole, by: 2) {
                let first = unsafe sums + index * 8
                let (early, middle) = unsafe (load(first), load(first + 8))
                let late = unsafe load(first + 16)
                let sum = weighed(
                    _mm_unpacklo_epi64(early, middle), _mm_unpackhi_epi64(early, middle),
                    _mm_unpacklo_epi64(middle, late), _mm_unpackhi_epi64(middle, late))
                let steps = unsafe _mm_srli_epi16(
                    _mm_add_epi16(sum, load(roundings + index * 4)), 6)
                unsafe UnsafeMutableRawPointer(pixels + index * 4).storeBytes(
                    of: _mm_packus_epi16(steps, steps)[0], as: Int64.self)
            }
            unsafe PlainKernel.halve(
                sums: sums, roundings: roundings, into: pixels, from: whole, to: count)
        }

        /// The sum of four values with the weights 1, 3, 3, 1 in each lane.
        @inline(__always)
        private static func weighed(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Lanes {
            let inner = _mm_add_epi16(b, c)
            return _mm_add_epi16(
                _mm_add_epi16(_mm_add_epi16(a, d), inner), _mm_add_epi16(inner, inner))
        }

        @inline(__always)
        private static func load<Element>(_ address: UnsafePointer<Element>) -> Lanes {
            unsafe UnsafeRawPointer(address).loadUnaligned(as: Lanes.self)
        }

        @inline(__always)
        private static func store(_ lanes: Lanes, to address: UnsafeMutablePointer<Int16>) {
            unsafe UnsafeMutableRawPointer(address).storeBytes(of: lanes, as: Lanes.self)
        }

        @inline(__always)
        private static func mixed(_ sum: Lanes, _ values: Lanes, _ weights: Lanes) -> Lanes {
            _mm_add_epi32(sum, _mm_madd_epi16(values, weights))
        }

        @inline(__always)
        private static func interleaved(_ pixels: Lanes) -> Lanes {
            _mm_unpacklo_epi16(pixels, _mm_unpackhi_epi64(pixels, pixels))
        }
    }
#endif
