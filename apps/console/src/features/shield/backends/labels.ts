import { msg } from "@lingui/core/macro";
import type { BackendGroup, BackendServer, ProofKind } from "@palisade/contract/http/backends";

export const balancingLabels = {
  round_robin: msg`Round Robin`,
  least_connections: msg`Least Connections`,
  ip_hash: msg`IP Hash`,
  random: msg`Random`,
} as const satisfies Record<BackendGroup["load_balancing"], unknown>;

/** How a server was proven. */
export const proofLabels = {
  upgrade: msg`Proven: it had players before`,
  minecraft: msg`Proven: it answers as Minecraft`,
  motd: msg`Proven by its MOTD`,
  greeting: msg`Proven by its greeting`,
  record: msg`Proven by a TXT record`,
} as const satisfies Record<ProofKind, unknown>;

/** Which datagrams of a player of Bedrock begin with the player's address. */
export const bedrockProxyLabels = {
  off: msg`Off`,
  first: msg`First datagram (Geyser)`,
  every: msg`Every datagram`,
} as const satisfies Record<BackendServer["bedrock_proxy"], unknown>;

export const gameLabels = {
  minecraft: msg`Minecraft`,
  other: msg`Other`,
} as const;
