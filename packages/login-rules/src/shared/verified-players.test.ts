import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { playerMac } from "./player-mac.ts";
import { TtlSet, FixedWindowCounter } from "@palisade/shared-tables/shared-tables";
import { type Key, SeededHash } from "@palisade/shared-tables/seeded-hash";
import { VerifiedPlayers, verifiedMs, verifiedMsMax } from "./verified-players.ts";

const startMs = 1_800_000_000_000;
const seed = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7]);

function keyOf(n: number): Key {
  const { high, low } = new SeededHash(seed).begin(1).addName(String(n)).end();
  return { high, low };
}

describe("over threads", () => {
  const threads = 4;
  const data = {
    rates: FixedWindowCounter.allocate(1_024),
    marks: TtlSet.allocate(16_384),
    verified: VerifiedPlayers.allocate({ slots: 16_384 }),
    limit: 500,
    keys: 64,
    names: 2_000,
    players: 300,
    secret: new Uint8Array(32),
    startMs,
  };
  /** The work of every thread, all at the same time; each reports how often it got through. */
  const code = `
    const { workerData: data, parentPort } = await import("node:worker_threads");
    const { FixedWindowCounter, TtlSet } = await import(data.tables + "shared-tables.ts");
    const { VerifiedPlayers } = await import(data.base + "verified-players.ts");
    const { SeededHash } = await import(data.tables + "seeded-hash.ts");
    const { playerMac } = await import(data.base + "player-mac.ts");
    const rates = new FixedWindowCounter(data.rates, 1_000);
    const marks = new TtlSet(data.marks, 60_000);
    const verified = new VerifiedPlayers(data.verified, playerMac(data.secret));
    const hash = new SeededHash(data.seed);
    const keyOf = (n) => hash.begin(1).addName(String(n)).end();
    const gate = new Int32Array(data.gate);
    Atomics.add(gate, 0, 1);
    while (Atomics.load(gate, 0) < data.threads);
    const told = { hits: 0, taken: 0 };
    for (let n = 0; n < data.names; n++) {
      if (marks.take(keyOf(n), data.startMs, 5_000)) told.taken++;
    }
    for (let n = 0; n < data.keys * data.limit; n++) {
      if (rates.hit(keyOf(n % data.keys), data.startMs, data.limit)) told.hits++;
    }
    for (let n = 0; n < data.players; n++) {
      const ip = Uint8Array.of(10, 0, 0, n);
      verified.add("P" + data.thread + "_" + n, ip, "protocol", data.startMs);
      verified.add("All" + n, ip, "premium", data.startMs);
    }
    parentPort.postMessage(told);
  `;

  interface Told {
    readonly hits: number;
    readonly taken: number;
  }

  async function runAll(): Promise<Told[]> {
    const gate = new SharedArrayBuffer(4);
    const base = new URL(".", import.meta.url).href;
    const tables = new URL(".", import.meta.resolve("@palisade/shared-tables/shared-tables")).href;
    const source = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    return Promise.all(
      Array.from({ length: threads }, async (_, thread) => {
        const worker = new Worker(source, {
          workerData: { ...data, base, tables, seed, gate, threads, thread },
        });
        return new Promise<Told>((resolve, reject) => {
          worker.once("message", resolve);
          worker.once("error", reject);
        });
      }),
    );
  }

  test("limits are exact, one thread gets a mark, and all know a player that one has verified", async () => {
    const told = await runAll();
    const sum = (of: keyof Told): number => told.reduce((total, each) => total + each[of], 0);
    expect(sum("taken")).toBe(data.names);
    expect(sum("hits")).toBe(data.keys * data.limit);
    const rates = new FixedWindowCounter(data.rates, 1_000);
    for (let n = 0; n < data.keys; n++) expect(rates.count(keyOf(n), startMs)).toBe(data.limit);
    const verified = new VerifiedPlayers(data.verified, playerMac(data.secret));
    for (let n = 0; n < data.players; n++) {
      const ip = Uint8Array.of(10, 0, 0, n);
      for (let thread = 0; thread < threads; thread++) {
        expect(verified.passedChallenge(`P${thread}_${n}`, ip, startMs)).toBe("protocol");
      }
      expect(verified.passedChallenge(`all${n}`, ip, startMs)).toBe("premium");
    }
    const kept = Array.from(verified.entries(startMs), ({ key }) =>
      Buffer.from(key).toString("hex"),
    );
    expect(new Set(kept).size).toBe((threads + 1) * data.players);
  });
});

