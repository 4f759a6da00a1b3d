import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createShield } from "../product/account.ts";
import { runCommand } from "../product/palisade.ts";
import { expectSound, settled } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { hasFocus, tabTo } from "../wizard/keyboard.ts";
import { button, expectPath, follow, heading, link, logIn, toasts } from "./auth-pages.ts";
import { startAuthFixture, turnOnTwoFactor, type AuthFixture } from "./fixture.ts";
import { authTexts } from "./texts.ts";

/** The frame of the dashboard area: where it leads, and what it remembers. */

let fixture: AuthFixture;
let owner: TestAccount;
let shieldId: string;

beforeAll(async () => {
  fixture = await startAuthFixture();
  owner = await createAccount(fixture.palisade.consoleUrl, "owner@example.com");
  const backend = { host: "127.0.0.1", port: 25_565 };
  ({ id: shieldId } = await createShield(owner.call, backend, "shell.example.com"));
});

afterEach(async () => {
  await fixture?.closePages();
});

afterAll(async () => {
  await fixture?.end();
});

const ownersPage = (path: string) => fixture.open(path, { storage: { access_token: owner.token } });

test("the palette finds a section of a shield, and gives the focus back to where it came from", async () => {
  const page = await ownersPage("/dashboard");
  const opener = page.getByRole("button", { name: /^Jump to/ });
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  await hasFocus(page, page.getByRole("combobox", { name: "Jump to" }));
  // Every shield from the start, its sections by typing.
  const options = page.getByRole("option").filter({ hasText: "Skyline" });
  await until(async () => (await options.count()) === 1, { what: "the shield" });
  await page.keyboard.type("fire");
  await page.getByRole("option", { name: /^Skyline: Firewall/ }).waitFor();
  await page.keyboard.press("Escape");
  await hasFocus(page, opener);
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("on a phone the navigation is a drawer that keeps the keyboard and gives it back", async () => {
  const page = await fixture.open("/dashboard", {
    storage: { access_token: owner.token },
    width: 390,
  });
  const burger = button(page, "Open navigation");
  const isInside = () => page.evaluate("document.activeElement.closest('nav') !== null");
  const billing = link(page, "Billing");
  // Not for the keyboard nor a screen reader either.
  expect(await billing.count()).toBe(0);
  await burger.press("Enter");
  await until(isInside, { what: "the focus in the drawer" });
  await expectSound(page, "drawer");
  for (let step = 0; step < 10; step += 1) {
    await page.keyboard.press("Tab");
    expect(await isInside()).toBe(true);
  }
  await page.keyboard.press("Escape");
  await hasFocus(page, burger);
  await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
  await burger.press("Enter");
  // Until the drawer has taken the focus, it would take it from the link.
  await until(isInside, { what: "the focus in the drawer again" });
  await billing.press("Enter");
  await expectPath(page, "/dashboard/billing");
  await hasFocus(page, burger);
});

test("breadcrumbs say the shield's name, on a phone as well", async () => {
  const page = await ownersPage(`/dashboard/gameshield/${shieldId}/firewall`);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
  await crumbs.getByText("Skyline", { exact: true }).waitFor();
  await page.setViewportSize({ width: 320, height: 700 });
  await until(
    async () => (await page.evaluate("document.documentElement.scrollWidth - innerWidth")) === 0,
    { what: "a page no wider than the phone" },
  );
  await crumbs.getByRole("link", { name: "Dashboard" }).click();
  await expectPath(page, "/dashboard");
  await crumbs.getByText("Skyline").waitFor({ state: "detached" });
});

test("the account menu leads to account and profile by keyboard", async () => {
  const page = await ownersPage("/dashboard");
  const menu = page.getByRole("button", { name: /Account menu/ });
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  for (const [name, search] of [
    ["My account", "?tab=security"],
    ["Profile", ""],
  ] as const) {
    await menu.focus();
    await page.keyboard.press("Enter");
    // An opened menu gives the focus to its first item, however late.
    await hasFocus(page, item("My account"));
    if (name === "Profile") await page.keyboard.press("ArrowDown");
    await hasFocus(page, item(name));
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/dashboard/profile" && url.search === search);
    await expectPath(page, "/dashboard/profile");
  }
});

test("another page begins at its top", async () => {
  const page = await ownersPage("/dashboard/profile");
  await page.setViewportSize({ width: 1440, height: 300 });
  const scrolled = () => page.evaluate<number>("scrollY");
  await page.evaluate("scrollTo(0, 200)");
  await until(async () => (await scrolled()) > 0);
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Billing" })
    .click();
  await heading(page, "Billing").waitFor();
  await until(async () => (await scrolled()) === 0);
});

test("a page whose code did not arrive is there after another try, and so are toasts", async () => {
  const code = /\/assets\/(login-page|toast-host)-[^/]*\.js$/;
  const missing: string[] = [];
  const page = await fixture.open("/login", {
    prepare: (fresh) => {
      fresh.on("requestfailed", (request) => missing.push(request.url()));
      return fresh.route(code, (request) => request.abort());
    },
    unsettled: true,
  });
  await page.getByText("Something went wrong", { exact: true }).waitFor();
  await until(() => missing.some((url) => url.includes("toast-host")), { what: "no toasts" });
  await page.unroute(code);
  await button(page, "Try again").click();
  await heading(page, "Log in").waitFor();
  await expectPath(page, "/login");
  await follow(page, "/login?message=email_confirmed");
  await toasts(page).filter({ hasText: "Email confirmed" }).waitFor();
});

test("theme, language and width of the navigation survive a reload", async () => {
  const page = await ownersPage("/dashboard");
  await button(page, "Dark theme, switch to light").click();
  await button(page, "Collapse navigation").click();
  await page.getByRole("button", { name: /^EN,/ }).click();
  await page.getByRole("heading", { name: "Ваши серверы" }).waitFor();
  await page.reload();
  await settled(page);
  const root = page.locator("html");
  expect(await root.getAttribute("data-mantine-color-scheme")).toBe("light");
  expect(await root.getAttribute("lang")).toBe("ru");
  expect(
    await page
      .getByRole("navigation", { name: "Главная навигация" })
      .evaluate((bar) => bar.clientWidth),
  ).toBe(77);
});

test("an unknown path says so and leads one step back; below /dashboard the frame stays", async () => {
  const page = await fixture.open("/register");
  await page.goto("/no/such/page");
  await page.getByText("404", { exact: true }).waitFor();
  await heading(page, "Page not found").waitFor();
  await button(page, "Go Back").click();
  await expectPath(page, "/register");

  const inside = await ownersPage("/dashboard/no/such/page");
  await heading(inside, "Page not found").waitFor();
  expect(await inside.getByRole("main").count()).toBe(1);
  await expectSound(inside, "not found inside the frame");
  await inside
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Billing" })
    .click();
  await expectPath(inside, "/dashboard/billing");
});

describe("staff", () => {
  test("without two-factor are led to its set-up from everywhere, until it is on", async () => {
    const { consoleUrl, home } = fixture.palisade;
    const account = await createAccount(consoleUrl, "staff@example.com");
    await runCommand(home, ["staff", "add", account.email]);
    const page = await fixture.open("/login");
    await logIn(page, account, authTexts.en);
    await expectPath(page, "/dashboard/profile");
    await page
      .getByRole("alert")
      .filter({ hasText: "Set up two-factor authentication first" })
      .waitFor();
    expect(new URL(page.url()).search).toBe("?tab=security");
    await link(page, "Billing").click();
    await expectPath(page, "/dashboard/profile");
    await page.goto(`/dashboard/gameshield/${shieldId}`);
    await expectPath(page, "/dashboard/profile");

    const token = await page.evaluate(() => localStorage.getItem("access_token"));
    expect(token).not.toBeNull();
    // The page makes a secret as it opens; the one that is switched on has to come after.
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    await turnOnTwoFactor(account);
    const { user } = (await account.call(routes.auth.user, {})).data;
    expect(user).toMatchObject({ role: "staff", two_factor_required: false });
    await link(page, "Billing").click();
    await expectPath(page, "/dashboard/billing");
  });
});
