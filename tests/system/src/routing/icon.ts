import { crc32, deflateSync } from "node:zlib";

const side = 64;
const rgba = 6;

/** A picture for the server list: 64x64 pixels, a gradient. @returns a data URI */
export function icon(): string {
  const rows = Array.from({ length: side }, (_, y) => [
    // Each row says how it is filtered: not at all.
    0,
    ...Array.from({ length: side }, (__, x) => [4 * x, 4 * y, 128, 255]).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, rgba], 8);
  const png = Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString("base64")}`;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}
