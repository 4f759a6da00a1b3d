import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startMinecraftFixture,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";
import { textWithoutTrace } from "../minecraft/kick-text.ts";
import type { HostedServer } from "../minecraft/peer-host.ts";
import { logInAs } from "../product/account.ts";
import { launchBrowser } from "../console/browser.ts";
import { createConsolePages } from "../console/pages.ts";
import { runCommand } from "../product/palisade.ts";
import { advanceClock } from "../spec/clock.ts";

/** The job that renews runs at each full minute. */
const nextRunMs = 180_000;
const email = "owner@example.com";
const monthAndGraceSeconds = 35 * 86_400;

let fixture: MinecraftFixture;
let server: HostedServer;
let shield: BoughtShield;

beforeAll(async () => {
  fixture = await startMinecraftFixture({}, "29");
  server = await fixture.peers.serve("lobby", { motd: "Skyline" });
  shield = await fixture.buy({ plan: "Pro", domain: "play.example.com", port: server.port });
});
afterAll(async () => {
  await fixture?.end();
});

/** By its label: the claim of a domain that nothing proves ends within the month that passes here. */
const target = () => ({ edge: fixture.edge, hostname: shield.label });

async function motd(): Promise<string> {
  return (await fixture.peers.ping(target())).motd;
}

/** The text that a kicked player reads; "" for one who joined. */
async function wordsFor(player: string, from: string): Promise<string> {
  const outcome = await fixture.peers.join({ ...target(), player, from });
  if (outcome.outcome === "closed") throw new Error(outcome.reason);
  return outcome.outcome === "joined" ? "" : textWithoutTrace(outcome.text);
}

test(
  "an unpaid shield answers new players that it has expired, keeps those who are on, and comes back with Renew now",
  async () => {
    expect(await wordsFor("Resident", "127.0.0.50")).toBe("");
    await advanceClock(fixture.palisade.consoleUrl, monthAndGraceSeconds);
    await until(async () => (await motd()).includes("has expired"), {
      capMs: nextRunMs,
      what: "the MOTD of an expired shield",
    });
    expect(await wordsFor("Visitor", "127.0.0.51")).toBe(
      "The protection of this server has expired.",
    );
    await fixture.peers.echo("Resident", "still here");

    const { home, consoleUrl } = fixture.palisade;
    const browser = await launchBrowser();
    try {
      const pages = createConsolePages(browser, consoleUrl);
      const token = await logInAs(consoleUrl, email);
      const page = await pages.open(`/dashboard/gameshield/${shield.id}`, { token });
      await page.getByText("This shield has expired.").waitFor();
      // Without the money the way leads to the recharge with what is missing.
      const renew = page.getByRole("button", { name: "Renew now" });
      await renew.click();
      const modal = page.getByRole("dialog", { name: "Recharge balance" });
      await modal.waitFor();
      expect(await modal.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("29");
      await page.keyboard.press("Escape");
      await modal.waitFor({ state: "detached" });
      await runCommand(home, ["ledger", "credit", email, "29", "--reason", "Test"]);
      await renew.click();
      await page.getByText("Game Shield renewed").waitFor();
      await page.getByText("This shield has expired.").waitFor({ state: "detached" });
    } finally {
      await browser.close();
    }
    await until(async () => (await wordsFor("Visitor", "127.0.0.51")) === "", {
      what: "a player who joins again",
    });
    expect(await motd()).toContain("Skyline");
    await fixture.peers.echo("Resident", "all the time");
  },
  nextRunMs + 120_000,
);
