import type { Ban } from "#src/rules/abuse-detector.ts";
import {
  addBans,
  createTable,
  deleteTable,
  flushBans,
  setPorts,
  type TableOptions,
} from "./nft-commands.ts";
import { type NftResult, runNft } from "./run-nft.ts";

/** Bans passed to the kernel in one call. */
const batchMax = 10_000;
/** Waiting for their turn; more are left to the edge itself. */
const waitingMax = 65_536;

/** Packets the kernel has dropped for the edge, and failed calls. */
export interface KernelDrops {
  readonly banned: number;
  readonly synLimited: number;
  /** Calls of nft. */
  readonly failures: number;
}

export type NftTableResult =
  | { readonly ok: true; readonly table: NftTable }
  | { readonly ok: false; readonly reason: string };

/**
 * The edge's own table in nftables. Commands run in order, one call of nft at a time, in the
 * background. If they fail, the edge goes on refusing connections by itself.
 */
export class NftTable {
  readonly #options: TableOptions;
  #handle: number;
  #ports: readonly number[] = [];
  #portsAreDue = false;
  #flushIsDue = false;
  #countersAreDue = false;
  #waiting: Ban[] = [];
  #work: Promise<void> | undefined;
  #isClosed = false;
  #isBehind = false;
  #packets: Packets = noPackets;
  /** Drops counted by tables that were removed from outside. */
  #packetsBefore: Packets = noPackets;
  #failures = 0;
  /** The reason of the last failed call. */
  lastFailure: string | undefined;

  private constructor(options: TableOptions, handle: number) {
    this.#options = options;
    this.#handle = handle;
  }

  /**
   * Creates the table, replacing one that was left behind. Not ok if nft or the right to use it is
   * missing.
   */
  static async create(options: TableOptions): Promise<NftTableResult> {
    const made = await putUp(options);
    if (!made.ok) return made;
    return { ok: true, table: new NftTable(options, made.handle) };
  }

  get drops(): KernelDrops {
    return {
      banned: this.#packetsBefore.banned + this.#packets.banned,
      synLimited: this.#packetsBefore.synLimited + this.#packets.synLimited,
      failures: this.#failures,
    };
  }

  /**
   * The kernel lacks bans because the table was removed and created again, or because a call
   * failed. `replaceBans` passes them again.
   */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** @returns when the kernel knows what was told until now, or has refused it */
  ban(bans: readonly Ban[]): Promise<void> {
    const room = waitingMax - this.#waiting.length;
    for (const ban of bans.slice(0, room)) this.#waiting.push(ban);
    return this.#settle();
  }

  /** Replaces all bans by these. */
  replaceBans(bans: readonly Ban[]): Promise<void> {
    this.#flushIsDue = true;
    this.#portsAreDue ||= this.#isBehind;
    this.#waiting = bans.slice(0, waitingMax);
    return this.#settle();
  }

  /** The ports on which the edge takes new players. */
  setPorts(ports: readonly number[]): Promise<void> {
    const isSame =
      ports.length === this.#ports.length && ports.every((p) => this.#ports.includes(p));
    if (!isSame) {
      this.#ports = [...ports];
      this.#portsAreDue = true;
    }
    return this.#settle();
  }

  /** Reads the counters; creates the table again if it is gone. */
  readDrops(): Promise<void> {
    this.#countersAreDue = true;
    return this.#settle();
  }

  /** Removes the table, unless it was replaced by another edge's. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
    await runNft(["-f", "-"], deleteTable(this.#handle));
  }

  async #settle(): Promise<void> {
    if (this.#isClosed) return;
    this.#work ??= this.#drain().finally(() => {
      this.#work = undefined;
    });
    await this.#work;
  }

  async #drain(): Promise<void> {
    const { name } = this.#options;
    while (!this.#isClosed && this.#isAnythingDue()) {
      if (this.#countersAreDue) {
        this.#countersAreDue = false;
        await this.#readCounters();
      }
      if (this.#portsAreDue) {
        this.#portsAreDue = false;
        await this.#tell(setPorts(name, this.#ports));
      }
      if (this.#flushIsDue) {
        this.#flushIsDue = false;
        // The queue now holds all bans.
        if (await this.#tell(flushBans(name))) this.#isBehind = false;
      }
      const batch = this.#waiting.splice(0, batchMax);
      if (batch.length > 0) await this.#tell(addBans(name, batch));
    }
  }

  #isAnythingDue(): boolean {
    if (this.#portsAreDue || this.#flushIsDue || this.#countersAreDue) return true;
    return this.#waiting.length > 0;
  }

  async #tell(json: string): Promise<boolean> {
    let told = await runNft(["-j", "-f", "-"], json);
    if (!told.ok && !(await this.#list()).ok && (await this.#putUpAgain())) {
      told = await runNft(["-j", "-f", "-"], json);
    }
    if (!told.ok) this.#fail(told.reason);
    return told.ok;
  }

  async #readCounters(): Promise<void> {
    const list = await this.#list();
    if (list.ok) this.#packets = parsePackets(list.output) ?? this.#packets;
    else await this.#putUpAgain();
  }

  #list(): Promise<NftResult> {
    return runNft(["-j", "list", "counters", "table", "inet", this.#options.name]);
  }

  /** The ruleset of the machine was emptied from outside. */
  async #putUpAgain(): Promise<boolean> {
    const made = await putUp(this.#options);
    if (!made.ok) {
      this.#fail(made.reason);
      return false;
    }
    const { banned, synLimited } = this.drops;
    this.#packetsBefore = { banned, synLimited };
    this.#packets = noPackets;
    this.#handle = made.handle;
    this.#isBehind = true;
    this.#portsAreDue = true;
    return true;
  }

  #fail(reason: string): void {
    this.#failures++;
    this.lastFailure = reason;
    this.#isBehind = true;
  }
}

type Packets = Pick<KernelDrops, "banned" | "synLimited">;
const noPackets: Packets = { banned: 0, synLimited: 0 };

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

function parsePackets(output: string): Packets | undefined {
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
