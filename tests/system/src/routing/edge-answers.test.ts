import { cachingRoutes } from "@palisade/contract/http/caching";
import { firewallRoutes } from "@palisade/contract/http/firewall";
import { serverMessageRoutes } from "@palisade/contract/http/server-messages";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawnComponent, drawnText } from "../minecraft/drawn-text.ts";
import { legacyPing } from "../minecraft/legacy-client.ts";
import type { HostedServer, JoinOutcome, ListEntry } from "../minecraft/peer-host.ts";
import type { HostPort } from "../product/palisade.ts";
import { icon } from "./icon.ts";
import { textWithoutTrace, traceCodeIn } from "../minecraft/kick-text.ts";
import {
  startMinecraftFixture,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";

/** Answers that the edge gives by itself: refusals and their texts, and cached status answers. */

let fixture: MinecraftFixture;
let server: HostedServer;
let ipv4: HostPort;
let serial = 0;

beforeAll(async () => {
  // Every address of the machine, IPv6 too.
  fixture = await startMinecraftFixture({ PALISADE_JAVA_HOST: "::" }, "200");
  ipv4 = { host: "127.0.0.1", port: fixture.edge.port };
  server = await fixture.peers.serve("lobby", { motd: "Skyline" });
});

afterAll(async () => {
  await fixture?.end();
});

function newShield(plan: "Free" | "Pro" = "Free", port = server.port): Promise<BoughtShield> {
  return fixture.buy({ plan, domain: `play${++serial}.example.com`, port });
}

function join({ domain }: BoughtShield, from: string, edge = ipv4): Promise<JoinOutcome> {
  const source = edge === ipv4 ? { from } : {};
  const player = `Guest_${++serial}`;
  return fixture.peers.join({ edge, hostname: domain, player, ...source });
}

/** Which of the texts a kicked player reads; "" for one who joined. */
async function wordsFor(shield: BoughtShield, from: string, edge = ipv4): Promise<string> {
  const outcome = await join(shield, from, edge);
  if (outcome.outcome === "closed") throw new Error(outcome.reason);
  return outcome.outcome === "joined" ? "" : textWithoutTrace(outcome.text);
}

describe("the firewall", () => {
  const texts = { blacklist_msg: "You are on the blacklist", whitelist_msg: "Maintenance" };
  const { blacklist_msg: blocked, whitelist_msg: maintenance } = texts;

  async function guarded(entries: readonly (readonly ["blacklist" | "whitelist", string])[]) {
    const shield = await newShield();
    const { params } = shield;
    await fixture.owner(serverMessageRoutes.updateServerMessages, {
      params,
      body: { firewall: texts },
    });
    for (const type of ["blacklist", "whitelist"] as const) {
      const listed = entries.filter(([list]) => list === type).map(([, entry]) => entry);
      if (listed.length === 0) continue;
      const body = { type, mode: "merge", entries: listed } as const;
      await fixture.applied(shield, fixture.owner(firewallRoutes.importFirewall, { params, body }));
    }
    return shield;
  }

  test("refuses addresses and ranges on the blacklist, whitelisted or not, until it is off or empty", async () => {
    const shield = await guarded([
      ["blacklist", "127.0.0.64/30"],
      ["blacklist", "127.0.0.90"],
      ["blacklist", "::1"],
      ["whitelist", "127.0.0.65"],
    ]);
    const { params } = shield;
    expect(await wordsFor(shield, "127.0.0.63")).toBe("");
    expect(await wordsFor(shield, "127.0.0.64")).toBe(blocked);
    expect(await wordsFor(shield, "127.0.0.65")).toBe(blocked);
    expect(await wordsFor(shield, "127.0.0.67")).toBe(blocked);
    expect(await wordsFor(shield, "127.0.0.68")).toBe("");
    expect(await wordsFor(shield, "127.0.0.90")).toBe(blocked);
    const ipv6 = { host: "::1", port: fixture.edge.port };
    expect(await wordsFor(shield, "", ipv6)).toBe(blocked);

    await fixture.applied(
      shield,
      fixture.owner(firewallRoutes.updateFirewall, {
        params,
        body: { ip_blacklist_enabled: false },
      }),
    );
    expect(await wordsFor(shield, "127.0.0.64")).toBe("");
    expect(await wordsFor(shield, "", ipv6)).toBe("");

    const other = await guarded([["blacklist", "127.0.0.0/8"]]);
    expect(await wordsFor(other, "127.0.0.63")).toBe(blocked);
    const list = { params: { ...other.params, type: "blacklist" } } as const;
    await fixture.applied(other, fixture.owner(firewallRoutes.clearFirewallList, list));
    expect(await wordsFor(other, "127.0.0.63")).toBe("");
  });

  test("admits only the whitelist in maintenance, and never the blacklist", async () => {
    const shield = await guarded([
      ["whitelist", "127.0.0.80/31"],
      ["blacklist", "127.0.0.81"],
    ]);
    const { params } = shield;
    expect(await wordsFor(shield, "127.0.0.50")).toBe("");
    await fixture.applied(
      shield,
      fixture.owner(firewallRoutes.updateFirewall, { params, body: { whitelist_only: true } }),
    );
    expect(await wordsFor(shield, "127.0.0.50")).toBe(maintenance);
    expect(await wordsFor(shield, "127.0.0.80")).toBe("");
    expect(await wordsFor(shield, "127.0.0.81")).toBe(blocked);
    // Refused players still see the server in the list.
    expect((await fixture.peers.ping({ edge: ipv4, hostname: shield.domain })).motd).toBe(
      "Skyline",
    );
  });
});

describe("a server that is offline", () => {
  const offline = {
    version_info: "&4Gone fishing",
    motd_line1: "&6&lSkyline&r &7is away",
    motd_line2: "§cback at §n20:00§r МСК",
    offline_info: "&aAsk us\non Discord",
    offline_kick_msg: "&cSorry, {player}\n&7Skyline is away",
    offline_image: icon(),
  };
  const withSection = (text: string): string => text.replaceAll("&", "§");

  test("is shown and explained as its owner wrote it, to every version, and as itself once it is back", async () => {
    const { owner, peers } = fixture;
    const away = await peers.serve("away", { motd: "Here I am", version: "1.8.8" });
    const shield = await newShield("Free", away.port);
    const change = { params: shield.params, body: { offline } };
    const { messages } = await fixture.applied(
      shield,
      owner(serverMessageRoutes.updateServerMessages, change),
    );
    await away.stop();
    const target = { edge: ipv4, hostname: shield.domain };
    for (const version of ["1.8.8", "1.16.5", "1.20.4", "26.1"]) {
      const entry = await peers.ping({ ...target, version });
      expect(entry.ponged).toBe(true);
      expect(drawnComponent(entry.raw.description)).toEqual(
        drawnText(withSection(`${offline.motd_line1}\n${offline.motd_line2}`)),
      );
      // The protocol of no client, so that each shows the text in place of the player count.
      expect(entry.raw.version).toEqual({ name: withSection(offline.version_info), protocol: -1 });
      expect(entry.raw.favicon).toBe(messages.offline.offline_image);
      expect(entry.raw.players?.sample?.map(({ name }) => name)).toEqual([
        "§aAsk us",
        "on Discord",
      ]);

      const player = `Late_${version.replaceAll(".", "_")}`;
      const outcome = await peers.join({ ...target, version, player });
      expect(outcome).toMatchObject({ outcome: "kicked", state: "login" });
      if (outcome.outcome !== "kicked") return;
      const text = withSection(offline.offline_kick_msg.replace("{player}", player));
      const trace = traceCodeIn(outcome.text);
      expect(drawnComponent(outcome.raw)).toEqual(drawnText(`${text}\n§8${trace}`));
    }
    const fields = await legacyPing({ edge: ipv4, host: shield.domain, protocol: 78 });
    expect(fields[2]).toContain("Gone fishing");
    expect(fields[3]).toContain("Skyline");

    const back = await peers.serve("back", { motd: "Here", version: "1.8.8", atPort: away.port });
    const entry = await until(async () => {
      const found = await peers.ping({ ...target, version: "1.8.8" });
      return found.motd === "Here" && found;
    });
    expect(entry.raw.favicon).toBeUndefined();
    await back.stop();
  });

  test("has the product's own words while its owner has written none", async () => {
    const away = await fixture.peers.serve("silent", { motd: "" });
    const shield = await newShield("Free", away.port);
    await away.stop();
    const entry = await fixture.peers.ping({ edge: ipv4, hostname: shield.domain });
    expect(entry.motd).toBe("This server is offline\nPlease try again later");
    expect(await wordsFor(shield, "127.0.0.50")).toBe(
      "This server is offline at the moment.\nPlease try again later.",
    );
  });
});

describe("MOTD caching", () => {
  // A version of its own: the edge's health checks use the newest.
  const version = "1.16.5";
  const protocol = 754;
  const asked = (each: HostedServer): number =>
    each.pings().filter((ping) => ping.protocol === protocol).length;

  function pings(shield: BoughtShield, count: number): Promise<ListEntry[]> {
    return Promise.all(
      Array.from({ length: count }, (_, n) =>
        fixture.peers.ping({
          edge: ipv4,
          hostname: n % 2 === 0 ? shield.domain : shield.label,
          version,
          from: `127.0.1.${n + 1}`,
        }),
      ),
    );
  }

  test("asks the server once for many pings, answers while it is gone, and forgets on purge", async () => {
    const { owner, peers } = fixture;
    const first = await peers.serve("cached", { motd: "Before", version });
    const shield = await newShield("Pro", first.port);
    const { params } = shield;
    await fixture.applied(
      shield,
      owner(cachingRoutes.updateCaching, { params, body: { caching_enabled: true } }),
    );
    const beganAt = performance.now();
    const entries = await pings(shield, 40);
    expect(new Set(entries.map(({ motd }) => motd))).toEqual(new Set(["Before"]));
    // Once, and once more for each second that this machine took for it.
    expect(asked(first)).toBeLessThanOrEqual(1 + (performance.now() - beganAt) / 1_000);
    await first.stop();
    expect((await pings(shield, 1)).map(({ motd }) => motd)).toEqual(["Before"]);

    const second = await peers.serve("purged", { motd: "After", version, atPort: first.port });
    await fixture.applied(shield, owner(cachingRoutes.purgeCache, { params }));
    const after = await until(async () => {
      const [entry] = await pings(shield, 1);
      return entry?.motd === "After";
    });
    expect(after).toBe(true);

    await fixture.applied(
      shield,
      owner(cachingRoutes.updateCaching, { params, body: { caching_enabled: false } }),
    );
    const before = asked(second);
    for (let n = 0; n < 5; n++) await pings(shield, 1);
    expect(asked(second) - before).toBe(5);
    await second.stop();
    const gone = await pings(shield, 1);
    expect(gone[0]?.motd).toContain("This server is offline");
  });
});
