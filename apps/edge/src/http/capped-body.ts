/**
 * The body of an answer; undefined if it is larger than `bytesMax`. Such a one is not read to its end,
 * because a server may send for ever.
 *
 * @throws Error where the connection breaks off
 */
export async function readCappedBody(
  { body }: Response,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // The body of fetch is a stream of bytes. Leaving the loop cancels it.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
