import { once } from "node:events";
import http2 from "node:http2";
import https from "node:https";
import { text } from "node:stream/consumers";
import type { ConnectionOptions as TLSOptions, TLSSocket } from "node:tls";
import { startAcmeServer, type AcmeServer } from "@palisade/testing/acme-server";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { duplicate } from "@palisade/sockets/descriptors";
import { boundAddress, listenTcp } from "@palisade/sockets/tcp";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { compose } from "#src/compose.ts";
import { createMigratedDatabase, testConfig } from "#src/test-support/test-app.ts";
import { listen } from "./listen.ts";

/** The api on ports that outlive it, with a certificate that a CA issues while it starts. */

const domain = "console.example.com";
const loopback = { ip: "127.0.0.1", port: 0 };
const sockets = {
  http: listenTcp({ ...loopback, backlog: 128 }),
  https: listenTcp({ ...loopback, backlog: 128 }),
};
const httpPort = boundAddress(sockets.http).port;
const httpsPort = boundAddress(sockets.https).port;

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let ca: AcmeServer;
let api: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  database = await createMigratedDatabase();
  folder = await createTemporaryFolder("listen");
  ca = await startAcmeServer({ challengeOrigin: () => `http://127.0.0.1:${httpPort}` });
  api = await start();
  await until(async () => (await issuerOf()) === "Palisade test CA", { what: "the certificate" });
}, 60_000);
afterAll(async () => {
  await api?.stop();
  await ca?.close();
  await database?.drop();
  await folder?.remove();
});

async function start() {
  const config = {
    ...testConfig(database.runtimeUrl),
    development: false,
    home: folder.path,
    smtpUrl: "smtp://127.0.0.1:1",
    publicUrl: `https://${domain}`,
    tls: { kind: "acme", directoryUrl: ca.directoryUrl, email: undefined, domain } as const,
    inherited: { http: duplicate(sockets.http), https: duplicate(sockets.https) },
  };
  const composition = await compose({
    config,
    eventLoopDelayMsMax: Number.POSITIVE_INFINITY,
    log: pino({ level: "silent" }),
  });
  const listening = await listen(composition, config);
  return {
    server: composition.app.server,
    db: composition.platform.db,
    async stop() {
      listening.close();
      await composition.close();
    },
  };
}

const trusting = () => ({ port: httpsPort, servername: domain, ca: ca.rootCertificate });

/** One request on a connection of its own. */
function ask(path: string, options: https.RequestOptions = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const request = https.get(
        {
          ...trusting(),
          host: "127.0.0.1",
          path,
          agent: false,
          headers: { host: domain },
          ...options,
        },
        (answer) => {
          const { statusCode = 0, headers } = answer;
          text(answer).then((body) => resolve({ status: statusCode, headers, body }), reject);
        },
      );
      request.on("error", reject);
    },
  );
}

function issuerOf(): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = https.get({
      ...trusting(),
      host: "127.0.0.1",
      path: "/healthz",
      agent: false,
      rejectUnauthorized: false,
    });
    request.on("error", reject).on("response", (answer) => {
      // The agent's socket is one of TLS.
      const { issuer } = (answer.socket as TLSSocket).getPeerCertificate();
      answer.resume();
      resolve(String(issuer?.CN));
    });
  });
}

test("answers over TLS with a certificate that browsers trust, and demands https from then on", async () => {
  const answer = await ask("/healthz");
  expect([answer.status, answer.body]).toEqual([200, '{"status":"ok"}']);
  expect(answer.headers["strict-transport-security"]).toMatch(
    /^max-age=31536000; includeSubDomains$/,
  );
});

test("takes no protocol before TLS 1.2, and no cipher that leaves data open to change", async () => {
  const twelve = { maxVersion: "TLSv1.2" } as const;
  expect((await ask("/healthz", twelve)).status).toBe(200);
  // Good ones but for the authentication of what they encrypt.
  const old = { ...twelve, ciphers: "ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384" };
  await expect(ask("/healthz", old)).rejects.toThrow("handshake failure");
  const older = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" } as const;
  await expect(ask("/healthz", older)).rejects.toThrow("protocol version");
});

