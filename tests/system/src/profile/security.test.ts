import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { clipboardOf } from "../console/pages.ts";
import { expectSound, settled, watchForErrors } from "../screens/inspect.ts";
import { hasFocus, tabTo } from "../wizard/keyboard.ts";
import { mailedLink, startProfileFixture, type ProfileFixture } from "./fixture.ts";
import { totpCode } from "./totp.ts";

/** Everything that opens or closes an account. */

const failedToLoad = /Failed to load resource/;
const path = "/dashboard/profile?tab=security";
let fixture: ProfileFixture;

beforeAll(async () => {
  fixture = await startProfileFixture();
});

afterEach(async () => {
  await fixture.closePages();
});

afterAll(async () => {
  await fixture?.end();
});

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Whether the key opens the API, for curl. */
function opens(key: string): Promise<boolean> {
  const url = `${fixture.palisade.consoleUrl}/api/v1/servers`;
  return new Promise((resolve) => {
    const args = ["--fail", "--header", `Authorization: Bearer ${key}`, url];
    execFile("curl", args, (error) => resolve(error === null));
  });
}

async function confirmPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Current password").fill(password);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.waitFor({ state: "detached" });
}

describe("API keys", () => {
  test("the profile's key is shown after stepping up, copied, and stops when it is made anew", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account, { path });
    const errors = watchForErrors(page, failedToLoad);
    const key = panel(page, "API key");
    await key.getByRole("button", { name: "Create API key" }).click();
    await page.getByText("API key regenerated successfully").waitFor();
    await hasFocus(page, key.getByRole("button", { name: "Regenerate" }));
    const first = await key.locator("code").innerText();
    expect(await opens(first)).toBe(true);

    await page.reload();
    await settled(page);
    expect(await key.locator("code").innerText()).not.toBe(first);
    await fixture.letTimePass(account);
    await key.getByRole("button", { name: "Show" }).click();
    // Closing the question does nothing, and says nothing of an error.
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.getByText("Failed to show API key").count()).toBe(0);
    await key.getByRole("button", { name: "Show" }).click();
    await page.getByRole("dialog").waitFor();
    // Neither does it follow to another page, as the back button would lead there.
    await page.evaluate("history.pushState(null, '', '/dashboard/billing')");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.evaluate(`history.pushState(null, "", "${path}")`);
    await key.getByRole("button", { name: "Show" }).click();
    await confirmPassword(page, account.password);
    await until(async () => (await key.locator("code").innerText()) === first, {
      what: "the key in full",
    });
    await hasFocus(page, key.getByRole("button", { name: "Hide" }));
    await key.getByRole("button", { name: "Copy" }).click();
    await page.getByText("API key copied to clipboard").waitFor();
    expect(await clipboardOf(page)).toBe(first);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))");
    await key.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Your browser did not allow copying.", { exact: false }).waitFor();

    await key.getByRole("button", { name: "Regenerate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Regenerate" }).click();
    await until(async () => (await key.locator("code").innerText()) !== first, {
      what: "another key",
    });
    expect(await opens(first)).toBe(false);
    expect(await opens(await key.locator("code").innerText())).toBe(true);
    expect(errors).toEqual([]);
  });

  test("a further key is shown once, limited to its scope, and ended alone", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account, { path, width: 390, theme: "light" });
    await panel(page, "Further API keys").getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create API key" });
    await form.getByRole("button", { name: "Create key" }).click();
    await form.getByText("Required", { exact: true }).waitFor();
    await form.getByLabel("Name").fill("Discord bot");
    await form.getByLabel("Expires").selectOption({ label: "Never" });
    await fixture.letTimePass(account);
    await form.getByRole("button", { name: "Create key" }).click();
    await confirmPassword(page, account.password);
    const made = page.getByRole("dialog", { name: "Your new API key" });
    const key = await made.locator("code").innerText();
    // It cannot be shown again: Escape does not take it away, however often.
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Escape");
    expect(await opens(key)).toBe(true);
    await made.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Discord bot" });
    await row.getByText("Read only").waitFor();
    expect(await page.getByText(key).count()).toBe(0);

    await row.getByRole("button", { name: "Delete Discord bot" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await row.waitFor({ state: "detached" });
    expect(await opens(key)).toBe(false);
  });
});

