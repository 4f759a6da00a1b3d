import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { selectIsCompiled } from "./config-stream.repository.ts";

const retryAfterSeconds = 2;

/** Nodes that ask for a schema wait until every shield was compiled for it. */
export interface SchemaReadiness {
  /** @throws DomainError `unavailable` until then; nodes keep the configuration they have */
  require(schema: number): Promise<void>;
}

export function createSchemaReadiness(db: Db): SchemaReadiness {
  const complete = new Set<number>();
  return {
    async require(schema) {
      if (complete.has(schema)) return;
      if (!(await selectIsCompiled(db, schema))) {
        throw new DomainError("unavailable", { retryAfterSeconds });
      }
      // A schema stays complete, because every commit stores all schemas.
      complete.add(schema);
    },
  };
}
