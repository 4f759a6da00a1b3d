import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { selectIsCompiled } from "./stream.repository.ts";

const retryAfterSeconds = 2;

/** Keeps nodes waiting for a schema until every shield was compiled for it. */
export function createCompiledGate(db: Db) {
  const complete = new Set<number>();
  return {
    /** @throws DomainError `unavailable` until then; nodes go on with what they have */
    async require(schema: number): Promise<void> {
      if (complete.has(schema)) return;
      if (!(await selectIsCompiled(db, schema))) {
        throw new DomainError("unavailable", { retryAfterSeconds });
      }
      // For good: every commit stores all schemas.
      complete.add(schema);
    },
  };
}
