import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawnComponent, drawnText } from "../minecraft/drawn-text.ts";
import { legacyLogin, legacyPing } from "../minecraft/legacy-client.ts";
import type { HostedServer, ServerOptions } from "../minecraft/peer-host.ts";
import { textWithoutTrace, traceCodeIn } from "../minecraft/kick-text.ts";
import {
  startMinecraftFixture,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";

/** Real servers and clients of every version the product is tested with, through the whole of it. */

const blocked = "127.0.0.66";
/** Two lines, colours, styles and more than ASCII. */
const blacklistText = "§cNot on §lSkyline§r\n§7{player}, здесь закрыто";

let fixture: MinecraftFixture;

beforeAll(async () => {
  fixture = await startMinecraftFixture();
});

afterAll(async () => {
  await fixture?.end();
});

interface Place {
  readonly server: HostedServer;
  readonly shield: BoughtShield;
}

async function place(
  version: string,
  program: "flying-squid" | "minecraft-protocol",
  name: string,
  options: Pick<ServerOptions, "refuse"> = {},
): Promise<Place> {
  const motd = `Skyline on ${version}`;
  const facts = { version, motd, program, maxPlayers: 37, ...options };
  const server = await fixture.peers.serve(`${name}${version}`, facts);
  const domain = `${name}${version.replaceAll(".", "-")}.example.com`;
  const shield = await fixture.buy({ domain, port: server.port });
  return { server, shield };
}

function playerName(kind: string, version: string): string {
  return `${kind}_${version.replaceAll(".", "_")}`;
}

describe.each([
  ["1.8.8", "flying-squid", 47],
  ["1.12.2", "minecraft-protocol", 340],
  ["1.16.5", "minecraft-protocol", 754],
  ["1.20.1", "minecraft-protocol", 763],
  ["1.20.4", "minecraft-protocol", 765],
  ["1.21.4", "flying-squid", 769],
  ["1.21.8", "minecraft-protocol", 772],
  ["26.1", "minecraft-protocol", 775],
] as const)("Minecraft %s", (version, program, protocol) => {
  test("sees the server's status, joins by domain, label and SRV target, and reads why not", async () => {
    const { edge, owner, peers } = fixture;
    const { server, shield } = await place(version, program, "v");
    const target = { edge, version };

    const entry = await peers.ping({ ...target, hostname: shield.domain });
    expect(entry).toMatchObject({ motd: `Skyline on ${version}`, ponged: true });
    expect(entry.raw.version).toEqual({ name: version, protocol });
    expect(entry.raw.players).toMatchObject({ online: 0, max: 37 });

    const names = ["Bot", "Label", "Srv"].map((kind) => playerName(kind, version));
    const [bot = "", byLabel = "", bySrv = ""] = names;
    const join = { ...target, from: "127.0.0.31" };
    expect(
      await peers.join({ ...join, player: bot, program: "mineflayer", hostname: shield.domain }),
    ).toEqual(expect.objectContaining({ outcome: "joined" }));
    // A client that has followed an SRV record says its target, some with the dot at its end.
    const others = [
      peers.join({ ...join, player: byLabel, hostname: shield.label }),
      peers.join({ ...join, player: bySrv, hostname: `${shield.label}.` }),
    ];
    expect((await Promise.all(others)).map(({ outcome }) => outcome)).toEqual(["joined", "joined"]);
    expect(server.players().toSorted()).toEqual(names.toSorted());

    // The server's own kick text passes unchanged.
    if (program === "minecraft-protocol") await peers.echo(byLabel, "still there");
    await server.kick(byLabel, "The end");
    expect((await peers.gone(byLabel)).text).toBe("The end");

    await owner(routes.serverMessages.updateServerMessages, {
      params: shield.params,
      body: { firewall: { blacklist_msg: blacklistText } },
    });
    const body = { type: "blacklist", ip: blocked } as const;
    await fixture.applied(
      shield,
      owner(routes.firewall.addFirewallEntry, { params: shield.params, body }),
    );
    const player = playerName("No", version);
    const refused = await peers.join({
      ...target,
      from: blocked,
      player,
      hostname: shield.domain,
    });
    expect(refused).toMatchObject({ outcome: "kicked", state: "login" });
    if (refused.outcome !== "kicked") return;
    expect(drawnComponent(refused.raw)).toEqual(
      drawnText(`${blacklistText.replace("{player}", player)}\n§8${traceCodeIn(refused.text)}`),
    );
    expect(server.players()).not.toContain(player);
    await server.stop();
  });
});

describe("a player that another server has sent here", () => {
  test.each(["1.20.6", "1.21.4", "26.1"])("joins as a transfer with %s", async (version) => {
    const { server, shield } = await place(version, "minecraft-protocol", "to");
    const options = { edge: fixture.edge, version, hostname: shield.domain };
    const sent = playerName("Sent", version);
    const outcome = await fixture.peers.join({ ...options, player: sent, intent: "transfer" });
    expect(outcome.outcome).toBe("joined");
    expect(server.joins()).toMatchObject([{ player: sent, intent: 3 }]);
    await server.stop();
  });
});

describe("a kick by the backend itself", () => {
  test.each([
    ["1.8.8", "login"],
    ["1.20.4", "login"],
    ["1.20.2", "configuration"],
    ["1.20.4", "configuration"],
    ["26.1", "configuration"],
  ] as const)("is read with %s in the %s state", async (version, state) => {
    const text = `Not today, says ${state}`;
    const { server, shield } = await place(version, "minecraft-protocol", state, {
      refuse: { state, text },
    });
    const options = { edge: fixture.edge, version, hostname: shield.domain };
    const outcome = await fixture.peers.join({ ...options, player: playerName("Away", version) });
    expect(outcome).toMatchObject({ outcome: "kicked", state, text });
    await server.stop();
  });
});

describe("a client too old for the range of versions", () => {
  const text = "&cSkyline is for {min_version} and newer";
  const shown = "§cSkyline is for 1.8 and newer";
  let old: Place;

  beforeAll(async () => {
    old = await place("1.20.4", "minecraft-protocol", "old");
    const change = { params: old.shield.params, body: { general: { invalid_version_msg: text } } };
    await fixture.applied(
      old.shield,
      fixture.owner(routes.serverMessages.updateServerMessages, change),
    );
  });

  test("a 1.7 client reads the message for it", async () => {
    const options = { edge: fixture.edge, version: "1.7", hostname: old.shield.domain };
    const outcome = await fixture.peers.join({ ...options, player: "Seven" });
    expect(outcome).toMatchObject({ outcome: "kicked", state: "login" });
    if (outcome.outcome !== "kicked") return;
    const drawn = drawnText(`${shown}\n§8${traceCodeIn(outcome.text)}`);
    expect(drawnComponent(outcome.raw)).toEqual(drawn);
  });

  test.each([
    ["1.5.2", 61],
    ["1.6.4", 78],
  ])("of %s reads the same in its own protocol", async (_, protocol) => {
    const target = { edge: fixture.edge, host: old.shield.domain, protocol };
    expect(textWithoutTrace(await legacyLogin(target, "Elder"))).toBe(shown);
  });

  test("sees the server's entry where its ping names a host", async () => {
    const target = { edge: fixture.edge, host: old.shield.domain, protocol: 78 };
    const [magic, , version, motd, online, max] = await legacyPing(target);
    expect([magic, version, motd, online, max]).toEqual([
      "§1",
      "1.20.4",
      "Skyline on 1.20.4",
      "0",
      "37",
    ]);
    const nameless = await legacyPing({ ...target, protocol: 61 });
    expect(nameless).toHaveLength(6);
  });
});
