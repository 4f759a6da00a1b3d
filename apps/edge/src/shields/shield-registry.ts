import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { BackendResolver } from "#src/forwarding/backend-resolver.ts";
import type { ApplyResult, ShieldSink } from "#src/ports.ts";
import { HostIndex } from "#src/routing/host-index.ts";
import type { CounterBook } from "#src/telemetry/counter-book.ts";
import { type CompiledShield, compileShield } from "./compiled-shield.ts";

export interface ShieldRegistryDeps {
  readonly counters: CounterBook;
  readonly resolver: BackendResolver;
}

/** The shields this edge serves. A change is complete before the next connection is looked at. */
export class ShieldRegistry implements ShieldSink {
  readonly #deps: ShieldRegistryDeps;
  readonly #shields = new Map<string, CompiledShield>();
  readonly #hosts = new HostIndex();

  constructor(deps: ShieldRegistryDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#shields.size;
  }

  /** @param host normalised */
  route(host: string): CompiledShield | undefined {
    const shieldId = this.#hosts.find(host);
    return shieldId === undefined ? undefined : this.#shields.get(shieldId);
  }

  apply(config: ShieldConfig): ApplyResult {
    const id = config.shield_id;
    const result = compileShield(config, this.#deps.counters.tally(id), this.#shields.get(id));
    if (!result.ok) {
      if (!this.#shields.has(id)) this.#deps.counters.retire(id);
      return result;
    }
    this.#shields.set(id, result.shield);
    this.#hosts.set(id, result.shield.claims);
    this.#deps.resolver.watch(
      id,
      result.shield.group.backends.map(({ host }) => host),
    );
    return { ok: true };
  }

  remove(shieldId: string): void {
    if (!this.#shields.delete(shieldId)) return;
    this.#hosts.remove(shieldId);
    this.#deps.resolver.unwatch(shieldId);
    this.#deps.counters.retire(shieldId);
  }
}
