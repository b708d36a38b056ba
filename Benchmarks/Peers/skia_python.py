#!/usr/bin/env python3
"""A script that makes rounded emblems of images and SVG with Skia in a pool of two processes."""

import os

import common
import skia

SAMPLING = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
FORMATS = {"png": (skia.kPNG, 100), "webp": (skia.kWEBP, 82)}
SETTINGS = {}


def prepare(sizes, radii, background, form):
    """Prepares a worker: the canvas colour, and the rounded rectangles."""
    red, green, blue = (int(background[at:at + 2], 16) for at in (1, 3, 5))
    shapes = {
        size: skia.RRect.MakeRectXY(skia.Rect.MakeWH(size, size), radius, radius)
        for size, radius in zip(sizes, radii)}
    SETTINGS.update(background=skia.Color(red, green, blue), form=form, shapes=shapes)


def fit(canvas, width, height, size):
    """Scales and moves the canvas so that the image is at its centre and fits."""
    share = min(size / width, size / height)
    canvas.translate((size - width * share) / 2, (size - height * share) / 2)
    canvas.scale(share, share)


class Picture:
    """A decoded image with mipmaps, which Skia needs to consider every pixel."""

    def __init__(self, source, largest):
        # The binding does not keep the bytes alive for the codec.
        data = skia.Data.MakeFromFileName(source)
        codec = skia.Codec.MakeFromData(data)
        sides = codec.dimensions()
        if codec.getEncodedFormat() == skia.kJPEG:
            share = common.reduction((sides.width(), sides.height()), largest)
            sides = codec.getScaledDimensions(1 / share)
        info = skia.ImageInfo.MakeN32(sides.width(), sides.height(), skia.kPremul_AlphaType)
        bitmap = skia.Bitmap()
        bitmap.allocPixels(info)
        if codec.getPixels(bitmap.pixmap()) != skia.Codec.kSuccess:
            raise ValueError(f"cannot decode {source}")
        bitmap.setImmutable()
        self.image = skia.Image.MakeFromBitmap(bitmap).withDefaultMipmaps()
        self.origin = codec.getOrigin()

    def draw(self, canvas, size):
        width, height = self.image.width(), self.image.height()
        if int(self.origin) >= int(skia.kLeftTop_EncodedOrigin):
            width, height = height, width
        fit(canvas, width, height, size)
        canvas.concat(skia.EncodedOriginToMatrix(self.origin, width, height))
        canvas.drawImage(self.image, 0, 0, SAMPLING)


class Drawing:
    """A parsed SVG."""

    def __init__(self, source):
        self.drawing = skia.SVGDOM.MakeFromStream(
            skia.MemoryStream(common.drawing(source), True))
        self.sides = self.drawing.containerSize()

    def draw(self, canvas, size):
        # A drawing without width and height fits itself into the container.
        if self.sides.isEmpty():
            self.drawing.setContainerSize(skia.Size(size, size))
        else:
            fit(canvas, self.sides.width(), self.sides.height(), size)
        self.drawing.render(canvas)


def emblems(job):
    """Makes all sizes of one image from one decoding."""
    source, folder, stem = job
    shapes = SETTINGS["shapes"]
    is_drawing = source.lower().endswith(common.DRAWINGS)
    picture = Drawing(source) if is_drawing else Picture(source, max(shapes))
    for size, shape in shapes.items():
        surface = skia.Surface.MakeRasterN32Premul(size, size)
        with surface as canvas:
            canvas.clipRRect(shape, doAntiAlias=True)
            canvas.drawColor(SETTINGS["background"])
            picture.draw(canvas, size)
        data = surface.makeImageSnapshot().encodeToData(*FORMATS[SETTINGS["form"]])
        target = os.path.join(folder, str(size), f"{stem}.{SETTINGS['form']}")
        with open(target, "wb") as file:
            file.write(data)


if __name__ == "__main__":
    common.main(__doc__, prepare, emblems, common.PICTURES + common.DRAWINGS)
