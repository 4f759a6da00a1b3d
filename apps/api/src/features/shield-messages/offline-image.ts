import { inflateSync } from "node:zlib";
import { offlineImagePixels } from "@palisade/contract/http/server-messages";
import { PNG } from "pngjs";
import { fieldError } from "#src/platform/errors/domain-error.ts";

/** As the table and the edges' configuration hold it at most. */
const storedBytesMax = 16_384;
const givenBytesMax = 64 * 1024;

const signature = Buffer.from("89504e470d0a1a0a", "hex");
/** Length, type and first fields of IHDR, which the format wants first (PNG 3rd edition, 11.2.1). */
const headerBytes = 33;
/** Channels of each colour type (11.2.1); a palette's picture has one. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Width and height of what a picture consists of: itself, or the seven passes of Adam7 (8.2). */
const whole = [[64, 64]] as const;
const passes = [
  [8, 8],
  [8, 8],
  [16, 8],
  [16, 16],
  [32, 16],
  [32, 32],
  [64, 32],
] as const;

/**
 * The image of a data URI as the game takes it, drawn anew: nothing but pixels comes through.
 * Its size is known before anything is unpacked, and no more is unpacked than that size takes.
 *
 * @throws DomainError at the field, whatever else was given
 */
export function redrawOfflineImage(dataUri: string): Buffer {
  const given = bytesOf(dataUri);
  if (given.length > givenBytesMax) throw refused("image.too_large");
  if (given.length < headerBytes || !given.subarray(0, 8).equals(signature)) {
    throw refused("image.invalid");
  }
  if (given.readUInt32BE(8) !== 13 || given.toString("latin1", 12, 16) !== "IHDR") {
    throw refused("image.invalid");
  }
  const sides = [given.readUInt32BE(16), given.readUInt32BE(20)];
  if (sides.some((side) => side !== offlineImagePixels)) throw refused("image.size");
  const drawn = redraw(given);
  if (drawn.length > storedBytesMax) throw refused("image.too_detailed");
  return drawn;
}

function refused(code: "image.invalid" | "image.size" | "image.too_large" | "image.too_detailed") {
  return fieldError("offline.offline_image", code);
}

/** Whatever type it claims: the bytes decide. */
function bytesOf(dataUri: string): Buffer {
  const encoded = /^data:[^,]{0,100};base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUri)?.[1];
  if (encoded === undefined) throw refused("image.invalid");
  return Buffer.from(encoded, "base64");
}

function redraw(given: Buffer): Buffer {
  try {
    const expected = pixelBytes(given);
    const pixels = inflateSync(packedPixels(given), { maxOutputLength: expected });
    // The decoder would make up what is missing.
    if (pixels.length !== expected) throw new Error("The pixels are not all there");
    const { data, width, height } = PNG.sync.read(given);
    const isOpaque = data.every((value, index) => index % 4 !== 3 || value === 255);
    const image = new PNG({ width, height });
    data.copy(image.data);
    // Without an alpha channel that says nothing, any picture fits into what is stored.
    return PNG.sync.write(image, { colorType: isOpaque ? 2 : 6, inputHasAlpha: true });
  } catch (cause) {
    throw Object.assign(refused("image.invalid"), { cause });
  }
}

/** Bytes that the picture of the header takes, with a filter byte for every row (9.2). */
function pixelBytes(given: Buffer): number {
  const bits = given.readUInt8(24) * (channels[given.readUInt8(25)] ?? 0);
  const parts = given.readUInt8(28) === 1 ? passes : whole;
  return parts.reduce((sum, [wide, high]) => sum + high * (1 + Math.ceil((wide * bits) / 8)), 0);
}

/** The content of the IDAT chunks; the decoder would unpack it without a limit. */
function packedPixels(given: Buffer): Buffer {
  const packed: Buffer[] = [];
  for (let at = signature.length; at + 12 <= given.length;) {
    const length = given.readUInt32BE(at);
    const body = given.subarray(at + 8, at + 8 + length);
    if (given.toString("latin1", at + 4, at + 8) === "IDAT") packed.push(body);
    at += 12 + length;
  }
  return Buffer.concat(packed);
}
