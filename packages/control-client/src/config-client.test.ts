import { readdir } from "node:fs/promises";
import { startImpairmentProxy } from "@palisade/testing/impairment-proxy";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { createLastGoodStore } from "./last-good-store.ts";
import { createTestNode, recordOf, shieldId, type TestNode } from "./testing/config-harness.ts";
import {
  startControlPlaneServer,
  type ControlPlaneServer,
} from "./testing/control-plane-server.ts";
import { createTestFolder } from "./testing/recorder.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function startApi(
  options: Parameters<typeof startControlPlaneServer>[0] = {},
): Promise<ControlPlaneServer> {
  const api = await startControlPlaneServer(options);
  ends.push(() => api.close());
  return api;
}

async function newFolder(): Promise<string> {
  const folder = await createTestFolder();
  ends.push(async () => folder[Symbol.asyncDispose]());
  return folder.path;
}

async function startNode(...args: Parameters<typeof createTestNode>): Promise<TestNode> {
  const node = createTestNode(...args);
  ends.push(() => node.client.stop());
  await node.client.load();
  node.client.start();
  return node;
}

async function serves(node: TestNode, n: number, what: string): Promise<void> {
  await until(() => node.served.get(shieldId(n)) === what, { what: `shield ${n} at ${what}` });
}

async function answered(api: ControlPlaneServer, n: number, revision: number) {
  return until(
    () => api.acks.find((ack) => ack.shield_id === shieldId(n) && ack.revision === revision),
    { what: `the acknowledgement of shield ${n} revision ${revision}` },
  );
}

