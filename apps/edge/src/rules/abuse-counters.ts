import { readSource, type SourceNumbers } from "./source-numbers.ts";
import { sourceCount, type SourceCount, type SourceRows, SourceTable } from "./source-table.ts";

/** Sources counted between two reads; further ones are not counted. */
const sourcesMax = 16_384;

const none: SourceRows = new SourceTable(0, 0).rows();

/**
 * How connections of each source ended, as one thread counts it until the deciding thread takes it.
 */
export class AbuseCounters {
  readonly #table: SourceTable;
  readonly #read: SourceNumbers = { family: 0, high: 0, low: 0 };

  /** @param seed of 32 random bits */
  constructor(seed = 0) {
    this.#table = new SourceTable(sourcesMax, seed);
  }

  /**
   * A connection has ended.
   *
   * @param key of `sourceKey`; a key that is no address is ignored
   * @param also a second count for how it ended; null for none
   */
  note(key: string, also: SourceCount | null): void {
    const read = this.#read;
    readSource(key, read);
    if (read.family === 0) return;
    const row = this.#table.take(read.family, read.high, read.low);
    if (row < 0) return;
    this.#table.add(row, sourceCount.connections, 1);
    if (also !== null) this.#table.add(row, also, 1);
  }

  /** Takes over what another thread has counted. */
  add(rows: SourceRows): void {
    for (let index = 0; index < rows.size; index++) this.#table.addRow(rows, index);
  }

  drain(): SourceRows {
    if (this.#table.size === 0) return none;
    const rows = this.#table.rows();
    this.#table.clear();
    return rows;
  }
}
