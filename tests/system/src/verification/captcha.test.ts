import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type HostedServer,
  type JoinOptions,
  type PeerHost,
  startPeerHost,
  wrongCode,
} from "../minecraft/peer-host.ts";
import { type EdgeProgram, startEdgeProgram } from "./edge-program.ts";
import { shieldOf, texts } from "./shields.ts";

/** Real games at Extreme: they fall, land, and type the code of a captcha. */

const versions = ["1.8.8", "1.12.2", "1.19.4", "1.21.4"] as const;
const hostOf = (version: string): string => `v${version.replaceAll(".", "-")}.example.org`;

let peers: PeerHost;
let edge: EdgeProgram;
const servers = new Map<string, HostedServer>();

beforeAll(async () => {
  peers = await startPeerHost();
  for (const version of versions) {
    servers.set(hostOf(version), await peers.serve(version, { version, proxy: true }));
  }
  const mitigation = { antibot: "extreme", text_captcha: true } as const;
  edge = await startEdgeProgram({
    shields: [shieldOf({ n: 1, mitigation, servers })],
    sessionServerUrl: "http://127.0.0.1:9",
  });
  await edge.serversUp(versions.length);
});

afterAll(async () => {
  await Promise.all([edge?.stop(), peers?.end()]);
});

function optionsOf(version: string, player: string): JoinOptions {
  return {
    edge: edge.address,
    hostname: hostOf(version),
    version,
    player,
    program: "mineflayer",
    greeted: true,
    captcha: {},
  };
}

test.each(versions)("a player of %s types the code and plays", async (version) => {
  const options = optionsOf(version, `Steve_${version.replaceAll(".", "_")}`);
  const first = await peers.join(options);
  if (first.outcome !== "joined") {
    expect(first).toMatchObject({ outcome: "kicked", text: expect.stringContaining(texts.rejoin) });
    expect(await peers.join(options)).toMatchObject({ outcome: "joined", transfers: 0 });
  } else expect(first.transfers).toBe(1);
});

test("a player who types wrong codes is refused", async () => {
  const options = optionsOf("1.12.2", "Guesser");
  const outcome = await peers.join({ ...options, captcha: wrongCode });
  expect(outcome).toMatchObject({
    outcome: "kicked",
    text: expect.stringContaining(texts.bot_check),
  });
});
