import { createServer as createSecureServer, connect } from "node:tls";
import { once } from "node:events";
import { X509Certificate } from "node:crypto";
import { startAcmeServer, type AcmeServer } from "@palisade/testing/acme-server";
import { createFakeClock, type FakeClock } from "@palisade/testing/fake-clock";
import { Registry } from "prom-client";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { createMigratedDatabase } from "#src/test-support/test-app.ts";
import { createAcmeCertificates } from "./acme.ts";
import type { Certificate } from "./certificate.ts";
import { createCertificateRenewal, type CertificateRenewal } from "./certificate-renewal.ts";
import { createCertificateStore, type CertificateStore } from "./certificate-store.ts";
import { createPlainServer } from "./plain-server.ts";

const domain = "console.example.com";
const dayMs = 86_400_000;

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Db;
let clock: FakeClock;
let ca: AcmeServer;
let plain: ReturnType<typeof createPlainServer>;
const applied: Certificate[] = [];

beforeAll(async () => {
  database = await createMigratedDatabase();
  db = createDb({
    url: database.runtimeUrl,
    connectionsMax: 4,
    statementTimeoutMs: 10_000,
    onConnectionError: () => undefined,
  });
});
afterAll(async () => {
  await db?.destroy();
  await database?.drop();
});

/** Each process has its own; the database is shared. */
function storeOfProcess(secret = "a secret of the installation"): CertificateStore {
  const sealer = createSealer(deriveKeys({ secret, formerSecrets: [] }, "certificates"));
  return createCertificateStore({ db, clock, sealer, domain });
}

beforeEach(async () => {
  for (const table of ["certificates", "acme_accounts", "acme_challenges"]) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
  clock = createFakeClock();
  plain = createPlainServer({
    // Always of a process that does not order: the CA asks any of them.
    answerTo: storeOfProcess().answerTo,
    publicOrigin: `https://${domain}`,
    trustedProxies: [],
    serveApp: (_request, answer) => answer.end("app"),
  });
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  ca = await startAcmeServer({ challengeOrigin: plainOrigin, now: clock.now });
  applied.length = 0;
});
afterEach(async () => {
  await ca.close();
  plain.close();
  plain.closeAllConnections();
});

function plainOrigin(): string {
  const address = plain.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");
  return `http://127.0.0.1:${address.port}`;
}

function renewal(store = storeOfProcess()): CertificateRenewal {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return createCertificateRenewal({
    certificates: createAcmeCertificates({
      directoryUrl: ca.directoryUrl,
      email: "operator@example.com",
      domain,
      store,
      pollMs: 10,
    }),
    orders: store,
    clock,
    metrics: new Registry(),
    log: silent,
    apply: (certificate) => applied.push(certificate),
  });
}

test("the CA issues a certificate for the domain, which is kept for the next start", async () => {
  const first = renewal();
  const temporary = await first.first();
  expect(new X509Certificate(temporary.cert).checkHost(domain)).toBe(domain);
  await first.check();
  const [issued] = applied;
  const leaf = new X509Certificate(issued?.cert ?? "");
  expect(leaf.checkHost(domain)).toBe(domain);
  expect(leaf.verify(new X509Certificate(ca.rootCertificate).publicKey)).toBe(true);
  expect(await db.selectFrom("acme_challenges").selectAll().execute()).toEqual([]);

  const second = renewal();
  expect((await second.first()).cert).toBe(issued?.cert);
  await second.check();
  expect(ca.issued).toHaveLength(1);
});

test("a certificate is renewed when a third of its time is left, under the same account", async () => {
  const certificates = renewal();
  await certificates.first();
  await certificates.check();
  clock.advance(59 * dayMs);
  await certificates.check();
  expect(ca.issued).toHaveLength(1);
  clock.advance(2 * dayMs);
  await certificates.check();
  expect(applied).toHaveLength(2);
  expect(applied[1]?.expiresAt.getTime()).toBeGreaterThan(applied[0]?.expiresAt.getTime() ?? 0);
});

test("while the CA is away the certificate stays in use, and tries come less and less often", async () => {
  const certificates = renewal();
  await certificates.first();
  await certificates.check();
  clock.advance(80 * dayMs);
  ca.isAway = true;
  const other = renewal();
  await other.first();
  const waits = [];
  for (let tries = 0; tries < 6; tries += 1) {
    // Each by another process: they share what they know of the CA.
    const waitMs = await (tries % 2 === 0 ? certificates : other).check();
    waits.push(waitMs / 1000);
    clock.advance(waitMs);
  }
  expect(waits).toEqual([60, 300, 900, 3_600, 21_600, 21_600]);
  expect(applied).toHaveLength(1);
  expect((await renewal().first()).cert).toBe(applied[0]?.cert);
  ca.isAway = false;
  await certificates.check();
  expect(applied).toHaveLength(2);
});

