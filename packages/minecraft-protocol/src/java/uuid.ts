/** UUIDs of players, 16 bytes. */

const uuidBytes = 16;

/**
 * For a player without a proven account who stays at the edge, where the UUID is never looked up: the name
 * itself, marked as version 8 (RFC 9562, "for applications"). Servers in offline mode take an MD5 of the
 * name instead, which is dear where each bot needs one.
 */
export function unprovenUuid(name: string): Buffer {
  const uuid = Buffer.alloc(uuidBytes);
  uuid.write(name);
  uuid[6] = ((uuid[6] ?? 0) & 0x0f) | 0x80;
  uuid[8] = ((uuid[8] ?? 0) & 0x3f) | 0x80;
  return uuid;
}

/** As text, with hyphens. */
export function formatUuid(uuid: Buffer): string {
  const hex = uuid.toString("hex");
  const [head, tail] = [hex.slice(0, 8), hex.slice(20)];
  return `${head}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${tail}`;
}
