import { crc32, deflateSync } from "node:zlib";
import { Transformer } from "@napi-rs/image";
import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { redrawImage } from "./redraw-image.ts";

function picture(width = 4, height = 2): PNG {
  const image = new PNG({ width, height });
  for (let at = 0; at < image.data.length; at += 4) image.data.writeUInt32BE(0xff8000ff, at);
  return image;
}

const pngOf = (image: PNG): Buffer => PNG.sync.write(image);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** The picture with chunks after its header. */
function withChunks(png: Buffer, ...chunks: Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

const jpegOf = (image: PNG): Promise<Buffer> =>
  Transformer.fromRgbaPixels(image.data, image.width, image.height).jpeg(90);

/** An APP1 segment with Exif data, which asks for a rotation by 90 degrees and names a place. */
function withExif(jpeg: Buffer): Buffer {
  const tiff = Buffer.from(
    "4d4d002a00000008000101120003000000010006000000000000" +
      Buffer.from("GPS-SECRET").toString("hex"),
    "hex",
  );
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

describe("a PNG", () => {
  test("keeps its pixels, and nothing else comes through", async () => {
    const given = Buffer.concat([
      withChunks(
        pngOf(picture()),
        chunk("tEXt", Buffer.from("Comment\0<script>SECRET</script>", "latin1")),
        chunk("eXIf", Buffer.from("SECRET")),
      ),
      Buffer.from("PK\u0003\u0004<html>SECRET"),
    ]);
    const drawn = await redrawImage("png", given);
    expect(drawn).not.toBeNull();
    const read = PNG.sync.read(drawn ?? Buffer.alloc(0));
    expect([read.width, read.height]).toEqual([4, 2]);
    expect(read.data.equals(picture().data)).toBe(true);
    expect(drawn?.includes("SECRET")).toBe(false);
  });

  test("with a packed text or profile that would unpack to gigabytes is drawn without it", async () => {
    const bomb = deflateSync(Buffer.alloc(8 * 1024 * 1024));
    const given = withChunks(
      pngOf(picture()),
      chunk("zTXt", Buffer.concat([Buffer.from("a\0\0", "latin1"), bomb])),
      chunk("iCCP", Buffer.concat([Buffer.from("a\0\0", "latin1"), bomb])),
    );
    expect((await redrawImage("png", given))?.length).toBeLessThan(1_000);
  });

  test("that claims 30,000 x 30,000 pixels is refused from its header", async () => {
    const given = Buffer.from(pngOf(picture()));
    given.writeUInt32BE(30_000, 16);
    given.writeUInt32BE(30_000, 20);
    given.writeUInt32BE(crc32(given.subarray(12, 29)), 29);
    expect(await redrawImage("png", given)).toBeNull();
  });

  test("that is broken or cut is refused", async () => {
    const given = pngOf(picture());
    for (const length of [8, 20, 33, 45, given.length - 13]) {
      expect(await redrawImage("png", given.subarray(0, length)), `${length}`).toBeNull();
    }
    const noPixels = Buffer.from(given);
    noPixels.fill(0x55, 41, 50);
    expect(await redrawImage("png", noPixels)).toBeNull();
  });
});

describe("a JPEG", () => {
  test("is turned as its metadata asks, and loses them", async () => {
    const drawn = await redrawImage("jpeg", withExif(await jpegOf(picture(4, 2))));
    expect(drawn?.includes("SECRET")).toBe(false);
    expect(drawn?.includes("Exif")).toBe(false);
    const { width, height } = await new Transformer(drawn ?? Buffer.alloc(0)).metadata();
    expect([width, height]).toEqual([2, 4]);
  });

  test("with a page behind its end loses the page", async () => {
    const given = Buffer.concat([await jpegOf(picture()), Buffer.from("<script>SECRET</script>")]);
    expect((await redrawImage("jpeg", given))?.includes("SECRET")).toBe(false);
  });

  test("that claims 60,000 x 60,000 pixels, has two frames or too many scans is refused", async () => {
    const given = await jpegOf(picture());
    const at = given.findIndex(
      (byte, index) => byte === 0xff && [0xc0, 0xc2].includes(given[index + 1] ?? 0),
    );
    const large = Buffer.from(given);
    large.writeUInt16BE(60_000, at + 5);
    large.writeUInt16BE(60_000, at + 7);
    expect(await redrawImage("jpeg", large)).toBeNull();

    const frame = given.subarray(at, at + 2 + given.readUInt16BE(at + 2));
    const twice = Buffer.concat([given.subarray(0, at), frame, given.subarray(at)]);
    expect(await redrawImage("jpeg", twice)).toBeNull();

    const scanAt = given.indexOf(Buffer.from("ffda", "hex"));
    const scan = given.subarray(scanAt, -2);
    const scans = Buffer.concat([
      given.subarray(0, scanAt),
      ...Array.from({ length: 101 }, () => scan),
      given.subarray(-2),
    ]);
    expect(await redrawImage("jpeg", scans)).toBeNull();
  });

  test("cut anywhere in its header is refused", async () => {
    const given = await jpegOf(picture());
    for (const length of [3, 4, 10, 20, 100]) {
      expect(await redrawImage("jpeg", given.subarray(0, length)), `${length}`).toBeNull();
    }
  });
});
