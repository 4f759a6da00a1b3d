import { type Cells, CountMinSketch } from "@palisade/shared-tables/shared-counters";
import { SeededHash } from "@palisade/shared-tables/seeded-hash";
import { SequenceTable } from "@palisade/shared-tables/shared-tables";

/** Keeps keys of different meaning apart. */
const space = { backend: 0, shield: 1, group: 2, shieldPlayers: 3 } as const;
const players = 0;
const dialling = 1;
const unparsed = 0;
/** Players of a shield, and those among them who have joined. */
const places = 0;
const joined = 1;
const turnSlots = 65_536;

export interface SharedLoadsBuffers {
  readonly counts: SharedArrayBuffer;
  readonly turns: SharedArrayBuffer;
  readonly seed: Uint8Array;
}

/** Players and connections by backend and shield, counted by all threads of this edge. */
export class SharedLoads {
  readonly #counts: CountMinSketch;
  readonly #turns: SequenceTable;
  readonly #hash: SeededHash;

  /** @param columns threads that count; @param seed 8 bytes */
  static allocate(columns: number, seed: Uint8Array, cells?: number): SharedLoadsBuffers {
    return {
      counts: CountMinSketch.allocate({ columns, seed, ...(cells !== undefined && { cells }) }),
      turns: SequenceTable.allocate(cells ?? turnSlots),
      seed,
    };
  }

  /** For one thread alone, and few shields. */
  static alone(): SharedLoads {
    return new SharedLoads(SharedLoads.allocate(1, new Uint8Array(8), 256), 0);
  }

  /** @param column this thread's */
  constructor({ counts, turns, seed }: SharedLoadsBuffers, column: number) {
    this.#counts = new CountMinSketch(counts, column);
    this.#turns = new SequenceTable(turns);
    this.#hash = new SeededHash(seed);
  }

  backend<B>(id: string): BackendLoad<B> {
    return new BackendLoad<B>(this.#counts, this.#counts.cellsOf(space.backend, id));
  }

  shield(id: string): ShieldLoad {
    return new ShieldLoad(
      this.#counts,
      this.#counts.cellsOf(space.shield, id),
      this.#counts.cellsOf(space.shieldPlayers, id),
    );
  }

  /** 0, 1, 2 and so on, each for one caller of the group's, on whatever thread. */
  nextTurn(groupId: string): number {
    return this.#turns.next(this.#hash.begin(space.group).addName(groupId).end()) - 1;
  }

  /** Removes the counts of a thread that has ended. */
  clear(column: number): void {
    this.#counts.clear(column);
  }
}

/** Players of one backend; kept as long as it is configured, wherever it moves. */
export class BackendLoad<B> {
  readonly #counts: CountMinSketch;
  readonly #cells: Cells;
  /** The backend whose health counts; undefined if this thread sends no player there. */
  current: B | undefined = undefined;

  constructor(counts: CountMinSketch, cells: Cells) {
    this.#counts = counts;
    this.#cells = cells;
  }

  /** Joined there. */
  get players(): number {
    return this.#counts.total(this.#cells, players);
  }

  /** On their way there. */
  get dialling(): number {
    return this.#counts.total(this.#cells, dialling);
  }

  joined(): void {
    this.#counts.up(this.#cells, players);
  }

  left(): void {
    this.#counts.down(this.#cells, players);
  }

  /** @returns false if so many are on their way there already */
  trySetOut(max = Number.POSITIVE_INFINITY): boolean {
    return this.#counts.tryUp(this.#cells, dialling, max);
  }

  /** Or has given up. */
  arrived(): void {
    this.#counts.down(this.#cells, dialling);
  }
}

/** Connections of one shield of which there may only be so many. */
export class ShieldLoad {
  readonly #counts: CountMinSketch;
  readonly #cells: Cells;
  readonly #players: Cells;

  constructor(counts: CountMinSketch, cells: Cells, players: Cells) {
    this.#counts = counts;
    this.#cells = cells;
    this.#players = players;
  }

  /** Players, also of relay processes, and those who are being connected. */
  get players(): number {
    return this.#counts.total(this.#players, places);
  }

  /** Players a relay has. */
  get joined(): number {
    return this.#counts.total(this.#players, joined);
  }

  /** A player is about to be connected. False if the shield has so many already. */
  tryTakePlace(max: number): boolean {
    return this.#counts.tryUp(this.#players, places, max);
  }

  /** A player has left, or could not be connected. */
  leavePlace(): void {
    this.#counts.down(this.#players, places);
  }

  /** A relay has a player, or (-1) not any more. */
  countJoined(by: 1 | -1): void {
    if (by > 0) this.#counts.up(this.#players, joined);
    else this.#counts.down(this.#players, joined);
  }

  /** On their way to a backend. */
  get dialling(): number {
    return this.#counts.total(this.#cells, dialling);
  }

  /** Connections of games that are not parsed. */
  get unparsed(): number {
    return this.#counts.total(this.#cells, unparsed);
  }

  /** On its way to a backend. False if there are so many already. */
  trySetOut(max: number): boolean {
    return this.#counts.tryUp(this.#cells, dialling, max);
  }

  arrived(): void {
    this.#counts.down(this.#cells, dialling);
  }

  /** Counts a connection of a game that is not parsed. False if there are too many. */
  tryEnter(max: number): boolean {
    return this.#counts.tryUp(this.#cells, unparsed, max);
  }

  left(): void {
    this.#counts.down(this.#cells, unparsed);
  }
}
