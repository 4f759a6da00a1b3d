import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../console/browser.ts";
import { createConsolePages, type ConsolePages } from "../console/pages.ts";
import { drawnComponent, drawnText } from "../minecraft/drawn-text.ts";
import type { HostedServer } from "../minecraft/peer-host.ts";
import { logInAs } from "../product/account.ts";
import {
  startMinecraftFixture,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";
import {
  expectNoSidewaysScroll,
  expectSound,
  isInWindow,
  watchForErrors,
} from "../screens/inspect.ts";
import type { Appearance } from "../screens/accounts.ts";
import { hasFocus } from "../wizard/keyboard.ts";

/**
 * Customization and Caching: what the preview shows is what real players see, what the switch says
 * is what real pings meet. Each test has a new shield.
 */

const invite = "https://discord.gg/skyline";
const colourNames =
  "black dark_blue dark_green dark_aqua dark_red dark_purple gold gray dark_gray blue green aqua red light_purple yellow white".split(
    " ",
  );

/** Nothing listens there. */
const offlinePort = 4_009;

/** Two colours side by side, twice as wide as high. */
const drawPhoto = `(() => {
  const canvas = document.createElement("canvas");
  canvas.width = 300;
  canvas.height = 150;
  const context = canvas.getContext("2d");
  context.fillStyle = "#204080";
  context.fillRect(0, 0, 300, 150);
  context.fillStyle = "#e0b040";
  context.fillRect(150, 0, 150, 150);
  return canvas.toDataURL("image/jpeg");
})()`;

let fixture: MinecraftFixture;
let browser: Browser;
let pages: ConsolePages;
let server: HostedServer;
let shield: BoughtShield;
let token: string;
let serial = 0;

beforeAll(async () => {
  [fixture, browser] = await Promise.all([
    startMinecraftFixture({ PALISADE_DISCORD_INVITE: invite }, "500"),
    launchBrowser(),
  ]);
  pages = createConsolePages(browser, fixture.palisade.consoleUrl);
  server = await fixture.peers.serve("skyline", { motd: "Skyline is up" });
  token = await logInAs(fixture.palisade.consoleUrl, "owner@example.com");
});

afterEach(() => pages.end());

afterAll(async () => {
  await browser?.close();
  await fixture?.end();
});

/** Buys the shield of a test, whose server is on this port. */
async function newShield(port: number): Promise<void> {
  const domain = `skyline${(serial += 1)}.example.com`;
  shield = await fixture.buy({ plan: "Pro", domain, port });
}

function open(path: string, look: Appearance, width = 1440): Promise<Page> {
  return pages.open(path, { ...look, width, token });
}

const sectionPath = (section: string) => `/dashboard/gameshield/${shield.id}/${section}`;
const ping = () => fixture.peers.ping({ edge: fixture.edge, hostname: shield.domain });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

async function applied(page: Page, label: string): Promise<void> {
  const banner = page.getByRole("status").filter({ hasText: `${label}: applied on 1/1 edges` });
  await banner.waitFor();
  await banner.getByRole("button", { name: "Dismiss" }).click();
}

/** A part of the preview as the runs of a text component. */
async function drawnIn(text: Locator) {
  const runs = await text
    .locator(":scope > span")
    .evaluateAll((spans) =>
      spans.map((span) => ({ text: span.textContent ?? "", ...span.dataset })),
    );
  // As a component: then runs that look alike are one, here as there.
  return drawnComponent(
    (runs as ({ text: string } & Record<string, string | undefined>)[]).map((run) => ({
      text: run.text,
      ...(run["color"] === undefined
        ? {}
        : { color: colourNames[Number.parseInt(run["color"], 16)] }),
      bold: run["bold"] !== undefined,
      italic: run["italic"] !== undefined,
      strikethrough: run["struck"] !== undefined,
      underlined: run["underlined"] !== undefined,
    })),
  );
}

describe("customization", () => {
  let page: Page;
  let errors: string[];

  async function openOfflineMessages(): Promise<void> {
    await newShield(offlinePort);
    page = await open(`${sectionPath("customization")}?tab=offline`, {
      theme: "dark",
      locale: "en",
    });
    errors = watchForErrors(page, /412/);
  }

  test("all that is typed is previewed, and the preview is what a player's game draws", async () => {
    await openOfflineMessages();
    expect(await field(page, "MOTD line 1").getAttribute("placeholder")).toBe(
      "§cThis server is offline",
    );

    await field(page, "MOTD line 1").focus();
    const palette = page.getByRole("group", { name: "Insert into MOTD line 1" });
    expect(await palette.getByRole("button", { name: "{player}" }).count()).toBe(0);
    await palette.getByRole("button", { name: "Colour §a" }).click();
    await page.keyboard.type("Skyline ");
    await palette.getByRole("button", { name: "Bold §l" }).press("Enter");
    await page.keyboard.type("rests");
    expect(await field(page, "MOTD line 1").inputValue()).toBe("§aSkyline §lrests");
    await page.getByText("17/512").waitFor();
    await field(page, "MOTD line 2").fill("&6Back at §n18:00§z & later");
    await field(page, "Version info").fill("§eMaintenance");
    await field(page, "Offline info").fill("One\n§bdiscord: {discord}");
    await field(page, "Offline kick message").fill("&cHi {player}\n§7{discord}\n§8§o{trace}");

    const preview = page.getByRole("region", { name: "Preview" });
    const texts = preview.locator("figure").first().locator("[class*=text]");
    const [version, motd, one, two] = await Promise.all(
      [0, 1, 2, 3].map((index) => drawnIn(texts.nth(index))),
    );
    const kick = await drawnIn(preview.locator("figure").last().locator("[class*=text]"));

    await page.getByRole("button", { name: "Save" }).click();
    await applied(page, "Messages updated");
    const { raw } = await until(
      async () => {
        const entry = await ping();
        return entry.raw.version.name === "§eMaintenance" ? entry : undefined;
      },
      { what: "the offline entry" },
    );
    expect(drawnComponent(raw.description)).toEqual(motd);
    expect(drawnText(raw.version.name)).toEqual(version);
    expect(raw.players?.sample?.map(({ name }) => drawnText(name))).toEqual([one, two]);
    expect(two).toEqual(drawnText(`§bdiscord: ${invite}`));

    const edge = fixture.edge;
    const outcome = await fixture.peers.join({ edge, hostname: shield.domain, player: "Ann" });
    if (outcome.outcome !== "kicked") throw new Error(`Ann: ${outcome.outcome}`);
    const trace = /[0-9A-Z]{8}$/.exec(outcome.text)?.[0] ?? "";
    const asPreviewed = drawnComponent(outcome.raw).map((run) => ({
      ...run,
      text: run.text.replace("Ann", "Steve").replace(trace, "7K3M9QXD"),
    }));
    expect(asPreviewed).toEqual(kick);
    expect(errors).toEqual([]);
  });

  test("a photo becomes the icon players see; the field opens again once it is removed", async () => {
    await openOfflineMessages();
    const photo = String(await page.evaluate(drawPhoto));
    const input = page.locator("input[type=file]");
    await input.setInputFiles({
      name: "drawing.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    });
    await page.getByText("Your browser cannot read this file as an image.").waitFor();
    await input.setInputFiles({
      name: "photo.jpg",
      mimeType: "image/jpeg",
      buffer: Buffer.from(photo.replace(/^.*,/, ""), "base64"),
    });
    const dialog = page.getByRole("dialog", { name: "Position the image" });
    await dialog.locator(":focus").waitFor();
    await dialog.getByRole("slider", { name: "Left to right" }).press("End");
    await expectSound(page, "position the image");
    await dialog.getByRole("button", { name: "Use image" }).click();
    await until(() => input.isDisabled(), { what: "one image at a time" });
    await page.getByRole("button", { name: "Save" }).click();
    await applied(page, "Messages updated");

    const { data } = await fixture.owner(routes.serverMessages.getServerMessages, {
      params: shield.params,
    });
    expect(data.offline.offline_image).toMatch(/^data:image\/png/);
    const { raw } = await ping();
    expect(raw.favicon).toBe(data.offline.offline_image);
    await expectSound(page, "offline");

    await page.getByRole("button", { name: "Remove image" }).press("Enter");
    await until(() => input.isEnabled(), { what: "room for another image" });
    await page.getByRole("button", { name: "Save" }).click();
    await applied(page, "Messages updated");
    expect((await ping()).raw.favicon).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test("two people: what both wrote is kept, and the second is told", async () => {
    await openOfflineMessages();
    await field(page, "MOTD line 2").fill("Typed here");
    const body = { offline: { motd_line1: "Theirs" } };
    await fixture.owner(routes.serverMessages.updateServerMessages, {
      params: shield.params,
      body,
    });
    await page.getByRole("button", { name: "Save" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "MOTD line 1" });
    await alert.getByText("Theirs", { exact: true }).waitFor();
    expect(await field(page, "MOTD line 2").inputValue()).toBe("Typed here");
    // Read first: it is where Save was pressed, has the focus, and Save alone replaces nothing.
    await until(
      () => alert.evaluate((shown) => shown.parentElement === shown.ownerDocument.activeElement),
      {
        what: "the focus at the conflict",
      },
    );
    const keep = alert.getByRole("button", { name: "Keep mine" });
    expect(await isInWindow(keep)).toBe(true);
    const save = page.getByRole("button", { name: "Save" });
    expect(await save.getAttribute("aria-disabled")).toBe("true");
    await expectSound(page, "messages, a conflict");
    await keep.press("Enter");
    await applied(page, "Messages updated");
    await alert.waitFor({ state: "detached" });
    expect(drawnComponent((await ping()).raw.description)).toEqual(drawnText("Theirs\nTyped here"));

    // Theirs, where both wrote the same; what else was typed here stays to be saved.
    await field(page, "MOTD line 1").fill("Mine");
    await field(page, "MOTD line 2").fill("Mine too");
    const again = { offline: { motd_line1: "Theirs again" } };
    await fixture.owner(routes.serverMessages.updateServerMessages, {
      params: shield.params,
      body: again,
    });
    await save.press("Enter");
    await alert.getByRole("button", { name: "Keep theirs" }).press("Enter");
    await alert.waitFor({ state: "detached" });
    await hasFocus(page, save);
    expect(await field(page, "MOTD line 1").inputValue()).toBe("Theirs again");
    await save.press("Enter");
    await applied(page, "Messages updated");
    const { data } = await fixture.owner(routes.serverMessages.getServerMessages, {
      params: shield.params,
    });
    expect(data.offline).toMatchObject({ motd_line1: "Theirs again", motd_line2: "Mine too" });
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page, "offline at 320");
    expect(errors).toEqual([]);
  });

  test("every message of the other tabs has its field, its default and its preview, in Russian", async () => {
    await newShield(offlinePort);
    const russian = await open(
      `${sectionPath("customization")}?tab=mitigation`,
      { theme: "light", locale: "ru" },
      320,
    );
    const seen: string[] = [];
    for (const [tab, count] of [
      ["Защита", 7],
      ["Основное", 2],
      ["Файрвол", 2],
    ] as const) {
      const tabs = russian.getByRole("navigation", { name: "Сообщения" });
      await tabs.getByRole("link").filter({ hasText: tab }).click();
      await until(async () => (await russian.getByRole("textbox").count()) === count, {
        what: `${count} fields under ${tab}`,
      });
      for (const box of await russian.getByRole("textbox").all()) {
        await box.focus();
        const name = (await box.getAttribute("name")) ?? "";
        expect(await box.getAttribute("placeholder"), name).not.toBe("");
        seen.push(name);
      }
      await expectNoSidewaysScroll(russian, tab);
    }
    await expectSound(russian, "messages in Russian");
    expect(seen.toSorted()).toEqual(
      "blacklist_msg bot_check_msg bot_name_msg cooldown_msg forge_msg invalid_version_msg max_connections_msg rejoin_msg secure_profiles_msg vpn_msg whitelist_msg".split(
        " ",
      ),
    );
  });
});

describe("caching", () => {
  let page: Page;
  const toggle = () => page.getByRole("switch", { name: "MOTD caching" });

  async function openCaching(): Promise<void> {
    await newShield(server.port);
    page = await open(sectionPath("caching"), { theme: "dark", locale: "en" });
  }

  test("off, every ping reaches the server; on, the edge answers; a purge makes it ask anew", async () => {
    await openCaching();
    await until(async () => (await ping()).motd === "Skyline is up", {
      what: "the server's own entry",
      capMs: 60_000,
    });
    const reached = async (pings: number) => {
      const before = server.pings().length;
      for (let each = 0; each < pings; each++) await ping();
      return server.pings().length - before;
    };

    await toggle().press("Space");
    await applied(page, "Caching settings updated");
    expect(await reached(4)).toBeGreaterThanOrEqual(4);

    await toggle().press("Space");
    await applied(page, "Caching settings updated");
    await ping();
    expect(await reached(12)).toBeLessThan(12);

    await page.getByRole("button", { name: "Purge cache" }).click();
    await applied(page, "Cache purged");
    await page.getByText("Last purge").waitFor();
    expect(await reached(1)).toBeGreaterThanOrEqual(1);
  });

  test("two people: the second is asked before anything is overwritten", async () => {
    await openCaching();
    const body = { caching_enabled: false };
    await fixture.owner(routes.caching.updateCaching, { params: shield.params, body });
    await fixture.owner(routes.caching.updateCaching, {
      params: shield.params,
      body: { caching_enabled: true },
    });
    await toggle().press("Space");
    const alert = page.getByRole("alert").filter({ hasText: "Another user changed this" });
    await alert.waitFor();
    await expectSound(page, "caching, a conflict");
    await alert.getByRole("button", { name: "Turn off anyway" }).click();
    await applied(page, "Caching settings updated");
    expect(await toggle().isChecked()).toBe(false);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page, "caching at 320");
  });

  test("a plan without it says how to get it, and nothing can be pressed", async () => {
    const free = await fixture.buy({ domain: "free.example.com", port: server.port });
    page = await open(`/dashboard/gameshield/${free.id}/caching`, { theme: "light", locale: "ru" });
    await page.getByText("Ваш тариф не включает кэширование.", { exact: false }).waitFor();
    expect(await page.getByRole("switch").isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: "Очистить кэш" }).count()).toBe(0);
    await page.getByRole("button", { name: "Улучшить тариф" }).click();
    const upgrade = page.getByRole("dialog", { name: "Улучшить тариф" });
    await upgrade.getByText("9,00 € / месяц", { exact: true }).waitFor();
    const offered = upgrade.getByRole("radio");
    expect(
      await offered.evaluateAll((radios) => radios.map((each) => each.getAttribute("aria-label"))),
    ).toEqual([
      expect.stringContaining("Free"),
      expect.stringContaining("Plus"),
      expect.stringContaining("Pro"),
      expect.stringContaining("Network"),
    ]);
    await upgrade.getByText("Здесь вы доплачиваете только разницу.", { exact: false }).waitFor();
    await upgrade
      .getByRole("link", { name: "Discord" })
      .and(page.locator(`[href="${invite}"]`))
      .waitFor();
    await expectSound(page, "caching, another plan");
  });
});
