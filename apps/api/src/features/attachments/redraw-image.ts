import { Transformer } from "@napi-rs/image";
import { bareBonesPng, readJpegSize, type ImageSize } from "./image-header.ts";

/** More than phones take by default; 160 MB in memory. */
const pixelsMax = 40_000_000;
const sideMax = 20_000;
/** Each scan of a progressive JPEG goes over all pixels; programs make about ten of them. */
const scannedPixelsMax = 480_000_000;
const jpegQuality = 90;

/** A picture that is small because it is well packed may be larger when packed again. */
export const redrawnBytesMax = 20 * 1024 * 1024;

/** One at a time: decoded pictures are large. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * The same picture, drawn anew: its pixels alone come through, no metadata, comments, profiles,
 * animations or data behind its end. Null for one that is broken or too large.
 */
export function redrawImage(type: "png" | "jpeg", bytes: Buffer): Promise<Buffer | null> {
  const drawn = turn.then(() => (type === "png" ? redrawPng(bytes) : redrawJpeg(bytes)));
  turn = drawn.catch(() => undefined);
  return drawn;
}

async function redrawPng(bytes: Buffer): Promise<Buffer | null> {
  const read = bareBonesPng(bytes);
  if (read === null || isTooLarge(read.size)) return null;
  return encoded(() => new Transformer(read.bare).png());
}

async function redrawJpeg(bytes: Buffer): Promise<Buffer | null> {
  const size = readJpegSize(bytes);
  if (size === null || isTooLarge(size)) return null;
  if (size.width * size.height * size.scans > scannedPixelsMax) return null;
  // Cameras write the direction into the metadata, which does not come through.
  return encoded(() => new Transformer(bytes).rotate().jpeg(jpegQuality));
}

function isTooLarge({ width, height }: ImageSize): boolean {
  const isEmpty = width === 0 || height === 0;
  return isEmpty || width > sideMax || height > sideMax || width * height > pixelsMax;
}

/** The decoder refuses what is broken by throwing. */
async function encoded(encode: () => Promise<Buffer>): Promise<Buffer | null> {
  const image = await Promise.resolve()
    .then(encode)
    .catch(() => null);
  return image === null || image.length > redrawnBytesMax ? null : image;
}
