import type { BackendGroupConfig, ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import { normaliseHost } from "@palisade/minecraft-protocol/java/host";
import { type VersionRange, versionRange } from "@palisade/minecraft-protocol/java/versions";
import { blocked, expired, invalidName, tooLarge, trafficUsedUp } from "./edge-answers.ts";
import { compileKick, type KickTemplate } from "./kick-template.ts";
import { createMotd, type Motd, type MotdText } from "./motd.ts";
import { type BedrockTarget, bedrockTargetOf } from "./bedrock-target.ts";
import { type AttackKey, attackKeyOf } from "#src/rules/attack-table.ts";
import { attackRulesOf } from "@palisade/login-rules/attack-rules";
import type { LoginRules } from "@palisade/login-rules/login-verdict";
import { mitigationRules, type Trial } from "@palisade/login-rules/login-attempt";
import { BackendHealth, BackendProof } from "#src/routing/backend-state.ts";
import { groupChain, type LocatedGroup } from "#src/routing/backend-order.ts";
import { type HostClaim, labelClaim } from "#src/routing/host-index.ts";
import type { BackendLoad, SharedLoads } from "#src/routing/shared-loads.ts";
import { LastAnswer, createStatusSlot, type StatusSlot } from "./status-slot.ts";
import type { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { compileList, type PlayerList } from "./player-list.ts";

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

/** A name of the shield and the group of its players; null lets the edge choose. */
export interface ShieldClaim extends HostClaim {
  readonly groupId: string | null;
}

/** How a verified player is sent back. */
export interface VerificationRules {
  /**
   * Signs the cookie, the same on all edges; undefined if the player has to join again by
   * themselves.
   */
  readonly cookieKey: Buffer | undefined;
  readonly rejoin: KickTemplate;
}

export interface StatusCaching {
  readonly enabled: boolean;
  readonly freshMs: number;
  readonly staleMs: number;
  /** Answers cached under another number were purged by the owner. */
  readonly purge: number;
}

/** The shield's part of one edge; null: what the edge gives to every shield. */
export interface ShieldShares {
  readonly players: number | null;
  /** Connections that have named the shield and have neither joined nor left. */
  readonly halfOpen: number | null;
  /** Both ways together. */
  readonly bytesPerSecond: number | null;
}

/**
 * A shield as connections use it: everything that can be made ahead is made. Connections that
 * come by a name with a group of its own, or by a port, have a view of it with another chain.
 */
export interface CompiledShield {
  readonly id: string;
  readonly revision: number;
  readonly claims: readonly ShieldClaim[];
  /** Another name of the shield, at which every player is checked. */
  readonly trial: Trial | undefined;
  readonly rules: LoginRules;
  /** Undefined if the owner has set no threshold. */
  readonly attack: AttackKey | undefined;
  /** Turned on or not: kept for the next configuration, which mostly has the same. */
  readonly lists: Readonly<Record<"blacklist" | "whitelist", PlayerList>>;
  /** All groups, in the owner's order. */
  readonly groups: readonly BackendGroup[];
  /** The groups these connections are tried with, best first: status answers follow it as joins do. */
  readonly chain: readonly BackendGroup[];
  /** The first of them. */
  readonly group: BackendGroup;
  readonly kicks: Readonly<Record<RefusalReason, KickTemplate>>;
  readonly verification: VerificationRules;
  /** Answer to a ping where no backend gives one; of a shield that is not active, to every ping. */
  readonly motd: Motd;
  /** The same for players of Bedrock. */
  readonly bedrockMotd: MotdText;
  readonly bedrock: ShieldConfig["bedrock"];
  /** Host for status requests if a player uses the label or a name below a wildcard. */
  readonly statusHost: string;
  /** Domains that backends are asked for as they are, normalised; there may be hundreds. */
  readonly names: ReadonlySet<string>;
  readonly cache: StatusCaching;
  readonly shares: ShieldShares;
  /** The first group of this view's chain. */
  readonly lastAnswer: LastAnswer;
  readonly counters: ShieldCounters;
}

export type CompileResult =
  | { readonly ok: true; readonly shield: CompiledShield }
  | { readonly ok: false; readonly reason: string };

/**
 * @param before what ran until now; backends that stay keep their cached status, health and counts
 * @param location of this edge; undefined if it does not know
 */
export function compileShield(
  config: ShieldConfig,
  counters: ShieldCounters,
  before: CompiledShield | undefined,
  location?: string,
): CompileResult {
  const { lists: listed } = config;
  const blacklist = compileList(
    { entries: listed.blacklist, names: listed.blacklist_names },
    before?.lists.blacklist,
  );
  if (!blacklist.ok) return refused("blacklist", blacklist.invalid);
  const whitelist = compileList(
    { entries: listed.whitelist, names: listed.whitelist_names },
    before?.lists.whitelist,
  );
  if (!whitelist.ok) return refused("whitelist", whitelist.invalid);
  const lists = { blacklist: blacklist.list, whitelist: whitelist.list };
  const { min, max } = config.versions;
  const versions = versionRange(min, max, config.mitigation.unknown_versions);
  if (versions === undefined) {
    return { ok: false, reason: `versions: ${min} to ${max ?? "any"} are not in the table` };
  }
  const groups = compileGroups(config, before, counters.loads);
  const chain = groupChain(groups, location, null);
  const [group] = chain;
  if (group === undefined) return { ok: false, reason: "no backend group for Minecraft" };
  return {
    ok: true,
    shield: {
      id: config.shield_id,
      counters,
      lastAnswer: new LastAnswer(),
      revision: config.revision,
      claims: claimsOf(config),
      trial: trialOf(config),
      rules: rulesOf(config, lists, versions),
      attack: attackOf(config),
      lists,
      groups,
      chain,
      group,
      kicks: kicksOf(config),
      verification: verificationOf(config),
      motd: motdOf(config),
      bedrockMotd: bedrockMotdOf(config),
      bedrock: config.bedrock,
      statusHost: config.domains.find(({ name }) => !name.startsWith("*"))?.name ?? config.label,
      names: namesOf(config),
      cache: cachingOf(config),
      shares: sharesOf(config),
    },
  };
}

function attackOf({ shield_id, mitigation }: ShieldConfig): AttackKey | undefined {
  const rules = attackRulesOf(shield_id, mitigation);
  return rules === undefined ? undefined : attackKeyOf(rules);
}

function refused(list: string, entry: string): CompileResult {
  return { ok: false, reason: `${list}: ${JSON.stringify(entry)} is no address or CIDR range` };
}

function claimsOf({ label, domains }: ShieldConfig): ShieldClaim[] {
  const claims = domains.map(({ name, proven, claimed_at, group_id }) => {
    const claimedAtMs = Date.parse(claimed_at);
    return {
      host: normaliseHost(name),
      proven,
      claimedAtMs: Number.isNaN(claimedAtMs) ? Number.POSITIVE_INFINITY : claimedAtMs,
      groupId: group_id,
    };
  });
  return [{ ...labelClaim(normaliseHost(label)), groupId: null }, ...claims];
}

function trialOf({ mitigation }: ShieldConfig): Trial | undefined {
  const { try_label: label, try_challenge: challenge, try_until: untilMs } = mitigation;
  return label === null ? undefined : { host: normaliseHost(label), challenge, untilMs };
}

function namesOf({ domains }: ShieldConfig): Set<string> {
  const names = domains.filter(({ name }) => !name.startsWith("*"));
  return new Set(names.map(({ name }) => normaliseHost(name)));
}

function rulesOf(
  { shield_id: id, status, lists: listed, mitigation }: ShieldConfig,
  { blacklist, whitelist }: CompiledShield["lists"],
  versions: VersionRange,
): LoginRules {
  const isTrusted = listed.whitelist_enabled;
  return {
    status,
    versions,
    blacklist: listed.blacklist_enabled ? blacklist.set : undefined,
    blacklistNames: listed.blacklist_enabled ? blacklist.names : undefined,
    exclusive: listed.whitelist_only ? whitelist.set : undefined,
    exclusiveNames: listed.whitelist_only ? whitelist.names : undefined,
    mitigation: mitigationRules(id, mitigation, {
      trusted: isTrusted ? whitelist.set : undefined,
      trustedNames: isTrusted ? whitelist.names : undefined,
    }),
  };
}

function kicksOf({ messages }: ShieldConfig): CompiledShield["kicks"] {
  return {
    blacklist: compileKick(messages.blacklist),
    whitelist_only: compileKick(messages.whitelist),
    offline: compileKick(messages.offline_kick),
    invalid_name: invalidName,
    invalid_version: compileKick(messages.invalid_version),
    expired: expired.kick,
    blocked: blocked.kick,
    traffic_used_up: trafficUsedUp.kick,
    forge: compileKick(messages.forge),
    bot_name: compileKick(messages.bot_name),
    bot_check: compileKick(messages.bot_check),
    cooldown: compileKick(messages.cooldown),
    max_connections: compileKick(messages.max_connections),
    secure_profiles: compileKick(messages.secure_profiles),
    vpn: compileKick(messages.vpn),
    packet_size: tooLarge,
    rate: compileKick(messages.max_connections),
    full: compileKick(messages.max_connections),
    network: compileKick(messages.blacklist),
  };
}

function verificationOf({ mitigation, messages }: ShieldConfig): VerificationRules {
  const { cookie_key: key } = mitigation;
  return {
    cookieKey: key === null ? undefined : Buffer.from(key, "base64"),
    rejoin: compileKick(messages.rejoin),
  };
}

function motdOf({ status, messages, offline_icon }: ShieldConfig): Motd {
  if (status === "expired") return expired.motd;
  if (status === "blocked") return blocked.motd;
  if (status === "traffic_used_up") return trafficUsedUp.motd;
  return createMotd({
    version: messages.offline_version,
    lines: messages.offline_motd,
    hover: messages.offline_hover,
    icon: offline_icon,
  });
}

function bedrockMotdOf({ status, messages }: ShieldConfig): MotdText {
  if (status === "expired") return expired.text;
  if (status === "blocked") return blocked.text;
  if (status === "traffic_used_up") return trafficUsedUp.text;
  return { version: messages.offline_version, lines: messages.offline_motd };
}

function cachingOf({ status_cache }: ShieldConfig): StatusCaching {
  return {
    enabled: status_cache.enabled,
    freshMs: status_cache.fresh_ms,
    staleMs: status_cache.stale_ms,
    purge: status_cache.purge,
  };
}

function sharesOf({ shares }: ShieldConfig): ShieldShares {
  return {
    players: shares.players,
    halfOpen: shares.half_open_logins,
    bytesPerSecond: shares.bytes_per_second,
  };
}

function compileGroups(
  config: ShieldConfig,
  before: CompiledShield | undefined,
  loads: SharedLoads,
): BackendGroup[] {
  const known = new Map<string, Backend>();
  const groupOf = new Map<string, BackendGroup>();
  for (const group of before?.groups ?? []) {
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
