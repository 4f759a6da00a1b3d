import { runDoctor } from "@palisade/contract/http/server-setup";
import { freePort } from "@palisade/testing/free-port";
import type { PeerProcess } from "@palisade/testing/peer-process";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startGameServer, startPlayer, type GameServer } from "../minecraft/peers.ts";
import { expectSound, expectSoundEverywhere, settled } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { buyShield, startOverviewFixture, shieldPath, type OverviewFixture } from "./fixture.ts";

/** The doctor's page over a real edge, with a server behind it that is not there, and then is. */

let fixture: OverviewFixture;
let owner: TestAccount;
let shieldId: string;
let port: number;
let game: GameServer | undefined;
const peers: PeerProcess[] = [];

beforeAll(async () => {
  [fixture, port] = await Promise.all([startOverviewFixture(), freePort()]);
  owner = await createAccount(fixture.palisade.consoleUrl, "doctor@example.com");
  shieldId = await newShield("Skyline", port);
});

afterEach(() => fixture.closePages());

afterAll(async () => {
  for (const peer of peers) await peer.kill();
  await game?.kill();
  await fixture?.end();
});

let serial = 0;
function newShield(name: string, at = port): Promise<string> {
  serial += 1;
  return buyShield(owner, { plan: "Free", name, domain: `doctor${serial}.example.com`, port: at });
}

const server = (page: Page): Locator => page.getByRole("region", { name: "Your server" });
const runAgain = (page: Page): Locator => page.getByRole("button", { name: /^Run again/ });

test("a server that is not there is found, and found again once it is", async () => {
  const page = await fixture.open(owner, shieldPath(shieldId));
  await page.getByRole("link", { name: "Doctor" }).click();
  await page.waitForURL((url) => url.pathname === shieldPath(shieldId, "/doctor"));
  await page.getByText(/\d+ problems? to fix\./).waitFor();
  await settled(page);
  const finding = server(page).getByRole("listitem").first();
  await finding.getByText("Problem", { exact: true }).waitFor();
  await finding.getByText(`127.0.0.1:${port} refuses the connection`).waitFor();
  await finding.getByText("What to do:").waitFor();
  await server(page)
    .getByText(/^Seen from \S+/)
    .waitFor();
  await page.getByRole("region", { name: "DNS" }).waitFor();
  const edges = page.getByRole("region", { name: "Edges" });
  await edges.getByText("Fine", { exact: true }).waitFor();
  await expectSoundEverywhere(page, "doctor");

  await page.setViewportSize({ width: 1440, height: 900 });
  game = await startGameServer("Skyline", { atPort: port });
  await runAgain(page).press("Enter");
  await server(page).getByText(`127.0.0.1:${port} answers`).waitFor();
  expect(await server(page).getByText("Problem", { exact: true }).count()).toBe(0);
  await server(page)
    .getByText(/0\/\d+ players/)
    .first()
    .waitFor();

  await page.getByRole("link", { name: "Back to the overview" }).click();
  const panel = page.getByRole("region", { name: "Setup doctor" });
  await panel.getByText(/Checked now\./).waitFor();
});

test("an owner whose server is off is told to start it, and the first player who comes after that is let in", async () => {
  const at = await freePort();
  const id = await newShield("Not started", at);
  const hostname = `doctor${serial}.example.com`;
  const comes = (username: string, from: string): PeerProcess => {
    const player = startPlayer({ edge: fixture.palisade.java, hostname, username, from });
    peers.push(player);
    return player;
  };
  const doctor = await fixture.open(owner, shieldPath(id, "/doctor"));
  await doctor.getByText(`127.0.0.1:${at} refuses the connection`).waitFor();
  await doctor.getByText("Start the server, and check").first().waitFor();
  const page = await fixture.open(owner, shieldPath(id, "/backends"));
  await page.getByText("Not proven: no players are sent here yet").first().waitFor();
  await comes("early", "127.0.0.21").event("kicked");

  peers.push(await startGameServer("Started", { atPort: at }));
  await comes("first", "127.0.0.22").event("spawned");
  await until(
    async () => {
      await page.reload();
      await page.getByText(`127.0.0.1:${at}`).first().waitFor();
      return (await page.getByText("Proven: it answers as Minecraft").count()) > 0;
    },
    { what: "the proof on the page" },
  );
});

test("its page is told by its address alone, in Russian and on a phone", async () => {
  const path = shieldPath(await newShield("Russian", 4_001), "/doctor");
  const page = await fixture.open(owner, path, { locale: "ru", theme: "light", width: 320 });
  const found = page.getByRole("region", { name: "Ваш сервер" });
  await found.getByText("Проблема", { exact: true }).first().waitFor();
  await found.getByText("Что делать:").first().waitFor();
  await page.getByRole("button", { name: "Проверить снова" }).waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(/refuses|What to do|doctor\./);
  await expectSound(page, "doctor in Russian");
});

test("asked too often, it says when it may be asked again and keeps what it found", async () => {
  const id = await newShield("Impatient", 4_001);
  const page = await fixture.open(owner, shieldPath(id, "/doctor"));
  await server(page).getByText("Problem", { exact: true }).first().waitFor();
  // The runs of other members count too: the limit is the shield's.
  await until(
    () =>
      owner.call(runDoctor, { params: { id } }).then(
        () => false,
        () => true,
      ),
    { what: "the limit", capMs: 60_000 },
  );
  await page.clock.install();
  await runAgain(page).click();
  await page
    .getByText("Too many checks in a short time. The last result is shown below.")
    .waitFor();
  await page.getByRole("button", { name: /^Run again in \d+ s$/ }).waitFor();
  expect(await runAgain(page).isDisabled()).toBe(true);
  await server(page).getByText("Problem", { exact: true }).first().waitFor();
  await expectSound(page, "asked too often");
  await page.clock.fastForward(61_000);
  await page.getByRole("button", { name: "Run again", exact: true }).waitFor();
  expect(await runAgain(page).isEnabled()).toBe(true);
});
