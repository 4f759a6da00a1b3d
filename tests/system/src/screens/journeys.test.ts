import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ConsolePages } from "../console/pages.ts";
import { choosePlan, enterName, goToConfirmation } from "../console/wizard.ts";
import { hasFocus } from "../wizard/keyboard.ts";
import { expectSound, settled, watchForErrors } from "./inspect.ts";
import { createAccount } from "./accounts.ts";
import { startScreensFixture, storageOf, type ScreensFixture } from "./fixture.ts";

/** Journeys without a mouse, and what happens when several people or sessions meet. */

let fixture: ScreensFixture;
let pages: ConsolePages;

beforeAll(async () => {
  fixture = await startScreensFixture();
  ({ pages } = fixture);
});

afterEach(async () => {
  await pages.end();
});

afterAll(async () => {
  await fixture?.end();
});

function open(path: string, storage = storageOf(fixture, "owner"), width = 1440): Promise<Page> {
  return pages.open(path, { storage, width });
}

const shield = (section = "") => `/dashboard/gameshield/${fixture.shieldId}${section}`;

/** Presses Tab until the element has the focus; a page one cannot get through ends the test. */
async function tabTo(page: Page, role: "button" | "link" | "textbox", name: string): Promise<void> {
  const target = page.getByRole(role, { name, exact: true }).and(page.locator(":focus"));
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await target.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach the ${role} ${name}`);
}

describe("by keyboard", () => {
  test("a wrong password is told, the right one leads to the page that was wanted", async () => {
    const page = await open("/dashboard/setup", {});
    await page.waitForURL(/\/login\?next=/);
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    await page.keyboard.type(fixture.owner.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await page.getByText("Wrong e-mail or password").waitFor();
    expect(await page.getByRole("textbox", { name: "Email" }).inputValue()).toBe(
      fixture.owner.email,
    );

    await page.getByLabel("Password", { exact: true }).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(fixture.owner.password);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/setup");
  });

  test("the first wrong field takes the focus and nothing typed is lost", async () => {
    const page = await open("/dashboard/setup");
    await choosePlan(page, /^Free/);
    await enterName(page, "Lobby");
    await page.getByRole("textbox", { name: "Real IP" }).fill("999.1.1.1");
    await tabTo(page, "button", "Next");
    await page.keyboard.press("Enter");
    await page.getByText("The real ip field must be a valid IP address.").waitFor();
    const wrong = page.getByRole("textbox", { name: "Real IP" }).and(page.locator(":focus"));
    await wrong.waitFor();
    await expectSound(page, "refused form");
    await page.reload();
    await settled(page);
    expect(await page.getByRole("textbox", { name: "Real IP" }).inputValue()).toBe("999.1.1.1");
  });

  test("a shield is created once, though the first answer was lost on its way", async () => {
    const page = await open("/dashboard/setup", storageOf(fixture, "newcomer"));
    const keys: (string | undefined)[] = [];
    await page.route("**/api/v1/servers", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await goToConfirmation(page, {
      name: "Only once",
      address: "127.0.0.1",
      port: 25_565,
      domain: "once.example.com",
    });
    await page.getByRole("button", { name: "Create GameShield" }).press("Enter");
    await page.getByText("Error creating GameShield").waitFor();
    await page.getByRole("button", { name: "Create GameShield" }).press("Enter");
    await page.getByText("GameShield created!").waitFor();
    await page.waitForURL("**/dashboard");
    await page.getByRole("link", { name: "Only once" }).waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    const { data } = await fixture.newcomer.call(routes.servers.listServers, { query: {} });
    expect(data.total).toBe(1);
  });

  test("the palette jumps to a section by what is typed", async () => {
    const page = await open("/dashboard");
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox", { name: "Jump to" }).waitFor();
    await page.getByRole("option", { name: "Skyline: Overview" }).waitFor();
    await expectSound(page, "palette");
    await page.keyboard.type("fire sky");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${shield("/firewall")}`);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("an address is added, removed and brought back", async () => {
    const page = await open(shield("/firewall"));
    const entry = page.getByRole("cell", { name: "192.0.2.77", exact: true });
    await tabTo(page, "textbox", "Address or name to block");
    await page.keyboard.type("192.0.2.77");
    await page.keyboard.press("Enter");
    await entry.waitFor();
    await tabTo(page, "button", "Delete 192.0.2.77");
    await page.keyboard.press("Enter");
    await entry.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press("Enter");
    await entry.waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /IP 192\.0\.2\.77 added successfully: applied on 1\/1 edges in [\d.]+ s/ })
      .waitFor();
    await expectSound(page, "receipt");
  });

  test("leaving works from the account menu, and the way back is shut", async () => {
    const account = await createAccount(fixture.palisade.consoleUrl, "leaving@example.com");
    const page = await open("/dashboard", { access_token: account.token });
    await page.getByRole("button", { name: /Account menu/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Log out" }).waitFor();
    await expectSound(page, "account menu");
    // Round from the first to the last.
    await page.keyboard.press("ArrowUp");
    await hasFocus(page, page.getByRole("menuitem", { name: "Log out" }));
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/login" && url.search === "");
    await page.goto("/dashboard");
    await page.waitForURL(/\/login/);
    await expect(account.call(routes.auth.user, {})).rejects.toThrow("Please log in");
  });
});

