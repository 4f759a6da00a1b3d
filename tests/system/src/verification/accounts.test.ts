import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type HostedServer,
  type JoinOutcome,
  type JoinOptions,
  type PeerHost,
  startPeerHost,
} from "../minecraft/peer-host.ts";
import { type EdgeProgram, startEdgeProgram } from "./edge-program.ts";
import { createProfileKey, type SessionServer, startSessionServer } from "./session-server.ts";
import { shieldOf, texts } from "./shields.ts";

/** `secure_profiles`: the accounts that real clients must prove, and the text they read otherwise. */

const host = "secure.example.org";
const trace = /\n[0-9A-Z]{8}$/;
const signing = ["1.19", "1.19.2"] as const;
/** One version for each way back into the game; in levels.test.ts every version proves accounts. */
const proving = [
  ["1.8.8", "rejoin"],
  ["1.20.4", "rejoin"],
  ["1.21.4", "transfer"],
] as const;

let sessions: SessionServer;
let peers: PeerHost;
let edge: EdgeProgram;
const servers = new Map<string, HostedServer>();

beforeAll(async () => {
  [sessions, peers] = await Promise.all([startSessionServer(), startPeerHost()]);
  for (const version of [...signing, ...proving.map(([each]) => each)]) {
    const options = { version, proxy: true, sessionPort: sessions.port };
    servers.set(version, await peers.serve(version, options));
  }
  const shields = [shieldOf({ n: 1, mitigation: { secure_profiles: true }, servers: hosts(host) })];
  edge = await startEdgeProgram({ shields, sessionServerUrl: sessions.url });
  await edge.serversUp(shields.length * servers.size);
});

afterAll(async () => {
  await Promise.all([edge?.stop(), peers?.end(), sessions?.end()]);
});

function hosts(domain: string): Map<string, HostedServer> {
  return new Map([...servers].map(([version, server]) => [hostOf(version, domain), server]));
}

function hostOf(version: string, domain: string): string {
  return `v${version.replaceAll(".", "-")}.${domain}`;
}

function optionsOf(version: string, player: string, domain = host): JoinOptions {
  return { edge: edge.address, version, player, hostname: hostOf(version, domain) };
}

/** Verified once is verified for every shield of the edge: each test has players of its own. */
function named(version: string, ...names: string[]): string[] {
  return names.map((name) => `${name}_${version.replaceAll(".", "_")}`);
}

function playersOf(version: string): string[] {
  return (servers.get(version)?.joins() ?? []).map(({ player }) => player);
}

/** Text of the kick, without its trace. */
function toldBy(outcome: JoinOutcome): string {
  const text = outcome.outcome === "kicked" ? outcome.text : JSON.stringify(outcome);
  expect(text).toMatch(trace);
  return text.replace(trace, "");
}

describe.each(signing)("Minecraft %s, which shows its key with the login", (version) => {
  test("joins at once with a key, and reads why not without", async () => {
    const [signed = "", unsigned = ""] = named(version, "Signed", "Bare");
    const account = { ...sessions.account(signed), profileKey: createProfileKey() };
    const joined = await peers.join({ ...optionsOf(version, signed), account });
    expect(joined).toMatchObject({ outcome: "joined", transfers: 0 });
    expect(await peers.echo(signed, "mine")).toMatchObject({ isEncrypted: true });
    const options = { ...optionsOf(version, unsigned), account: sessions.account(unsigned) };
    expect(toldBy(await peers.join(options))).toBe(texts.secure_profiles);
    expect(playersOf(version)).toEqual([signed]);
    await peers.quit(signed);
  });
});

describe.each(proving)(
  "Minecraft %s, which shows its key only to the session server",
  (version, back) => {
    test("proves its account once, and without one reads that it takes one", async () => {
      const [owner = "", pirate = ""] = named(version, "Owner", "Pirate");
      const options = { ...optionsOf(version, owner), account: sessions.account(owner) };
      const before = playersOf(version).length;
      const first = await peers.join(options);
      if (back === "transfer") expect(first).toMatchObject({ outcome: "joined", transfers: 1 });
      else {
        expect(toldBy(first)).toBe(texts.rejoin);
        expect(await peers.join(options)).toMatchObject({ outcome: "joined", transfers: 0 });
      }
      expect(await peers.echo(owner, "mine")).toMatchObject({ isEncrypted: true });
      await peers.quit(owner);
      // Once by the edge and once by his server.
      expect(sessions.asked.filter((name) => name === owner)).toHaveLength(2);
      expect(await peers.join(options)).toMatchObject({ outcome: "joined", transfers: 0 });
      await peers.quit(owner);
      // He answers what is encrypted, but cannot have told the session server.
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(toldBy(await peers.join(optionsOf(version, pirate)))).toBe(texts.secure_profiles);
      }
      expect(playersOf(version).slice(before)).toEqual([owner, owner]);
    });
  },
);

describe("a session server that does not help", () => {
  test.each(["silent", "gone"] as const)(
    "it being %s, players are told, and none hangs",
    async (state) => {
      await sessions.be(state);
      const tries = proving.map(async ([version]) => {
        const [player = ""] = named(version, state);
        return toldBy(await peers.join(optionsOf(version, player)));
      });
      expect(await Promise.all(tries)).toEqual(tries.map(() => texts.bot_check));
      await sessions.be("well");
      const [late = ""] = named("1.21.4", `L${state}`);
      const account = sessions.account(late);
      const joined = await peers.join({ ...optionsOf("1.21.4", late), account });
      expect(joined).toMatchObject({ outcome: "joined", transfers: 1 });
      await peers.quit(late);
    },
  );
});