test("a challenge that another machine answers issues nothing", async () => {
  const certificates = renewal({ ...storeOfProcess(), putAnswer: () => Promise.resolve() });
  await certificates.first();
  await certificates.check();
  expect([applied.length, ca.issued.length]).toEqual([0, 0]);
});

describe("several processes of an installation", () => {
  test("order one certificate, and each serves it; the CA may ask any of them", async () => {
    const processes = [renewal(), renewal(), renewal()];
    for (const each of processes) await each.first();
    const waits = await Promise.all(processes.map((each) => each.check()));
    expect(ca.issued).toHaveLength(1);
    expect(waits.toSorted((a, b) => b - a)[0]).toBe(3_600_000);
    for (const each of processes) await each.look();
    expect(applied.map(({ cert }) => cert)).toEqual(Array(3).fill(applied[0]?.cert));
    await Promise.all(processes.map((each) => each.look()));
    expect(applied).toHaveLength(3);
  });

  test("wait for one that died in the middle of an order, and then go on", async () => {
    await storeOfProcess().takeOrder();
    const certificates = renewal();
    await certificates.first();
    const waitMs = await certificates.check();
    expect([waitMs, ca.issued.length]).toEqual([300_000, 0]);
    clock.advance(waitMs);
    await certificates.check();
    expect(ca.issued).toHaveLength(1);
  });

  test("keep keys encrypted: without the installation's secret there is no certificate, but a new one", async () => {
    const certificates = renewal();
    await certificates.check();
    const rows = JSON.stringify([
      await db.selectFrom("certificates").selectAll().execute(),
      await db.selectFrom("acme_accounts").selectAll().execute(),
    ]);
    expect(rows).toContain("BEGIN CERTIFICATE");
    expect(rows).not.toContain("PRIVATE");
    const stranger = storeOfProcess("another secret");
    expect(await stranger.read()).toBeUndefined();
    await expect(
      stranger.accountKey(ca.directoryUrl, () => Promise.resolve(Buffer.from("unused"))),
    ).rejects.toThrow(/PALISADE_FORMER_SECRETS/);
  });

  test("ask the database once at a time, however many strangers ask for challenges", async () => {
    let reads = 0;
    const { createSharedRead } = await import("./shared-read.ts");
    const read = createSharedRead(() => Promise.resolve(++reads));
    const results = await Promise.all(Array.from({ length: 100 }, () => read()));
    // The first read began before the others were asked for, and is too old for them.
    expect([results[0], new Set(results.slice(1)), reads]).toEqual([1, new Set([2]), 2]);
    expect(await read()).toBe(3);
  });
});

test("a renewal leaves open connections alone, and new ones get the new certificate", async () => {
  const certificates = renewal();
  await certificates.first();
  await certificates.check();
  const [old] = applied;
  const server = createSecureServer({ cert: old?.cert, key: old?.key }, (socket) =>
    socket.pipe(socket),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const open = async () => {
    const socket = connect({ port, servername: domain, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    return socket;
  };
  const before = await open();
  clock.advance(61 * dayMs);
  await certificates.check();
  server.setSecureContext({ cert: applied[1]?.cert ?? "", key: applied[1]?.key ?? "" });
  const after = await open();
  const serials = [before, after].map((socket) => socket.getPeerCertificate().serialNumber);
  expect(serials[0]).not.toBe(serials[1]);
  before.write("still there");
  expect(String((await once(before, "data"))[0])).toBe("still there");
  before.destroy();
  after.destroy();
  server.close();
});

test("the plain server serves edges of this machine and sends browsers to https", async () => {
  const ask = (path: string) => fetch(plainOrigin() + path, { redirect: "manual" });
  expect(await (await ask("/edge/v1/config")).text()).toBe("app");
  for (const path of ["/", "/dashboard?tab=1", "/api/docs", "//evil.example/"]) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      308,
      `https://${domain}${path}`,
    ]);
  }
  expect((await ask("/.well-known/acme-challenge/unknown")).status).toBe(404);
});

test("the plain server refuses programs and sends them nowhere, so that they notice", async () => {
  const answer = await fetch(`${plainOrigin()}/api/v1/auth/user`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(await answer.json()).toMatchObject({
    code: "bad_request",
    message: expect.stringContaining("by https only"),
  });
});
