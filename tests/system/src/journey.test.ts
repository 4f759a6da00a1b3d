import { until } from "@palisade/testing/until";
import type { PeerProcess } from "@palisade/testing/peer-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { launchBrowser, newDesktopContext } from "./console/browser.ts";
import {
  blacklist,
  confirm,
  figure,
  logIn,
  openSection,
  openShield,
  register,
  setMessages,
} from "./console/owner.ts";
import { createShield } from "./console/wizard.ts";
import {
  refreshServerList,
  startGameServer,
  startPlayer,
  type GameServer,
} from "./minecraft/peers.ts";
import { password } from "./product/account.ts";
import {
  createHome,
  removeHome,
  startPalisade,
  startPart,
  type Palisade,
  type Part,
} from "./product/palisade.ts";

/**
 * The main job, on real input: browser, api, PostgreSQL, edge and Minecraft programs, nothing
 * mocked.
 */

const email = "owner@example.com";
const domain = "play.example.com";
const kickMessage = "Not welcome on Skyline";
const offlineMotd = "Skyline is resting";
/** Players come from addresses of their own; the owner blocks Ann's. */
const from = { ann: "127.0.0.11", bob: "127.0.0.12", carl: "127.0.0.13", dora: "127.0.0.14" };

let home: string;
let palisade: Palisade;
let game: GameServer;
let browser: Browser;
let page: Page;
let bob: PeerProcess;
let edgeAlone: Part | undefined;
const peers: PeerProcess[] = [];

function joins(username: keyof typeof from, hostname = domain): PeerProcess {
  const player = startPlayer({ edge: palisade.java, hostname, username, from: from[username] });
  peers.push(player);
  return player;
}

async function startGame(atPort = 0): Promise<GameServer> {
  const server = await startGameServer("Skyline up and running", { atPort });
  peers.push(server);
  return server;
}

/** Both directions through the edge, with words of their own each time. */
async function chats(player: PeerProcess, name: string, words: string): Promise<void> {
  player.send({ chat: `${words} from the player` });
  await game.event("chat", (event) => event["message"] === `${words} from the player`);
  game.send({ chat: `${words} from the server to ${name}` });
  await player.event("chat", (event) =>
    String(event["message"]).includes(`${words} from the server`),
  );
}

async function isKickedWith(player: PeerProcess, text: string): Promise<void> {
  const kick = await player.event("kicked");
  expect(kick["text"]).toContain(text);
  expect(kick["wasInGame"]).toBe(false);
}

beforeAll(async () => {
  home = await createHome();
  [palisade, game, browser] = await Promise.all([
    startPalisade(home),
    startGame(),
    launchBrowser(),
  ]);
  page = await (await newDesktopContext(browser, palisade.consoleUrl)).newPage();
});

afterAll(async () => {
  await browser?.close();
  for (const peer of peers) await peer.kill();
  await edgeAlone?.stop();
  await palisade?.stop();
  if (home !== undefined) await removeHome(home);
});

/** The owner registers, confirms with the code from the mailbox and logs in. */
async function registerOwner(): Promise<void> {
  await register(page, email, password);
  await confirm(page, palisade.consoleUrl, email);
  await logIn(page, email, password);
  expect(new URL(page.url()).pathname).toBe("/dashboard");
}

/** On the free plan, in front of a real server, whose MOTD the server list shows. @returns the label */
async function protectServer(): Promise<string> {
  const label = await createShield(page, {
    name: "Skyline",
    address: "127.0.0.1",
    port: game.port,
    domain,
  });
  await openShield(page, "Skyline");
  expect(label).toMatch(/^[a-z0-9]{12}\.gs\.localhost$/);
  for (const hostname of [domain, label]) {
    const shown = await until(async () => {
      const status = await refreshServerList(palisade.java, hostname);
      return status.motd.includes("Skyline up and running") && status;
    });
    expect(shown.version.protocol).toBe(765);
  }
  return label;
}

