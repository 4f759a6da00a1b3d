import { createHmac, createSecretKey } from "node:crypto";
import type { PlayerMac } from "./verified-players.ts";

/** @param secret of this edge, the same over restarts */
export function playerMac(secret: Uint8Array): PlayerMac {
  const key = createSecretKey(secret);
  return (network, name) => createHmac("sha256", key).update(network).update(name).digest();
}
