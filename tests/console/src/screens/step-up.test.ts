import { routes } from "@palisade/contract/http/routes";
import { renderText } from "@palisade/contract/texts/render";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { clipboardOf, clipboardPermissions } from "@palisade/system-tests/console/pages";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";

/** The question that comes before a risky change, and the passkeys it asks for. */

const { account, passkeys, twoFactor } = routes;
const security = "/dashboard/profile?tab=security";
const fixture = useConsole();
const focused = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).and(page.locator(":focus"));

/** A virtual authenticator, which the person in front of it either uses or turns away. */
async function authenticator(page: Page, isUserVerified: boolean): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
}

/** As the api makes them for a browser on this machine. */
const passkeyOptions = { challenge: "c3R1Yg", rpId: "localhost", userVerification: "required" };

/** The same for a new one. */
const creationOptions = {
  challenge: "c3R1Yg",
  rp: { id: "localhost", name: "Palisade" },
  user: { id: "c3R1Yg", name: "anna@example.com", displayName: "anna@example.com" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  authenticatorSelection: { residentKey: "required", userVerification: "required" },
};

function askForPasskey(): void {
  fixture.api.refuse(account.exportAccount, "step_up_required");
  fixture.api.change(twoFactor.beginStepUp, () => ({
    factor: "passkey" as const,
    passkey_options: passkeyOptions,
  }));
}

describe.each(["en", "ru"] as const)("in %s", (locale) => {
  test("a passkey is asked for first; a backup code takes its place and gives it back", async () => {
    const words = {
      en: {
        download: "Download my data",
        passkey: "Use a passkey",
        backup: "Use a backup code",
        code: "Backup code",
        confirm: "Confirm",
      },
      ru: {
        download: "Скачать мои данные",
        passkey: "Использовать ключ",
        backup: "Ввести резервный код",
        code: "Резервный код",
        confirm: "Подтвердить",
      },
    }[locale];
    askForPasskey();
    const page = await fixture.open("/dashboard/profile", { locale, width: 320 });
    const download = page.getByRole("button", { name: words.download });
    await download.press("Enter");
    const dialog = page.getByRole("dialog");
    await focused(page, words.passkey).waitFor();
    await expectSound(page, "asks for a passkey");
    await dialog.getByRole("button", { name: words.backup }).press("Enter");
    const code = dialog.getByLabel(words.code);
    await code.and(page.locator(":focus")).waitFor();
    fixture.api.refuse(twoFactor.stepUp, "invalid_code");
    await code.fill("K7WM2Q4X");
    await dialog.getByRole("button", { name: words.confirm }).press("Enter");
    await dialog.getByText(renderText(locale, "error.invalid_code")).waitFor();
    expect(await code.inputValue()).toBe("K7WM2Q4X");
    await expectSound(page, "wrong backup code");
    await dialog.getByRole("button", { name: words.passkey }).press("Enter");
    await focused(page, words.passkey).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focused(page, words.download).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

test("a question that cannot be asked says so, and can be asked again", async () => {
  askForPasskey();
  fixture.api.cut(twoFactor.beginStepUp);
  const page = await fixture.open("/dashboard/profile", { width: 390 });
  await page.getByRole("button", { name: "Download my data" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("That could not be checked. Please try again.").waitFor();
  await expectSound(page, "a question that cannot be asked");
  fixture.api.restore(twoFactor.beginStepUp);
  await tryAgain(dialog);
  await dialog.getByLabel(/^(Current password|Code from the app)/).waitFor();
});

test("a passkey that was not used changes nothing, and the dialog says how to go on", async () => {
  askForPasskey();
  const page = await fixture.open("/dashboard/profile", { width: 390 });
  await authenticator(page, false);
  await page.getByRole("button", { name: "Download my data" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await dialog.getByText("No passkey was used. Please try again.").waitFor();
  await expectSound(page, "a passkey that was not used");
  expect(fixture.api.callsOf(twoFactor.stepUp)).toEqual([]);
});

describe("the passkeys of an account", () => {
  test("that failed to load can be loaded again, and none is shown as none", async () => {
    fixture.api.cut(passkeys.listPasskeys);
    const page = await fixture.open(security, { width: 320 });
    const panel = page.getByRole("region", { name: "Passkeys" });
    await panel.getByText("Error fetching passkeys").waitFor();
    await expectSound(page, "passkeys that failed to load");
    fixture.api.change(passkeys.listPasskeys, () => ({ passkeys: [] }));
    await tryAgain(panel);
    await panel.getByText("No passkeys").waitFor();
  });

  test("the name of a refused passkey stays, and the field says what is wrong with it", async () => {
    const page = await fixture.open(security, { width: 320 });
    await page.getByRole("button", { name: "Rename Laptop" }).click();
    const dialog = page.getByRole("dialog");
    const name = dialog.getByLabel("Name");
    await name.fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Required").waitFor();
    fixture.api.refuse(passkeys.renamePasskey, "validation_failed", [
      { path: "name", code: "invalid", message: "This name is taken" },
    ]);
    await name.fill("Desk");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("This name is taken").waitFor();
    expect(await name.inputValue()).toBe("Desk");
    await expectSound(page, "refused name");
    await page.keyboard.press("Escape");
    await focused(page, "Rename Laptop").waitFor();
  });

  test("the codes that come with the first one are shown at once, to be copied or saved", async () => {
    fixture.state.profile = { ...fixture.state.profile, two_factor_enabled: false };
    fixture.api.change(passkeys.beginPasskey, () => ({ options: creationOptions }));
    const page = await fixture.open(security, {
      width: 320,
      permissions: clipboardPermissions,
    });
    await authenticator(page, true);
    await page.getByRole("button", { name: "Add passkey" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Phone");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("heading", { name: "Save your backup codes" }).waitFor();
    await focused(page, "Copy codes").waitFor();
    await expectSound(page, "backup codes of the first passkey");
    await page.keyboard.press("Enter");
    await until(
      async () =>
        (await clipboardOf(page)) === example(passkeys.addPasskey).backup_codes.join("\n"),
    );
    await dialog.getByRole("button", { name: "Done" }).click();
    await focused(page, "Add passkey").waitFor();
  });

  test("before the last one goes, its owner reads what goes with it; the focus stays in the panel", async () => {
    fixture.state.profile = { ...fixture.state.profile, two_factor_enabled: false };
    const page = await fixture.open(security, { width: 390 });
    await page.getByRole("button", { name: "Remove Laptop" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("your backup codes go with it").waitFor();
    await expectSound(page, "removes the last passkey");
    fixture.api.change(passkeys.listPasskeys, () => ({ passkeys: [] }));
    await dialog.getByRole("button", { name: "Remove", exact: true }).press("Enter");
    await page.getByText("No passkeys").waitFor();
    await page.getByRole("heading", { name: "Passkeys" }).and(page.locator(":focus")).waitFor();
  });
});

test("a login by passkey that is turned away keeps what was typed", async () => {
  fixture.api.change(passkeys.beginPasskeyLogin, () => ({ options: passkeyOptions }));
  const page = await fixture.open("/login", { isStranger: true, width: 320 });
  await authenticator(page, false);
  await page.getByLabel("Email", { exact: true }).fill("anna@example.com");
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.getByText("No passkey was used.").waitFor();
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("anna@example.com");
  await expectSound(page, "login by passkey turned away");
  fixture.api.refuse(passkeys.beginPasskeyLogin, "rate_limited");
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.getByRole("alert").filter({ hasText: "Too many requests" }).waitFor();
});
