import { createSocket } from "node:dgram";
import { once } from "node:events";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import {
  startControlPlaneServer,
  type ControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { metricsIn, monitoringExpressions } from "@palisade/testing/monitoring-files";
import { until } from "@palisade/testing/until";
import { encode } from "dns-packet";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startZoneDns, type ZoneDns } from "#src/compose.ts";
import { createResponseLimiter } from "#src/limits/response-limiter.ts";
import { frankfurtLabel, shieldOf, standardEdges, testZone } from "#src/test-zone.ts";

let api: ControlPlaneServer;
let folder: Awaited<ReturnType<typeof createTestFolder>>;
let dns: ZoneDns;

beforeAll(async () => {
  api = await startControlPlaneServer({ kind: "dns" });
  const shield = shieldOf(1, frankfurtLabel, "frankfurt");
  api.change([{ shield_id: shield.shield_id, revision: 1, config: shield }]);
  api.setZone(standardEdges);
  folder = await createTestFolder();
  dns = await startZoneDns(config(), pino({ level: "silent" }));
  await until(async () => (await metrics()).includes("palisade_dns_zone_loaded 1\n"));
});
afterAll(async () => {
  await dns?.stop();
  await api?.close();
  await folder?.[Symbol.asyncDispose]();
});

function config(metricsPort = 0) {
  const address = { host: "127.0.0.1", port: 0, addresses: [] };
  const control = { apiUrl: api.url, token: api.token, zone: testZone };
  return { folder: folder.path, logLevel: "silent", ...address, ...control, metricsPort };
}

async function metrics(): Promise<string> {
  const answer = await fetch(`${dns.metrics}/metrics`);
  expect(answer.headers.get("content-type")).toContain("text/plain");
  return answer.text();
}

/** The value of one series, 0 while it is not there. */
async function valueOf(series: string): Promise<number> {
  const line = (await metrics()).split("\n").find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

/** Sends a datagram; nothing waits for its answer. */
async function send(message: Buffer): Promise<void> {
  const socket = createSocket("udp4");
  socket.send(message, Number(dns.address.split(":").at(-1)), "127.0.0.1");
  await until(async () => (await metrics()).includes("palisade_dns_"));
  socket.close();
  await once(socket, "close");
}

describe("metrics of zone DNS", () => {
  test("count every answer by type and code, and what is not answered", async () => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    resolver.setServers([dns.address]);
    await resolver.resolve4(frankfurtLabel);
    await resolver.resolve6(frankfurtLabel);
    await resolver.resolveSoa(testZone);
    await resolver.resolve4(`missing.${testZone}`).catch(() => undefined);
    await resolver.resolve4("example.com").catch(() => undefined);
    const answers = (type: string, rcode: string) =>
      valueOf(`palisade_dns_answers_total{type="${type}",rcode="${rcode}"}`);
    expect(await answers("A", "NOERROR")).toBe(1);
    expect(await answers("AAAA", "NOERROR")).toBe(1);
    expect(await answers("SOA", "NOERROR")).toBe(1);
    expect(await answers("A", "NXDOMAIN")).toBe(1);
    expect(await answers("A", "REFUSED")).toBeGreaterThanOrEqual(1);
    await send(encode({ type: "query", id: 1, questions: [{ type: "NULL", name: testZone }] }));
    await until(async () => (await answers("other", "NOERROR")) === 1);
    await send(Buffer.from("00010000000200000000000000", "hex"));
    await until(async () => (await answers("unreadable", "FORMERR")) === 1);
    await send(Buffer.from("x"));
    await until(async () => (await valueOf("palisade_dns_ignored_total")) === 1);
  });

  test("say how old the zone is, from the last time the control plane confirmed it", async () => {
    expect(await valueOf("palisade_dns_zone_loaded")).toBe(1);
    expect(await valueOf("palisade_dns_zone_serial")).toBeGreaterThan(1_000_000_000);
    expect(await valueOf("palisade_dns_zone_labels")).toBe(1);
    const age = () => valueOf("palisade_dns_zone_age_seconds");
    // Each heartbeat confirms it: the time since the start never gets less.
    await until(async () => {
      const earlier = await age();
      return (await age()) < earlier;
    });
    await api.close();
    const before = await age();
    await until(async () => (await age()) > before);
  });

  test("are exactly those that the operator's page describes", async () => {
    const url = new URL("../../../../docs/operations/dns-metrics.md", import.meta.url);
    const page = await readFile(url, "utf8");
    const described = [...page.matchAll(/^\| `(palisade_\w+)`/gm)].map(([, name]) => name);
    const own = [...(await metrics()).matchAll(/^# TYPE (palisade_\w+)/gm)].map(([, name]) => name);
    expect(new Set(described)).toEqual(new Set(own));
  });

  test("are all that dashboards and alerts use of zone DNS", async () => {
    const text = await metrics();
    const used = (await monitoringExpressions()).flatMap(({ place, expr }) =>
      metricsIn(expr)
        .filter((name) => name.startsWith("palisade_dns_"))
        .map((name) => ({ place, name })),
    );
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter(({ name }) => !text.includes(`# TYPE ${name} `))).toEqual([]);
  });

  test("a port that is taken ends the start with the setting's name; other paths are 404", async () => {
    const port = Number(new URL(dns.metrics).port);
    await expect(startZoneDns(config(port), pino({ level: "silent" }))).rejects.toThrow(
      "PALISADE_DNS_METRICS_PORT",
    );
    expect((await fetch(`${dns.metrics}/other`)).status).toBe(404);
  });
});

test("datagrams above the limit are counted by what became of them", () => {
  const limiter = createResponseLimiter({ perSecond: 1, burst: 2, sourcesMax: 10 });
  for (let asked = 0; asked < 7; asked += 1) limiter.take("203.0.113.7", 0);
  expect(limiter.limited()).toEqual({ slip: 3, drop: 2 });
});
