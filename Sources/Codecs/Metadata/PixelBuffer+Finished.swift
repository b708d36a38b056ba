import Raster

extension PixelBuffer {
    /// Straight pixels made premultiplied sRGB ones.
    ///
    /// Colours are converted when the picture is halved as often as a resampler would halve it for
    /// what the request needs: converting a pixel costs more than all else that is done to it.
    consuming func finished(
        by transform: ColorTransform?, for request: DecodeRequest, _ orientation: Orientation
    ) -> PixelBuffer {
        var result = self
        if let transform {
            if let needed = request.neededSize, orientation == .up || request.leavesTurn {
                result = result.halvedStraight(
                    for: orientation.transposes ? needed.transposed : needed)
            }
            var pixels = result.mutablePixels
            transform.convert(&pixels)
        }
        result.premultiply()
        return result
    }

    /// Straight pixels halved, weighed by their alpha, and straight again.
    private consuming func halvedStraight(for needed: PixelSize) -> PixelBuffer {
        var whole = self
        guard PyramidSteps(from: whole.size, to: needed) != .none else { return whole }
        whole.premultiply()
        let halves = whole.halved(for: [needed])
        guard !halves.isOpaque else { return halves }
        var result = PixelBuffer(unwritten: halves.size)
        result.shrinkage = halves.shrinkage
        StraightAlpha.copy(halves, into: &result)
        return result
    }
}
