import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createMigratedDatabase } from "#src/test-support/test-app.ts";
import { createAuditLog, verifyAuditLog } from "./audit.service.ts";

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Db;
beforeEach(async () => {
  database = await createMigratedDatabase();
  db = createDb({
    url: database.runtimeUrl,
    connectionsMax: 4,
    statementTimeoutMs: 10_000,
    onConnectionError: () => undefined,
  });
  await append("user:a", 3);
  await append("user:b", 2);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

async function append(chain: string, rows: number): Promise<void> {
  const sink = createAuditLog(db);
  for (let row = 0; row < rows; row += 1) {
    await db.transaction().execute((trx) =>
      sink.append(trx, {
        id: newId(),
        chain,
        actorKind: "user",
        actorId: newId(),
        credential: null,
        method: "PUT",
        endpoint: "/api/v1/servers/:id/firewall",
        fullUrl: "/api/v1/servers/:id/firewall",
        status: 200,
        ip: "192.0.2.1",
        requestId: newId(),
        at: new Date(),
      }),
    );
  }
}

async function asOwner(statement: string): Promise<number> {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  try {
    return (await owner.query(statement)).rowCount ?? 0;
  } finally {
    await owner.end();
  }
}

describe("audit verify", () => {
  test("finds untouched chains whole", async () => {
    expect(await verifyAuditLog(db)).toEqual({ chains: 2, rows: 5, breaks: [] });
  });

  test.each([
    [
      "a changed status",
      "update audit_log set response_status = 500 where chain = 'user:a' and seq = 1",
      "user:a: row 1 was changed",
    ],
    [
      "a time changed by a millisecond",
      "update audit_log set created_at = created_at + interval '1 ms' where chain = 'user:a' and seq = 2",
      "user:a: row 2 was changed",
    ],
    [
      "a removed actor",
      "update audit_log set actor_id = null where chain = 'user:b' and seq = 2",
      "user:b: row 2 was changed",
    ],
    [
      "a removed row",
      "delete from audit_log where chain = 'user:a' and seq = 2",
      "user:a: row 2 is missing",
    ],
    [
      "a removed end",
      "delete from audit_log where chain = 'user:a' and seq = 3",
      "user:a: rows after 2 are missing",
    ],
    [
      "a removed chain",
      "delete from audit_log where chain = 'user:b'",
      "user:b: rows after 0 are missing",
    ],
    [
      "a removed head",
      "delete from audit_heads where chain = 'user:b'",
      "user:b: its head is missing",
    ],
    [
      "a head set back",
      "update audit_heads h set seq = 1, hash = l.hash from audit_log l where h.chain = 'user:a' and l.chain = h.chain and l.seq = 1",
      "user:a: its head does not fit its rows",
    ],
    [
      "a row made up at the end",
      "insert into audit_log select gen_random_uuid(), chain, 4, hash, 'made up', actor_kind, actor_id, credential, method, endpoint, full_url, response_status, ip, request_id, created_at from audit_log where chain = 'user:a' and seq = 3",
      "user:a: row 4 was changed",
    ],
    [
      "a row moved to another account",
      "update audit_log set chain = 'user:b', seq = 3 where chain = 'user:a' and seq = 3",
      "user:a: rows after 2 are missing",
    ],
  ])("shows %s, even when the owner of the database did it", async (_, statement, expected) => {
    expect(await asOwner(statement)).toBeGreaterThan(0);
    expect((await verifyAuditLog(db)).breaks).toContain(expected);
  });

  test("parallel appends on a chain make no gap and no fork", async () => {
    await Promise.all(Array.from({ length: 20 }, () => append("user:c", 2)));
    expect(await verifyAuditLog(db)).toEqual({ chains: 3, rows: 45, breaks: [] });
  });
});
