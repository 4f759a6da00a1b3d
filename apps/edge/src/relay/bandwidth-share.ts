import { blockBytes, smallBlockBytes } from "./outgoing-bytes.ts";

/** A direction of a player that is not read until its shield's share has room again. */
export interface ShareWaiter {
  readonly isBulk: boolean;
  /** May be read again. */
  resume(): void;
}

/** Time whose bytes may be sent at once after a pause. */
const burstMs = 500;
/** Time whose bytes bulk leaves to small packets; also how often waiting directions are looked at. */
export const shareTickMs = 50;
/** With less room than this the time is looked at, because there may be more by now. */
const ampleBytes = 65_536;
/** A read takes no less: many small ones would cost more than they save. */
const readBytesMin = 4_096;
/** Directions that go on at one look; the others follow in turn. */
const smallPerTick = 512;
const bulkPerTick = 64;
/** Bytes of bulk that one shield moves in a turn of the thread before its other bulk gets less. */
const bulkBytesPerTurn = 4 * 1_024 * 1_024;
const laterBulkBytes = 32 * 1_024;
/** Pipes for bulk, and blocks of bytes for slow peers, that one shield may hold in a process. */
const pipesMax = 64;
const blocksMax = 64;

/**
 * One shield's part of what a relay process can do: bytes a second, and memory, descriptors and time
 * of the thread. Bytes beyond it are not read yet, so both ends slow down; none is dropped, and no
 * other shield waits for it.
 */
export class BandwidthShare {
  /** Bytes that may be read now. Below zero after a read that took more. */
  tokens = Number.POSITIVE_INFINITY;
  /** With more tokens than this no read needs to ask `allowed`. */
  ample = 0;
  /** The most that is copied by one read. */
  readMax = blockBytes;
  /** Bytes per millisecond. */
  #rate = Number.POSITIVE_INFINITY;
  #reserve = 0;
  #filledAtMs = 0;
  readonly #nowMs: () => number;
  readonly #onWait: () => void;
  readonly #small = new Set<ShareWaiter>();
  readonly #bulk = new Set<ShareWaiter>();
  #turn = -1;
  #bulkLeft = bulkBytesPerTurn;
  #pipes = 0;
  #blocks = 0;

  /** @param nowMs a clock that is never set back; @param onWait asks for `tick` */
  constructor(nowMs: () => number, onWait: () => void = () => undefined) {
    this.#nowMs = nowMs;
    this.#onWait = onWait;
  }

  get isWaitedFor(): boolean {
    return this.#small.size + this.#bulk.size > 0;
  }

  /** Nothing was read that would count later. */
  get isFull(): boolean {
    this.#fill();
    return this.tokens >= this.#rate * burstMs;
  }