describe("verified players", () => {
  const secret = Buffer.alloc(32, 3);
  const home = Uint8Array.of(203, 0, 113, 7);

  function create(slots = 1_024): VerifiedPlayers {
    return new VerifiedPlayers(VerifiedPlayers.allocate({ slots }), playerMac(secret));
  }

  test("are known for five days, by name in any case and network", () => {
    const verified = create();
    verified.add("Steve", home, "protocol", startMs);
    const until = startMs + verifiedMs - 60_000;
    expect(verified.passedChallenge("sTEVE", Uint8Array.of(203, 0, 113, 200), until)).toBe(
      "protocol",
    );
    expect(
      verified.passedChallenge("Steve", Uint8Array.of(203, 0, 114, 7), startMs),
    ).toBeUndefined();
    expect(verified.passedChallenge("Steve1", home, startMs)).toBeUndefined();
    expect(verified.passedChallenge("Steve", home, startMs + verifiedMs + 60_000)).toBeUndefined();
  });

  test("count for the time that a shield's owner has chosen, up to thirty days", () => {
    const verified = create();
    const hourMs = 3_600_000;
    verified.add("Steve", home, "captcha", startMs);
    const known = (afterMs: number, withinMs: number) =>
      verified.passedChallenge("Steve", home, startMs + afterMs, withinMs);
    expect(known(hourMs - 60_000, hourMs)).toBe("captcha");
    expect(known(hourMs + 60_000, hourMs)).toBeUndefined();
    expect(known(hourMs + 60_000, verifiedMs)).toBe("captcha");
    expect(known(verifiedMsMax - 60_000, verifiedMsMax)).toBe("captcha");
    expect(known(verifiedMsMax + 60_000, verifiedMsMax)).toBeUndefined();
    // A challenge of a month ago is not made a day old by a weaker one.
    verified.add("Steve", home, "protocol", startMs + 2 * hourMs, hourMs);
    expect(known(2 * hourMs, hourMs)).toBe("protocol");
  });

  test("for IPv6 the first 64 bits are the network", () => {
    const verified = create();
    const address = (end: number, network = 1): Uint8Array =>
      Uint8Array.from([32, 1, 13, 184, 0, 0, 0, network, 0, 0, 0, 0, 0, 0, 0, end]);
    verified.add("Steve", address(1), "premium", startMs);
    expect(verified.passedChallenge("Steve", address(99), startMs)).toBe("premium");
    expect(verified.passedChallenge("Steve", address(1, 2), startMs)).toBeUndefined();
  });

  test("a weaker challenge never replaces a stronger one", () => {
    const verified = create();
    verified.add("Steve", home, "premium", startMs);
    verified.add("Steve", home, "protocol", startMs + 1_000);
    expect(verified.passedChallenge("Steve", home, startMs)).toBe("premium");
    verified.add("Alex", home, "protocol", startMs);
    verified.add("Alex", home, "captcha", startMs);
    verified.add("Alex", home, "gravity", startMs);
    expect(verified.passedChallenge("Alex", home, startMs)).toBe("captcha");
    verified.add("Alex", home, "premium", startMs);
    expect(verified.passedChallenge("Alex", home, startMs)).toBe("premium");
  });

  test("survive a restart under the same secret, and the entries alone tell nothing", () => {
    const verified = create();
    verified.add("Steve", home, "gravity", startMs);
    verified.add("Alex", home, "premium", startMs - verifiedMsMax - 120_000);
    const entries = [...verified.entries(startMs)];
    expect(entries).toHaveLength(1);
    const next = create();
    next.load(entries, startMs);
    expect(next.passedChallenge("Steve", home, startMs)).toBe("gravity");
    const foreign = new VerifiedPlayers(
      VerifiedPlayers.allocate({ slots: 64 }),
      playerMac(Buffer.alloc(32)),
    );
    foreign.load(entries, startMs);
    expect(foreign.passedChallenge("Steve", home, startMs)).toBeUndefined();
  });

  test("entries that earlier versions have written stay valid", () => {
    const verified = create();
    const passedAtMs = startMs;
    const written = [
      { key: Buffer.from("4a83e017c64adac0ee6523e4", "hex"), challenge: "gravity", passedAtMs },
      { key: Buffer.from("af9e8ecfe2f70d942339aa0e", "hex"), challenge: "premium", passedAtMs },
    ] as const;
    verified.load(written, startMs);
    const line = Uint8Array.from([32, 1, 13, 184, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9]);
    expect(verified.passedChallenge("Steve", home, startMs)).toBe("gravity");
    expect(verified.passedChallenge("Alex", line, startMs)).toBe("premium");
    const kept = [...verified.entries(startMs)];
    expect(kept).toHaveLength(2);
    expect(kept).toEqual(expect.arrayContaining([...written]));
  });

  test("a clock that is set back by days verifies no player for longer", () => {
    const verified = create();
    verified.add("Steve", home, "protocol", startMs);
    expect(verified.passedChallenge("Steve", home, startMs - 120_000)).toBeUndefined();
    expect(verified.passedChallenge("Steve", home, startMs)).toBe("protocol");
  });

  test("entries of a wrong length, past, or further ahead than any can be are passed over", () => {
    const verified = create();
    const key = Buffer.alloc(12, 1);
    const challenge = "protocol" as const;
    verified.load(
      [
        { key: Buffer.alloc(11), challenge, passedAtMs: startMs - 60_000 },
        { key, challenge, passedAtMs: startMs - verifiedMsMax },
        { key, challenge, passedAtMs: startMs + verifiedMs },
      ],
      startMs,
    );
    expect(verified.changes).toBe(0);
  });

  test("a full table forgets who would be forgotten first, and never grows", () => {
    const verified = create(64);
    for (let n = 0; n < 10_000; n++) verified.add(`P${n}`, home, "protocol", startMs + 60_000 * n);
    const lastMs = startMs + 60_000 * 9_999;
    expect(verified.passedChallenge("P9999", home, lastMs)).toBe("protocol");
    expect([...verified.entries(lastMs)].length).toBeLessThanOrEqual(64);
  });

  test("an empty table computes no key, and changes tell when to write", () => {
    const verified = create();
    expect(verified.passedChallenge("Steve", home, startMs)).toBeUndefined();
    const before = verified.changes;
    verified.add("Steve", home, "protocol", startMs);
    expect(verified.changes).toBeGreaterThan(before);
  });
});
