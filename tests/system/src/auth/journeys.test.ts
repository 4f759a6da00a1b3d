import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { password } from "../product/account.ts";
import { totpCode } from "../profile/totp.ts";
import { expectNoSidewaysScroll, expectSound, watchForErrors } from "../screens/inspect.ts";
import { newPerson } from "../screens/people.ts";
import { hasFocus, tabTo } from "../wizard/keyboard.ts";
import { button, field, heading, expectPath, link, logIn, expectText } from "./auth-pages.ts";
import {
  mailedCodes,
  registerOnly,
  setAuthStage,
  switchTwoFactorOn,
  type AuthStage,
} from "./stage.ts";
import { authTexts } from "./texts.ts";

/** From a stranger to the dashboard, on every way the auth pages offer. */

const locales = ["en", "ru"] as const;
const newPassword = "another horse, same stable";
let stage: AuthStage;

beforeAll(async () => {
  stage = await setAuthStage();
});

afterEach(async () => {
  await stage?.closePages();
});

afterAll(async () => {
  await stage?.end();
});

async function onlyCode(email: string): Promise<string> {
  const [code = ""] = await mailedCodes(stage.palisade.consoleUrl, email, 1);
  return code;
}

function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}

describe.each(locales)("in language %s", (locale) => {
  const texts = authTexts[locale];

  test("an account is registered, confirmed and entered with the keyboard alone", async () => {
    const email = `keys-${locale}@example.com`;
    const page = await stage.open("/login", { locale });
    const errors = watchForErrors(page);
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
    await page.keyboard.type(await onlyCode(email));
    await page.keyboard.press("Enter");
    await expectText(page, texts.messages.confirmed);

    await heading(page, texts.headings.login).waitFor();
    await hasFocus(page, field(page, texts.email));
    await page.keyboard.type(email);
    await tabTo(page, field(page, texts.password));
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await expectPath(page, "/dashboard");
    expect(await stored(page, "register_data")).toBeNull();
    expect(errors).toEqual([]);
  });

  test("a forgotten password is replaced, and the old one and its sessions end", async () => {
    const email = `forgetful-${locale}@example.com`;
    const person = await newPerson(stage.palisade.consoleUrl, email);
    const page = await stage.open("/login", { locale });
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
    const codes = await mailedCodes(stage.palisade.consoleUrl, email, 2);
    const [mailed = ""] = codes;
    await field(page, texts.code).fill(`${mailed.slice(0, 4)}-${mailed.slice(4)}`.toLowerCase());
    await button(page, texts.continue).click();
    await expectText(page, texts.messages.resetVerified);

    await expectPath(page, "/reset-password/new");
    await hasFocus(page, field(page, texts.newPassword));
    const name = field(page, texts.email);
    expect(await name.inputValue()).toBe(email);
    expect(await name.getAttribute("autocomplete")).toBe("username");
    await field(page, texts.newPassword).fill("password1234");
    await field(page, texts.repeat).fill("password123");
    await button(page, texts.save).click();
    await expectText(page, texts.refusals.mismatch);
    await field(page, texts.newPassword).fill("password123");
    await button(page, texts.save).click();
    await expectText(page, texts.refusals.common);
    await hasFocus(page, field(page, texts.newPassword));
    await field(page, texts.newPassword).fill(newPassword);
    await field(page, texts.repeat).fill(newPassword);
    await button(page, texts.save).click();
    await expectText(page, texts.messages.reset);

    await expectPath(page, "/login");
    expect(await stored(page, "reset_email")).toBeNull();
    expect(await stored(page, "reset_code")).toBeNull();
    await expect(person.call(routes.auth.user, {})).rejects.toMatchObject({ status: 401 });
    await logIn(page, { email, password: person.password }, texts);
    await expectText(page, texts.refusals.wrongLogin);
    await logIn(page, { email, password: newPassword }, texts);
    await expectPath(page, "/dashboard");
  });

  test("a login with two-factor takes a code, or a backup code once", async () => {
    const email = `careful-${locale}@example.com`;
    const person = await newPerson(stage.palisade.consoleUrl, email);
    const { secret, backupCodes } = await switchTwoFactorOn(person);
    const [backupCode = ""] = backupCodes;

    const page = await stage.open("/login?next=/dashboard/billing", { locale });
    const errors = watchForErrors(page, /Failed to load resource/);
    await logIn(page, person, texts);
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

    const second = await stage.open("/login", { locale });
    await logIn(second, person, texts);
    await button(second, texts.useBackup).click();
    await field(second, texts.backupCode).fill(backupCode);
    await second.keyboard.press("Enter");
    await expectPath(second, "/dashboard");

    const third = await stage.open("/login", { locale });
    await logIn(third, person, texts);
    await button(third, texts.useBackup).click();
    await field(third, texts.backupCode).fill(backupCode);
    await third.keyboard.press("Enter");
    await expectText(third, texts.refusals.wrongCode);
    await heading(third, texts.headings.twoFactor).waitFor();
    await button(third, texts.links.back).click();
    await heading(third, texts.headings.login).waitFor();
    expect(await field(third, texts.email).inputValue()).toBe(email);
  });

  test("who logs in before confirming is sent a new code and led to enter it", async () => {
    const { consoleUrl } = stage.palisade;
    const email = `early-${locale}@example.com`;
    await registerOnly(consoleUrl, email, password);
    const code = await onlyCode(email);
    const page = await stage.open("/login", { locale });
    await logIn(page, { email, password }, texts);
    await expectPath(page, "/confirm");
    await expectText(page, texts.messages.resent);
    await page.getByRole("button", { name: texts.countdown }).waitFor();
    const codes = await mailedCodes(consoleUrl, email, 2);
    await field(page, texts.code).fill(codes.find((mailed) => mailed !== code) ?? "");
    await button(page, texts.confirm).click();
    await expectPath(page, "/login");
    await logIn(page, { email, password }, texts);
    await expectPath(page, "/dashboard");
  });
});

test("a reset leaves two-factor on", async () => {
  const { consoleUrl } = stage.palisade;
  const texts = authTexts.en;
  const person = await newPerson(consoleUrl, "both@example.com");
  await switchTwoFactorOn(person);
  const anonymous = createClient({ baseUrl: consoleUrl });
  const { email } = person;
  await anonymous(routes.passwordReset.forgotPassword, { body: { email } });
  const [code = ""] = await mailedCodes(consoleUrl, email, 2);
  const page = await stage.open("/reset-password/new", {
    storage: { reset_email: email, reset_code: code },
  });
  await field(page, texts.newPassword).fill(newPassword);
  await field(page, texts.repeat).fill(newPassword);
  await button(page, texts.save).click();
  await expectPath(page, "/login");
  await logIn(page, { email, password: newPassword }, texts);
  await heading(page, texts.headings.twoFactor).waitFor();
});
