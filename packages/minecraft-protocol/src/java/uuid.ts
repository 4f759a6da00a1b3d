/** UUIDs of players, 16 bytes. */

/**
 * The MD5 of this and the name, given to `offlineUuidOf`, is the UUID of a player without a proven account.
 * Source: minecraft.wiki, "Java Edition protocol/Packets", Login Success, and
 * java.util.UUID.nameUUIDFromBytes, which servers in offline mode call.
 */
export const offlinePrefix = "OfflinePlayer:";

/** Version 3 of variant 1. @param md5 of `offlinePrefix` and the name */
export function offlineUuidOf(md5: Uint8Array): Buffer {
  const uuid = Buffer.from(md5);
  uuid[6] = ((uuid[6] ?? 0) & 0x0f) | 0x30;
  uuid[8] = ((uuid[8] ?? 0) & 0x3f) | 0x80;
  return uuid;
}

/** As text, with hyphens. */
export function formatUuid(uuid: Buffer): string {
  const hex = uuid.toString("hex");
  const [head, tail] = [hex.slice(0, 8), hex.slice(20)];
  return `${head}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${tail}`;
}