  /** @param bytesPerSecond both ways together; null: no limit */
  limit(bytesPerSecond: number | null): void {
    if (bytesPerSecond === null) {
      this.#rate = this.tokens = Number.POSITIVE_INFINITY;
      this.#reserve = this.ample = 0;
      this.tick();
      return;
    }
    this.#fill();
    this.#rate = Math.max(1, bytesPerSecond) / 1_000;
    this.#reserve = this.#rate * shareTickMs;
    this.ample = this.#reserve + blockBytes;
    this.tokens = Math.min(this.tokens, this.#rate * burstMs);
    this.#filledAtMs = this.#nowMs();
  }

  /** Bytes that may be read at once, at most `max`; 0: the direction has to wait. */
  allowed(isBulk: boolean, max: number): number {
    const reserve = isBulk ? this.#reserve : 0;
    if (this.tokens - reserve < ampleBytes) this.#fill();
    const room = this.tokens - reserve;
    return room <= 0 ? 0 : Math.min(max, Math.max(readBytesMin, Math.floor(room)));
  }

  /** The direction goes on when there is room again, after those that wait already. */
  wait(waiter: ShareWaiter): void {
    (waiter.isBulk ? this.#bulk : this.#small).add(waiter);
    this.#onWait();
  }

  isWaiting(waiter: ShareWaiter): boolean {
    return this.#small.has(waiter) || this.#bulk.has(waiter);
  }

  forget(waiter: ShareWaiter): void {
    this.#small.delete(waiter);
    this.#bulk.delete(waiter);
  }

  /** Every `shareTickMs` while it is waited for: small packets go on first, bulk with what they leave. */
  tick(): void {
    if (!this.isWaitedFor) return;
    this.#fill();
    if (this.tokens > 0) this.#resume(this.#small, smallPerTick);
    if (this.tokens > this.#reserve) this.#resume(this.#bulk, bulkPerTick);
  }

  /** The most that a direction of bulk moves next in this turn of the thread. */
  bulkRoom(turn: number): number {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#bulkLeft = bulkBytesPerTurn;
    }
    return Math.max(laterBulkBytes, this.#bulkLeft);
  }

  bulkMoved(bytes: number): void {
    this.#bulkLeft -= bytes;
  }

  /** Whether another pipe may be opened; it is counted until `pipeClosed`. */
  takesPipe(): boolean {
    if (this.#pipes >= pipesMax) return false;
    this.#pipes++;
    this.#sizeReads();
    return true;
  }

  pipeClosed(): void {
    this.#pipes--;
    this.#sizeReads();
  }

  /** Bytes of a slow peer wait in a large block (1), or not any more (-1). */
  blocksChanged(by: 1 | -1): void {
    this.#blocks += by;
    this.#sizeReads();
  }

  /** Without a free pipe or block, bulk is copied in small pieces. */
  #sizeReads(): void {
    const isShort = this.#pipes >= pipesMax || this.#blocks >= blocksMax;
    this.readMax = isShort ? smallBlockBytes : blockBytes;
  }

  #resume(waiters: ReadonlySet<ShareWaiter>, max: number): void {
    let resumed = 0;
    for (const waiter of waiters) {
      if (++resumed > max) return;
      this.forget(waiter);
      waiter.resume();
    }
  }

  #fill(): void {
    if (this.#rate === Number.POSITIVE_INFINITY) return;
    const nowMs = this.#nowMs();
    const grown = this.tokens + this.#rate * (nowMs - this.#filledAtMs);
    this.tokens = Math.min(grown, this.#rate * burstMs);
    this.#filledAtMs = nowMs;
  }
}

/**
 * The shares of all shields that a thread relays for. One without players is kept until its bucket is
 * full, so that players who come and go get no more bytes than those who stay.
 */
export class BandwidthShares {
  readonly #nowMs: () => number;
  readonly #shares = new Map<string, { readonly share: BandwidthShare; players: number }>();
  /** Bytes a second, by shield; a limit may come before the first player. */
  readonly #limits = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * The share of a player's shield, until they `leave`.
   *
   * @param rate bytes a second of a shield whose limit has not come yet
   */
  enter(shield: string, rate?: number): BandwidthShare {
    if (rate !== undefined && !this.#limits.has(shield)) this.limit(shield, rate);
    let entry = this.#shares.get(shield);
    if (entry === undefined) {
      const share = new BandwidthShare(this.#nowMs, () => this.#startTicks());
      share.limit(this.#limits.get(shield) ?? null);
      entry = { share, players: 0 };
      this.#shares.set(shield, entry);
    }
    entry.players++;
    return entry.share;
  }

  leave(shield: string): void {
    const entry = this.#shares.get(shield);
    if (entry === undefined || --entry.players > 0) return;
    if (entry.share.isFull) this.#shares.delete(shield);
    else this.#startTicks();
  }

  /**
   * @param bytesPerSecond null: the shield has no player here any more; one who comes by another way
   *   before the next limit has the rate from before
   */
  limit(shield: string, bytesPerSecond: number | null): void {
    if (bytesPerSecond === null) {
      this.#limits.delete(shield);
      return;
    }
    this.#limits.set(shield, bytesPerSecond);
    this.#shares.get(shield)?.share.limit(bytesPerSecond);
  }

  #startTicks(): void {
    this.#timer ??= setInterval(() => this.#tick(), shareTickMs).unref();
  }

  #tick(): void {
    let isNeeded = false;
    for (const [shield, { share, players }] of this.#shares) {
      share.tick();
      const isLeft = players === 0;
      if (isLeft && share.isFull) this.#shares.delete(shield);
      else isNeeded ||= isLeft || share.isWaitedFor;
    }
    if (isNeeded) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Bytes a second for the players that one process has of a shield; undefined: as it was. */
export type RateOf = (shield: string, players: number) => number | undefined;

/** A shield and the bytes a second that a process may relay for it; null: it has no player there. */
export type ShareRate = readonly [shield: string, bytesPerSecond: number | null];

/**
 * The edge's view of one relay process: its players by shield, and the rates it was told. The
 * shield's bandwidth is divided among the processes by their players.
 */
export class ProcessShares {
  readonly #players = new Map<string, number>();
  readonly #told = new Map<string, number>();

  /** @returns whether it is the shield's first player there */
  entered(shield: string): boolean {
    const players = this.#players.get(shield) ?? 0;
    this.#players.set(shield, players + 1);
    return players === 0;
  }

  left(shield: string): void {
    const players = (this.#players.get(shield) ?? 0) - 1;
    if (players > 0) this.#players.set(shield, players);
    else this.#players.delete(shield);
  }

  /** The rates that the process has to be told now. */
  changes(rateOf: RateOf): ShareRate[] {
    const changes = [...this.#players.keys()].flatMap((shield) => this.changesOf(shield, rateOf));
    for (const shield of this.#told.keys()) {
      if (this.#players.has(shield)) continue;
      changes.push([shield, null]);
      this.#told.delete(shield);
    }
    return changes;
  }

  /** As `changes`, of one shield that has players there. */
  changesOf(shield: string, rateOf: RateOf): ShareRate[] {
    const rate = rateOf(shield, this.#players.get(shield) ?? 0);
    if (rate === undefined || rate === this.#told.get(shield)) return [];
    this.#told.set(shield, rate);
    return [[shield, rate]];
  }
}
