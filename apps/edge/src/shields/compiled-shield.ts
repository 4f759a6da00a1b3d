import type { BackendGroupConfig, ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import { normaliseHost } from "@palisade/minecraft-protocol/java/host";
import { blocked, expired, invalidName } from "#src/answers/edge-answers.ts";
import { compileKick, type KickTemplate } from "#src/answers/kick-template.ts";
import { encodeMotd } from "#src/answers/motd.ts";
import { type AddressSet, compileAddressSet } from "#src/protection/address-set.ts";
import type { LoginRules } from "#src/protection/login-verdict.ts";
import { type HostClaim, labelClaim } from "#src/routing/host-index.ts";
import { createStatusSlot, type StatusSlot } from "#src/status/status-slot.ts";
import type { ShieldTally } from "#src/telemetry/shield-tally.ts";

/** A backend with what the edge knows of it; kept over changes that leave its address alone. */
export interface Backend {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly status: StatusSlot;
  /** Players joined there through this edge. */
  players: number;
}

export interface BackendGroup {
  readonly id: string;
  readonly balancing: BackendGroupConfig["balancing"];
  readonly proxyProtocol: boolean;
  readonly backends: readonly Backend[];
  /** Joins so far, for round robin. */
  turn: number;
}

/** A shield as connections use it: everything that can be made ahead is made. */
export interface CompiledShield {
  readonly id: string;
  readonly revision: number;
  readonly claims: readonly HostClaim[];
  readonly rules: LoginRules;
  /** The group that players of this edge are sent to. */
  readonly group: BackendGroup;
  readonly kicks: Readonly<Record<RefusalReason, KickTemplate>>;
  /** Answer to a ping where no backend gives one; of a shield that is not active, to every ping. */
  readonly motd: Buffer;
  readonly statusHost: string;
  readonly freshMs: number;
  readonly staleMs: number;
  readonly tally: ShieldTally;
}

export type CompileResult =
  | { readonly ok: true; readonly shield: CompiledShield }
  | { readonly ok: false; readonly reason: string };

/** @param before what ran until now; backends that stay keep their cached status and counts */
export function compileShield(
  config: ShieldConfig,
  tally: ShieldTally,
  before: CompiledShield | undefined,
): CompileResult {
  const blacklist = compileAddressSet(config.lists.blacklist);
  if (!blacklist.ok) return refused("blacklist", blacklist.invalid);
  const whitelist = compileAddressSet(config.lists.whitelist);
  if (!whitelist.ok) return refused("whitelist", whitelist.invalid);
  const group = config.groups.find((candidate) => candidate.default) ?? config.groups[0];
  if (group === undefined) return { ok: false, reason: "no backend group" };
  return {
    ok: true,
    shield: {
      id: config.shield_id,
      revision: config.revision,
      claims: claimsOf(config),
      rules: rulesOf(config, blacklist.set, whitelist.set),
      group: compileGroup(group, before?.group),
      kicks: kicksOf(config),
      motd: motdOf(config),
      statusHost: config.domains[0]?.name ?? config.label,
      freshMs: config.status_cache.fresh_ms,
      staleMs: config.status_cache.stale_ms,
      tally,
    },
  };
}

function refused(list: string, entry: string): CompileResult {
  return { ok: false, reason: `${list}: ${JSON.stringify(entry)} is no address or CIDR range` };
}

function claimsOf({ label, domains }: ShieldConfig): HostClaim[] {
  const claims = domains.map(({ name, proven, claimed_at }) => {
    const claimedAtMs = Date.parse(claimed_at);
    return {
      host: normaliseHost(name),
      proven,
      claimedAtMs: Number.isNaN(claimedAtMs) ? Number.POSITIVE_INFINITY : claimedAtMs,
    };
  });
  return [labelClaim(normaliseHost(label)), ...claims];
}

function rulesOf(
  { status, lists }: ShieldConfig,
  blacklist: AddressSet,
  whitelist: AddressSet,
): LoginRules {
  return {
    status,
    blacklist: lists.blacklist_enabled ? blacklist : undefined,
    exclusive: lists.whitelist_only ? whitelist : undefined,
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
  };
}

function motdOf({ status, messages }: ShieldConfig): Buffer {
  if (status === "expired") return expired.motd;
  if (status === "blocked") return blocked.motd;
  return encodeMotd(messages.offline_version, messages.offline_motd);
}

function compileGroup(group: BackendGroupConfig, before: BackendGroup | undefined): BackendGroup {
  // Answers fetched through another header or by another group are not this one's.
  const known =
    before?.id === group.id && before.proxyProtocol === group.proxy_protocol ? before.backends : [];
  return {
    id: group.id,
    balancing: group.balancing,
    proxyProtocol: group.proxy_protocol,
    turn: before?.turn ?? 0,
    backends: group.backends.map(({ id, host, port }) => {
      const same = known.find((b) => b.id === id && b.host === host && b.port === port);
      return same ?? { id, host, port, status: createStatusSlot(), players: 0 };
    }),
  };
}
