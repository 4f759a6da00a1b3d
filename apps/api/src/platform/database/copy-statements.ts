import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from } from "pg-copy-streams";

/** Begins the text of a statement whose one value is the rows, in PostgreSQL's text format. */
export const copyStart = "copy ";

export function isCopy(text: string): boolean {
  return text.startsWith(copyStart);
}

/** Runs a statement of `copyRows` on its connection. */
export async function runCopy(client: pg.PoolClient, text: string, rows: unknown) {
  const stream = client.query(from(text));
  await pipeline([String(rows)], stream);
  return { command: "COPY", rowCount: stream.rowCount, rows: [] };
}
