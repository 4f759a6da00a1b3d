import { routes } from "@palisade/contract/http/routes";
import type { PeerProcess } from "@palisade/testing/peer-process";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startGameServer, startPlayer, type GameServer } from "../minecraft/peers.ts";
import { tryLogin } from "../minecraft/java-client.ts";
import { icon } from "../routing/icon.ts";
import { expectSound, watchForErrors } from "../screens/inspect.ts";
import { hastenPolling } from "../console/polling.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { buyShield, startOverviewFixture, shieldPath, type OverviewFixture } from "./fixture.ts";

/** The dashboard over real shields: live figures, the icon of a server and the balance. */

const domain = "dashboard.example.com";
let fixture: OverviewFixture;
let owner: TestAccount;
let shieldId: string;
let game: GameServer;
let ann: PeerProcess;

beforeAll(async () => {
  [fixture, game] = await Promise.all([
    startOverviewFixture(),
    startGameServer("Skyline", { favicon: icon() }),
  ]);
  owner = await createAccount(fixture.palisade.consoleUrl, "dashboard@example.com");
  shieldId = await buyShield(owner, { plan: "Free", name: "Skyline", domain, port: game.port });
  await fixture.credit(owner, "12.34");
});

afterEach(() => fixture.closePages());

afterAll(async () => {
  await ann?.kill();
  await game?.kill();
  await fixture?.end();
});

describe("live figures", () => {
  test("a player through the edge is on the card, the overview and in the mean; refusals are counted", async () => {
    await owner.call(routes.firewall.addFirewallEntry, {
      params: { id: shieldId },
      body: { type: "blacklist", ip: "127.0.0.66" },
    });
    const page = await fixture.open(owner, "/dashboard", {
      prepare: (opened) => opened.clock.install(),
    });
    const card = page.getByRole("listitem").filter({ hasText: "Skyline" });
    await card.getByText("0 players").waitFor();
    await card.getByText("owned", { exact: true }).waitFor();
    await card.getByText("Active", { exact: true }).waitFor();
    const edge = fixture.palisade.java;
    ann = startPlayer({ edge, hostname: domain, username: "Ann", from: "127.0.0.61" });
    await ann.event("spawned");
    await until(
      async () =>
        (await tryLogin({ edge, host: domain, from: "127.0.0.66" }, "Bob")).kind === "kicked",
      { what: "the blacklist at the edge" },
    );
    const player = card.getByText("1 player", { exact: true });
    await hastenPolling(page, async () => (await player.count()) === 1, "the player on the card");
    const blocked = page.getByRole("region", { name: "Blocked packets" }).locator("> div").first();
    const isCounted = async () => /^[1-9]/.test(await blocked.innerText());
    await hastenPolling(page, isCounted, "the refused join among the blocked");
    const overview = await fixture.open(owner, shieldPath(shieldId));
    const figure = (name: string) =>
      overview.getByRole("region", { name }).locator("p").first().innerText();
    await until(async () => (await figure("Players online")) === "1", { what: "the player" });
    await until(async () => /^[1-9]/.test(await figure("Blocked in 24 hours")), {
      what: "the refused join",
    });
    await until(async () => (await figure("Bandwidth")) !== "0 bit/s", { what: "bandwidth" });
    await overview.getByText("of 1 TB").waitFor();
    await overview.getByText("Resets on the 1st of every month.").waitFor();
  });
});

describe("cards", () => {
  test("show the icon of the shield's own server as the edge has seen it", async () => {
    const page = await fixture.open(owner, "/dashboard", {
      prepare: (opened) => opened.clock.install(),
    });
    const errors = watchForErrors(page);
    const picture = page.getByRole("listitem").filter({ hasText: "Skyline" }).locator("img");
    const drawnWidth = () =>
      picture.evaluateAll(([shown]) => Number(Reflect.get(shown ?? {}, "naturalWidth")));
    await hastenPolling(page, async () => (await drawnWidth()) === 64, "the icon on the card");
    const { data } = await owner.call(routes.serverMessages.getServerImage, {
      params: { id: shieldId },
    });
    expect(data.image).toBe(icon());
    expect(errors).toEqual([]);
    await expectSound(page, "a card with an icon");
  });
});

describe("the balance", () => {
  test("is on its card, which opens the top-up", async () => {
    const page = await fixture.open(owner, "/dashboard");
    const card = page.getByRole("region", { name: "Account balance" });
    await card.getByText("€12.34").waitFor();
    // Anywhere on the card.
    await card.click({ position: { x: 12, y: 12 } });
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    await modal.waitFor();
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    await card.getByRole("button", { name: "Recharge balance" }).press("Enter");
    await modal.waitFor();
    expect(new URL(page.url()).pathname).toBe("/dashboard");
  });
});
