import type { Browser, Page } from "playwright-core";
import { productFeatures } from "@palisade/contract/product-features";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { launchBrowser } from "../console/browser.ts";
import { createConsolePages, type ConsolePages } from "../console/pages.ts";
import { removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import {
  expectNoSidewaysScroll,
  expectSound,
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "../screens/inspect.ts";
import { screensOf } from "../screens/catalogue.ts";
import { oppositeAppearances } from "../screens/accounts.ts";
import { servedPage } from "./served-page.ts";

/** The public pages as visitors without an account find them. */

const invite = "https://discord.gg/palisade";
const source = "https://code.blockhaven.example/palisade";
const operator = ["Blockhaven & Söhne GmbH", "Beispielweg 1, 10115 Berlin", "office@blockhaven.de"];
const pages = ["/", "/terms", "/privacy"];
const locales = ["en", "ru"] as const;

let home: string;
let palisade: Palisade;
let browser: Browser;
let consolePages: ConsolePages;

beforeAll(async () => {
  home = await createPreparedHome();
  const [name = "", address = "", email = ""] = operator;
  const settings = {
    PALISADE_DISCORD_INVITE: invite,
    PALISADE_OPERATOR_NAME: name,
    PALISADE_OPERATOR_ADDRESS: address,
    PALISADE_OPERATOR_EMAIL: email,
    PALISADE_SOURCE_URL: source,
  };
  [palisade, browser] = await Promise.all([startPalisade(home, settings), launchBrowser()]);
  consolePages = createConsolePages(browser, palisade.consoleUrl);
});

afterEach(async () => {
  await consolePages?.end();
});

afterAll(async () => {
  await browser?.close();
  await palisade?.stop();
  await removeHome(home);
});

async function open(page: Page, path = "/"): Promise<Page> {
  await page.goto(path);
  await settled(page);
  return page;
}

/** From the mail that asks to confirm, without the origin. */
async function subscriptionLinkTo(address: string): Promise<string> {
  let text = "";
  await until(async () => {
    const answer = await fetch(`${palisade.consoleUrl}/dev/mail.json?to=${address}`);
    const mails = z.array(z.object({ text: z.string() })).parse(await answer.json());
    text = mails[0]?.text ?? "";
    return text !== "";
  });
  const [path = ""] = /\/status\/subscription#token=[\w.-]+/.exec(text) ?? [];
  return path;
}

const words = {
  en: {
    sections: ["Prices", "Services", "About protection", "Support"],
    texts: ["Log in", "Sign up", "Start now", "Read more", "Protect your server today"],
    doubt: ["Still in doubt?", "Try for free", "Our Discord channel"],
    panel: "Control panel",
    titles: [
      "DDoS protection for Minecraft servers · Palisade",
      "Terms of service · Palisade",
      "Privacy policy · Palisade",
    ],
  },
  ru: {
    sections: ["Цены", "Услуги", "О защите", "Поддержка"],
    texts: ["Войти", "Регистрация", "Начать сейчас", "Подробнее", "Защитите свой сервер сегодня"],
    doubt: ["Всё ещё сомневаетесь?", "Попробовать бесплатно", "Наш Discord-канал"],
    panel: "Панель управления",
    titles: [
      "Защита серверов Minecraft от DDoS · Palisade",
      "Условия использования · Palisade",
      "Политика конфиденциальности · Palisade",
    ],
  },
};

describe.each(locales)("before any script runs, in %s", (locale) => {
  test("every page is there, in its own words", async () => {
    for (const [index, path] of pages.entries()) {
      const { html, language, texts } = await servedPage(palisade.consoleUrl, path, locale);
      expect(language).toBe(locale);
      expect(html).toContain(`<title>${words[locale].titles[index]}</title>`);
      expect(html).toMatch(/<meta name="description" content=".{40,}"/);
      expect(html).not.toContain("__");
      expect(texts).toContain(words[locale].sections[0]);
      if (path === "/") continue;
      for (const fact of operator) expect(texts).toContain(fact);
    }
  });
});

test("the copyright year is that of the visitor's clock, not of the build", async () => {
  const page = await consolePages.page();
  await page.clock.setFixedTime(new Date("2031-03-01T12:00:00Z"));
  await open(page);
  await page.getByText("© 2031 Palisade").waitFor();
  expect(await page.locator("footer").innerText()).toContain("© 2031 Palisade");
  await consolePages.end();
});

test("no public page promises a feature that does not exist yet", async () => {
  const promises = {
    bedrock: /bedrock/i,
    attackNotifications: /webhook tells|через вебхук\./i,
    tickets: /ticket|тикет/i,
    supportPlans: /support plan|тарифе поддержки/i,
    renewals: /renew|продлени/i,
    invoices: /invoice|счета-фактуры|счёт-фактур/i,
  };
  for (const locale of locales) {
    for (const path of pages) {
      const { html } = await servedPage(palisade.consoleUrl, path, locale);
      for (const [feature, promise] of Object.entries(promises)) {
        if (productFeatures[feature as keyof typeof promises]) continue;
        expect(html, `${path} in ${locale} about ${feature}`).not.toMatch(promise);
      }
    }
  }
});

test("every link leads somewhere", async () => {
  const served = pages.map((path) => servedPage(palisade.consoleUrl, path, "en"));
  const [landing, ...legal] = await Promise.all(served);
  const links = new Set([landing, ...legal].flatMap((page) => page?.links ?? []));
  for (const outside of [invite, source, `mailto:${operator[2]}`]) expect(links).toContain(outside);
  // The server answers with the console whatever the path; whether it has that page, it knows.
  const { html: console } = await servedPage(palisade.consoleUrl, "/nowhere", "en");
  const leadToConsole: string[] = [];
  for (const href of links) {
    const [path = "", anchor] = href.split("#");
    if (anchor !== undefined) expect(landing?.html, href).toContain(` id="${anchor}"`);
    if (!path.startsWith("/")) continue;
    const answer = await fetch(`${palisade.consoleUrl}${path}`, {
      headers: { accept: "text/html" },
    });
    expect(answer.status, href).toBe(200);
    if ((await answer.text()) === console) leadToConsole.push(path);
  }
  const screens = screensOf("").map((screen) => screen.path);
  expect(leadToConsole.toSorted()).toEqual([
    "/dashboard",
    "/dashboard/support?new=any",
    "/login",
    "/register",
  ]);
  expect(screens).toEqual(expect.arrayContaining(leadToConsole));
});

describe.each(oppositeAppearances)("in the $theme theme, language $locale", (look) => {
  test("every page is sound at every width, and keeps to itself", async () => {
    const page = await consolePages.page(look);
    // The prerendered page must be the one the script would have rendered: React reports differences.
    const errors = watchForErrors(page);
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).origin));
    // The legal pages are text in one column: one width is enough for each appearance.
    const ofLegal = look.theme === "dark" ? 1440 : 390;
    for (const [index, path] of pages.entries()) {
      await open(page, path);
      expect(await page.title()).toBe(words[look.locale].titles[index]);
      expect(await page.locator("html").getAttribute("lang")).toBe(look.locale);
      for (const width of [1440, 900, 899, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        const what = `${path} at ${width} px`;
        if (path === "/" ? width === 1440 || width === 390 : width === ofLegal) {
          await expectSound(page, what);
        } else await expectNoSidewaysScroll(page, what);
      }
    }
    expect([...hosts]).toEqual([palisade.consoleUrl]);
    expect(errors).toEqual([]);
  });

  test("the status page is sound at every width, and a reader subscribes and unsubscribes", async () => {
    const { locale, theme } = look;
    const page = await consolePages.page(look);
    const errors = watchForErrors(page);
    await open(page, `/status?lang=${locale}&theme=${theme}`);
    // The edge of this machine was heard.
    const location = page.getByRole("heading", { name: /^(This machine|Эта машина)$/ });
    await until(
      async () => {
        await page.reload();
        return location.isVisible();
      },
      { what: "the location on the page", everyMs: 500 },
    );
    await expectSoundEverywhere(page, "status");
    const address = `reader-${locale}@example.com`;
    await page.getByLabel(/^(E-mail|Эл. почта)$/).fill(address);
    await page.keyboard.press("Enter");
    await page
      .getByRole("heading", { name: /^(Look into your mailbox|Проверьте почту)$/ })
      .waitFor();
    await expectSound(page, "subscribed");
    const link = await subscriptionLinkTo(address);
    for (const button of [/^(Confirm|Подтвердить)$/, /^(Unsubscribe|Отписаться)$/]) {
      // The same address but for its fragment would not be loaded again.
      await page.goto("/status.json");
      await open(page, link);
      await expectSound(page, "subscription");
      expect(page.url()).not.toContain("token");
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("heading", { name: /^(You are|Вы) /i }).waitFor();
    }
    expect(errors).toEqual([]);
  });

  test("the landing page and its menu show the binding texts", async () => {
    const page = await open(await consolePages.page(look));
    const sections = page.getByRole("banner").getByRole("navigation").getByRole("link");
    expect(await sections.allTextContents()).toEqual(words[look.locale].sections);
    const shown = await page.locator("body").innerText();
    for (const text of [...words[look.locale].texts, ...words[look.locale].doubt]) {
      expect(shown).toContain(text);
    }
    expect(shown).toContain(`© ${new Date().getFullYear()} Palisade`);
    expect(await page.locator("main h2").count()).toBe(5);
    expect(await page.locator("#protection li").count()).toBe(6);
    expect(await page.locator("#prices li").count()).toBe(4);
    const bytes = await page.evaluate(`performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes, "bytes of scripts").toBeLessThanOrEqual(90 * 1_024);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.locator("header button[aria-haspopup]").click();
    await page.getByRole("dialog").waitFor();
    await expectSound(page, "menu");
  });
});

test("a signed-in account finds a link to the dashboard in place of the two buttons; without scripts, the page is shown as it was rendered", async () => {
  const page = await consolePages.page({ token: "kept" });
  const scripts = "**/assets/*.js";
  await page.route(scripts, (request) => request.abort());
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Log in" }).waitFor();
  await page.unroute(scripts);
  await open(page);
  const header = page.getByRole("banner");
  for (const locale of locales) {
    const panel = header.getByRole("link", { name: words[locale].panel });
    expect(await panel.getAttribute("href")).toBe("/dashboard");
    expect(await header.locator('a[href="/login"], a[href="/register"]').count()).toBe(0);
    if (locale === "en") await page.getByRole("button", { name: /^EN,/ }).click();
  }
});

test("the browser's language and the dark theme come first; choices last and reach the console", async () => {
  const context = await browser.newContext({ baseURL: palisade.consoleUrl, locale: "ru-RU" });
  const page = await open(await context.newPage());
  const html = page.locator("html");
  const look = async () => [
    await html.getAttribute("lang"),
    await html.getAttribute("data-mantine-color-scheme"),
  ];
  expect(await look()).toEqual(["ru", "dark"]);
  const dark = await backgroundOf(page);
  await page.getByRole("button", { name: "RU, switch to English" }).click();
  await page.getByRole("button", { name: "Dark theme, switch to light" }).click();
  await page.getByText("Start now").waitFor();
  expect(await backgroundOf(page)).not.toBe(dark);
  // Rendered ahead in Russian, as this browser asks for it: hidden until it is in English.
  for (const path of ["/terms", "/login"]) {
    await page.goto(path, { waitUntil: "commit" });
    await page.locator("h1").first().waitFor();
    expect(await page.locator("h1").first().innerText()).toMatch(/^[A-Z]/);
    expect(await look()).toEqual(["en", "light"]);
  }
  // A link to one language shows it, there and further on, until another is chosen.
  await open(page, "/?lang=ru");
  await page.locator('a[href="/terms"]').first().click();
  await page.getByRole("heading", { level: 1, name: "Условия использования" }).waitFor();
  await page.goBack();
  await page.getByText(words.ru.texts[2] ?? "").waitFor();
  await page.getByRole("button", { name: "RU, switch to English" }).click();
  expect(new URL(page.url()).search).toBe("");
  await context.close();
});

function backgroundOf(page: Page): Promise<unknown> {
  return page.evaluate("getComputedStyle(document.body).backgroundImage");
}

describe("below 900 px", () => {
  let page: Page;
  beforeEach(async () => {
    page = await open(await consolePages.page({ width: 899 }));
  });

  test("the header is a burger, at 900 it is whole; the panel closes and leads to a section", async () => {
    const burger = page.getByRole("button", { name: "Open menu" });
    const sections = page.getByRole("banner").getByRole("link", { name: "Prices" });
    expect([await burger.isVisible(), await sections.isVisible()]).toEqual([true, false]);
    await burger.click();
    await page.setViewportSize({ width: 900, height: 900 });
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect([await burger.isVisible(), await sections.isVisible()]).toEqual([false, true]);

    await page.setViewportSize({ width: 390, height: 900 });
    await burger.click();
    await page.getByRole("dialog").getByRole("link", { name: "About protection" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await until(
      async () => {
        const box = await page.locator("#protection").boundingBox();
        return box !== null && box.y >= 0 && box.y < 200;
      },
      { what: "the section at the top of the window" },
    );
  });

  test("the panel holds the same items, locks the page and keeps the keyboard", async () => {
    const burger = page.getByRole("button", { name: "Open menu" });
    await burger.focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog", { name: "Menu" });
    await panel.waitFor();
    expect(await panel.locator("nav a").allTextContents()).toEqual(words.en.sections);
    const targets = await Promise.all(
      (await panel.locator("a").all()).slice(4).map((link) => link.getAttribute("href")),
    );
    expect(targets).toEqual(["/login", "/register", "/dashboard"]);

    await page.mouse.move(20, 400);
    await page.mouse.wheel(0, 600);
    await page.keyboard.press("PageDown");
    const overflow = await page.evaluate("getComputedStyle(document.documentElement).overflowY");
    expect([overflow, await page.evaluate("scrollY")]).toEqual(["hidden", 0]);

    for (const key of ["Tab", "Shift+Tab"]) {
      for (let step = 0; step < 10; step += 1) {
        await page.keyboard.press(key);
        const isInside = "document.activeElement.closest('dialog') !== null";
        expect(await page.evaluate(isInside)).toBe(true);
      }
    }
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    expect(await burger.evaluate((element) => element.matches(":focus"))).toBe(true);

    await burger.click();
    await panel.waitFor();
    await page.mouse.click(20, 400);
    await panel.waitFor({ state: "hidden" });
  });
});

test("the header can be used by keyboard from the first Tab on, to a form that names the terms", async () => {
  const page = await open(await consolePages.page());
  const names: (string | null)[] = [];
  for (let step = 0; step < 10; step += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    names.push((await focused.getAttribute("aria-label")) ?? (await focused.textContent()));
  }
  expect(names).toEqual([
    "Skip to the content",
    "Palisade",
    ...words.en.sections,
    "Dark theme, switch to light",
    "EN, переключить на русский",
    "Log in",
    "Sign up",
  ]);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/register");
  for (const path of ["/terms", "/privacy"]) {
    await page.locator(`form a[target=_blank][href="${path}"]`).waitFor();
  }
});