describe("configuration stream", () => {
  test("a snapshot, a change and a removal are applied, acknowledged and kept on disk", async () => {
    const api = await startApi();
    const folder = await newFolder();
    api.change([recordOf(1, 1), recordOf(2, 1)]);
    const node = await startNode(api.url, api.credential, folder);
    await serves(node, 2, "1 open");
    expect((await answered(api, 1, 1)).outcome).toBe("applied");

    api.change([recordOf(1, 2, "closed")]);
    await serves(node, 1, "2 closed");
    expect((await answered(api, 1, 2)).outcome).toBe("applied");
    api.change([], [shieldId(2)]);
    await until(() => !node.served.has(shieldId(2)));
    await until(
      async () => (await readdir(folder)).filter((n) => n.endsWith(".shield")).length === 1,
    );
    expect(api.opened).toEqual([0]);
  });

  test("the address of the control plane may end in a slash", async () => {
    const api = await startApi();
    api.change([recordOf(1, 1)]);
    const node = await startNode(`${api.url}/`, api.credential, await newFolder());
    await serves(node, 1, "1 open");
    expect((await answered(api, 1, 1)).outcome).toBe("applied");
  });

  test("the last good configuration serves while the control plane is dead", async () => {
    const api = await startControlPlaneServer();
    const folder = await newFolder();
    api.change([recordOf(1, 4, "closed")]);
    const first = await startNode(api.url, api.credential, folder);
    await answered(api, 1, 4);
    await until(() => first.client.stats().version === api.version());
    await first.client.stop();
    await api.close();

    const second = await startNode(api.url, api.credential, folder);
    expect(second.served.get(shieldId(1))).toBe("4 closed");
    // It still serves after reconnect attempts, and the same api continues with a delta.
    await until(() => second.client.stats().connection === "connecting");
    const again = await startApi({ port: api.port });
    const reached = again.change([recordOf(1, 4, "closed")]);
    await until(() => second.client.stats().version === reached);
    expect(second.served.get(shieldId(1))).toBe("4 closed");
  });

  test("after a restart in the same version nothing is sent or applied again", async () => {
    const api = await startApi();
    const folder = await newFolder();
    const version = api.change([recordOf(1, 1)]);
    const first = await startNode(api.url, api.credential, folder);
    await until(() => first.client.stats().version === version);
    await first.client.stop();
    const second = await startNode(api.url, api.credential, folder);
    await until(() => api.opened.length === 2);
    expect(api.opened).toEqual([0, version]);
    api.change([recordOf(2, 1)]);
    await serves(second, 2, "1 open");
    expect(second.applied).toEqual([`${shieldId(1)} 1`, `${shieldId(2)} 1`]);
  });

  test("a partition that heals leads to the newest version", async () => {
    const api = await startApi();
    const proxy = await startImpairmentProxy({ host: "127.0.0.1", port: api.port });
    ends.push(() => proxy.close());
    api.change([recordOf(1, 1), recordOf(2, 1)]);
    const node = await startNode(
      `http://127.0.0.1:${proxy.port}`,
      api.credential,
      await newFolder(),
      { silenceMsMax: 200 },
    );
    await serves(node, 1, "1 open");

    proxy.impair({ isBlackHole: true });
    api.change([recordOf(1, 2, "closed")]);
    api.change([recordOf(1, 3, "closed"), recordOf(3, 1)], [shieldId(2)]);
    // Only the missing heartbeats show that the connection is half-open.
    await until(() => node.client.stats().connection === "connecting");
    expect(node.served.get(shieldId(1))).toBe("1 open");
    expect(node.served.get(shieldId(2))).toBe("1 open");

    proxy.impair({ isBlackHole: false });
    await serves(node, 1, "3 closed");
    await until(() => !node.served.has(shieldId(2)) && node.served.has(shieldId(3)));
    expect((await answered(api, 1, 3)).outcome).toBe("applied");
  });

  test("a reset in the middle of a snapshot takes nothing out of service", async () => {
    const api = await startApi();
    const proxy = await startImpairmentProxy({ host: "127.0.0.1", port: api.port });
    ends.push(() => proxy.close());
    const count = 40;
    const all = Array.from({ length: count }, (_, i) => recordOf(i + 1, 1));
    api.change(all);
    const url = `http://127.0.0.1:${proxy.port}`;
    const folder = await newFolder();
    const node = await startNode(url, api.credential, folder);
    await until(() => node.served.size === count);

    proxy.resetAll();
    proxy.impair({ bytesPerSecond: 20_000 });
    api.change(all.map((_, i) => recordOf(i + 1, 2, "closed", "x".repeat(2_000))));
    await until(() => [...node.served.values()].includes("2 closed"));
    proxy.resetAll();
    expect(node.served.size).toBe(count);
    proxy.impair({ bytesPerSecond: Number.POSITIVE_INFINITY });
    await until(() => [...node.served.values()].every((served) => served === "2 closed"));
    expect(node.served.size).toBe(count);
  });

  test("a delta that builds on another version is not applied; the client reconnects", async () => {
    const api = await startApi();
    const version = api.change([recordOf(1, 1)]);
    const node = await startNode(api.url, api.credential, await newFolder());
    await until(() => node.client.stats().version === version);
    api.send({
      kind: "delta",
      version: version + 9,
      since: version + 8,
      shields: [recordOf(1, 9, "closed")],
      removed: [],
    });
    await until(() => api.opened.length === 2);
    expect(api.opened).toEqual([0, version]);
    expect(node.served.get(shieldId(1))).toBe("1 open");
  });

  test.each([["not JSON at all"], ['{"kind":"delta","version":1}'], ['{"kind":"shield"']])(
    "the line %s ends the connection, and a snapshot puts things right",
    async (text) => {
      const api = await startApi();
      const version = api.change([recordOf(1, 1)]);
      const node = await startNode(api.url, api.credential, await newFolder());
      await until(() => node.client.stats().version === version);
      api.send(text);
      await until(() => api.opened.length === 2);
      expect(api.opened).toEqual([0, 0]);
      await until(() => node.client.stats().connection === "streaming");
      expect(node.served.get(shieldId(1))).toBe("1 open");
    },
  );

  test("an unknown line of a newer control plane is ignored", async () => {
    const api = await startApi();
    const node = await startNode(api.url, api.credential, await newFolder());
    await until(() => api.streams() === 1);
    api.send('{"kind":"probe","target":"203.0.113.9"}');
    api.change([recordOf(1, 1)]);
    await serves(node, 1, "1 open");
    expect(api.opened).toHaveLength(1);
  });

  test("a probe is passed on at any position, and a malformed one breaks nothing", async () => {
    const api = await startApi();
    api.change([recordOf(1, 1)]);
    const node = await startNode(api.url, api.credential, await newFolder());
    await serves(node, 1, "1 open");
    const probe = {
      id: shieldId(9),
      host: "mc.example.com",
      port: 25_565,
      hostname: "mc.example.com",
      protocol: 767,
      proxy: "both",
      deadline_ms: 1_000,
    } as const;
    api.send('{"kind":"probe","probe":{"id":1}}');
    api.send({ kind: "probe", probe });
    api.send('{"kind":"fleet","addresses":7}');
    api.change([recordOf(1, 2)]);
    await serves(node, 1, "2 open");
    expect(node.probes).toEqual([probe]);
    expect(api.opened).toEqual([0]);
  });

  test("an incomplete snapshot removes nothing", async () => {
    const api = await startApi();
    const version = api.change([recordOf(1, 1), recordOf(2, 1)]);
    const node = await startNode(api.url, api.credential, await newFolder());
    await until(() => node.client.stats().version === version);
    api.send({ kind: "snapshot_start", version: version + 1 });
    api.send({ kind: "snapshot_end", version: version + 1, count: 2 });
    await until(() => api.opened.length === 2);
    expect(node.served.size).toBe(2);
  });

  test("a snapshot removes shields it does not name, and its revisions apply even if older", async () => {
    const api = await startApi();
    const version = api.change([recordOf(1, 5), recordOf(2, 5)]);
    const node = await startNode(api.url, api.credential, await newFolder());
    await until(() => node.client.stats().version === version);
    api.send({ kind: "snapshot_start", version: 1 });
    api.send({ kind: "shield", version: 1, record: recordOf(1, 2, "closed") });
    api.send({ kind: "snapshot_end", version: 1, count: 1 });
    await until(() => !node.served.has(shieldId(2)));
    expect(node.served.get(shieldId(1))).toBe("2 closed");
  });
});

