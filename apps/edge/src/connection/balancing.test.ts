import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { sampleDomain } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  type TestEdge,
  testGroup,
  type TestPlayer,
} from "#src/testing/test-edge.ts";

let edge: TestEdge;
const stops: (() => unknown)[] = [];

beforeEach(async () => {
  edge = await startTestEdge();
  stops.push(edge.stop);
  edge.checks.start();
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const method = (balancing: "round_robin" | "least_connections" | "ip_hash" | "random") => ({
  balancing,
});

const status = encodeStatusResponse(JSON.stringify({ version: { name: "Test", protocol: 758 } }));

/** A server that answers logins with its letter. */
async function startServer(letter: string, port?: number) {
  const server = await startTestBackend({
    ...(port === undefined ? {} : { port }),
    onRaw: (socket) => {
      socket.once("data", (head: Buffer) => {
        socket.write(head.includes("Steve") ? letter : status);
      });
      socket.on("end", () => socket.end());
    },
  });
  stops.push(server.stop);
  return server;
}

async function startServers(letters: string) {
  const servers = await Promise.all([...letters].map((letter) => startServer(letter)));
  const backends = servers.map(({ port }, n) => testBackend(port, n + 1));
  return { servers, backends };
}

const login = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
  encodeLoginStart("Steve"),
]);

/** The backend the player is sent to, or the text they read if there is none. */
async function join(host = "play.example.org", from?: string): Promise<[string, TestPlayer]> {
  const player = await edge.connect(undefined, from);
  stops.push(() => player.socket.destroy());
  const handshake = encodeHandshake({ protocol: 758, host, port: 1, intent: "login" });
  player.send(Buffer.concat([handshake, encodeLoginStart("Steve")]));
  await until(() => player.text.length > 0 || player.isOver, { everyMs: 2 });
  return [player.text, player];
}

async function joins(count: number): Promise<string> {
  const letters: string[] = [];
  for (let n = 0; n < count; n++) letters.push((await join())[0]);
  return letters.join("");
}

describe("balancing", () => {
  test("round robin: each in turn", async () => {
    const { backends } = await startServers("ABC");
    edge.apply({ groups: [{ ...testGroup(...backends), ...method("round_robin") }] });
    expect(await joins(7)).toBe("ABCABCA");
  });

  test("least connections: where the fewest players are, wherever they leave", async () => {
    const { backends } = await startServers("ABC");
    edge.apply({ groups: [{ ...testGroup(...backends), ...method("least_connections") }] });
    const players = [await join(), await join(), await join(), await join()];
    expect(players.map(([letter]) => letter).join("")).toBe("ABCA");
    players[1]?.[1].socket.destroy();
    await until(() => edge.counters.players === 3);
    expect(await joins(3)).toBe("BBC");
  });

  test("random: every server has some of the players", async () => {
    const { backends } = await startServers("ABC");
    edge.apply({ groups: [{ ...testGroup(...backends), ...method("random") }] });
    // One of three is left out by chance less than once in 10^8 runs.
    expect(new Set(await joins(48))).toEqual(new Set("ABC"));
  });

  test("IP hash: an address keeps its server while others fail and come back", async () => {
    const { servers, backends } = await startServers("ABC");
    edge.apply({ groups: [{ ...testGroup(...backends), ...method("ip_hash") }] });
    const addresses = Array.from({ length: 24 }, (_, n) => `127.0.0.${n + 2}`);
    const homes = async (): Promise<Map<string, string>> => {
      const found = new Map<string, string>();
      for (const address of addresses) found.set(address, (await join(undefined, address))[0]);
      return found;
    };
    const before = await homes();
    expect(new Set(before.values())).toEqual(new Set("ABC"));
    expect(await homes()).toEqual(before);

    const [{ port } = { port: 0 }] = servers;
    await servers[0]?.stop();
    const whileDown = await homes();
    for (const [address, letter] of before) {
      expect(whileDown.get(address)).toEqual(
        letter === "A" ? expect.stringMatching(/^[BC]$/) : letter,
      );
    }
    await startServer("A", port);
    edge.advance(30_000);
    await until(async () => {
      edge.advance(3_000);
      const now = await homes();
      return [...before].every(([address, letter]) => now.get(address) === letter);
    });
  });
});

