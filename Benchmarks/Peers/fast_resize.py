#!/usr/bin/env python3
"""A script that makes rounded emblems: cykooz-resizer, the binding of fast_image_resize, shrinks.

kornia-rs decodes and encodes, and OpenCV premultiplies and composes. Both have a slower resizer.
"""

import kornia
import numpy
import opencv
from cykooz_resizer import FilterType, ImageData, PixelType, ResizeAlg, ResizeOptions, Resizer

PIXELS = {3: PixelType.U8x3, 4: PixelType.U8x4}
RESIZER = Resizer()
# The fastest filter that is as exact as the area filter of OpenCV. The pixels are premultiplied.
OPTIONS = ResizeOptions(ResizeAlg.convolution(FilterType.catmull_rom), use_alpha=False)


def shrink(picture, size):
    fitted = opencv.fitted_sides(picture, size)
    height, width, channels = picture.shape
    source = ImageData(width, height, PIXELS[channels], picture.tobytes())
    result = ImageData(*fitted, PIXELS[channels])
    RESIZER.resize(source, result, OPTIONS)
    small = numpy.frombuffer(result.get_buffer(), numpy.uint8)
    return small.reshape(fitted[1], fitted[0], channels)


if __name__ == "__main__":
    opencv.STEPS.update(order=1, load=kornia.load, shrink=shrink, write=kornia.write)
    opencv.main()
