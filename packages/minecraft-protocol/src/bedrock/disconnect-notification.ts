/** A datagram that ends a connection carries little else. */
const bytesMax = 64;
const disconnectId = 0x15;

/** Bytes behind the flags and the length of a frame, by its reliability. Source: minecraft.wiki, "RakNet", Frame. */
const headBytes = [0, 7, 3, 7, 10, 0, 3, 7] as const;

/**
 * Whether a datagram of a connection says that its sender leaves. A datagram of the usual size is
 * decided by its length alone.
 *
 * @param start where the datagram begins in `bytes`, and `end` where it ends: every relayed one comes
 *   by here, so it is not made an object of its own
 */
export function isDisconnect(bytes: Buffer, start = 0, end = bytes.length): boolean {
  const length = end - start;
  if (length > bytesMax || length < 8 || ((bytes[start] ?? 0) & 0xf0) !== 0x80) return false;
  let at = start + 4;
  while (at + 3 < end) {
    const flags = bytes[at] ?? 0;
    const messageBytes = (((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)) >> 3;
    // Parts of a longer message end no connection.
    if ((flags & 0x10) !== 0 || messageBytes === 0) return false;
    at += 3 + (headBytes[flags >> 5] ?? 0);
    if (messageBytes === 1 && bytes[at] === disconnectId && at < end) return true;
    at += messageBytes;
  }
  return false;
}