test("an API key pasted into the reference makes a real call from there, and is forgotten with it", async () => {
  const account = await fixture.customer();
  const { api_key: key } = (await account.call(routes.account.regenerateApiKey, {})).data;
  const page = await fixture.open(account, { path: "/api/docs/", theme: "light" });
  const errors = watchForErrors(page);
  await page.locator("body.light-mode").waitFor();
  await page.getByPlaceholder("Token").fill(key);
  await expectSound(page, "the reference");
  await page.getByRole("link", { name: "The signed-in user" }).click();
  const tryOut = page.getByRole("button", { name: /Test Request.*get \/api\/v1\/auth\/user/ });
  await tryOut.waitFor();
  await expectSound(page, "a call in the reference");
  await page.evaluate("document.body.classList.replace('light-mode', 'dark-mode')");
  await expectSound(page, "a call in the dark");
  await tryOut.press("Enter");
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/auth/user")),
    page.getByRole("button", { name: /^Send/ }).first().press("Enter"),
  ]);
  expect(answer.status()).toBe(200);
  await page.getByRole("dialog").getByText(account.email).waitFor();
  expect(await page.title()).toBe("API reference · Palisade");
  const kept = await page.evaluate(
    "JSON.stringify([localStorage, sessionStorage, document.cookie])",
  );
  expect(kept).not.toContain(key);
  const addresses = await page.evaluate(
    "performance.getEntriesByType('resource').map(({ name }) => name)",
  );
  for (const address of z.array(z.string()).parse(addresses)) {
    expect(address.startsWith(fixture.palisade.consoleUrl), address).toBe(true);
  }
  expect(errors).toEqual([]);
});

