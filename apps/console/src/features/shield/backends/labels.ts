import { msg } from "@lingui/core/macro";
import type { BackendGroup } from "@palisade/contract/http/backends";

export const balancingLabels = {
  round_robin: msg`Round Robin`,
  least_connections: msg`Least Connections`,
  ip_hash: msg`IP Hash`,
  random: msg`Random`,
} as const satisfies Record<BackendGroup["load_balancing"], unknown>;

export const gameLabels = {
  minecraft: msg`Minecraft`,
  other: msg`Other`,
} as const;
