import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createMigratedDatabase } from "#src/test-support/test-app.ts";
import { hashWithoutKey } from "./audit-chain.ts";
import type { AuditSecrets } from "./audit-keys.ts";
import { readEntries } from "./audit.repository.ts";
import { openAuditLog, verifyAuditLog } from "./audit.service.ts";

const secrets = { secret: "the secret of this installation", formerSecrets: [] };
const nextSecrets = { secret: "the next secret", formerSecrets: [secrets.secret] };

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

async function append(chain: string, rows: number, by: AuditSecrets = secrets): Promise<void> {
  const log = await openAuditLog(db, by);
  for (let row = 0; row < rows; row += 1) {
    await db.transaction().execute((trx) =>
      log.append(trx, {
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

/** Hashes all rows again, as the owner of the database can without the installation's secret. */
async function rehash(chain: string, keyId: string | undefined): Promise<void> {
  let previousHash = "";
  for (const { seq, entry } of await readEntries(db, chain, 0, 100)) {
    const hash = hashWithoutKey({ previousHash, seq }, entry);
    await asOwner(
      `update audit_log set previous_hash = '${previousHash}', hash = '${hash}',
        key_id = ${keyId === undefined ? "key_id" : `'${keyId}'`}
       where chain = '${chain}' and seq = ${seq}`,
    );
    previousHash = hash;
  }
  await asOwner(`update audit_heads set hash = '${previousHash}' where chain = '${chain}'`);
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
    expect(await verifyAuditLog(db, secrets)).toEqual({ chains: 2, rows: 5, breaks: [] });
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
      "insert into audit_log select gen_random_uuid(), chain, 4, hash, 'made up', actor_kind, actor_id, credential, method, endpoint, full_url, response_status, ip, request_id, created_at, key_id from audit_log where chain = 'user:a' and seq = 3",
      "user:a: row 4 was changed",
    ],
    [
      "a row moved to another account",
      "update audit_log set chain = 'user:b', seq = 3 where chain = 'user:a' and seq = 3",
      "user:a: rows after 2 are missing",
    ],
  ])("shows %s, even when the owner of the database did it", async (_, statement, expected) => {
    expect(await asOwner(statement)).toBeGreaterThan(0);
    expect((await verifyAuditLog(db, secrets)).breaks).toContain(expected);
  });

  test("finds a row that was changed and hashed again with all rows after it, without the key", async () => {
    await asOwner("update audit_log set response_status = 500 where chain = 'user:a' and seq = 2");
    for (const keyId of [undefined, "", "made up"]) {
      await rehash("user:a", keyId);
      const { breaks } = await verifyAuditLog(db, secrets);
      expect(breaks).toEqual([
        expect.stringMatching(/^user:a: (row 1 was changed|its head was changed|row 1 has a key)/),
      ]);
    }
  });

  test("finds the last row taken off and the head set back, and goes on finding it", async () => {
    await asOwner("delete from audit_log where chain = 'user:a' and seq = 3");
    await asOwner(
      "update audit_heads h set seq = 2, hash = l.hash from audit_log l where h.chain = 'user:a' and l.chain = h.chain and l.seq = 2",
    );
    expect((await verifyAuditLog(db, secrets)).breaks).toEqual(["user:a: its head was changed"]);
    await asOwner("update audit_heads set seal = null, key_id = null where chain = 'user:a'");
    await append("user:a", 1);
    expect((await verifyAuditLog(db, secrets)).breaks).toEqual(["user:a: its head has no seal"]);
  });

  test("seals the log of an earlier version once, and finds what is changed in it from then on", async () => {
    await rehash("user:a", "");
    await rehash("user:b", "");
    await asOwner("update audit_heads set seal = null, key_id = null");
    await append("user:a", 1);
    expect(await verifyAuditLog(db, secrets)).toEqual({ chains: 2, rows: 6, breaks: [] });
    await asOwner("update audit_log set response_status = 500 where chain = 'user:b' and seq = 1");
    await rehash("user:b", "");
    await append("user:a", 1);
    expect((await verifyAuditLog(db, secrets)).breaks).toEqual(["user:b: its head was changed"]);
  });

  test("verifies rows of a former secret where it is known, and names its key where it is not", async () => {
    await append("user:a", 1, nextSecrets);
    expect(await verifyAuditLog(db, nextSecrets)).toEqual({ chains: 2, rows: 6, breaks: [] });
    expect((await verifyAuditLog(db, { ...nextSecrets, formerSecrets: [] })).breaks).toEqual([
      expect.stringMatching(/^user:a: row 1 has a key that is not known: .{12}$/),
      expect.stringMatching(/^user:b: row 1 has a key that is not known: .{12}$/),
    ]);
  });

  test("parallel appends on a chain make no gap and no fork", async () => {
    await Promise.all(Array.from({ length: 20 }, () => append("user:c", 2)));
    expect(await verifyAuditLog(db, secrets)).toEqual({ chains: 3, rows: 45, breaks: [] });
  });
});