describe("by keyboard alone", () => {
  test("logged in, a profile changed and kept, through its tabs to a dialog and back to where it was opened", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(null, { path: "/login?next=/dashboard/profile" });
    const { keyboard } = page;
    await hasFocus(page, page.getByLabel("Email", { exact: true }));
    await keyboard.type(account.email);
    await tabTo(page, page.getByLabel("Password", { exact: true }));
    await keyboard.type(account.password);
    await tabTo(page, page.getByRole("button", { name: "Log in" }));
    await keyboard.press("Space");
    await page.waitForURL((url) => url.pathname === "/dashboard/profile");
    await settled(page);

    // Past the navigation, then from field to field as they stand.
    await tabTo(page, page.getByRole("link", { name: "Skip to content" }));
    await keyboard.press("Enter");
    const answers = {
      "First name": "Anna",
      "Last name": "Smith",
      Username: "",
      "Address line 1": "Main Street 1",
      "Address line 2": "",
      Country: "Germany",
      Postcode: "10115",
      City: "Berlin",
      "Company name": "",
      "VAT ID": "",
    };
    await tabTo(page, page.getByLabel(/^First name/));
    for (const [label, text] of Object.entries(answers)) {
      await hasFocus(page, page.getByLabel(new RegExp(`^${label}`)));
      await keyboard.type(text);
      await keyboard.press("Tab");
    }
    await hasFocus(page, page.getByRole("button", { name: "Save", exact: true }));
    await keyboard.press("Enter");
    await page.getByText("Profile updated successfully").waitFor();
    expect(await page.getByLabel(/^Country/).inputValue()).toBe("DE");

    await page.reload();
    await settled(page);
    await tabTo(page, page.getByRole("link", { name: "Security" }));
    await keyboard.press("Enter");
    await page.waitForURL("**/dashboard/profile?tab=security");
    await settled(page);
    const create = panel(page, "Further API keys").getByRole("button", { name: "Create key" });
    await tabTo(page, create);
    await keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await hasFocus(page, dialog.getByLabel("Name"));
    // Round the dialog and not out of it.
    for (let presses = 0; presses < 8; presses += 1) {
      await keyboard.press("Tab");
      expect(await page.locator(":focus:not(dialog *)").count()).toBe(0);
    }
    await keyboard.press("Escape");
    await hasFocus(page, create);
    await keyboard.press("Enter");
    await hasFocus(page, dialog.getByLabel("Name"));
    await keyboard.type("Backup script");
    await keyboard.press("Enter");
    await tabTo(page, dialog.getByRole("button", { name: "Done" }));
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "Delete Backup script" }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

describe("two-factor authentication", () => {
  test("on with a code of the secret, backup codes kept, made anew, off with one of them", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account, { path });
    const errors = watchForErrors(page, failedToLoad);
    const twoFactor = panel(page, "Two-factor authentication");
    // Without a click: what it takes to switch it on is there.
    const picture = twoFactor.getByRole("img", { name: /QR code/ });
    await until(
      async () => Number(await picture.evaluate((image) => Reflect.get(image, "naturalWidth"))) > 0,
      {
        what: "a QR code that is drawn",
      },
    );
    await twoFactor.getByRole("button", { name: "Copy secret" }).click();
    const secret = await clipboardOf(page);
    // The scanned secret stays valid: neither another tab nor another language replaces it.
    await page.getByRole("link", { name: "Notifications" }).click();
    await page.getByRole("button", { name: /^EN,/ }).click();
    await page.getByRole("link", { name: "Безопасность" }).click();
    await page.getByText(secret, { exact: true }).waitFor();
    await page.getByRole("button", { name: /^RU,/ }).click();
    await twoFactor.getByText(secret, { exact: true }).waitFor();
    const enable = twoFactor.getByRole("button", { name: "Enable" });
    const code = twoFactor.getByLabel("Code shown by the app");
    expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
    expect(await enable.isDisabled()).toBe(true);
    await code.fill("12345");
    await enable.click();
    await twoFactor.getByText("Code must be at least 6 characters").waitFor();
    await expectSound(page, "two-factor set-up");
    await code.fill(totpCode(secret));
    await enable.click();
    await page.getByText("Two-factor authentication enabled successfully").waitFor();

    await twoFactor.getByText("10 backup codes left").waitFor();
    const codes = await twoFactor.getByRole("list", { name: "Backup codes" }).innerText();
    await twoFactor.getByRole("button", { name: "Copy codes" }).click();
    await page.getByText("Backup codes copied to clipboard").waitFor();
    expect((await clipboardOf(page)).split("\n")).toEqual(codes.split("\n"));
    const waiting = page.waitForEvent("download");
    await twoFactor.getByRole("button", { name: "Download" }).click();
    const file = await readFile(await (await waiting).path(), "utf8");
    expect(file.trim().split("\n")).toEqual(codes.split("\n"));
    await expectSound(page, "backup codes");

    const [first = "", second = ""] = codes.split("\n");
    const proof = twoFactor.getByLabel("Code from the app or a backup code");
    await proof.fill("00000000");
    await twoFactor.getByRole("button", { name: "New backup codes" }).click();
    await twoFactor.getByText("The code is wrong or has expired").waitFor();
    await proof.fill(first);
    await twoFactor.getByRole("button", { name: "New backup codes" }).click();
    await page.getByText("These are your new backup codes").waitFor();
    expect(await twoFactor.getByText(second).count()).toBe(0);

    // With two-factor on, the page asks for a code instead of the password; backup codes count.
    await fixture.letTimePass(account);
    const fresh = (await twoFactor.getByRole("list", { name: "Backup codes" }).innerText()).split(
      "\n",
    );
    await panel(page, "API key").getByRole("button", { name: "Create API key" }).click();
    const question = page.getByRole("dialog", { name: "Confirm that it is you" });
    await question.getByLabel("Code from the app or a backup code").fill(fresh[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByText("API key regenerated successfully").waitFor();

    // Made long ago they are counted but not shown, and there are none to copy.
    await page.route("**/backup-codes", (route) =>
      route.fulfill({ json: { backup_codes: [], left: 1, made_at: "2026-01-01T00:00:00Z" } }),
    );
    await page.reload();
    await page.getByText("1 backup code left").waitFor();
    await page.getByRole("button", { name: "Copy codes" }).click();
    await page.getByText("No backup codes to copy").waitFor();
    expect(await page.getByRole("button", { name: "Download" }).count()).toBe(0);

    await proof.fill(fresh[1] ?? "");
    await twoFactor.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Two-factor authentication disabled successfully").waitFor();
    await picture.waitFor();
    expect(await twoFactor.locator("code").innerText()).not.toBe(secret);
    expect(errors).toEqual([]);
  });
});

describe("e-mail and password", () => {
  test("the address changes when the link mailed to the new one is opened, and every session ends", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account, { path });
    const change = panel(page, "Change email");
    const save = change.getByRole("button", { name: "Change email" });
    const [email, repeated] = [
      change.getByLabel("New email", { exact: true }),
      change.getByLabel("Repeat new email"),
    ];
    expect(await save.isDisabled()).toBe(true);
    const wrong = [
      ["anna", "anna", "Invalid email"],
      ["new@example.com", "other@example.com", "Emails must match"],
      [account.email, account.email, "New email must be different from current email"],
    ] as const;
    for (const [typed, again, text] of wrong) {
      await email.fill(typed);
      await repeated.fill(again);
      await save.click();
      await change.getByText(text, { exact: true }).first().waitFor();
    }
    await expectSound(page, "refused e-mail");
    const wanted = `new-${account.email}`;
    await email.fill(wanted);
    await repeated.fill(wanted);
    await fixture.letTimePass(account);
    await save.click();
    await confirmPassword(page, account.password);
    await page.getByText("Email updated successfully", { exact: false }).first().waitFor();
    await change.getByText("for a verification link").waitFor();
    await expectSound(page, "pending e-mail");

    const { consoleUrl } = fixture.palisade;
    await mailedLink(consoleUrl, account.email, /We have sent a link to new-/);
    const link = await mailedLink(consoleUrl, wanted, /http\S+\/confirm-email#token=\S+/);
    const other = await fixture.open(await fixture.customer(), {
      path: new URL(link).pathname + new URL(link).hash,
    });
    await other.getByText("Email updated successfully").waitFor();
    await mailedLink(consoleUrl, account.email, /Your account now belongs to new-/);
    // The session of another account has not ended.
    expect(await other.evaluate("localStorage.getItem('access_token')")).not.toBeNull();
    expect(other.url()).toBe(`${consoleUrl}/confirm-email`);
    await expectSound(other, "e-mail confirmed");
    // A second link in the same tab is redeemed as well, and refused for what it is.
    await other.evaluate("location.hash = 'token=no-such-token'");
    await other.getByText("Your email could not be changed").waitFor();
    // The page that was open belongs to a session that is no more.
    await page.reload();
    await page.waitForURL("**/login**");
    await page.getByRole("textbox", { name: "Email", exact: true }).fill(wanted);
    await page.getByLabel("Password", { exact: true }).fill(account.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL("**/dashboard/**");

    // The link works once, and the page says so in a signed-in browser, too.
    await page.goto(link);
    await page.getByText("Your email could not be changed").waitFor();
    expect(page.url()).not.toContain("token");
    await expectSound(page, "link used");
    expect(await page.evaluate("localStorage.getItem('access_token')")).not.toBeNull();
  });

  test("a new password ends the session and is the one that counts", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account, { path, locale: "en", width: 390 });
    const change = panel(page, "Change password");
    const save = change.getByRole("button", { name: "Change password" });
    // An account without API keys is not asked about them.
    await settled(page);
    expect(await change.getByRole("checkbox").count()).toBe(0);
    await save.click();
    expect(await change.getByText("Required", { exact: true }).count()).toBeGreaterThanOrEqual(1);
    const fill = async (current: string, next: string, again = next) => {
      await change.getByLabel("Current password").fill(current);
      await change.getByLabel("New password", { exact: true }).fill(next);
      await change.getByLabel("Repeat new password").fill(again);
      await save.click();
    };
    await fill(account.password, "short");
    await change.getByText("Too short", { exact: true }).waitFor();
    await fill(account.password, "another good one", "not the same");
    await change.getByText("Passwords must match").waitFor();
    await fill("not this one", "another good one");
    await change.getByText("The current password is wrong").waitFor();
    await expectSound(page, "refused password");
    await fill(account.password, "another good one");
    await page.getByText("Password updated successfully").waitFor();
    await page.waitForURL("**/login");
    await page.getByRole("textbox", { name: "Email", exact: true }).fill(account.email);
    await page.getByLabel("Password", { exact: true }).fill("another good one");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL("**/dashboard");
  });
});

