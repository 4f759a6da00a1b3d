import { createHash, hash } from "node:crypto";
import { formatServerHash } from "@palisade/minecraft-protocol/java/encryption";
import { offlineUuidOf, offlinePrefix } from "@palisade/minecraft-protocol/java/uuid";
import { shortMd5 } from "./md5.ts";

/** The UUID of a player whose account is not confirmed. */
export function offlineUuid(name: string): Buffer {
  const md5 = shortMd5(offlinePrefix, name) ?? hash("md5", offlinePrefix + name, "buffer");
  return offlineUuidOf(md5);
}

/** The hash by which client and server name a join to the session server. */
export function serverHash(
  serverId: string,
  sharedSecret: Uint8Array,
  publicKey: Uint8Array,
): string {
  const sum = createHash("sha1").update(serverId, "latin1").update(sharedSecret).update(publicKey);
  return formatServerHash(sum.digest());
}
