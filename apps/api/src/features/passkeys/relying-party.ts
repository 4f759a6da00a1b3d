import { isIP } from "node:net";

/** Passkeys are bound to it: browsers use them on this origin only. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * The domain of the public address. Passkeys cannot be bound to an IP address, so there is none for
 * one; an installation on a developer's machine is reached as `localhost` as well.
 */
export function relyingPartyOf(publicOrigin: string): RelyingParty | undefined {
  const url = new URL(publicOrigin);
  if (["127.0.0.1", "[::1]"].includes(url.hostname)) url.hostname = "localhost";
  const { hostname, origin } = url;
  if (isIP(hostname) !== 0 || hostname.startsWith("[")) return undefined;
  return { id: hostname, origin };
}
