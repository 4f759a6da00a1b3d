import { AxeBuilder } from "@axe-core/playwright";
import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../console/browser.ts";
import { mailedCode } from "../product/account.ts";
import { createHome, removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { expectNoSidewaysScroll, watchForErrors } from "../screens/inspect.ts";

/** Every mail of the product, as the development pages show it. */

let home: string;
let palisade: Palisade;
let browser: Browser;

beforeAll(async () => {
  home = await createHome();
  [palisade, browser] = await Promise.all([startPalisade(home), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await palisade?.stop();
  if (home !== undefined) await removeHome(home);
});

/** Lets this test look into the frames: where no script runs, axe does not either. */
async function openFrames(page: Page): Promise<void> {
  await page.evaluate(`for (const frame of document.querySelectorAll("iframe")) {
    frame.sandbox = "allow-scripts allow-same-origin";
    frame.srcdoc = frame.srcdoc;
  }`);
  for (const frame of mailFrames(page)) await frame.locator("h1").waitFor();
}

/** With the mails in their frames, of one language where it is said. */
async function expectAccessible(page: Page, what: string, language?: "en" | "ru"): Promise<void> {
  const axe = new AxeBuilder({ page });
  const mails = language === undefined ? "iframe" : `iframe[title$="(${language})"]`;
  const { violations, passes } = await axe.exclude(`iframe:not(${mails})`).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
  expect(found, what).toEqual([]);
  const colours = passes.find(({ id }) => id === "color-contrast")?.nodes ?? [];
  const inFrames = new Set(colours.flatMap(({ target }) => (target.length > 1 ? [target[0]] : [])));
  expect(inFrames.size, `${what}: frames looked into`).toBe(await page.locator(mails).count());
}

const mailFrames = (page: Page) => page.frames().filter((frame) => frame !== page.mainFrame());

test("every template is accessible in both themes and languages, and fits narrow screens", async () => {
  const context = await browser.newContext({ baseURL: palisade.consoleUrl, locale: "en-GB" });
  const page = await context.newPage();
  const errors = watchForErrors(page);
  await page.setViewportSize({ width: 800, height: 900 });
  await page.goto("/dev/mail/templates");
  const subjects = await page.locator(".caption").allTextContents();
  expect(mailFrames(page)).toHaveLength(subjects.length);
  expect(subjects.length).toBeGreaterThanOrEqual(2 * 14);
  expect(errors).toEqual([]);
  await openFrames(page);
  await page.emulateMedia({ colorScheme: "dark" });
  // Each theme and each language once: what colours break no words do, and the other way round.
  await expectAccessible(page, "dark at 800 px", "en");
  await expectNoSidewaysScroll(page, "the gallery at 800 px");
  await page.setViewportSize({ width: 390, height: 900 });
  await expectNoSidewaysScroll(page, "the gallery at 390 px");
  await page.emulateMedia({ colorScheme: "light" });
  await expectAccessible(page, "light at 390 px", "ru");
  for (const width of [320, 390, 800]) {
    await page.addStyleTag({ content: `iframe { width: ${width}px !important }` });
    for (const frame of mailFrames(page)) {
      const [inner, content] = await frame.evaluate<[number, number]>(
        "[innerWidth, document.documentElement.scrollWidth]",
      );
      expect([inner, content], await frame.title()).toEqual([width, width]);
    }
  }
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
  expect(errors).toEqual([]);
  await openFrames(page);
  await expectAccessible(page, "the mailbox");
  await expectNoSidewaysScroll(page, "the mailbox");
  await context.close();
});
