import { routes } from "@palisade/contract/http/routes";
import type { Client } from "@palisade/contract/http/client";
import { until } from "@palisade/testing/until";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../console/browser.ts";
import { signUp } from "../product/account.ts";
import { removeHome, runCommand, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { expectNoSidewaysScroll, expectSound, watchForErrors } from "../screens/inspect.ts";
import { oppositeAppearances, type Appearance } from "../screens/accounts.ts";

let home: string;
let palisade: Palisade;
let browser: Browser;
let call: Client;
beforeAll(async () => {
  home = await createPreparedHome();
  [palisade, browser] = await Promise.all([startPalisade(home), launchBrowser()]);
  call = await signUp(palisade.consoleUrl, "payer@example.com");
});
afterAll(async () => {
  await browser?.close();
  await palisade?.stop();
  await removeHome(home);
});

async function begin(amount: number, promoCode?: string): Promise<{ id: string; url: string }> {
  const body = { amount, payment_method: "stripe" as const, promo_code: promoCode };
  const { data } = await call(routes.billing.createStripeIntent, { body });
  return { id: data.intent.id, url: data.checkout_url };
}

async function openPage(
  url: string,
  { theme, locale }: Appearance,
  width: number,
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({
    baseURL: palisade.consoleUrl,
    locale,
    colorScheme: theme,
    viewport: { width, height: 800 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const errors = watchForErrors(page);
  await page.goto(url);
  return { page, errors };
}

describe("the sandbox's checkout page", () => {
  test.each(oppositeAppearances)(
    "is sound in $theme, $locale, at 1440 and 320 px, open and paid",
    async (look) => {
      for (const width of [1_440, 320]) {
        const { url } = await begin(1);
        const { page, errors } = await openPage(url, look, width);
        const what = `${look.theme} ${look.locale} ${width}`;
        await expectSound(page, `${what} open`);
        await page.locator("button.primary").click();
        await page.goto(url);
        await page.locator(".paid").waitFor();
        await expectSound(page, `${what} paid`);
        expect(errors).toEqual([]);
        await page.context().close();
      }
    },
  );

  test("is worked by keyboard, returns to billing, and the confirmation credits with the bonus", async () => {
    await runCommand(home, ["promo", "add", "FALL", "--percent", "15"]);
    const before = (await call(routes.auth.user, {})).data.user.balance_cents;
    const { id, url } = await begin(20, "fall");
    const { page } = await openPage(url, { theme: "dark", locale: "en" }, 320);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Pay €20.00");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Cancel");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL((to) => !to.pathname.startsWith("/sandbox"));
    await page.context().close();
    await until(
      async () =>
        (await call(routes.billing.getIntent, { params: { id } })).data.intent.status ===
        "completed",
      { what: "the credit by the signed confirmation" },
    );
    const after = (await call(routes.auth.user, {})).data.user.balance_cents;
    expect(after - before).toBe(2_300);
    await runCommand(home, ["ledger", "verify"]);
  });

  test("Cancel takes nothing and says so on the way back", async () => {
    const { id, url } = await begin(20);
    const { page } = await openPage(url, { theme: "light", locale: "en" }, 1_440);
    const back = page.waitForRequest((request) => request.url().includes("/dashboard/billing"));
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await back).url()).toBe(
      `${palisade.consoleUrl}/dashboard/billing?intent=${id}&cancelled=1`,
    );
    await page.context().close();
    await until(
      async () =>
        (await call(routes.billing.getIntent, { params: { id } })).data.intent.status ===
        "cancelled",
    );
  });

  test("an address that is wrong leads back", async () => {
    const { page } = await openPage(
      "/sandbox/checkout/wrong",
      { theme: "dark", locale: "ru" },
      320,
    );
    await expectNoSidewaysScroll(page, "unknown checkout");
    expect(await page.getByRole("link").getAttribute("href")).toBe("/dashboard/billing");
    await page.context().close();
  });
});