describe("versions of another history", () => {
  test("after a restore from backup the same number is another version: a snapshot corrects it", async () => {
    const api = await startApi();
    const folder = await newFolder();
    api.change([recordOf(1, 2, "closed"), recordOf(2, 1)]);
    const version = api.change([recordOf(3, 1)]);
    const node = await startNode(api.url, api.credential, folder);
    await until(() => node.client.stats().version === version);
    api.restore({ epoch: "history-2", version, records: [recordOf(1, 1), recordOf(4, 1)] });
    await serves(node, 4, "1 open");
    await serves(node, 1, "1 open");
    await until(() => node.served.size === 2);
    expect(api.origins.at(-1)).toEqual({ edge: api.nodeId, epoch: "history-1" });

    // From then on it holds the new history, also after a restart.
    await until(() => node.client.stats().version === version);
    await node.client.stop();
    const before = api.opened.length;
    const again = await startNode(api.url, api.credential, folder);
    await until(() => api.opened.length > before);
    expect(api.origins.at(-1)).toEqual({ edge: api.nodeId, epoch: "history-2" });
    await until(() => again.client.stats().connection === "streaming");
    expect(again.served.size).toBe(2);
  });

  test("a copy of a release without histories names none", async () => {
    const api = await startApi();
    const folder = await newFolder();
    const store = createLastGoodStore(folder);
    await store.load();
    await store.put(recordOf(1, 1));
    await store.commit({ version: 1, shields: 1, refused: 0 });
    const node = await startNode(api.url, api.credential, folder);
    await until(() => api.opened.length === 1);
    expect([api.opened, api.origins]).toEqual([[1], [{ edge: null, epoch: null }]]);
    // The snapshot names no shield.
    await until(() => node.served.size === 0);
  });

  test("the version is reported even when there is nothing to acknowledge, and only when it is known to be current", async () => {
    const api = await startApi();
    const folder = await newFolder();
    const first = api.change([recordOf(1, 1)]);
    const node = await startNode(api.url, api.credential, folder);
    await until(() => api.reported.at(-1) === first);
    const second = api.change([], [shieldId(1)]);
    await until(() => api.reported.at(-1) === second);
    const third = api.change([recordOf(2, 1)]);
    await until(() => api.reported.at(-1) === third);
    await node.client.stop();

    api.fail("config", 503);
    const acknowledged = api.acks.length;
    const again = await startNode(api.url, api.credential, folder);
    await until(() => api.acks.length > acknowledged);
    expect(api.reported.at(-1)).toBe(0);
    api.fail("config", null);
    await until(() => api.reported.at(-1) === third);
    expect(again.client.stats().version).toBe(third);
  });
});

