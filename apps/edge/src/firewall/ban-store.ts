import { randomInt } from "node:crypto";
import type { Logger } from "#src/ports.ts";
import { type Ban, abuseLimits, AbuseDetector } from "#src/rules/abuse-detector.ts";
import type { SourceRows } from "#src/rules/source-counts.ts";
import type { BanFile } from "./ban-file.ts";
import type { BanTable } from "./ban-table.ts";
import type { Exemptions } from "./exemptions.ts";
import type { NftTable } from "./nft-table.ts";

/** If more bans are due in one second, the rest follows in the next. */
const bansPerTickMax = 5_000;
/**
 * Bans in force that the store remembers, can take back and passes to the kernel; bans beyond it
 * only expire.
 */
const inForceMax = 65_536;
/** How often the kernel's counters are read and missing bans are passed to it again. */
const kernelEveryTicks = 10;
/** Bans since the last save are found again by themselves if the process is killed. */
const saveEveryTicks = 2;

export interface BanStoreDeps {
  /** Read by every thread that accepts connections. */
  readonly bans: BanTable;
  readonly exemptions: Exemptions;
  /** Takes what all threads have counted since the last call. */
  readonly drain: () => SourceRows;
  /** Ports on which the edge takes players. */
  readonly ports: () => readonly number[];
  readonly file: Pick<BanFile, "load" | "save">;
  readonly nowMs: () => number;
  readonly log: Logger;
}

type Kernel = Pick<
  NftTable,
  "ban" | "replaceBans" | "setPorts" | "readDrops" | "isBehind" | "lastFailure"
>;

/**
 * Decides once a second which sources the edge bans, here and, where it is permitted, in the
 * kernel.
 */
export class BanStore {
  readonly #deps: BanStoreDeps;
  readonly #watch = new AbuseDetector(randomInt(2 ** 32));
  /** Bans in force, by network, with the time they end. */
  readonly #inForce = new Map<string, number>();
  #waiting: Ban[] = [];
  #changesSeen = 0;
  #ticks = 0;
  #isSaved = true;
  #isKernelFailing = false;
  /** Undefined if the kernel does not help. */
  kernel: Kernel | undefined;

  constructor(deps: BanStoreDeps) {
    this.#deps = deps;
  }

  /** Bans in force. */
  get size(): number {
    return this.#inForce.size;
  }

  /** Restores the bans of an earlier start, except those of addresses that owners trust by now. */
  async restore(): Promise<void> {
    const { file, nowMs, exemptions } = this.#deps;
    const now = nowMs();
    const bans = (await file.load())
      .map(([network, endsAt]) => ({ network, seconds: Math.ceil((endsAt - now) / 1_000) }))
      .filter(({ seconds }) => seconds > 0 && seconds <= abuseLimits.banSecondsMax)
      .filter(({ network }) => !exemptions.covers(network))
      .slice(0, inForceMax);
    for (const { network, seconds } of bans) this.#watch.resume(network, seconds, now);
    this.#ban(bans, now);
  }

  tick(): void {
    const { drain, nowMs, exemptions } = this.#deps;
    const now = nowMs();
    this.#watch.add(drain(), now);
    for (const [network, endsAt] of this.#inForce) if (endsAt <= now) this.#inForce.delete(network);
    const due = [...this.#waiting, ...this.#watch.decide(now)];
    this.#waiting = due.slice(bansPerTickMax);
    this.#ban(
      due.slice(0, bansPerTickMax).filter(({ network }) => !exemptions.covers(network)),
      now,
    );
    if (exemptions.changes !== this.#changesSeen) this.#pardon(now);
    this.#tellKernel();
    this.#ticks++;
    if (this.#ticks % saveEveryTicks === 0) this.save();
  }

  /** Saves the bans in force if they have changed. */
  save(): void {
    if (!this.#isSaved) this.#isSaved = this.#deps.file.save(this.#inForce);
  }

  #ban(bans: readonly Ban[], now: number): void {
    if (bans.length === 0) return;
    this.#isSaved = false;
    const told: Ban[] = [];
    for (const ban of bans) {
      const { network, seconds } = ban;
      // One second longer than in the kernel, so that the kernel's ban has ended when the next one
      // begins.
      this.#deps.bans.add(network, seconds + 1, now);
      if (this.#inForce.size >= inForceMax) continue;
      this.#inForce.set(network, now + seconds * 1_000);
      told.push(ban);
    }
    void this.kernel?.ban(told);
    const some = bans.slice(0, 5).map(({ network, seconds }) => `${network} for ${seconds} s`);
    this.#deps.log.warn({ bans: bans.length, some }, "sources banned for abuse of the edge");
  }

  /** Lifts bans of addresses that an owner has come to trust. */
  #pardon(now: number): void {
    const { exemptions, bans } = this.#deps;
    this.#changesSeen = exemptions.changes;
    const pardoned = [...this.#inForce.keys()].filter((network) => exemptions.covers(network));
    if (pardoned.length === 0) return;
    this.#isSaved = false;
    for (const network of pardoned) {
      bans.remove(network);
      this.#inForce.delete(network);
    }
    // Single bans cannot be taken back: one that has just ended would fail the whole transaction.
    void this.kernel?.replaceBans(this.#rest(now));
  }

  /** Bans in force, each with the time that is left. */
  #rest(now: number): Ban[] {
    return Array.from(this.#inForce, ([network, endsAt]) => ({
      network,
      seconds: Math.max(1, Math.ceil((endsAt - now) / 1_000)),
    }));
  }

  #tellKernel(): void {
    if (this.kernel === undefined) return;
    void this.kernel.setPorts(this.#deps.ports());
    if (this.#ticks % kernelEveryTicks === 0) void this.#lookAtKernel(this.kernel);
  }

  /** Creates the table again if it was removed from outside, and passes all bans to it again. */
  async #lookAtKernel(kernel: Kernel): Promise<void> {
    await kernel.readDrops();
    if (kernel.isBehind) await kernel.replaceBans(this.#rest(this.#deps.nowMs()));
    if (kernel.isBehind && !this.#isKernelFailing) {
      const reason = kernel.lastFailure;
      this.#deps.log.warn({ reason }, "the kernel does not take bans; they are refused here");
    }
    this.#isKernelFailing = kernel.isBehind;
  }
}
