import { randomInt } from "node:crypto";
import type { Logger } from "pino";
import { type Ban, abuseLimits, AbuseDetector } from "#src/protection/abuse-detector.ts";
import type { SourceRows } from "#src/protection/source-table.ts";
import type { BanFile } from "./ban-file.ts";
import type { BanTable } from "./ban-table.ts";
import type { Exemptions } from "./exemptions.ts";
import type { NftTable } from "./nft-table.ts";

/** A second in which more are due bans the rest in the next. */
const bansPerTickMax = 5_000;
/** Bans in force that are remembered, to be taken back, and told to the kernel; past it they just end. */
const inForceMax = 65_536;
/** Counters are read, and what the kernel lacks is told. */
const kernelEveryTicks = 10;
/** What was banned since is found out again where the process is killed. */
const saveEveryTicks = 2;

export interface BanStoreDeps {
  /** Where every thread that accepts looks. */
  readonly bans: BanTable;
  readonly exemptions: Exemptions;
  /** What was counted since the last time, of every thread. */
  readonly drain: () => SourceRows;
  /** Ports of the edge that players come to. */
  readonly ports: () => readonly number[];
  readonly file: Pick<BanFile, "load" | "save">;
  readonly nowMs: () => number;
  readonly log: Logger;
}

type Kernel = Pick<
  NftTable,
  "ban" | "replaceBans" | "setPorts" | "readDrops" | "isBehind" | "lastFailure"
>;

/** Once a second: whom the edge bans, here and, where it helps, in the kernel. */
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
  /** Undefined where the kernel does not help. */
  kernel: Kernel | undefined;

  constructor(deps: BanStoreDeps) {
    this.#deps = deps;
  }

  /** Bans in force. */
  get size(): number {
    return this.#inForce.size;
  }

  /** Bans of an edge that was here before; those it trusts by now are left out. */
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

  /** Writes down what is in force, if that is news. */
  save(): void {
    if (!this.#isSaved) this.#isSaved = this.#deps.file.save(this.#inForce);
  }

  #ban(bans: readonly Ban[], now: number): void {
    if (bans.length === 0) return;
    this.#isSaved = false;
    const told: Ban[] = [];
    for (const ban of bans) {
      const { network, seconds } = ban;
      // A second longer than the kernel's, so that the kernel has none left when the next begins.
      this.#deps.bans.add(network, seconds + 1, now);
      if (this.#inForce.size >= inForceMax) continue;
      this.#inForce.set(network, now + seconds * 1_000);
      told.push(ban);
    }
    void this.kernel?.ban(told);
    const some = bans.slice(0, 5).map(({ network, seconds }) => `${network} for ${seconds} s`);
    this.#deps.log.warn({ bans: bans.length, some }, "sources banned for abuse of the edge");
  }

  /** Somebody has come to trust an address that is banned. */
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

  /** Bans in force, for what is left of them. */
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

  /** A table that somebody has removed is up again then, and what it has lost is told again. */
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