describe("a record that cannot be applied", () => {
  test.each([
    ["an unknown value", recordOf(1, 2, "half-open")],
    ["an unknown key", { ...recordOf(1, 2), config: { ...objectOf(1, 2), surprise: true } }],
    ["another shield's configuration", { ...recordOf(1, 2), config: objectOf(7, 2) }],
    ["another revision's configuration", { ...recordOf(1, 2), config: objectOf(1, 1) }],
    ["no configuration", { ...recordOf(1, 2), config: null }],
    ["more bytes than the cap", recordOf(1, 2, "closed", "x".repeat(2_200_000))],
  ])("with %s is refused alone, and its last good one stays", async (_, invalid) => {
    const api = await startApi();
    const folder = await newFolder();
    api.change([recordOf(1, 1), recordOf(2, 1)]);
    const node = await startNode(api.url, api.credential, folder);
    await serves(node, 2, "1 open");

    // The invalid record comes first: the rest of the same delta must still apply.
    const version = api.change([invalid, recordOf(2, 2, "closed"), recordOf(3, 1)]);
    const refusal = await answered(api, 1, 2);
    expect(refusal.outcome).toBe("rejected");
    expect(refusal.reason).not.toBe("");
    expect((await answered(api, 2, 2)).outcome).toBe("applied");
    await serves(node, 3, "1 open");
    expect(node.served.get(shieldId(1))).toBe("1 open");
    await until(() => node.client.stats().version === version);
    expect(node.client.stats().refused).toBe(1);

    // Also after a restart, with the invalid record in the snapshot, and without a control plane.
    await node.client.stop();
    const again = await startNode(api.url, api.credential, folder);
    expect(again.served.get(shieldId(1))).toBe("1 open");
    await until(() => again.client.stats().version === version);
    expect(again.served.get(shieldId(1))).toBe("1 open");
    expect(again.served.get(shieldId(2))).toBe("2 closed");

    api.change([recordOf(1, 3, "closed")]);
    await serves(again, 1, "3 closed");
    expect((await answered(api, 1, 3)).outcome).toBe("applied");
    expect(again.client.stats().refused).toBe(0);
  });

  test("because of an error while it is applied is refused with the error's message", async () => {
    const api = await startApi();
    api.change([recordOf(1, 1)]);
    const node = await startNode(api.url, api.credential, await newFolder());
    await serves(node, 1, "1 open");
    node.failFor.add(shieldId(1));
    api.change([recordOf(1, 2, "closed")]);
    expect(await answered(api, 1, 2)).toMatchObject({
      outcome: "rejected",
      reason: "cannot run this",
    });
    expect(node.served.get(shieldId(1))).toBe("1 open");
  });

  test("on a line above the cap is refused alone; in a delta, a snapshot follows", async () => {
    const api = await startApi();
    const version = api.change([recordOf(1, 1), recordOf(2, 1)]);
    const limits = { lineBytesMax: 5_000 };
    const node = await startNode(api.url, api.credential, await newFolder(), limits);
    await until(() => node.client.stats().version === version);
    const reached = api.change([recordOf(1, 2, "closed", "x".repeat(6_000)), recordOf(2, 2)]);
    await serves(node, 2, "2 open");
    expect((await answered(api, 1, 2)).outcome).toBe("rejected");
    await until(() => node.client.stats().version === reached);
    expect(node.served.get(shieldId(1))).toBe("1 open");
    expect(api.opened).toEqual([0, 0]);
  });

  test("that is torn inside a snapshot affects no other shield", async () => {
    const api = await startApi();
    api.change([recordOf(1, 1), recordOf(2, 1)]);
    const folder = await newFolder();
    const node = await startNode(api.url, api.credential, folder);
    await serves(node, 2, "1 open");
    await node.client.stop();
    const torn = `{"kind":"shield","version":3,"record":{"shield_id":"${shieldId(1)}","revision":"x"}}`;
    api.replaceLine(shieldId(1), torn);
    const version = api.change([recordOf(2, 2, "closed")]);
    const again = await startNode(api.url, api.credential, folder);
    await until(() => again.client.stats().version === version);
    expect(again.served.get(shieldId(1))).toBe("1 open");
    expect(again.served.get(shieldId(2))).toBe("2 closed");
  });
});

function objectOf(n: number, revision: number): object {
  return { shield_id: shieldId(n), revision, mode: "closed" };
}

