import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../console/browser.ts";
import { mailedCode } from "../product/account.ts";
import { removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { expectNoSidewaysScroll, expectSound, watchForErrors } from "../screens/inspect.ts";

/** Every mail of the product, as the development pages show it. */

let home: string;
let palisade: Palisade;
let browser: Browser;

beforeAll(async () => {
  home = await createPreparedHome();
  [palisade, browser] = await Promise.all([startPalisade(home), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await palisade?.stop();
  if (home !== undefined) await removeHome(home);
});

interface Framed {
  readonly title: string;
  readonly srcdoc: string;
}

/**
 * The mails of one language below each other: they share a style sheet, and axe, which frames
 * without scripts keep out, needs to be loaded once.
 */
function inOnePage(mails: readonly Framed[]): string {
  const bodies = mails.map(({ srcdoc }) =>
    srcdoc.replace(/^.*?<body /s, "<div ").replace(/<\/body>.*$/s, "</div>"),
  );
  const style = /<!\[endif\]-->\n(<style>.*<\/style>)\n<\/head>/s.exec(mails[0]?.srcdoc ?? "")?.[1];
  return `<!doctype html><html lang="${mails[0]?.title.endsWith("(ru)") ? "ru" : "en"}"><head><title>Mails</title>
<meta name="viewport" content="width=device-width">${style}</head><body style="margin:0"><main>${bodies.join("\n")}</main></body></html>`;
}

test("every template is accessible in both themes and languages, and fits narrow screens", async () => {
  const context = await browser.newContext({ baseURL: palisade.consoleUrl, locale: "en-GB" });
  const page = await context.newPage();
  const errors = watchForErrors(page);
  await page.goto("/dev/mail/templates");
  const mails = await page.evaluate<Framed[]>(
    `[...document.querySelectorAll("iframe")].map(({ title, srcdoc }) => ({ title, srcdoc }))`,
  );
  expect(mails.length).toBeGreaterThanOrEqual(2 * 15);
  await page.evaluate(`for (const frame of document.querySelectorAll("iframe")) frame.remove()`);
  await page.setViewportSize({ width: 390, height: 900 });
  await expectSound(page, "the gallery");
  // Each theme and each language once: what colours break no words do, and the other way round.
  for (const [colorScheme, language] of [
    ["dark", "en"],
    ["light", "ru"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const shown = mails.filter(({ title }) => title.endsWith(`(${language})`));
    await page.setContent(inOnePage(shown));
    expect(await page.locator("h1").count()).toBe(shown.length);
    const background = await page.evaluate(
      `getComputedStyle(document.querySelector(".page")).backgroundColor`,
    );
    expect(background).toBe(colorScheme === "dark" ? "rgb(10, 12, 15)" : "rgb(246, 247, 249)");
    for (const width of [320, 800]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page, `${language} at ${width} px`);
    }
    await page.setViewportSize({ width: 390, height: 900 });
    await expectSound(page, `${language}, ${colorScheme}`);
  }
  expect(errors).toEqual([]);
  await context.close();
});

test("the mailbox shows a mail with receiver, time, code and plain text, in the reader's language", async () => {
  const call = createClient({
    baseUrl: palisade.consoleUrl,
    headers: () => ({ "accept-language": "ru" }),
  });
  const [email, password] = ["steve@example.com", "correct horse battery"];
  await call(routes.auth.register, {
    body: { email, password, password_confirmation: password, accept_privacy_policy: true },
  });
  const code = await mailedCode(palisade.consoleUrl, email);
  const context = await browser.newContext({
    baseURL: palisade.consoleUrl,
    locale: "ru-RU",
    colorScheme: "dark",
    viewport: { width: 390, height: 900 },
  });
  const page = await context.newPage();
  const errors = watchForErrors(page);
  await page.goto("/dev/mail");
  const mail = page.locator("details.mail");
  await mail.getByRole("heading", { name: `Ваш код подтверждения: ${code}` }).waitFor();
  expect(await mail.locator("summary").first().textContent()).toContain(email);
  expect(await mail.locator("time").getAttribute("datetime")).toMatch(/^\d{4}-.*Z$/);
  expect(await mail.frameLocator("iframe").getByText(code, { exact: true }).count()).toBe(1);
  await mail.getByText("Обычный текст").click();
  expect(await mail.locator("pre").textContent()).toContain(`\n\n${code}\n\n`);
  await page.evaluate(`document.querySelector("iframe").remove()`);
  await expectSound(page, "the mailbox");
  expect(errors).toEqual([]);
  await context.close();
});
