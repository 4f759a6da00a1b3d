import { createHash } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createMigratedDatabase } from "#src/test-support/test-app.ts";
import type { AuditSecrets } from "./audit-keys.ts";
import { readEntries } from "./audit.repository.ts";
import { markAuditLog, openAuditLog, verifyAuditLog } from "./audit.service.ts";

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
  const log = openAuditLog(db, by);
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
    const text = JSON.stringify([previousHash, seq, entry]);
    const hash = createHash("sha256").update(text).digest("base64url");
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
    expect(await verifyAuditLog(db, secrets)).toMatchObject({ chains: 2, rows: 5, breaks: [] });
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
        expect.stringMatching(
          /^user:a: row 1 (was changed|was made without a key|has a key that is not known)/,
        ),
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

  test("takes no row without a key for genuine, where the whole log was written anew without keys", async () => {
    for (const chain of ["user:a", "user:b"]) await rehash(chain, "");
    await asOwner("update audit_heads set seal = null, key_id = null");
    await append("user:a", 1);
    expect((await verifyAuditLog(db, secrets)).breaks).toEqual([
      "user:a: row 1 was made without a key",
      "user:b: row 1 was made without a key",
    ]);
  });

  test("verifies rows of a former secret where it is known, and names its key where it is not", async () => {
    await append("user:a", 1, nextSecrets);
    expect(await verifyAuditLog(db, nextSecrets)).toMatchObject({ chains: 2, rows: 6, breaks: [] });
    expect((await verifyAuditLog(db, { ...nextSecrets, formerSecrets: [] })).breaks).toEqual([
      expect.stringMatching(/^user:a: row 1 has a key that is not known: .{12}$/),
      expect.stringMatching(/^user:b: row 1 has a key that is not known: .{12}$/),
    ]);
  });

  test("parallel appends on a chain make no gap and no fork", async () => {
    await Promise.all(Array.from({ length: 20 }, () => append("user:c", 2)));
    expect(await verifyAuditLog(db, secrets)).toMatchObject({ chains: 3, rows: 45, breaks: [] });
  });
});

describe("marks", () => {
  const mark = () => markAuditLog(db, secrets, new Date());
  const breaks = async () => (await verifyAuditLog(db, secrets)).breaks;

  test("name each chain that has new rows, once, and are a chain themselves", async () => {
    expect([await mark(), await mark()]).toEqual([2, 0]);
    await append("user:a", 1);
    expect(await mark()).toBe(1);
    expect(await verifyAuditLog(db, secrets)).toMatchObject({ chains: 3, rows: 8, breaks: [] });
  });

  test("show a chain that was removed with its head, also once it has begun anew", async () => {
    await mark();
    await asOwner("delete from audit_log where chain = 'user:b'");
    await asOwner("delete from audit_heads where chain = 'user:b'");
    const found = [expect.stringMatching(/^user:b: row 2 is not the one that was marked at /)];
    expect(await breaks()).toEqual(found);
    await append("user:b", 3);
    await mark();
    expect(await breaks()).toEqual(found);
  });

  test("show a chain that was set back to an end that it had, seal and all, and goes on from there", async () => {
    await asOwner("create table kept as select * from audit_heads");
    await append("user:a", 2);
    await mark();
    await asOwner("delete from audit_log where chain = 'user:a' and seq > 3");
    await asOwner(
      "update audit_heads h set seq = k.seq, hash = k.hash, seal = k.seal from kept k where k.chain = h.chain",
    );
    const found = [expect.stringMatching(/^user:a: row 5 is not the one that was marked at /)];
    expect(await breaks()).toEqual(found);
    await append("user:a", 3);
    await mark();
    expect(await breaks()).toEqual(found);
  });

  test("cannot be removed, changed or feigned", async () => {
    await mark();
    await append("user:a", 1);
    await asOwner("update audit_heads set marked_seq = 4 where chain = 'user:a'");
    expect(await breaks()).toEqual(["user:a: a mark of it is missing"]);
    await asOwner("update audit_heads set marked_seq = 3 where chain = 'user:a'");
    await asOwner("update audit_log set full_url = '[]' where chain = 'marks'");
    expect(await breaks()).toEqual(["marks: row 1 was changed"]);
    await asOwner("delete from audit_log where chain = 'marks'");
    await asOwner("delete from audit_heads where chain = 'marks'");
    expect(await breaks()).toEqual([
      "user:a: a mark of it is missing",
      "user:b: a mark of it is missing",
    ]);
  });

  test("that an earlier verification named are missed after the log was set back as a whole", async () => {
    await mark();
    const kept = (await verifyAuditLog(db, secrets)).mark;
    expect((await verifyAuditLog(db, secrets, { mark: kept })).breaks).toEqual([]);
    await asOwner("delete from audit_log");
    await asOwner("delete from audit_heads");
    await append("user:a", 1);
    await mark();
    expect(await breaks()).toEqual([]);
    for (const missing of [kept, "1", "1:", "x:y", "2:made-up"]) {
      const found = (await verifyAuditLog(db, secrets, { mark: missing })).breaks;
      expect(found).toEqual([`marks: the mark ${missing} is missing`]);
    }
  });
});
