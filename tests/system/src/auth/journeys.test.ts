import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { password } from "../product/account.ts";
import { totpCode } from "../profile/totp.ts";
import {
  expectNoSidewaysScroll,
  expectSound,
  settled,
  watchForErrors,
} from "../screens/inspect.ts";
import { createAccount } from "../screens/accounts.ts";
import { advanceClock } from "../spec/clock.ts";
import { hasFocus, tabTo } from "../wizard/keyboard.ts";
import { button, field, heading, expectPath, link, logIn, expectText } from "./auth-pages.ts";
import { mailedCodes, startAuthFixture, turnOnTwoFactor, type AuthFixture } from "./fixture.ts";
import { authTexts } from "./texts.ts";

/**
 * From a stranger to the dashboard, on every way the auth pages offer. Each journey is in one
 * language: `spec/account-pages.test.ts` of the console tests reads every message in both.
 */

const newPassword = "another horse, same stable";
let fixture: AuthFixture;

beforeAll(async () => {
  fixture = await startAuthFixture();
});

afterEach(async () => {
  await fixture?.closePages();
});

afterAll(async () => {
  await fixture?.end();
});

/** As logging out leaves the browser, without the call. */
async function forgetSession(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem("access_token"));
  await page.goto("/login");
}

function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}

test("with the keyboard alone: registered, sent a new code for logging in too early, confirmed, entered", async () => {
  const locale = "ru";
  const texts = authTexts[locale];
  const email = "keys@example.com";
  const page = await fixture.open("/login", { locale });
  const errors = watchForErrors(page, /Failed to load resource/);
  const typeLogin = async (known: string) => {
    await heading(page, texts.headings.login).waitFor();
    await hasFocus(page, field(page, known === "" ? texts.email : texts.password));
    expect(await field(page, texts.email).inputValue()).toBe(known);
    if (known === "") await page.keyboard.type(email);
    await tabTo(page, field(page, texts.password));
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
  };
  await tabTo(page, link(page, texts.links.register));
  await page.keyboard.press("Enter");

  await hasFocus(page, field(page, texts.email));
  await page.keyboard.type(email);
  await tabTo(page, field(page, texts.password));
  await page.keyboard.type(password);
  await tabTo(page, field(page, texts.repeat));
  await page.keyboard.type(password);
  await tabTo(page, page.getByRole("checkbox", { name: texts.terms }));
  await page.keyboard.press("Space");
  await tabTo(page, button(page, texts.headings.register));
  await page.keyboard.press("Enter");

  await heading(page, texts.headings.confirm).waitFor();
  await hasFocus(page, field(page, texts.code));
  const [first] = await mailedCodes(fixture.palisade.consoleUrl, email, 1);
  await tabTo(page, link(page, texts.links.back));
  await page.keyboard.press("Enter");
  await typeLogin("");

  await expectPath(page, "/confirm");
  await expectText(page, texts.messages.resent);
  await page.getByRole("button", { name: texts.countdown }).waitFor();
  const codes = await mailedCodes(fixture.palisade.consoleUrl, email, 2);
  await hasFocus(page, field(page, texts.code));
  await page.keyboard.type(codes.find((mailed) => mailed !== first) ?? "");
  await page.keyboard.press("Enter");
  await expectText(page, texts.messages.confirmed);

  await typeLogin(email);
  await expectPath(page, "/dashboard");
  expect(await stored(page, "register_data")).toBeNull();
  expect(errors).toEqual([]);
});

test("a forgotten password is replaced; the old one and its sessions end, two-factor stays on", async () => {
  const locale = "en";
  const texts = authTexts[locale];
  const email = "forgetful@example.com";
  const account = await createAccount(fixture.palisade.consoleUrl, email);
  await turnOnTwoFactor(account);
  const page = await fixture.open("/login", { locale });
  await link(page, texts.links.forgot).click();

  await heading(page, texts.headings.reset).waitFor();
  await button(page, texts.send).click();
  await expectText(page, texts.refusals.required);
  await expectText(page, texts.refusals.emailPlease);
  await field(page, texts.email).fill(email);
  await button(page, texts.send).click();
  await expectText(page, texts.messages.resetSent);

  await expectPath(page, "/reset-password/confirm");
  await hasFocus(page, field(page, texts.code));
  expect(await field(page, texts.email).inputValue()).toBe(email);
  await field(page, texts.code).fill("00000000");
  await button(page, texts.continue).click();
  await expectText(page, texts.refusals.wrongCode);
  // The registration's code is there already.
  const codes = await mailedCodes(fixture.palisade.consoleUrl, email, 2);
  const [mailed = ""] = codes;
  await field(page, texts.code).fill(`${mailed.slice(0, 4)}-${mailed.slice(4)}`.toLowerCase());
  await button(page, texts.continue).click();
  await expectText(page, texts.messages.resetVerified);

  await expectPath(page, "/reset-password/new");
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(mailed);
  await hasFocus(page, field(page, texts.newPassword));
  const name = field(page, texts.email);
  expect(await name.inputValue()).toBe(email);
  expect(await name.getAttribute("autocomplete")).toBe("username");
  await field(page, texts.newPassword).fill("password1234");
  await field(page, texts.repeat).fill("password123");
  await button(page, texts.save).click();
  await expectText(page, texts.refusals.mismatch);
  // Mended in either of the two fields.
  await field(page, texts.newPassword).fill("password123");
  await page.getByText(texts.refusals.mismatch, { exact: true }).waitFor({ state: "detached" });
  await button(page, texts.save).click();
  await expectText(page, texts.refusals.common);
  await hasFocus(page, field(page, texts.newPassword));
  await field(page, texts.newPassword).fill(newPassword);
  await field(page, texts.repeat).fill(newPassword);
  await button(page, texts.save).click();
  await expectText(page, texts.messages.reset);

  await expectPath(page, "/login");
  expect(await stored(page, "reset_email")).toBeNull();
  await expect(account.call(routes.auth.user, {})).rejects.toMatchObject({ status: 401 });
  await logIn(page, { email, password: account.password }, texts);
  await expectText(page, texts.refusals.wrongLogin);
  await logIn(page, { email, password: newPassword }, texts);
  await heading(page, texts.headings.twoFactor).waitFor();
});

