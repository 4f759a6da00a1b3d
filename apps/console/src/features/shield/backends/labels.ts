import { msg } from "@lingui/core/macro";
import type { BackendGroup } from "@palisade/contract/http/backends";

/** Terms of the trade: the same in every language. */
export const balancingLabels: Readonly<Record<BackendGroup["load_balancing"], string>> = {
  round_robin: "Round Robin",
  least_connections: "Least Connections",
  ip_hash: "IP Hash",
  random: "Random",
};

export const gameLabels = {
  minecraft: msg`Minecraft`,
  other: msg`Other`,
} as const;
