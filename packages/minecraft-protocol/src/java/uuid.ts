import { hash } from "node:crypto";

/** UUIDs of players, 16 bytes. */

export const uuidBytes = 16;

/**
 * The UUID of a player whom no account vouches for: MD5 of "OfflinePlayer:" and the name, marked as
 * version 3 of variant 1. Source: minecraft.wiki, "Java Edition protocol/Packets", Login Success,
 * and java.util.UUID.nameUUIDFromBytes, which servers in offline mode call.
 */
export function offlineUuid(name: string): Buffer {
  const uuid = hash("md5", `OfflinePlayer:${name}`, "buffer");
  uuid[6] = ((uuid[6] ?? 0) & 0x0f) | 0x30;
  uuid[8] = ((uuid[8] ?? 0) & 0x3f) | 0x80;
  return uuid;
}

/** As text, with hyphens. */
export function formatUuid(uuid: Buffer): string {
  const hex = uuid.toString("hex");
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => hex.slice(index === 0 ? 0 : ends[index - 1], end))
    .join("-");
}
