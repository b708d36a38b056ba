import CLibJPEG
import Glibc

/// Writes JPEG files of many kinds with libjpeg-turbo.
///
/// A library error ends the program, because the generator's input is its own.
struct JPEGFile: Sendable {
    enum Model: Sendable {
        case color, grey, cmyk, ycck
    }

    var quality = 85
    var model = Model.color
    var isProgressive = false
    var isArithmetic = false
    /// The horizontal and vertical sampling factors of luma: 2 and 2 is 4:2:0.
    var sampling = (horizontal: 2, vertical: 2)
    var orientation: Int?
    var profile: [UInt8] = []
    var restartRows = 0

    func encode(_ bitmap: Bitmap) -> [UInt8] {
        let stored = bitmap.stored(forOrientation: orientation ?? 1)
        let samples = self.samples(of: stored)
        var errors = unsafe jpeg_error_mgr()
        var job = unsafe jpeg_compress_struct()
        var memory: UnsafeMutablePointer<UInt8>?
        var length: UInt = 0
        unsafe withUnsafeMutablePointer(to: &errors) { unsafe job.err = jpeg_std_error($0) }
        unsafe jpeg_CreateCompress(
            &job, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
        unsafe withUnsafeMutablePointer(to: &memory) { memory in
            unsafe withUnsafeMutablePointer(to: &length) { length in
                unsafe jpeg_mem_dest(&job, memory, length)
                unsafe write(stored, samples, &job)
            }
        }
        unsafe jpeg_destroy_compress(&job)
        defer { unsafe free(memory) }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: Int(length)))
    }

    private var channels: Int {
        switch model {
        case .grey: 1
        case .color: 3
        case .cmyk, .ycck: 4
        }
    }

    private func write(
        _ bitmap: Bitmap, _ samples: [UInt8], _ job: inout jpeg_compress_struct
    ) {
        unsafe job.image_width = JDIMENSION(bitmap.width)
        unsafe job.image_height = JDIMENSION(bitmap.height)
        unsafe job.input_components = Int32(channels)
        unsafe job.in_color_space =
            switch model {
            case .grey: JCS_GRAYSCALE
            case .color: JCS_RGB
            case .cmyk, .ycck: JCS_CMYK
            }
        unsafe jpeg_set_defaults(&job)
        if model == .ycck { unsafe jpeg_set_colorspace(&job, JCS_YCCK) }
        unsafe jpeg_set_quality(&job, Int32(quality), 1)
        if model == .color {
            unsafe job.comp_info[0].h_samp_factor = Int32(sampling.horizontal)
            unsafe job.comp_info[0].v_samp_factor = Int32(sampling.vertical)
        }
        unsafe job.restart_in_rows = Int32(restartRows)
        unsafe job.arith_code = isArithmetic ? 1 : 0
        unsafe job.optimize_coding = isArithmetic ? 0 : 1
        if isProgressive { unsafe jpeg_simple_progression(&job) }
        unsafe jpeg_start_compress(&job, 1)
        unsafe writeMarkers(&job)
        unsafe samples.withUnsafeBufferPointer { rows in
            for y in 0..<bitmap.height {
                let row = unsafe rows.baseAddress.map { unsafe $0 + y * bitmap.width * channels }
                var pointer = unsafe UnsafeMutablePointer(mutating: row)
                _ = unsafe jpeg_write_scanlines(&job, &pointer, 1)
            }
        }
        unsafe jpeg_finish_compress(&job)
    }

    private func writeMarkers(_ job: inout jpeg_compress_struct) {
        if let orientation {
            let block = Exif.block(orientation: orientation)
            unsafe jpeg_write_marker(&job, 0xE1, block, UInt32(block.count))
        }
        if !profile.isEmpty {
            // One marker is enough, because these profiles have only a few kilobytes.
            let block = Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile
            unsafe jpeg_write_marker(&job, 0xE2, block, UInt32(block.count))
        }
    }

    /// Returns the samples for the library; ink is inverted, as in Adobe's files.
    private func samples(of bitmap: Bitmap) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bitmap.width * bitmap.height * channels)
        for index in stride(from: 0, to: bitmap.bytes.count, by: 4) {
            let red = Int(bitmap.bytes[index])
            let green = Int(bitmap.bytes[index + 1])
            let blue = Int(bitmap.bytes[index + 2])
            switch model {
            case .grey:
                result.append(UInt8((red * 77 + green * 150 + blue * 29 + 128) >> 8))
            case .color:
                result += bitmap.bytes[index..<(index + 3)]
            case .cmyk, .ycck:
                let light = (255 + max(red, green, blue)) / 2
                for value in [red, green, blue] {
                    result.append(UInt8(min(255, value * 255 / light)))
                }
                result.append(UInt8(light))
            }
        }
        return result
    }
}
