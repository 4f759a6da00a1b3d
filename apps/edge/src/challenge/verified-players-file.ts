import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile, syncFolder, temporarySuffix } from "@palisade/control-client/atomic-file";
import {
  type Challenge,
  challengeOfCode,
  codeOfChallenge,
  type VerifiedEntry,
  type VerifiedPlayers,
  verifiedMs,
} from "@palisade/login-rules/shared/verified-players";

/**
 * Verified players over restarts of the edge, in its folder below PALISADE_HOME:
 *
 *   verified.key      32 random bytes in hex, by which names and addresses are made keys
 *   verified.players  palisade-verified 1 <sha-256 of the rest, hex>\n, then for each player
 *                     key 12 | challenge u8 | passed, u32: minutes since 1970, plus five days
 *
 * The five days are added because the number was once the end of the entry.
 *
 * A damaged file is set aside: players are verified again then, and nothing worse.
 */

const magic = "palisade-verified 1 ";
const headerBytes = magic.length + 64 + 1;
const keyBytes = 12;
const entryBytes = keyBytes + 5;
const minuteMs = 60_000;
const secretBytes = 32;
const secretForm = /^[0-9a-f]{64}\n?$/;
const fileMode = 0o600;
/** Players verified since the last one are verified again where the process is killed. */
const saveEveryMs = 5_000;
/** A table that takes long to write, as in an attack, takes its turns less often. */
const largeEntries = 8_192;
const saveLargeEveryMs = 30_000;
/** Written at once; everything else of the thread has its turn in between. */
const sliceEntries = 1_024;

export interface VerifiedLog {
  warn(facts: object, message: string): void;
}

/**
 * The edge's own secret; made where there is none. Without a disk it lasts as long as the process.
 * Once, at the start: so it may wait for the disk.
 */
export function loadVerifiedSecret(folder: string, log: VerifiedLog): Buffer {
  const path = join(folder, "verified.key");
  try {
    const kept = readFileSync(path, "latin1");
    if (secretForm.test(kept)) return Buffer.from(kept.trim(), "hex");
    log.warn({ path }, "the key of verified players is damaged, and made anew");
  } catch {
    // A first start.
  }
  const secret = randomBytes(secretBytes);
  try {
    mkdirSync(folder, { recursive: true });
    const temporary = `${path}.${process.pid}${temporarySuffix}`;
    writeFileSync(temporary, `${secret.toString("hex")}\n`, { mode: fileMode, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    log.warn({ err: error }, "the key of verified players cannot be kept");
  }
  return secret;
}

export interface VerifiedPlayersFileDeps {
  readonly folder: string;
  readonly players: Pick<VerifiedPlayers, "changes" | "entries" | "load">;
  /** Time of day. */
  readonly nowMs: () => number;
  readonly log: VerifiedLog;
}

/** Keeps the table on disk; nothing here rejects. */
export class VerifiedPlayersFile {
  readonly #deps: VerifiedPlayersFileDeps;
  readonly #path: string;
  #written = 0;
  #notBeforeMs = 0;
  #writing: Promise<void> | undefined;
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: VerifiedPlayersFileDeps) {
    this.#deps = deps;
    this.#path = join(deps.folder, "verified.players");
  }

  /** To be called before players are taken. @returns how many players are known from before */
  async start(): Promise<number> {
    this.#timer = setInterval(() => void this.tick(), saveEveryMs).unref();
    return await this.#load();
  }

  async #load(): Promise<number> {
    const { players, nowMs, log } = this.#deps;
    const bytes = await readFile(this.#path).catch(() => undefined);
    if (bytes === undefined) return 0;
    const entries = decodeVerified(bytes);
    if (entries === undefined) {
      log.warn({ path: this.#path }, "the file of verified players is damaged and set aside");
      await rename(this.#path, `${this.#path}.damaged`).catch(() => undefined);
      return 0;
    }
    players.load(entries, nowMs());
    this.#written = players.changes;
    return entries.length;
  }

  /** Every few seconds. A clock that was set back only costs a write too many. */
  async tick(): Promise<void> {
    const waitMs = this.#notBeforeMs - this.#deps.nowMs();
    if (waitMs <= 0 || waitMs > saveLargeEveryMs) await this.save();
  }

  /** Writes what has changed, if anything. */
  save(): Promise<void> {
    const { changes } = this.#deps.players;
    if (changes === this.#written) return this.#writing ?? Promise.resolve();
    this.#writing ??= this.#write(changes).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** The last word before the process ends. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.save();
  }

  async #write(changes: number): Promise<void> {
    const { players, nowMs, folder, log } = this.#deps;
    try {
      await mkdir(folder, { recursive: true });
      const startedMs = nowMs();
      const bytes = await encodeVerified(players.entries(startedMs));
      const isLarge = bytes.length > largeEntries * entryBytes;
      this.#notBeforeMs = isLarge ? startedMs + saveLargeEveryMs : 0;
      await replaceFile(this.#path, bytes, { mode: fileMode });
      await syncFolder(folder);
      this.#written = changes;
      this.#isFailing = false;
    } catch (error) {
      // A full disk would say so every few seconds.
      if (!this.#isFailing) log.warn({ err: error }, "verified players cannot be kept on disk");
      this.#isFailing = true;
    }
  }
}

export async function encodeVerified(entries: Iterable<VerifiedEntry>): Promise<Buffer> {
  const hash = createHash("sha256");
  const slices: Buffer[] = [];
  for (const slice of slicesOf(entries)) {
    hash.update(slice);
    slices.push(slice);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Buffer.concat([Buffer.from(`${magic}${hash.digest("hex")}\n`), ...slices]);
}

function* slicesOf(entries: Iterable<VerifiedEntry>): Generator<Buffer> {
  const slice = Buffer.alloc(sliceEntries * entryBytes);
  let end = 0;
  for (const { key, challenge, passedAtMs } of entries) {
    slice.set(key.subarray(0, keyBytes), end);
    slice[end + keyBytes] = codeOfChallenge(challenge);
    slice.writeUInt32BE(Math.ceil((passedAtMs + verifiedMs) / minuteMs), end + keyBytes + 1);
    end += entryBytes;
    if (end < slice.length) continue;
    yield Buffer.from(slice);
    end = 0;
  }
  yield Buffer.from(slice.subarray(0, end));
}

/** Undefined if it is not, byte for byte, what was written. */
export function decodeVerified(bytes: Buffer): VerifiedEntry[] | undefined {
  const body = bytes.subarray(headerBytes);
  const header = bytes.toString("latin1", 0, headerBytes);
  if (header !== `${magic}${checksumOf(body)}\n` || body.length % entryBytes !== 0)
    return undefined;
  const entries: VerifiedEntry[] = [];
  for (let at = 0; at < body.length; at += entryBytes) {
    const challenge: Challenge | undefined = challengeOfCode(body.readUInt8(at + keyBytes));
    if (challenge === undefined) return undefined;
    const passedAtMs = body.readUInt32BE(at + keyBytes + 1) * minuteMs - verifiedMs;
    entries.push({ key: body.subarray(at, at + keyBytes), challenge, passedAtMs });
  }
  return entries;
}

function checksumOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
