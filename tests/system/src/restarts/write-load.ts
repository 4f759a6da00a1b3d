import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";

/** The entries of a shield that follow from acknowledged writes. */
export interface ExpectedEntries {
  /** Entries whose addition was acknowledged and whose removal was not tried. */
  readonly present: ReadonlySet<string>;
  /** Entries whose removal was acknowledged. */
  readonly absent: ReadonlySet<string>;
}

export interface WriteLoad {
  /** Answered writes so far. */
  acknowledged(): number;
  /** Writes without an answer: they may have been stored or not. */
  unanswered(): number;
  /** Makes a write; resolves with its revision, or null when it fails. */
  writeNow(): Promise<{ readonly shieldId: string; readonly revision: number } | null>;
  expectedEntries(shieldId: string): ExpectedEntries;
  stop(): Promise<void>;
}

/** Pause between writes to all shields together; each accepts 600 changes in 10 minutes. */
const pauseMs = 150;
/** After this many writes, an entry is removed again. */
const removalEvery = 4;

interface Shield {
  readonly id: string;
  readonly present: Map<string, string>;
  readonly absent: Set<string>;
}

/** Adds and removes blacklist entries of several shields, one after the other, until stopped. */
export function startWriteLoad(owner: () => Client, shieldIds: readonly string[]): WriteLoad {
  const shields: Shield[] = shieldIds.map((id) => ({ id, present: new Map(), absent: new Set() }));
  const ending = new AbortController();
  let counter = 0;
  let acknowledged = 0;
  let unanswered = 0;

  async function add(shield: Shield): Promise<number> {
    counter += 1;
    // 100.64.0.0/10 and on: an address of its own for every write.
    const ip = `100.${64 + (counter >> 16)}.${(counter >> 8) & 255}.${counter & 255}`;
    const { data } = await owner()(routes.firewall.addFirewallEntry, {
      params: { id: shield.id },
      body: { type: "blacklist", ip },
      signal: AbortSignal.timeout(15_000),
    });
    shield.present.set(ip, data.entry.id);
    return data.revision;
  }

  async function remove(shield: Shield, ip: string, ipId: string): Promise<number> {
    // Until the removal is answered, the entry may be there or not.
    shield.present.delete(ip);
    const { data } = await owner()(routes.firewall.removeFirewallEntry, {
      params: { id: shield.id, ipId },
      signal: AbortSignal.timeout(15_000),
    });
    shield.absent.add(ip);
    return data.revision;
  }

  async function write(): Promise<{ shieldId: string; revision: number } | null> {
    const shield = shields[counter % shields.length];
    if (shield === undefined) throw new Error("no shields to write to");
    const [oldest] = shield.present;
    try {
      const removes = oldest !== undefined && (acknowledged + 1) % removalEvery === 0;
      const revision = removes ? await remove(shield, ...oldest) : await add(shield);
      acknowledged += 1;
      return { shieldId: shield.id, revision };
    } catch {
      unanswered += 1;
      return null;
    }
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await write();
      await delay(pauseMs);
    }
  }
  const running = run();

  return {
    acknowledged: () => acknowledged,
    unanswered: () => unanswered,
    writeNow: write,
    expectedEntries(shieldId) {
      const shield = shields.find(({ id }) => id === shieldId);
      if (shield === undefined) throw new Error("no such shield");
      return { present: new Set(shield.present.keys()), absent: shield.absent };
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
}