/** One player joins by the domain and stays, another by the label: the overview counts them. */
async function expectPlayersJoin(label: string): Promise<void> {
  bob = joins("bob");
  await bob.event("spawned");
  await chats(bob, "bob", "hello");
  await openSection(page, "Overview");
  await until(async () => (await figure(page, "Players online")) === "1", {
    what: "one player in the overview",
  });
  const ann = joins("ann", label);
  await ann.event("spawned");
  await until(async () => (await figure(page, "Players online")) === "2");
  ann.send({ quit: true });
  await ann.event("end");
  await until(async () => (await figure(page, "Players online")) === "1");
}

/** The next join from a blocked address is kicked with the owner's message. */
async function expectBlockedIsKicked(label: string): Promise<void> {
  await setMessages(page, "Firewall", { "Blacklist kick message": kickMessage });
  const receipt = await blacklist(page, from.ann);
  expect(receipt).toMatch(/applied on 1\/1 edges in \d+(\.\d+)? s/);
  await isKickedWith(joins("ann"), kickMessage);
  await isKickedWith(joins("ann", label), kickMessage);
  // The others do not notice.
  await chats(bob, "bob", "still here");
}

/** While the game server is away, the server list shows the owner's offline MOTD. */
async function expectServerComesBack(): Promise<void> {
  await setMessages(page, "Offline", { "MOTD line 1": offlineMotd });
  await game.kill();
  await until(
    async () => (await refreshServerList(palisade.java, domain)).motd.includes(offlineMotd),
    { capMs: 60_000, what: "the offline MOTD" },
  );
  await bob.event("end");
  const kick = await joins("carl").event("kicked");
  expect(kick["text"]).toContain("offline");

  game = await startGame(game.port);
  await until(async () =>
    (await refreshServerList(palisade.java, domain)).motd.includes("Skyline up and running"),
  );
  bob = joins("bob");
  await bob.event("spawned");
}

/** The joined player plays on, and new joins work. */
async function expectPlayWithoutApi(): Promise<void> {
  // Frozen, the supervisor cannot bring the api back for now.
  palisade.supervisor.kill("SIGSTOP");
  process.kill(await palisade.pidOf("api"), "SIGKILL");
  await until(() =>
    fetch(`${palisade.consoleUrl}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  await chats(bob, "bob", "without api");
  const carl = joins("carl");
  await carl.event("spawned");
  await chats(carl, "carl", "newcomer");
  await isKickedWith(joins("ann"), kickMessage);
  expect(bob.hasEnded()).toBe(false);
}

/** Joined players play on, and the next edge routes and blocks without the api. */
async function expectPlayOverEdgeRestart(label: string): Promise<void> {
  process.kill(await palisade.pidOf("edge"), "SIGKILL");
  await chats(bob, "bob", "without an edge");
  edgeAlone = await startPart("edge", home, { PALISADE_JAVA_PORT: String(palisade.java.port) });
  await chats(bob, "bob", "with the next edge");
  const dora = joins("dora", label);
  await dora.event("spawned");
  await chats(dora, "dora", "after the restart");
  await isKickedWith(joins("ann"), kickMessage);
  expect((await refreshServerList(palisade.java, domain)).motd).toContain("Skyline up and running");
}

/** The supervisor wakes up: api and edge come back and take changes again. */
async function expectChangesAgain(): Promise<void> {
  await edgeAlone?.stop();
  palisade.supervisor.kill("SIGCONT");
  await palisade.output.match(
    /api is back[\s\S]*edge is back|edge is back[\s\S]*api is back/,
    90_000,
  );
  await page.reload();
  expect(await blacklist(page, from.dora)).toContain("1/1 edges");
  await isKickedWith(joins("dora"), kickMessage);
  const carl = joins("carl");
  await carl.event("spawned");
}

test("an owner registers and protects a server; players join, and a blocked one is kicked, also while server, api and edge go away and come back", async () => {
  onTestFailed(async () => console.error(page.url(), await page.innerText("body")));
  await registerOwner();
  const label = await protectServer();
  await expectPlayersJoin(label);
  await expectBlockedIsKicked(label);
  await expectServerComesBack();
  await expectPlayWithoutApi();
  await expectPlayOverEdgeRestart(label);
  await expectChangesAgain();
});