describe("passkeys", () => {
  test("one is added, logs in, proves again who is there and is removed; a stolen session cannot remove it", async () => {
    const account = await fixture.customer();
    // Browsers know passkeys of a domain only.
    const site = fixture.palisade.consoleUrl.replace("127.0.0.1", "localhost");
    const page = await fixture.open(account, { path: site + path });
    const errors = watchForErrors(page, failedToLoad);
    const authenticator = await addAuthenticator(page);
    const passkeys = panel(page, "Passkeys");
    await passkeys.getByRole("button", { name: "Add passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Add passkey" });
    await dialog.getByLabel("Name").fill("Test laptop");
    await page.keyboard.press("Enter");
    await page.getByText("Passkey added").waitFor();
    await passkeys.getByText("Test laptop").waitFor();
    const saved = page.getByRole("dialog", { name: "Save your backup codes" });
    const codes = await saved.getByRole("list", { name: "Backup codes" }).innerText();
    await saved.getByRole("button", { name: "Done" }).click();
    await hasFocus(page, passkeys.getByRole("button", { name: "Add passkey" }));

    // The thief holds the session that is left behind here.
    await page.evaluate("localStorage.removeItem('access_token')");
    await page.goto(`${site}/login?next=${encodeURIComponent(path)}`);
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await page.waitForURL("**/dashboard/profile?tab=security");
    await settled(page);
    await fixture.letTimePass(account);
    // Without the passkey a backup code proves it as well.
    await passkeys.getByRole("button", { name: "New backup codes" }).click();
    await page.getByRole("button", { name: "Use a backup code" }).click();
    await page.getByLabel("Backup code", { exact: true }).fill(codes.slice(0, 8));
    await page.keyboard.press("Enter");
    await page.getByText("These are your new backup codes").waitFor();
    await fixture.letTimePass(account);
    await passkeys.getByRole("button", { name: "Remove Test laptop" }).click();
    const removal = page.getByRole("dialog", { name: "Remove passkey" });
    await removal.getByRole("button", { name: "Remove" }).click();
    const question = page.getByRole("dialog", { name: "Confirm that it is you" });
    const confirm = question.getByRole("button", { name: "Use a passkey" });
    await hasFocus(page, confirm);
    // The wrong finger first.
    await authenticator.verifies(false);
    await page.keyboard.press("Enter");
    await question.getByText("No passkey was used. Please try again.").waitFor();
    await expectSound(page, "no passkey used");
    const [key] = (await account.call(routes.passkeys.listPasskeys, {})).data.passkeys;
    const params = { id: key?.id ?? "" };
    const theft = account.call(routes.passkeys.removePasskey, { params });
    await expect(theft).rejects.toMatchObject({ problem: { code: "step_up_required" } });
    await authenticator.verifies(true);
    await confirm.click();
    await page.getByText("Passkey removed").waitFor();
    await passkeys.getByText("No passkeys").waitFor();
    expect(errors).toEqual([]);
  });
});

