import type { Ban } from "#src/protection/abuse.ts";
import {
  addBans,
  createTable,
  deleteTable,
  flushBans,
  setPorts,
  type TableOptions,
} from "./nft-commands.ts";
import { type NftResult, runNft } from "./run-nft.ts";

/** Bans told to the kernel at once. */
const batchMax = 10_000;
/** Waiting for their turn; more are left to the edge itself. */
const waitingMax = 65_536;

/** Packets the kernel has dropped for the edge. */
export interface KernelDrops {
  readonly banned: number;
  readonly synLimited: number;
}

export type NftTableResult =
  | { readonly ok: true; readonly table: NftTable }
  | { readonly ok: false; readonly reason: string };

/**
 * The edge's own table of nftables. What is told is done in order, one call of nft at a time, in
 * the background; where it fails the edge goes on refusing by itself.
 */
export class NftTable {
  readonly #options: TableOptions;
  #handle: number;
  #ports: readonly number[] = [];
  #portsAreDue = false;
  #flushIsDue = false;
  #waiting: Ban[] = [];
  #work: Promise<void> | undefined;
  #drops: KernelDrops = { banned: 0, synLimited: 0 };
  /** Of tables that somebody has removed since. */
  #dropsBefore: KernelDrops = { banned: 0, synLimited: 0 };
  /** Calls that failed, and why the last of them did. */
  failures = 0;
  lastFailure: string | undefined;

  private constructor(options: TableOptions, handle: number) {
    this.#options = options;
    this.#handle = handle;
  }

  /** Puts up the table, in place of one left behind. Not ok where nft or the right is missing. */
  static async create(options: TableOptions): Promise<NftTableResult> {
    const made = await putUp(options);
    if (!made.ok) return made;
    return { ok: true, table: new NftTable(options, made.handle) };
  }

  get drops(): KernelDrops {
    return {
      banned: this.#dropsBefore.banned + this.#drops.banned,
      synLimited: this.#dropsBefore.synLimited + this.#drops.synLimited,
    };
  }

  /** @returns when the kernel knows what was told until now, or has refused it */
  ban(bans: readonly Ban[]): Promise<void> {
    const room = waitingMax - this.#waiting.length;
    for (const ban of bans.slice(0, room)) this.#waiting.push(ban);
    return this.#settle();
  }

  /** Takes every ban back and bans these. */
  replaceBans(bans: readonly Ban[]): Promise<void> {
    this.#flushIsDue = true;
    this.#waiting = bans.slice(0, waitingMax);
    return this.#settle();
  }

  /** The ports of the edge that newcomers come to. */
  setPorts(ports: readonly number[]): Promise<void> {
    const isSame =
      ports.length === this.#ports.length && ports.every((p) => this.#ports.includes(p));
    if (!isSame) {
      this.#ports = [...ports];
      this.#portsAreDue = true;
    }
    return this.#settle();
  }

  /** Reads the counters back. */
  async readDrops(): Promise<void> {
    const list = await runNft(["-j", "list", "counters", "table", "inet", this.#options.name]);
    if (list.ok) this.#drops = parseDrops(list.output) ?? this.#drops;
  }

  /** Removes the table, unless another edge's has taken its place. */
  async close(): Promise<void> {
    this.#waiting = [];
    await this.#work;
    await runNft(["-f", "-"], deleteTable(this.#handle));
  }

  #settle(): Promise<void> {
    this.#work ??= this.#drain().finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  async #drain(): Promise<void> {
    const { name } = this.#options;
    while (this.#portsAreDue || this.#flushIsDue || this.#waiting.length > 0) {
      if (this.#portsAreDue) {
        this.#portsAreDue = false;
        await this.#tell(setPorts(name, this.#ports));
      }
      if (this.#flushIsDue) {
        this.#flushIsDue = false;
        await this.#tell(flushBans(name));
      }
      const batch = this.#waiting.splice(0, batchMax);
      if (batch.length > 0) await this.#tell(addBans(name, batch));
    }
  }

  async #tell(json: string): Promise<void> {
    let told = await runNft(["-j", "-f", "-"], json);
    if (!told.ok && (await this.#isGone()) && (await this.#putUpAgain())) {
      told = await runNft(["-j", "-f", "-"], json);
    }
    if (told.ok) return;
    this.failures++;
    this.lastFailure = told.reason;
  }

  /** Somebody has emptied the ruleset of the machine. */
  async #isGone(): Promise<boolean> {
    return !(await runNft(["list", "counters", "table", "inet", this.#options.name])).ok;
  }

  async #putUpAgain(): Promise<boolean> {
    const made = await putUp(this.#options);
    if (!made.ok) return false;
    this.#handle = made.handle;
    this.#dropsBefore = this.drops;
    this.#drops = { banned: 0, synLimited: 0 };
    await runNft(["-j", "-f", "-"], setPorts(this.#options.name, this.#ports));
    return true;
  }
}

async function putUp(
  options: TableOptions,
): Promise<{ readonly ok: true; readonly handle: number } | (NftResult & { ok: false })> {
  const made = await runNft(["-f", "-"], createTable(options));
  if (!made.ok) return made;
  const listed = await runNft(["-j", "-t", "list", "table", "inet", options.name]);
  if (!listed.ok) return listed;
  const handle = itemsOf(listed.output).find(({ table }) => table !== undefined)?.table?.handle;
  return handle === undefined
    ? { ok: false, reason: "nft does not say what it has made" }
    : { ok: true, handle };
}

function parseDrops(output: string): KernelDrops | undefined {
  const packets = new Map<string, number>();
  for (const { counter } of itemsOf(output)) {
    if (counter !== undefined) packets.set(counter.name, counter.packets);
  }
  const banned = packets.get("banned");
  const synLimited = packets.get("syn_limited");
  return banned === undefined || synLimited === undefined ? undefined : { banned, synLimited };
}

interface NftItem {
  readonly table?: { readonly handle?: number };
  readonly counter?: { readonly name: string; readonly packets: number };
}

function itemsOf(output: string): readonly NftItem[] {
  try {
    // libnftables-json(5); every field of ours is optional, so that another version's output is none.
    return (JSON.parse(output) as { nftables?: readonly NftItem[] }).nftables ?? [];
  } catch {
    return [];
  }
}