describe("a control plane that refuses the credential", () => {
  test.each([401, 409])(
    "with %i is said once, not hammered, and serving goes on",
    async (status) => {
      const api = await startApi();
      const version = api.change([recordOf(1, 1)]);
      const node = await startNode(api.url, api.credential, await newFolder(), {
        refusedRetryMs: 30,
      });
      await until(() => node.client.stats().version === version);
      api.fail("config", status);
      api.endStreams();
      await until(() => node.client.stats().connection === "refused");
      await until(() => api.failures() >= 4);
      const errors = () => node.log.lines.filter((line) => line.level === "error");
      expect(errors()).toHaveLength(1);
      expect(node.served.get(shieldId(1))).toBe("1 open");
      // When it is accepted again the client continues by itself; further refusals logged nothing.
      api.fail("config", null);
      await until(() => node.client.stats().connection === "streaming");
      expect(errors()).toHaveLength(1);
    },
  );

  test("acknowledgements wait for an api that fails, the newest of each shield", async () => {
    const api = await startApi();
    api.fail("acks", 503);
    api.change([recordOf(1, 1)]);
    const node = await startNode(api.url, api.credential, await newFolder());
    await serves(node, 1, "1 open");
    const version = api.change([recordOf(1, 2, "closed")]);
    await until(() => node.client.stats().version === version);
    expect(node.client.stats().acks_pending).toBe(1);
    api.fail("acks", null);
    // The newer one waits for the disk; until then the older one may be sent.
    await until(() => api.acks.some(({ revision }) => revision === 2));
    await until(() => node.client.stats().acks_pending === 0);
    // At most one call carried the older one when the newer one replaced it.
    expect(api.acks.at(-1)).toEqual({ shield_id: shieldId(1), revision: 2, outcome: "applied" });
    expect(api.acks.length).toBeLessThanOrEqual(2);
  });

  test("acknowledgements refused for good do not block later ones", async () => {
    const api = await startApi();
    api.fail("acks", 422);
    api.change([recordOf(1, 1)]);
    const node = await startNode(api.url, api.credential, await newFolder());
    await until(() => node.log.lines.some((line) => line.message.includes("refused and dropped")));
    api.fail("acks", null);
    api.change([recordOf(2, 1)]);
    expect((await answered(api, 2, 1)).outcome).toBe("applied");
    await until(() => node.client.stats().acks_pending === 0);
  });
});

describe("a configuration that takes a while to serve everywhere", () => {
  /** Applied configurations serve when the test says so. */
  function lateServed() {
    const waits: (() => void)[] = [];
    const isServed = () => new Promise<void>((resolve) => void waits.push(resolve));
    return { waits, isServed };
  }

  test("a revision that is refused before it serves is acknowledged as refused only", async () => {
    const api = await startApi();
    api.fail("acks", 503);
    api.change([recordOf(1, 1)]);
    const { waits, isServed } = lateServed();
    const node = await startNode(api.url, api.credential, await newFolder(), { isServed });
    await until(() => waits.length > 0);
    api.change([recordOf(1, 2, "sideways")]);
    await until(() => node.client.stats().refused === 1);
    await until(() => node.client.stats().version === api.version());
    for (const serve of waits.splice(0)) serve();
    api.fail("acks", null);
    expect((await answered(api, 1, 2)).outcome).toBe("rejected");
    expect(api.acks.map(({ revision }) => revision)).toEqual([2]);
  });

  test("each version is confirmed when it serves, also while later ones follow", async () => {
    const api = await startApi({ heartbeatMs: 3_600_000 });
    const { waits, isServed } = lateServed();
    const node = await startNode(api.url, api.credential, await newFolder(), {
      isServed,
      silenceMsMax: 3_600_000,
    });
    await until(() => api.streams() === 1 && waits.length === 1);
    const first = api.version();
    const second = api.change([]);
    await until(() => node.client.stats().version === second && waits.length === 2);
    waits[0]?.();
    await until(() => api.reported.at(-1) === first);
    waits[1]?.();
    await until(() => api.reported.at(-1) === second);
  });
});

describe("a disk that cannot be written", () => {
  test("stops neither service nor acknowledgements, and failed writes are repeated later", async () => {
    const api = await startApi();
    const folder = await newFolder();
    const version = api.change([recordOf(1, 1)]);
    const node = await startNode(api.url, api.credential, folder);
    await until(() => node.client.stats().version === version);
    const { mkdir, rename, rm } = await import("node:fs/promises");
    await rename(folder, `${folder}.away`);
    api.change([recordOf(2, 1)]);
    await serves(node, 2, "1 open");
    await answered(api, 2, 1);
    expect(node.log.lines.filter((line) => line.level === "error").length).toBeGreaterThan(0);

    await rm(folder, { recursive: true, force: true });
    await rename(`${folder}.away`, folder).catch(() => mkdir(folder));
    const reached = api.change([recordOf(3, 1)]);
    await until(() => node.client.stats().version === reached);
    await node.client.stop();
    const again = createTestNode(api.url, api.credential, folder);
    await again.client.load();
    expect([...again.served.keys()].sort()).toEqual([shieldId(1), shieldId(2), shieldId(3)]);
  });
});
