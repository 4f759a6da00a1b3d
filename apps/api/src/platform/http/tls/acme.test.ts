import { stat } from "node:fs/promises";
import { createServer as createSecureServer, connect } from "node:tls";
import { once } from "node:events";
import { X509Certificate } from "node:crypto";
import path from "node:path";
import { startAcmeServer, type AcmeServer } from "@palisade/testing/acme-server";
import { createFakeClock, type FakeClock } from "@palisade/testing/fake-clock";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAcmeCertificates } from "./acme.ts";
import type { Certificate } from "./certificate.ts";
import { createCertificateRenewal, type CertificateRenewal } from "./certificate-renewal.ts";
import { createPlainServer, type ChallengeTokens } from "./plain-server.ts";

const domain = "console.example.com";
const dayMs = 86_400_000;

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let clock: FakeClock;
let ca: AcmeServer;
let plain: ReturnType<typeof createPlainServer>;
let tokens: ChallengeTokens;
const applied: Certificate[] = [];

beforeEach(async () => {
  folder = await createTemporaryFolder("tls");
  clock = createFakeClock();
  tokens = new Map();
  plain = createPlainServer({
    tokens,
    publicOrigin: `https://${domain}`,
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
  await folder.remove();
});

function plainOrigin(): string {
  const address = plain.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");
  return `http://127.0.0.1:${address.port}`;
}

function renewal(): CertificateRenewal {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return createCertificateRenewal({
    certificates: createAcmeCertificates({
      directoryUrl: ca.directoryUrl,
      email: "operator@example.com",
      domain,
      folder: folder.path,
      tokens,
      pollMs: 10,
    }),
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
  expect((await stat(path.join(folder.path, `${domain}.pem`))).mode & 0o777).toBe(0o600);
  expect(tokens.size).toBe(0);

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
  const waits = [];
  for (let tries = 0; tries < 6; tries += 1) waits.push((await certificates.check()) / 1000);
  expect(waits).toEqual([60, 300, 900, 3_600, 21_600, 21_600]);
  expect(applied).toHaveLength(1);
  expect((await renewal().first()).cert).toBe(applied[0]?.cert);
  ca.isAway = false;
  await certificates.check();
  expect(applied).toHaveLength(2);
});

test("a challenge that another machine answers issues nothing", async () => {
  tokens.set = () => tokens;
  const certificates = renewal();
  await certificates.first();
  await certificates.check();
  expect([applied.length, ca.issued.length]).toEqual([0, 0]);
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
  expect(await answer.json()).toMatchObject({
    code: "bad_request",
    message: expect.stringContaining("by https only"),
  });
});
