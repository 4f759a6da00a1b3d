import type { Logger } from "pino";
import type { ShieldSink } from "#src/ports.ts";
import { BanFile } from "./ban-file.ts";
import { BanKeeper, type BanKeeperDeps } from "./ban-keeper.ts";
import { BanTable } from "./ban-table.ts";
import { Exemptions } from "./exemptions.ts";
import { findKernelHelp, type KernelHelpOptions } from "./kernel-help.ts";
import type { KernelDrops, NftTable } from "./nft-table.ts";

export interface AbuseGuardOptions extends KernelHelpOptions {
  /** Where all threads look: of `BanTable.allocate`. */
  readonly bans: SharedArrayBuffer;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** Bans of sources that abuse the edge as a whole: decided here, kept by every thread and the kernel. */
export class AbuseGuard {
  readonly #options: AbuseGuardOptions;
  readonly #bans: BanTable;
  readonly #exemptions: Exemptions;
  #keeper: BanKeeper | undefined;
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
    return this.#keeper?.size ?? 0;
  }

  /** The same sink, overheard: who is trusted is not banned. */
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
   * Before players are taken: what a killed edge has left in the kernel is gone then, and whom it
   * had banned is banned again.
   */
  async start(facts: Pick<BanKeeperDeps, "drain" | "ports">): Promise<void> {
    const { log, nowMs, home } = this.#options;
    this.#file = new BanFile(home, log);
    const shared = { bans: this.#bans, exemptions: this.#exemptions, nowMs, log };
    const keeper = new BanKeeper({ ...shared, ...facts, file: this.#file });
    this.#kernel = await findKernelHelp(this.#options);
    keeper.kernel = this.#kernel;
    await keeper.restore();
    this.#keeper = keeper;
    this.#timer = setInterval(() => keeper.tick(), 1_000);
  }

  /** Leaves nothing in the kernel; bans stay on disk for the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#file?.settled();
    this.#keeper?.save();
    await Promise.all([this.#file?.settled(), this.#kernel?.close()]);
  }
}
