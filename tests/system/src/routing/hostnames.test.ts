import { shieldDomainRoutes } from "@palisade/contract/http/domains";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HostedServer } from "../minecraft/peer-host.ts";
import {
  startMinecraftFixture,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";

/** The host names by which players reach a shield. Each test has domains of its own. */

let zone: FakeZone;
let fixture: MinecraftFixture;
let network: HostedServer;
let guild: HostedServer;
let shield: BoughtShield;
let serial = 0;

beforeAll(async () => {
  zone = await startFakeZone({ origin: "skyline.test" });
  fixture = await startMinecraftFixture({ PALISADE_DNS_RESOLVERS: zone.address }, "200");
  const version = "1.8.8";
  network = await fixture.peers.serve("network", { version });
  guild = await fixture.peers.serve("guild", { version });
});

afterAll(async () => {
  await fixture?.end();
  await zone?.close();
});

/** The shield of a test, in front of the network. */
async function buyNetwork(domain: string): Promise<void> {
  shield = await fixture.buy({ plan: "Pro", domain, port: network.port });
}

/** The server whose game a player of this name got into, with the name it was told. */
async function reached(hostname: string): Promise<string> {
  const player = `Visitor_${++serial}`;
  const options = { edge: fixture.edge, hostname, player, version: "1.8.8" };
  const outcome = await fixture.peers.join(options);
  if (outcome.outcome !== "joined") return outcome.outcome;
  const [server, joined] = await until(() => {
    for (const each of [network, guild]) {
      const found = each.joins().find((join) => join.player === player);
      if (found !== undefined) return [each.name, found] as const;
    }
    return undefined;
  });
  // A suffix with an address would tell the server another address of the player.
  expect(joined.host).toBe(hostname.replace(/\/\/\/.*/, ""));
  await fixture.peers.quit(player);
  return server;
}

async function add(domain: string): Promise<void> {
  const call = fixture.owner(shieldDomainRoutes.addDomain, {
    params: shield.params,
    body: { domain },
  });
  await fixture.applied(shield, call);
}

/** Publishes the TXT record the product asks for, and has it looked at. */
async function prove(domain: string): Promise<void> {
  const { owner } = fixture;
  const { params } = shield;
  const { domains } = (await owner(shieldDomainRoutes.listDomains, { params })).data;
  const found = domains.find((each) => each.domain === domain);
  if (found === undefined) throw new Error(`${domain} is not there`);
  const named = { params: { ...params, domainId: found.id } };
  const setup = { ...named, query: { look: "false" } } as const;
  const { txt_record } = (await owner(shieldDomainRoutes.getDomainSetup, setup)).data.setup_info;
  zone.records = [...zone.records, { type: "TXT", ...txt_record }];
  const check = owner(shieldDomainRoutes.checkShieldDomain, named);
  await fixture.applied(shield, check);
  expect((await check).data.domain.status).toBe("setup_finished");
}

describe("players reach a shield", () => {
  test("by its label and domain as any client writes them, suffixes and all, and by no other name", async () => {
    await buyNetwork("harbour.test");
    await add("игра.рф");
    // A player from the server list: with the address that proxies write, no ping would be a signal too many.
    await fixture.peers.ping({ edge: fixture.edge, hostname: "harbour.test" });
    for (const hostname of [
      shield.label,
      `${shield.label}.`,
      shield.label.toUpperCase(),
      "harbour.test",
      "HarBour.TEST.",
      "harbour.test\0FML\0",
      "harbour.test.\0FML2\0",
      "harbour.test\0FML3\0",
      "harbour.test\0FORGE",
      "harbour.test///203.0.113.7:25565///1760000000",
      "xn--80afo7a.xn--p1ai",
      "игра.рф",
      "ИГРА.РФ",
    ]) {
      expect([hostname, await reached(hostname)]).toEqual([hostname, "network"]);
    }
    for (const hostname of ["other.test", "lobby.harbour.test", "127.0.0.1"]) {
      expect([hostname, await reached(hostname)]).toEqual([hostname, "kicked"]);
    }
    const { motd } = await fixture.peers.ping({ edge: fixture.edge, hostname: "other.test" });
    expect(motd).toMatch(/^There is no server at this address/);
  });

  test("by every name below a proven wildcard, but for another shield's own name", async () => {
    await buyNetwork("skyline.test");
    await fixture.buy({ domain: "guild.skyline.test", port: guild.port });
    expect(await reached("guild.skyline.test")).toBe("guild");
    await prove("skyline.test");
    await add("*.skyline.test");
    for (const hostname of ["lobby.skyline.test", "a.b.skyline.test", "Lobby.Skyline.Test."]) {
      expect([hostname, await reached(hostname)]).toEqual([hostname, "network"]);
    }
    expect(await reached("guild.skyline.test")).toBe("guild");
    // No owner has proven that name, so the wildcard that its parent's owner has proven wins.
    await prove("*.skyline.test");
    expect(await reached("guild.skyline.test")).toBe("network");
    expect(await reached("notskyline.test")).toBe("kicked");
  });

  test("no longer by a domain that was removed, and again once that is taken back", async () => {
    await buyNetwork("meadow.test");
    const { owner } = fixture;
    const { params } = shield;
    await add("event.example.com");
    expect(await reached("event.example.com")).toBe("network");
    const { domains } = (await owner(shieldDomainRoutes.listDomains, { params })).data;
    const event = domains.find(({ domain }) => domain === "event.example.com");
    const named = { params: { ...params, domainId: event?.id ?? "" } };
    await fixture.applied(shield, owner(shieldDomainRoutes.removeDomain, named));
    expect(await reached("event.example.com")).toBe("kicked");
    await fixture.applied(shield, owner(shieldDomainRoutes.restoreDomain, named));
    expect(await reached("event.example.com")).toBe("network");
  });
});
