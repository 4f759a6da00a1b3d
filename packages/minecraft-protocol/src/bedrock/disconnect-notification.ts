/** A datagram that ends a connection carries little else. */
const bytesMax = 64;
const disconnectId = 0x15;

/** Bytes behind the flags and the length of a frame, by its reliability. Source: minecraft.wiki, "RakNet", Frame. */
const headBytes = [0, 7, 3, 7, 10, 0, 3, 7] as const;

/**
 * Whether a datagram of a connection says that its sender leaves. A datagram of the usual size is
 * decided by its length alone.
 */
export function isDisconnect(bytes: Buffer): boolean {
  if (bytes.length > bytesMax || bytes.length < 8 || ((bytes[0] ?? 0) & 0xf0) !== 0x80)
    return false;
  let at = 4;
  while (at + 3 < bytes.length) {
    const flags = bytes[at] ?? 0;
    const length = bytes.readUInt16BE(at + 1) >> 3;
    // Parts of a longer message end no connection.
    if ((flags & 0x10) !== 0 || length === 0) return false;
    at += 3 + (headBytes[flags >> 5] ?? 0);
    if (length === 1 && bytes[at] === disconnectId && at < bytes.length) return true;
    at += length;
  }
  return false;
}