/** Gives the page's browser an authenticator that asks for a finger. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

describe("sessions", () => {
  test("a login in another tab takes over this one: nothing typed or asked for before is left", async () => {
    const [first, second] = [await fixture.customer(), await fixture.customer()];
    const other = await fixture.open(null, { path: "/login" });
    await other.evaluate((token) => localStorage.setItem("access_token", token), first.token);
    await fixture.letTimePass(first);
    const page = await other.context().newPage();
    await page.goto("/dashboard/profile");
    await settled(page);
    await page.getByLabel(/^First name/).fill("Anna");
    await page.getByRole("button", { name: "Download my data" }).click();
    const question = page.getByRole("dialog", { name: "Confirm that it is you" });
    await question.waitFor();

    await other.getByRole("textbox", { name: "Email", exact: true }).fill(second.email);
    await other.getByLabel("Password", { exact: true }).fill(second.password);
    await other.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("banner").getByText(second.email).waitFor();
    await settled(page);
    expect(await question.count()).toBe(0);
    expect(await page.getByLabel(/^First name/).inputValue()).toBe("");
  });

  test("the others are listed with where they are, and can be ended one by one or all at once", async () => {
    const account = await fixture.customer();
    const { data } = await account.call(routes.auth.login, {
      body: { email: account.email, password: account.password },
    });
    if (data.requires_two_factor) throw new Error("no code was expected");
    const second = data.access_token;
    const page = await fixture.open(account, { path, locale: "ru", width: 320 });
    const list = page.getByRole("list", { name: "Сеансы" });
    await list.getByText("Это устройство").waitFor();
    expect(await list.getByRole("listitem").count()).toBe(2);
    expect(await list.getByText("127.0.0.1").count()).toBe(2);
    await expectSound(page, "sessions, 320 px, Russian");
    await list.getByRole("button", { name: /^Завершить сеанс: / }).click();
    await until(async () => (await list.getByRole("listitem").count()) === 1, {
      what: "one session",
    });
    expect(await opens(second)).toBe(false);

    await page.getByRole("button", { name: "Завершить все" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Завершить все" }).click();
    await page.waitForURL("**/login");
    expect(await opens(account.token)).toBe(false);
  });
});
