import type { BackendGroupConfig, ShieldConfig } from "@palisade/contract/edge/shield-config";
import { BackendHealth, BackendProof, type LocatedGroup } from "#src/routing/backends.ts";
import type { BackendLoad, SharedLoads } from "#src/routing/shared-loads.ts";
import { type BedrockTarget, bedrockTargetOf } from "./bedrock-target.ts";
import { createStatusSlot, type StatusSlot } from "./status-slot.ts";

/**
 * The PROXY header on the edge's own connections to a backend. `local` is what the PROXY protocol
 * provides for them. Velocity reads an address from every header and fails on one without, so there
 * is also `proxy`, which names the edge as the player.
 */
export type OwnHeader = "local" | "proxy";

/** Which header a backend is asked with next. */
export interface OwnHeaderChoice {
  kind: OwnHeader;
  /** The backend has answered to it since it last refused it. */
  isProven: boolean;
}

/** A backend and the edge's state of it, which survives changes that leave its address alone. */
export interface Backend {
  readonly id: string;
  readonly shieldId: string;
  readonly host: string;
  readonly port: number;
  readonly status: StatusSlot;
  readonly health: BackendHealth;
  readonly proof: BackendProof;
  readonly load: BackendLoad<Backend>;
  readonly ownHeader: OwnHeaderChoice;
  /** Undefined where it takes no players of Bedrock. */
  bedrock: BedrockTarget | undefined;
}

export interface BackendGroup extends LocatedGroup {
  readonly balancing: BackendGroupConfig["balancing"];
  /** Game `other` only. */
  readonly port: number | null;
  readonly proxyProtocol: boolean;
  readonly backends: readonly Backend[];
  /** For round robin. */
  readonly turns: Pick<SharedLoads, "nextTurn">;
}

/**
 * Backends whose address stays keep their state.
 *
 * @param before the groups that ran until now
 */
export function compileGroups(
  config: Pick<ShieldConfig, "shield_id" | "groups" | "bedrock">,
  before: readonly BackendGroup[],
  loads: SharedLoads,
): BackendGroup[] {
  const known = new Map<string, Backend>();
  const groupOf = new Map<string, BackendGroup>();
  for (const group of before) {
    groupOf.set(group.id, group);
    for (const backend of group.backends) known.set(backend.id, backend);
  }
  return config.groups.map((group) =>
    compileGroup(group, groupOf.get(group.id), known, config, loads),
  );
}

function compileGroup(
  group: BackendGroupConfig,
  before: BackendGroup | undefined,
  known: ReadonlyMap<string, Backend>,
  { shield_id: shieldId, bedrock: { ports } }: Pick<ShieldConfig, "shield_id" | "bedrock">,
  loads: SharedLoads,
): BackendGroup {
  // Answers fetched through another header or by another group are not this one's.
  const isSame = before?.proxyProtocol === group.proxy_protocol && before.game === group.game;
  return {
    id: group.id,
    isDefault: group.default,
    game: group.game,
    location: group.location,
    port: group.port,
    balancing: group.balancing,
    proxyProtocol: group.proxy_protocol,
    turns: loads,
    backends: group.backends.map((configured) => {
      const { id, host, port, proven } = configured;
      const same = known.get(id);
      const isSameHost = same?.host === host;
      // Without a port, no edge asks how the backend is.
      const bedrock =
        ports.length === 0
          ? undefined
          : bedrockTargetOf(configured, isSameHost ? same.bedrock : undefined);
      const stays = isSame && before.backends.some((backend) => backend === same);
      if (same !== undefined && stays && isSameHost && same.port === port) {
        same.proof.configure(proven);
        same.bedrock = bedrock;
        return same;
      }
      return {
        id,
        shieldId,
        host,
        port,
        status: createStatusSlot(shieldId),
        health: new BackendHealth(),
        proof: new BackendProof(host, proven),
        load: same?.load ?? loads.backend(id),
        ownHeader: { kind: "local", isProven: false },
        bedrock,
      };
    }),
  };
}
