import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VerifiedPlayers, verifiedMs } from "@palisade/login-rules/shared/verified-players";
import { playerMac } from "@palisade/login-rules/shared/player-mac";
import {
  decodeVerified,
  encodeVerified,
  loadVerifiedSecret,
  VerifiedPlayersFile,
} from "./verified-players-file.ts";

const startMs = 1_790_000_000_000;
const ip = Uint8Array.of(203, 0, 113, 9);

describe("verified players on disk", () => {
  let folder: TemporaryFolder;
  let warnings: string[];
  const files: VerifiedPlayersFile[] = [];
  const log = { warn: (_facts: object, message: string) => void warnings.push(message) };

  beforeEach(async () => {
    folder = await createTemporaryFolder("verified");
    warnings = [];
  });
  afterEach(async () => {
    for (const file of files.splice(0)) await file.stop();
    await folder.remove();
  });

  /** A start of the edge. */
  async function start(nowMs = startMs) {
    const secret = loadVerifiedSecret(folder.path, log);
    const players = new VerifiedPlayers(VerifiedPlayers.allocate({ slots: 64 }), playerMac(secret));
    const file = new VerifiedPlayersFile({ folder: folder.path, players, nowMs: () => nowMs, log });
    files.push(file);
    return { players, file, known: await file.start() };
  }

  test("are known after a restart, with what they have shown, for five days", async () => {
    const before = await start();
    before.players.add("Steve", ip, "premium", startMs);
    before.players.add("Alex", ip, "protocol", startMs);
    before.players.add("Mira", ip, "captcha", startMs);
    await before.file.stop();
    const after = await start(startMs + 60_000);
    expect(after.known).toBe(3);
    expect(after.players.passedChallenge("steve", ip, startMs + 60_000)).toBe("premium");
    expect(after.players.passedChallenge("Alex", ip, startMs + 60_000)).toBe("protocol");
    expect(after.players.passedChallenge("Mira", ip, startMs + 60_000)).toBe("captcha");
    expect(after.players.passedChallenge("Eve", ip, startMs + 60_000)).toBeUndefined();
    const late = await start(startMs + verifiedMs + 120_000);
    expect(
      late.players.passedChallenge("Steve", ip, startMs + verifiedMs + 120_000),
    ).toBeUndefined();
  });

  test("are not written again while nothing has changed", async () => {
    const { players, file } = await start();
    players.add("Steve", ip, "protocol", startMs);
    await file.save();
    const path = join(folder.path, "verified.players");
    await writeFile(path, "touched");
    await file.save();
    expect(await readFile(path, "utf8")).toBe("touched");
    players.add("Alex", ip, "protocol", startMs);
    await Promise.all([file.save(), file.save()]);
    expect(decodeVerified(await readFile(path))).toHaveLength(2);
  });

  test("contain neither names nor addresses, and are readable by the edge's user alone", async () => {
    const { players, file } = await start();
    players.add("Steve", ip, "protocol", startMs);
    await file.stop();
    const bytes = await readFile(join(folder.path, "verified.players"));
    expect(bytes.includes("teve")).toBe(false);
    expect(bytes.includes(Buffer.from(ip))).toBe(false);
  });

  test("a damaged file is set aside, said once, and the edge starts without it", async () => {
    const before = await start();
    before.players.add("Steve", ip, "protocol", startMs);
    await before.file.stop();
    const path = join(folder.path, "verified.players");
    await writeFile(path, (await readFile(path)).subarray(0, -1));
    const after = await start();
    expect(after.known).toBe(0);
    expect(warnings).toHaveLength(1);
    expect(await readdir(folder.path)).toContain("verified.players.damaged");
    after.players.add("Alex", ip, "protocol", startMs);
    await after.file.stop();
    expect((await start()).known).toBe(1);
  });

  test("a disk that takes no writes stops no player, and is logged once", async () => {
    const { players, file } = await start();
    await writeFile(join(folder.path, "file"), "");
    const nowhere = join(folder.path, "file", "below");
    const failing = new VerifiedPlayersFile({
      folder: nowhere,
      players,
      nowMs: () => startMs,
      log,
    });
    players.add("Steve", ip, "protocol", startMs);
    await failing.save();
    await failing.save();
    expect(warnings).toHaveLength(1);
    await file.stop();
  });

  test("while a large table is written other work runs between its parts", async () => {
    const entries = Array.from({ length: 10_000 }, (_, n) => {
      const key = Buffer.alloc(12);
      key.writeUInt32BE(n);
      return { key, challenge: "protocol", passedAtMs: 1_790_000_040_000 } as const;
    });
    const written = encodeVerified(entries);
    const writing = new AbortController();
    void written.finally(() => writing.abort());
    let turns = 0;
    while (!writing.signal.aborted) {
      await new Promise(setImmediate);
      turns++;
    }
    expect(turns).toBeGreaterThanOrEqual(9);
    expect(decodeVerified(await written)).toEqual(entries);
  });

  test("a large table is written less often", async () => {
    const secret = loadVerifiedSecret(folder.path, log);
    const mac = playerMac(secret);
    const players = new VerifiedPlayers(VerifiedPlayers.allocate({ slots: 32_768 }), mac);
    let nowMs = startMs;
    const file = new VerifiedPlayersFile({ folder: folder.path, players, nowMs: () => nowMs, log });
    files.push(file);
    const path = join(folder.path, "verified.players");
    const bytesAfter = async (skipMs: number): Promise<number> => {
      players.add(`Steve${nowMs}`, ip, "protocol", nowMs);
      nowMs += skipMs;
      await file.tick();
      return (await readFile(path)).length;
    };
    const small = await bytesAfter(5_000);
    expect(await bytesAfter(5_000)).toBeGreaterThan(small);
    for (let n = 0; n < 9_000; n++) players.add(`Alex${n}`, ip, "protocol", nowMs);
    const large = await bytesAfter(5_000);
    expect(await bytesAfter(5_000)).toBe(large);
    expect(await bytesAfter(20_000)).toBe(large);
    expect(await bytesAfter(5_000)).toBeGreaterThan(large);
  });

  test("a file of an edge before captchas reads as it was meant", () => {
    const entry = (key: number, code: number) =>
      Buffer.concat([Buffer.alloc(12, key), Buffer.of(code), minuteOf(startMs + verifiedMs)]);
    const body = Buffer.concat([entry(1, 0), entry(2, 1), entry(3, 2)]);
    const checksum = createHash("sha256").update(body).digest("hex");
    const file = Buffer.concat([Buffer.from(`palisade-verified 1 ${checksum}\n`), body]);
    const passedAtMs = Math.ceil(startMs / 60_000) * 60_000;
    expect(decodeVerified(file)).toEqual([
      { key: Buffer.alloc(12, 1), challenge: "protocol", passedAtMs },
      { key: Buffer.alloc(12, 2), challenge: "gravity", passedAtMs },
      { key: Buffer.alloc(12, 3), challenge: "premium", passedAtMs },
    ]);
  });

  test("torn at any byte, changed anywhere or made up it is not read", async () => {
    const entry = { key: Buffer.alloc(12, 3), challenge: "premium", passedAtMs: startMs } as const;
    const whole = await encodeVerified([entry, { ...entry, key: Buffer.alloc(12, 4) }]);
    expect(decodeVerified(whole)).toHaveLength(2);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(decodeVerified(changed)).toBeUndefined();
        expect(decodeVerified(whole.subarray(0, at))).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(decodeVerified(Buffer.from(bytes))).toBeUndefined();
      }),
    );
  });
});

function minuteOf(timeMs: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.ceil(timeMs / 60_000));
  return bytes;
}
