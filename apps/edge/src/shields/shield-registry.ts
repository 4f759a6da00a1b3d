import { bedrockPortsAt } from "@palisade/contract/edge/bedrock-ports-at";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { ApplyResult, LocationSink, ShieldSink } from "#src/ports.ts";
import type { Trial } from "@palisade/login-rules/login-attempt";
import { trialRules } from "@palisade/login-rules/trial";
import type { AttackDetector } from "#src/rules/attack-detector.ts";
import { groupChain, servesEdge } from "#src/routing/backends.ts";
import { HostIndex, labelClaim, type RoutedClaim } from "#src/routing/host-index.ts";
import type { CounterRegistry } from "#src/telemetry/counter-registry.ts";
import type { Backend, BackendGroup } from "./backend-groups.ts";
import { type CompiledShield, compileShield } from "./compiled-shield.ts";
import { LastAnswer } from "./status-slot.ts";

export interface ShieldRegistryDeps {
  readonly counters: CounterRegistry;
  /** Keeps the addresses of host names up to date. */
  readonly resolver: {
    watch(shieldId: string, hosts: readonly string[]): void;
    unwatch(shieldId: string): void;
  };
  /** Sets the ports of a shield, none if it is gone. */
  readonly ports: { replace(shieldId: string, ports: readonly PortClaim[]): void };
  /** The same for UDP ports of Bedrock. */
  readonly bedrockPorts: ShieldRegistryDeps["ports"];
  /** Sets the groups of a shield that this edge uses, none if it is gone. */
  readonly checks: {
    replace(shieldId: string, shield: CompiledShield, groups: readonly BackendGroup[]): void;
    remove(shieldId: string): void;
  };
  /** Other attack rules than before, or none. */
  readonly attacks: Pick<AttackDetector, "adopt">;
  /** Forgets the answers of a backend that is gone. */
  readonly statuses: { forget(backend: Backend): void };
}

/** The shields this edge serves. A change is complete before the next connection is handled. */
export class ShieldRegistry implements ShieldSink, LocationSink {
  readonly #deps: ShieldRegistryDeps;
  readonly #shields = new Map<string, CompiledShield>();
  /** By normalised name: a shield, or the view of it that a name with a group of its own leads to. */
  readonly hosts = new HostIndex<CompiledShield>();
  #location: string | undefined;

  constructor(deps: ShieldRegistryDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#shields.size;
  }

  find(shieldId: string): CompiledShield | undefined {
    return this.#shields.get(shieldId);
  }

  apply(config: ShieldConfig): ApplyResult {
    const id = config.shield_id;
    const counters = this.#deps.counters.ofShield(id);
    const result = compileShield(config, counters, this.#shields.get(id), this.#location);
    if (!result.ok) {
      if (!this.#shields.has(id)) this.#deps.counters.retire(id);
      return result;
    }
    this.#deps.attacks.adopt(this.#shields.get(id)?.attack, result.shield.attack);
    this.#forgetGone(this.#shields.get(id), result.shield.groups);
    this.#serve(result.shield);
    return { ok: true };
  }

  remove(shieldId: string): void {
    this.#deps.attacks.adopt(this.#shields.get(shieldId)?.attack, undefined);
    this.#forgetGone(this.#shields.get(shieldId), []);
    if (!this.#shields.delete(shieldId)) return;
    this.hosts.remove(shieldId);
    this.#deps.resolver.unwatch(shieldId);
    this.#deps.ports.replace(shieldId, []);
    this.#deps.bedrockPorts.replace(shieldId, []);
    this.#deps.checks.remove(shieldId);
    this.#deps.counters.retire(shieldId);
  }

  /** Known before the first configuration, except to an edge that enrols with a copy on disk. */
  setLocation(location: string): void {
    if (location === this.#location) return;
    this.#location = location;
    for (const shield of this.#shields.values()) {
      this.#serve(viewBy(shield, groupChain(shield.groups, location, null)));
    }
  }

  #forgetGone(before: CompiledShield | undefined, groups: readonly BackendGroup[]): void {
    if (before === undefined) return;
    const kept = new Set(backendsOf(groups));
    for (const backend of backendsOf(before.groups)) {
      if (!kept.has(backend)) this.#deps.statuses.forget(backend);
    }
  }

  #serve(shield: CompiledShield): void {
    const { id } = shield;
    const { claims, ports, bedrockPorts, groups } = viewsOf(shield, this.#location);
    this.#shields.set(id, shield);
    this.hosts.set(id, claims);
    this.#deps.resolver.watch(
      id,
      backendsOf(groups).map(({ host }) => host),
    );
    this.#deps.ports.replace(id, ports);
    this.#deps.bedrockPorts.replace(id, bedrockPorts);
    this.#deps.checks.replace(id, shield, groups);
  }
}

/** A port of its own: TCP of a group that is not parsed, or UDP of Bedrock. */
export interface PortClaim {
  readonly port: number;
  readonly target: CompiledShield;
}

/** The names, ports and groups of one shield on an edge of a location. */
export interface ShieldViews {
  readonly claims: readonly RoutedClaim<CompiledShield>[];
  readonly ports: readonly PortClaim[];
  readonly bedrockPorts: readonly PortClaim[];
  /** Every group that some connection of this edge may be sent to. */
  readonly groups: readonly BackendGroup[];
}

export function viewsOf(shield: CompiledShield, location: string | undefined): ShieldViews {
  const targets = new Map<string | null, CompiledShield>();
  const targetOf = (groupId: string | null): CompiledShield => {
    const known = targets.get(groupId);
    if (known !== undefined) return known;
    const target = viewBy(shield, groupChain(shield.groups, location, groupId));
    targets.set(groupId, target);
    return target;
  };
  const claims: RoutedClaim<CompiledShield>[] = shield.claims.map((claim) => ({
    ...claim,
    target: targetOf(claim.groupId),
  }));
  const { trial } = shield;
  if (trial !== undefined) {
    claims.push({ ...labelClaim(trial.host), target: trialView(targetOf(null), trial) });
  }
  const ports = shield.groups.flatMap((group) =>
    group.game === "other" && group.port !== null && servesEdge(group, location)
      ? [{ port: group.port, target: viewBy(shield, [group]) }]
      : [],
  );
  const bedrockPorts = bedrockPortsAt(shield.bedrock, location ?? "").map((port) => ({
    port,
    target: targetOf(null),
  }));
  const chains = [...targets.values(), ...ports.map(({ target }) => target)];
  return {
    claims,
    ports,
    bedrockPorts,
    groups: [...new Set(chains.flatMap(({ chain }) => chain))],
  };
}

/**
 * For players who come by the name that always checks. Their logins are no part of an attack, so that
 * the owner can try a check without one.
 */
function trialView(shield: CompiledShield, trial: Trial): CompiledShield {
  const { rules } = shield;
  const mitigation = trialRules(rules.mitigation, trial);
  return { ...shield, attack: undefined, rules: { ...rules, mitigation } };
}

/** The shield itself where its connections have the same chain. */
export function viewBy(shield: CompiledShield, chain: readonly BackendGroup[]): CompiledShield {
  const [group] = chain;
  const isSame =
    chain.length === shield.chain.length && chain.every((link, n) => link === shield.chain[n]);
  return isSame || group === undefined
    ? shield
    : { ...shield, chain, group, lastAnswer: new LastAnswer() };
}

export function backendsOf(groups: readonly BackendGroup[]): readonly Backend[] {
  return groups.flatMap(({ backends }) => backends);
}
