/** A line of the stream, or the beginning of one that is too long. */
export type RawLine =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "oversized"; readonly prefix: string };

/** Enough of an oversized line to find its shield. */
const prefixBytes = 1024;
const newline = 0x0a;

/**
 * Splits bytes into lines without ever holding more than `bytesMax` of one. The rest of a longer line
 * is skipped, so that one invalid line does not end the stream. Bytes after the last newline are an
 * incomplete line and are dropped.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<RawLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let oversized = false;

  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    while (start < bytes.length) {
      const end = bytes.indexOf(newline, start);
      const piece = bytes.subarray(start, end === -1 ? bytes.length : end);
      start = end === -1 ? bytes.length : end + 1;
      if (!oversized && length + piece.length > bytesMax) {
        oversized = true;
        parts.push(piece);
        parts = [Buffer.concat(parts).subarray(0, prefixBytes)];
      } else if (!oversized) {
        parts.push(piece);
        length += piece.length;
      }
      if (end === -1) continue;
      const text = Buffer.concat(parts).toString("utf8");
      if (oversized) yield { kind: "oversized", prefix: text };
      else if (text.trim() !== "") yield { kind: "line", text };
      parts = [];
      length = 0;
      oversized = false;
    }
  }
}