test("a login with two-factor takes a code, or a backup code once", async () => {
  const locale = "ru";
  const texts = authTexts[locale];
  const email = "careful@example.com";
  const account = await createAccount(fixture.palisade.consoleUrl, email);
  const { secret, backupCodes } = await turnOnTwoFactor(account);
  const [backupCode = ""] = backupCodes;

  const page = await fixture.open("/login?next=/dashboard/billing", { locale });
  const errors = watchForErrors(page, /Failed to load resource/);
  await logIn(page, account, texts);
  await heading(page, texts.headings.twoFactor).waitFor();
  const code = field(page, texts.authenticationCode);
  await hasFocus(page, code);
  expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
  expect(await stored(page, "access_token")).toBeNull();
  await code.fill("123");
  await page.keyboard.press("Enter");
  await expectText(page, texts.refusals.codeShort);
  // Right only with one in a hundred thousand.
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await expectText(page, texts.refusals.wrongCode);
  await hasFocus(page, code);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectSound(page, `two-factor step at ${width} px`);
  }
  await page.setViewportSize({ width: 320, height: 900 });
  await expectNoSidewaysScroll(page, "two-factor step");
  // The next period's is good already, and not the one that switching it on used up.
  const right = totpCode(secret, 1);
  await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
  await page.keyboard.press("Enter");
  await expectPath(page, "/dashboard/billing");
  expect(errors).toEqual([]);

  await forgetSession(page);
  await logIn(page, account, texts);
  await button(page, texts.useBackup).click();
  await field(page, texts.backupCode).fill(backupCode);
  await page.keyboard.press("Enter");
  await expectPath(page, "/dashboard");

  await forgetSession(page);
  await logIn(page, account, texts);
  await button(page, texts.useBackup).click();
  await field(page, texts.backupCode).fill(backupCode);
  await page.keyboard.press("Enter");
  await expectText(page, texts.refusals.wrongCode);
  await heading(page, texts.headings.twoFactor).waitFor();
  await button(page, texts.links.back).click();
  await heading(page, texts.headings.login).waitFor();
  expect(await field(page, texts.email).inputValue()).toBe(email);
});

test("logging out leaves nothing of the account in the browser, ends other tabs and keeps language and theme", async () => {
  const texts = authTexts.ru;
  const account = await createAccount(fixture.palisade.consoleUrl, "leaving@example.com");
  const page = await fixture.open("/login", { locale: "ru", theme: "light" });
  await logIn(page, account, texts);
  await expectPath(page, "/dashboard");
  const other = await page.context().newPage();
  await other.goto(new URL("/dashboard/profile", page.url()).href);
  await settled(other);
  await page.evaluate((email) => {
    localStorage.setItem("a draft", email);
    sessionStorage.setItem("a draft", email);
  }, account.email);
  await page.getByRole("button", { name: /^Меню аккаунта/ }).click();
  await page.getByRole("menuitem", { name: "Выйти" }).click();
  for (const each of [page, other]) {
    await expectPath(each, "/login");
    await heading(each, texts.headings.login).waitFor();
  }
  const storage = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(storage).not.toMatch(/leaving@|pst_/);
  await page.reload();
  await heading(page, texts.headings.login).waitFor();
  expect(await page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("light");
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  expect(cookies).toContain("palisade_device");
});

describe("a code", () => {
  const texts = authTexts.en;

  test("can be sent again every 120 seconds, however often the page is reloaded", async () => {
    const page = await fixture.open("/reset-password/confirm", {
      storage: { reset_email: "pending@example.com" },
      prepare: (opened) => opened.clock.install(),
    });
    const left = async () => {
      const name = await page.getByRole("button", { name: texts.countdown }).innerText();
      return Number(texts.countdown.exec(name)?.[1]);
    };
    await button(page, texts.resend).click();
    await expectText(page, texts.messages.resent);
    const first = await left();
    expect(first).toBeLessThanOrEqual(120);
    await page.clock.fastForward(60_000);
    await until(async () => (await left()) <= first - 60);
    await page.reload();
    await settled(page);
    expect(await left()).toBeLessThanOrEqual(first - 60);
    await page.getByRole("button", { name: texts.countdown }).click({ force: true });
    await expectText(page, texts.refusals.early);
    await page.clock.fastForward(60_000);

    // The server's clock has not moved: the seconds it answers count.
    await button(page, texts.resend).click();
    await page.getByRole("button", { name: texts.countdown }).waitFor();
    await advanceClock(fixture.palisade.consoleUrl, 120);
    await page.clock.fastForward(120_000);
    await button(page, texts.resend).click();
    await until(async () => (await left()) > 110);
  });
});
