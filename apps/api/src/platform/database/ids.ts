import { v7 } from "uuid";

/** A new UUIDv7: ordered by time, made here because `uuidv7()` exists from PostgreSQL 18 only. */
export function newId(): string {
  return v7();
}