test("speaks HTTP/2", async () => {
  const session = http2.connect(`https://127.0.0.1:${httpsPort}`, trusting());
  try {
    const stream = session.request({ ":path": "/api/v1/auth/user", ":authority": domain });
    // The first argument of the event.
    const [headers] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
    expect([session.alpnProtocol, headers[":status"]]).toEqual(["h2", 401]);
    expect(JSON.parse(await text(stream))).toMatchObject({ code: "unauthenticated" });
    // One connection must not carry what a source may not open as connections.
    expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
  } finally {
    session.close();
  }
});

test("ends a request over HTTP/2 whose length is not the one it names", async () => {
  for (const length of ["1", "5"]) {
    const session = http2.connect(`https://127.0.0.1:${httpsPort}`, trusting());
    session.on("error", () => undefined);
    const request = session.request({
      ":method": "POST",
      ":path": "/api/v1/auth/login",
      ":authority": domain,
      "content-type": "application/json",
      "content-length": length,
    });
    const answers: unknown[] = [];
    request.on("error", () => undefined).on("response", (headers) => answers.push(headers));
    request.end("{}");
    await until(() => request.closed);
    expect(answers).toEqual([]);
    expect(request.rstCode).not.toBe(http2.constants.NGHTTP2_NO_ERROR);
    session.destroy();
  }
});

test("records the change of a caller who leaves before the answer, once and with the address", async () => {
  const session = http2.connect(`https://127.0.0.1:${httpsPort}`, trusting());
  session.on("error", () => undefined);
  api.server.once("stream", (stream: http2.ServerHttp2Stream) =>
    stream.once("end", () => session.destroy()),
  );
  const body = JSON.stringify({
    email: "hasty@example.com",
    password: "three blue horses",
    password_confirmation: "three blue horses",
    accept_privacy_policy: true,
  });
  const request = session.request({
    ":method": "POST",
    ":path": "/api/v1/auth/register",
    ":authority": domain,
    "content-type": "application/json",
  });
  request.on("error", () => undefined).end(body);
  const rows = await until(async () => {
    const found = await api.db
      .selectFrom("audit_log")
      .select(["ip", "response_status"])
      .where("endpoint", "=", "/api/v1/auth/register")
      .execute();
    return found.length > 0 ? found : undefined;
  });
  expect(rows).toEqual([{ ip: "127.0.0.1", response_status: 201 }]);
});

test("sends browsers on the plain port to https, but not edges of this machine", async () => {
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${httpPort}${path}`, { redirect: "manual" });
  const page = await get("/dashboard?tab=1");
  expect([page.status, page.headers.get("location")]).toEqual([
    308,
    `https://${domain}/dashboard?tab=1`,
  ]);
  expect((await get("/edge/v1/config")).status).toBe(401);
});

test("a restart loses no connection: each request that comes during it is answered", async () => {
  const outcomes: (number | string)[] = [];
  const visit = { isOver: false };
  const visitors = Array.from({ length: 4 }, async () => {
    while (!visit.isOver) {
      outcomes.push(
        await ask("/readyz").then(
          ({ status }) => status,
          (error: unknown) => String(error),
        ),
      );
    }
  });
  await until(() => outcomes.length > 20);
  await api.stop();
  api = await start();
  const before = outcomes.length;
  await until(() => outcomes.length > before + 20);
  visit.isOver = true;
  await Promise.all(visitors);
  expect(new Set(outcomes)).toEqual(new Set([200]));
  // The certificate was kept: the CA was not asked again.
  expect(ca.issued).toHaveLength(1);
}, 60_000);

test("the live channel opens over TLS alone, for pages of the public address", async () => {
  const connect = (url: string, origin: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      // `ws` hands its options on to tls.connect, whatever its types say.
      const tls: WebSocket.ClientOptions & TLSOptions = {
        servername: domain,
        ca: ca.rootCertificate,
      };
      const socket = new WebSocket(url, { ...tls, headers: { origin } });
      socket.once("upgrade", ({ statusCode }) => resolve(statusCode));
      socket.once("open", () => socket.close());
      socket.once("unexpected-response", (_request, { statusCode }) => {
        resolve(statusCode);
        socket.terminate();
      });
      socket.on("error", reject);
    });
  const secure = `wss://127.0.0.1:${httpsPort}/sockets`;
  expect(await connect(secure, `https://${domain}`)).toBe(101);
  expect(await connect(secure, "https://evil.example")).toBe(403);
  expect(await connect(`ws://127.0.0.1:${httpPort}/sockets`, `https://${domain}`)).toBe(308);
});
