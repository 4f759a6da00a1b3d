import { randomUUID } from "node:crypto";
import type { ProbeResult } from "@palisade/contract/edge/probe";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { anyPort } from "#src/testing/any-port.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge, testBackend, testGroup, type TestEdge } from "#src/testing/test-edge.ts";

const banner = "220 mail.example.com ESMTP ready\r\n";
const dialogue = "EHLO spam.example\r\nMAIL FROM:<spam@example.com>\r\n";

let edge: TestEdge;
const stops: (() => unknown)[] = [];

beforeEach(async () => {
  edge = await startTestEdge({ unansweredPerSecondMax: 2 });
  stops.push(edge.stop);
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

function login(name = "Steve_01"): Buffer {
  const host = "play.example.org";
  const handshake = encodeHandshake({ protocol: 758, host, port: 25_565, intent: "login" });
  return Buffer.concat([handshake, encodeLoginStart(name)]);
}

/** A mail server: it greets, and answers every line. */
async function startMailServer() {
  const heard: Buffer[] = [];
  const server = await startTestBackend({
    onRaw: (socket) => {
      socket.write(banner);
      socket.on("data", (chunk: Buffer) => {
        heard.push(chunk);
        socket.write("250 OK\r\n");
      });
    },
  });
  stops.push(server.stop);
  return { ...server, heard: () => Buffer.concat(heard).toString("latin1") };
}

/** A Minecraft server: status is answered, a login is greeted. */
async function startMinecraft(status?: () => Buffer | undefined) {
  const server = await startTestBackend({ ...(status && { status }) });
  stops.push(server.stop);
  return server;
}

const unproven = (port: number, n = 1) => ({ ...testBackend(port, n), proven: false });

function otherGroup(port: number, ...backends: ShieldConfig["groups"][number]["backends"]) {
  return {
    ...testGroup(...backends),
    id: "0190a000-0000-7000-8000-000000000070",
    default: false,
    game: "other" as const,
    port,
  };
}

async function kicked(): Promise<string> {
  const player = await edge.connect();
  stops.push(() => player.socket.destroy());
  player.send(Buffer.concat([login(), Buffer.from(dialogue)]));
  await until(() => player.isOver);
  return player.received.toString("latin1");
}

describe("SMTP through the edge", () => {
  test("no byte of the dialogue passes in either direction for game minecraft", async () => {
    const mail = await startMailServer();
    edge.apply({ groups: [testGroup(unproven(mail.port))] });
    const received = await kicked();
    expect(received).toContain("Offline Steve_01");
    for (const said of ["220", "ESMTP", "250"]) expect(received).not.toContain(said);
    for (const said of ["Steve_01", "EHLO", "MAIL"]) expect(mail.heard()).not.toContain(said);
    expect(edge.outcomes.get("unproven")).toBe(1);
    expect(edge.outcomes.get("forwarded")).toBe(0);
  });

  test("no connection is made at all for game other", async () => {
    const mail = await startMailServer();
    const port = await freePort();
    edge.apply({ groups: [testGroup(), otherGroup(port, unproven(mail.port, 20))] });
    const player = await edge.connect(port);
    player.send(Buffer.from(dialogue));
    await until(() => player.isOver);
    expect(player.received).toHaveLength(0);
    edge.checks.start();
    for (let second = 0; second < 20; second++) edge.advance(1_000);
    expect(mail.state.connections).toBe(0);
    expect(edge.outcomes.get("unproven")).toBe(1);
  });

  test("a Minecraft server behind game other gets no player before its owner has proved it", async () => {
    const server = await startMinecraft();
    const port = await freePort();
    const groups = (proven: boolean) => [
      testGroup(),
      otherGroup(port, { ...testBackend(server.port, 20), proven }),
    ];
    edge.apply({ groups: groups(false) });
    const refused = await edge.connect(port);
    await until(() => refused.isOver);
    expect(server.state.connections).toBe(0);
    edge.apply({ groups: groups(true), revision: 2 });
    const player = await edge.connect(port);
    player.send(Buffer.from("hello"));
    await until(() => server.state.connections === 1);
    player.socket.destroy();
  });
});

test("a port that the installation refuses hears of no player, ping, check or probe, though its server was proven", async () => {
  const server = await startMinecraft();
  const refused = [{ first: server.port, last: server.port }];
  const backendPorts = { ...anyPort, refused };
  const strict = await startTestEdge({}, undefined, undefined, undefined, undefined, {
    backendPorts,
  });
  stops.push(strict.stop);
  const raw = await freePort();
  const other = otherGroup(raw, testBackend(server.port, 20));
  strict.apply({ groups: [testGroup(testBackend(server.port)), other] });
  const ping = encodeHandshake({
    protocol: 758,
    host: "play.example.org",
    port: 25_565,
    intent: "status",
  });
  const players = await Promise.all([strict.connect(), strict.connect(), strict.connect(raw)]);
  stops.push(() => players.forEach(({ socket }) => socket.destroy()));
  const [joining, pinging, playing] = players;
  joining?.send(login());
  pinging?.send(Buffer.concat([ping, Buffer.from([1, 0])]));
  playing?.send(Buffer.from(dialogue));
  await until(() => joining?.isOver && playing?.isOver && pinging?.text.includes("Offline"));
  strict.checks.start();
  let probed: ProbeResult | undefined;
  const probe = { id: randomUUID(), host: "127.0.0.1", port: server.port, deadline_ms: 5_000 };
  strict.probes.take(
    { ...probe, hostname: "play.example.org", protocol: 767, proxy: "both" },
    (result) => (probed = result),
  );
  await until(() => {
    strict.advance(1_000);
    return probed && strict.health.drain().some(({ last_error }) => last_error === "forbidden");
  });
  expect(probed?.attempts.map(({ outcome }) => outcome)).toEqual(["forbidden", "forbidden"]);
  expect(server.state.connections).toBe(0);
});

describe("a backend that is not proven", () => {
  test("gets its players once it has answered a status request, asked once for all who wait", async () => {
    const server = await startMinecraft();
    edge.apply({ groups: [testGroup(unproven(server.port))] });
    const players = await Promise.all(Array.from({ length: 6 }, () => edge.connect()));
    for (const player of players) player.send(login());
    await until(() => edge.outcomes.get("forwarded") === players.length);
    await until(() => server.state.connections >= 1 + players.length);
    expect(server.state.connections).toBe(1 + players.length);
    const [reported] = edge.health.drain();
    expect(reported).toMatchObject({ answered_at: { host: "127.0.0.1", port: server.port } });
    for (const player of players) player.socket.destroy();
  });

  test("that was off when the shield was made takes the first player after it has started", async () => {
    const port = await freePort();
    edge.apply({ groups: [testGroup(unproven(port))] });
    edge.checks.start();
    await until(() => {
      edge.advance(1_000);
      return edge.health.drain().some(({ state }) => state === "down");
    });
    expect(await kicked()).toContain("Offline Steve_01");
    // From now on it hears of players alone.
    edge.checks.stop();
    const server = await startTestBackend({ port });
    stops.push(server.stop);
    // A failed attempt counts for a second.
    edge.advance(2_000);
    const player = await edge.connect();
    stops.push(() => player.socket.destroy());
    player.send(login());
    await until(() => edge.outcomes.get("forwarded") === 1);
    await until(() => server.state.connections === 2);
    expect(edge.health.drain()).toMatchObject([{ answered_at: { host: "127.0.0.1", port } }]);
  });

  test("is left out of the balancing while another one is proven", async () => {
    const mail = await startMailServer();
    const server = await startMinecraft();
    edge.apply({ groups: [testGroup(unproven(mail.port, 1), testBackend(server.port, 2))] });
    for (let n = 1; n <= 3; n++) {
      const player = await edge.connect();
      player.send(login());
      await until(() => edge.outcomes.get("forwarded") === n);
      player.socket.destroy();
    }
    expect(mail.state.connections).toBe(0);
  });

  test("is proven by an answered ping, and needs a new proof at another port", async () => {
    const server = await startMinecraft();
    const mail = await startMailServer();
    edge.apply({ groups: [testGroup(unproven(server.port))] });
    const pinging = await edge.connect();
    const host = "play.example.org";
    const handshake = encodeHandshake({ protocol: 758, host, port: 25_565, intent: "status" });
    pinging.send(Buffer.concat([handshake, Buffer.from([1, 0])]));
    await until(() => pinging.text.includes('"Test"'));
    const player = await edge.connect();
    player.send(login());
    await until(() => edge.outcomes.get("forwarded") === 1);
    await until(() => server.state.connections === 2);
    edge.apply({ groups: [testGroup(unproven(mail.port))], revision: 2 });
    expect(await kicked()).toContain("Offline");
    player.socket.destroy();
  });

  test("is not proven by a status packet that holds no status", async () => {
    const server = await startMinecraft(() => encodeStatusResponse('{"jsonrpc":"2.0"}'));
    edge.apply({ groups: [testGroup(unproven(server.port))] });
    expect(await kicked()).toContain("Offline");
    expect(server.state.statuses).toBe(1);
  });

  test("is asked although the configuration says proven where a name could lead elsewhere", async () => {
    const mail = await startMailServer();
    const named = { ...testBackend(mail.port), host: "localhost", proven: true };
    edge.apply({ groups: [testGroup(named)] });
    expect(await kicked()).toContain("Offline");
    expect(mail.heard()).not.toContain("Steve_01");
  });
});

test("a name that the configuration proves has its part in the balancing, once its address answers", async () => {
  const [one, two] = [await startMinecraft(), await startMinecraft()];
  const named = { ...testBackend(two.port, 2), host: "localhost" };
  edge.apply({ groups: [testGroup(testBackend(one.port, 1), named)] });
  for (let n = 1; n <= 4; n++) {
    const player = await edge.connect();
    stops.push(() => player.socket.destroy());
    player.send(login());
    await until(() => edge.outcomes.get("forwarded") === n);
  }
  // Two players each, and one request for the status.
  await until(() => one.state.connections + two.state.connections === 5);
  expect([one.state.connections, two.state.connections]).toEqual([2, 3]);
});

describe("connects to backends that do not answer", () => {
  test.each(["127.0.0.1", "localhost"])(
    "named %s are as many per shield and second as the limit says, whatever the number of logins",
    async (host) => {
      const mail = await Promise.all(Array.from({ length: 8 }, () => startMailServer()));
      const backends = mail.map(({ port }, n) => ({ ...unproven(port, n), host }));
      edge.apply({ groups: [testGroup(...backends)] });
      const connects = () => mail.reduce((sum, { state }) => sum + state.connections, 0);
      const beganAt = Date.now();
      for (let n = 0; n < 6; n++) await kicked();
      const seconds = Math.ceil((Date.now() - beganAt) / 1_000) + 1;
      expect(connects()).toBeLessThanOrEqual(2 * seconds);
      expect(edge.outcomes.get("shed_dials")).toBeGreaterThan(0);
    },
  );

  test.each(["127.0.0.1", "localhost"])(
    "named %s are as many for health checks, the second look with a PROXY header included",
    async (host) => {
      const mail = await startMailServer();
      const backends = Array.from({ length: 30 }, (_, n) => ({ ...unproven(mail.port, n), host }));
      edge.apply({ groups: [testGroup(...backends)] });
      const beganAt = Date.now();
      edge.checks.start();
      let seconds = 1;
      await until(() => {
        edge.advance(1_000);
        seconds++;
        return mail.state.connections >= 20;
      });
      seconds += Math.ceil((Date.now() - beganAt) / 1_000);
      expect(mail.state.connections).toBeLessThanOrEqual(2 * seconds);
    },
  );

  test("do not count for players of a backend that is up", async () => {
    const server = await startMinecraft();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const players = await Promise.all(Array.from({ length: 30 }, () => edge.connect()));
    for (const player of players) player.send(login());
    await until(() => edge.outcomes.get("forwarded") === players.length);
    for (const player of players) player.socket.destroy();
  });
});
