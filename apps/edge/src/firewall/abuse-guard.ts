import type { Logger, ShieldSink } from "#src/ports.ts";
import { BanFile } from "./ban-file.ts";
import { BanStore, type BanStoreDeps } from "./ban-store.ts";
import { BanTable } from "./ban-table.ts";
import { Exemptions } from "./exemptions.ts";
import { openKernelTable, type KernelTableOptions } from "./open-kernel-table.ts";
import type { KernelDrops, NftTable } from "./nft-table.ts";

export interface AbuseGuardOptions extends KernelTableOptions {
  /** Memory of `BanTable.allocate`, which all threads read. */
  readonly bans: SharedArrayBuffer;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/**
 * Bans of sources that abuse the edge as a whole: decided here, applied by every thread and the
 * kernel.
 */
export class AbuseGuard {
  readonly #options: AbuseGuardOptions;
  readonly #bans: BanTable;
  readonly #exemptions: Exemptions;
  #store: BanStore | undefined;
  #kernel: NftTable | undefined;
  #file: BanFile | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AbuseGuardOptions) {
    this.#options = options;
    this.#bans = new BanTable(options.bans);
    this.#exemptions = new Exemptions(options.trustedProxies);
  }

  /** Zeros without the kernel's help. */
  get drops(): KernelDrops {
    return this.#kernel?.drops ?? { banned: 0, synLimited: 0, failures: 0 };
  }

  /** Bans in force. */
  get size(): number {
    return this.#store?.size ?? 0;
  }

  /**
   * Passes configurations on and reads from them which addresses owners trust; those are never
   * banned.
   */
  overhear(sink: ShieldSink): ShieldSink {
    return {
      apply: (config) => {
        const result = sink.apply(config);
        if (result.ok) this.#exemptions.apply(config);
        return result;
      },
      remove: (shieldId) => {
        sink.remove(shieldId);
        this.#exemptions.remove(shieldId);
      },
    };
  }

  /**
   * Runs before the edge takes players: removes what a killed edge has left in the kernel, and
   * applies that edge's bans again.
   */
  async start(facts: Pick<BanStoreDeps, "drain" | "ports">): Promise<void> {
    const { log, nowMs, home } = this.#options;
    this.#file = new BanFile(home, log);
    const shared = { bans: this.#bans, exemptions: this.#exemptions, nowMs, log };
    const store = new BanStore({ ...shared, ...facts, file: this.#file });
    this.#kernel = await openKernelTable(this.#options);
    store.kernel = this.#kernel;
    await store.restore();
    this.#store = store;
    this.#timer = setInterval(() => store.tick(), 1_000);
  }

  /** Leaves nothing in the kernel; bans stay on disk for the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#file?.settled();
    this.#store?.save();
    await Promise.all([this.#file?.settled(), this.#kernel?.close()]);
  }
}