describe("failover", () => {
  test("the group's other servers, then the default group, then offline; back when it is up", async () => {
    const { servers, backends } = await startServers("AB");
    const spare = await startServer("S");
    const local = {
      ...testGroup(...backends),
      id: "0190a000-0000-7000-8000-000000000051",
      default: false,
      location: "here",
    };
    edge.location.setLocation("here");
    edge.apply({ groups: [local, testGroup(testBackend(spare.port, 3))] });
    expect(await joins(4)).toBe("ABAB");
    const [, player] = await join();
    await servers[0]?.stop();
    expect(player.isOver || player.text === "A").toBe(true);
    expect(await joins(4)).toBe("BBBB");
    await servers[1]?.stop();
    expect(await joins(3)).toBe("SSS");
    await spare.stop();
    expect((await join())[0]).toContain("Offline Steve");
    expect(edge.outcomes.get("offline")).toBe(1);

    // Every server is down: one is still tried, and the first that is back is found.
    const { port } = spare;
    await startServer("S", port);
    await until(async () => {
      edge.advance(1_500);
      return (await join())[0] === "S";
    });
  });

  test("players who are there play on while a server beside theirs fails", async () => {
    const { servers, backends } = await startServers("AB");
    edge.apply({ groups: [testGroup(...backends)] });
    const [a, b] = [await join(), await join()];
    expect([a[0], b[0]]).toEqual(["A", "B"]);
    await servers[0]?.stop();
    await until(() => a[1].isOver);
    expect(await joins(2)).toBe("BB");
    expect(b[1].isOver).toBe(false);
  });

  test("each group's own PROXY setting holds on the way from one to the next", async () => {
    const heads: Buffer[] = [];
    const raw = await startTestBackend({
      onRaw: (socket) => {
        socket.once("data", (head: Buffer) => {
          if (head.includes("Steve")) heads.push(head);
          socket.write(head.includes("Steve") ? "R" : status);
        });
      },
    });
    stops.push(raw.stop);
    const gone = await startServer("X");
    await gone.stop();
    for (const proxied of [true, false]) {
      const first = {
        ...testGroup(testBackend(gone.port, 1)),
        id: "0190a000-0000-7000-8000-000000000051",
        default: false,
        location: "here",
        proxy_protocol: !proxied,
      };
      const second = { ...testGroup(testBackend(raw.port, 2)), proxy_protocol: proxied };
      edge.location.setLocation("here");
      edge.apply({ groups: [first, second] });
      expect((await join())[0]).toBe("R");
      expect(heads.at(-1)?.subarray(0, 5).toString("hex") === "0d0a0d0a00").toBe(proxied);
    }
  });

  test("a server known to be down costs a player no attempt", async () => {
    const { servers, backends } = await startServers("AB");
    edge.apply({ groups: [testGroup(...backends)] });
    await servers[0]?.stop();
    const told = await until(() => {
      edge.advance(3_000);
      return edge.health.drain().find(({ state }) => state === "down");
    });
    expect(told).toMatchObject({ backend_id: backends[0]?.id, last_error: "refused" });
    expect(await joins(6)).toBe("BBBBBB");
  });
});

describe("effect of connections on a backend's health", () => {
  /** Health known from checks alone or also from joins; time passes. */
  const isDown = (n: number) => {
    const told = edge.health.drain();
    return told.some(
      ({ backend_id, state }) => backend_id === testBackend(1, n).id && state === "down",
    );
  };

  test("that it is connected, nothing: one that hangs goes down however many join", async () => {
    const { backends } = await startServers("B");
    const hung = await startTestBackend({ onRaw: () => undefined });
    stops.push(hung.stop);
    edge.apply({
      groups: [{ ...testGroup(testBackend(hung.port, 7), ...backends), ...method("round_robin") }],
    });
    await until(async () => {
      const player = await edge.connect();
      stops.push(() => player.socket.destroy());
      player.send(login);
      edge.advance(1_000);
      return isDown(7);
    });
    expect(await joins(4)).toBe("BBBB");
  });

  test("a server with its status turned off gets players, from the first", async () => {
    const { backends } = await startServers("B");
    const quiet = await startTestBackend({
      onRaw: (socket) => {
        socket.once("data", (head: Buffer) => {
          if (head.includes("Steve")) socket.write("Q");
          else socket.end();
        });
      },
    });
    stops.push(quiet.stop);
    edge.apply({
      groups: [{ ...testGroup(testBackend(quiet.port, 7), ...backends), ...method("round_robin") }],
    });
    await until(() => {
      edge.advance(1_000);
      return isDown(7);
    });
    expect([...(await joins(4))].toSorted().join("")).toBe("BBQQ");
  });

  test("a server that accepts players and hangs up on them gets only a few", async () => {
    const { backends } = await startServers("B");
    const gone = await startTestBackend({ onRaw: (socket) => void socket.end() });
    stops.push(gone.stop);
    edge.apply({
      groups: [{ ...testGroup(testBackend(gone.port, 7), ...backends), ...method("round_robin") }],
    });
    await until(() => {
      edge.advance(1_000);
      return isDown(7);
    });
    await joins(2);
    expect(await joins(4)).toBe("BBBB");
  });
});

describe("the way to a group", () => {
  const place = (n: number, location: string | null) => ({
    id: `0190a000-0000-7000-8000-00000000006${n}`,
    default: false,
    location,
  });

  test("goes by the edge's location and by the domain, wildcards among them", async () => {
    const { backends } = await startServers("DLFW");
    const [main, london, frankfurt, wild] = backends.map((backend) => testGroup(backend));
    if (!main || !london || !frankfurt || !wild) throw new Error("four");
    edge.location.setLocation("london");
    edge.apply({
      domains: [
        sampleDomain("play.example.org"),
        { ...sampleDomain("*.example.org"), group_id: place(3, null).id },
        { ...sampleDomain("far.example.org"), group_id: place(2, null).id },
        { ...sampleDomain("main.example.org"), group_id: main.id },
      ],
      groups: [
        { ...main },
        { ...london, ...place(1, "london") },
        { ...frankfurt, ...place(2, "frankfurt") },
        { ...wild, ...place(3, null) },
      ],
    });
    const hosts = {
      "play.example.org": "L",
      "PLAY.example.org.": "L",
      "any.example.org\0FML2\0": "W",
      "a.b.example.org": "W",
      "far.example.org": "L",
      "main.example.org": "D",
      "abcdefghijkl.gs.localhost": "L",
    };
    for (const [host, letter] of Object.entries(hosts)) {
      expect((await join(host))[0], host).toBe(letter);
    }
    expect((await join("example.org"))[0]).toContain("no server at this address");
    edge.location.setLocation("frankfurt");
    expect((await join())[0]).toBe("F");
    expect((await join("far.example.org"))[0]).toBe("F");
    edge.location.setLocation("warsaw");
    expect((await join())[0]).toBe("D");
  });
});
