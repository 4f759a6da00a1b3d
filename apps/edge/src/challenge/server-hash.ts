import { createHash } from "node:crypto";
import { formatServerHash } from "@palisade/minecraft-protocol/java/encryption";

/** The hash by which client and server name a join to the session server. */
export function serverHash(
  serverId: string,
  sharedSecret: Uint8Array,
  publicKey: Uint8Array,
): string {
  const sum = createHash("sha1").update(serverId, "latin1").update(sharedSecret).update(publicKey);
  return formatServerHash(sum.digest());
}