describe("when several meet", () => {
  test("a switch that meets another member's change shows it before anything is overwritten", async () => {
    const page = await open(shield("/firewall"));
    await fixture.owner.call(routes.firewall.updateFirewall, {
      params: { id: fixture.shieldId },
      body: { ip_whitelist_enabled: false },
    });
    // The switch itself is hidden behind its drawing.
    await page.getByRole("switch", { name: "Whitelist only" }).press("Space");
    const conflict = page.getByRole("alert").filter({ hasText: "Another user changed this" });
    await conflict.getByText("IP Whitelist: on → off").waitFor();
    await expectSound(page, "conflict");
    await conflict.getByRole("button", { name: "Set Whitelist only to on anyway" }).click();
    await conflict.waitFor({ state: "detached" });
    const { data } = await fixture.owner.call(routes.firewall.getFirewall, {
      params: { id: fixture.shieldId },
    });
    expect(data).toMatchObject({ ip_whitelist_enabled: false, whitelist_only: true });
  });

  test("a switch is locked for 5 seconds after a change", async () => {
    const page = await open(shield("/firewall"));
    const blacklist = page.getByRole("switch", { name: "IP Blacklist" });
    await blacklist.press("Space");
    await until(() => blacklist.isDisabled());
    const lockedAt = performance.now();
    await until(() => blacklist.isEnabled());
    expect(performance.now() - lockedAt).toBeGreaterThan(4_000);
    await blacklist.press("Space");
    await until(() => blacklist.isDisabled());
    // The change of the previous test has locked it for everybody for that long.
    await fixture.owner.call(routes.firewall.updateFirewall, {
      params: { id: fixture.shieldId },
      body: { whitelist_only: false },
    });
  });

  test("texts that another member saved are shown, and the typed ones stay", async () => {
    const page = await open(shield("/customization?tab=offline"));
    await page.getByRole("textbox", { name: "MOTD line 2" }).fill("Typed here");
    await fixture.owner.call(routes.serverMessages.updateServerMessages, {
      params: { id: fixture.shieldId },
      body: { offline: { motd_line1: "Theirs" } },
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("Theirs", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "MOTD line 2" }).inputValue()).toBe(
      "Typed here",
    );
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("status").filter({ hasText: "Messages updated" }).waitFor();
    const { data } = await fixture.owner.call(routes.serverMessages.getServerMessages, {
      params: { id: fixture.shieldId },
    });
    expect(data.offline).toMatchObject({ motd_line1: "Theirs", motd_line2: "Typed here" });
  });

  test("unsaved texts are not left behind without a question", async () => {
    const page = await open(shield("/customization?tab=offline"));
    await page.getByRole("textbox", { name: "Version info" }).fill("Typed");
    await page.getByRole("link", { name: "Overview" }).click();
    const question = page.getByRole("dialog", { name: "Unsaved changes" });
    await question.waitFor();
    await expectSound(page, "unsaved changes");
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    expect(await page.getByRole("textbox", { name: "Version info" }).inputValue()).toBe("Typed");
    await page.getByRole("link", { name: "Overview" }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL((url) => url.pathname === shield());
  });

  test("a session ended elsewhere leads to the login, and back to where one was", async () => {
    const account = await createAccount(fixture.palisade.consoleUrl, "expired@example.com");
    const page = await open("/dashboard", { access_token: account.token });
    const errors = watchForErrors(page, /Failed to load resource/);
    await account.call(routes.auth.logout, {});
    await page.waitForURL(/\/login\?next=%2Fdashboard/);
    expect(await page.evaluate("localStorage.getItem('access_token')")).toBeNull();
    expect(errors).toEqual([]);
  });
});

describe("a stranger", () => {
  test.each([
    ["ru-RU", "ru", "Вход"],
    ["de-DE", "en", "Log in"],
  ])(
    "with a browser in %s reads %s at first, and may choose",
    async (browserLocale, lang, word) => {
      const context = await fixture.browser.newContext({
        baseURL: fixture.palisade.consoleUrl,
        locale: browserLocale,
      });
      const page = await context.newPage();
      await page.goto("/login");
      await page.getByRole("heading", { name: word }).waitFor();
      expect(await page.evaluate("document.documentElement.lang")).toBe(lang);
      await page.getByRole("button", { name: /^(RU|EN),/ }).click();
      await page.getByRole("heading", { name: lang === "ru" ? "Log in" : "Вход" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: lang === "ru" ? "Log in" : "Вход" }).waitFor();
      await context.close();
    },
  );

  test("sees the theme they chose from the first paint on", async () => {
    const page = await open("/login", {});
    await page.getByRole("button", { name: "Dark theme, switch to light" }).click();
    const light = "rgb(246, 247, 249)";
    const background = () =>
      page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    await until(async () => (await background()) === light, { what: "the light theme" });
    // Without the program only the page, its styles and the small blocking script are left.
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload();
    expect(await background()).toBe(light);
  });

  test("is told by the address what happened, in known words only", async () => {
    const page = await open("/login?message=email_confirmed&error=%3Cb%3Ehello", {});
    await page.getByText("Email confirmed").waitFor();
    await page.waitForURL((url) => url.search === "");
    expect(await page.getByText("hello").count()).toBe(0);
  });

  test("is never sent to another site after logging in", async () => {
    const page = await open("/login?next=//evil.example/dashboard", {});
    await page.getByRole("textbox", { name: "Email" }).fill(fixture.owner.email);
    await page.getByLabel("Password", { exact: true }).fill(fixture.owner.password);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard");
    expect(new URL(page.url()).origin).toBe(new URL(fixture.palisade.consoleUrl).origin);
  });

  test("without a pending registration is sent from confirming to registering", async () => {
    const page = await open("/confirm", {});
    expect(new URL(page.url()).pathname).toBe("/register");
  });

  test("waits two minutes between codes, also after a reload", async () => {
    const page = await open("/confirm", storageOf(fixture, "stranger"));
    await page.getByRole("button", { name: "Resend code" }).click();
    await page.getByText("Code resent successfully. Please check your email.").waitFor();
    await page.reload();
    await settled(page);
    const button = page.getByRole("button", { name: /Resend available in \d+ sec/ });
    await button.click({ force: true });
    await page.getByText("Please wait 2 minutes before resending the code.").waitFor();
    await expectSound(page, "cooldown");
  });
});
