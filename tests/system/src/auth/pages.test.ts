import type { Locator, Page } from "playwright-core";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { password } from "../product/account.ts";
import { expectSound, settled, watchForErrors } from "../screens/inspect.ts";
import { newPerson, type Person } from "../screens/people.ts";
import { button, field, heading, expectPath, link, logIn, expectText } from "./auth-pages.ts";
import { setAuthStage, type AuthStage } from "./stage.ts";
import { authTexts } from "./texts.ts";

/** What the auth pages say and refuse, whom they let in, and what an address may make them say. */

const locales = ["en", "ru"] as const;
const publicPaths = [
  "/login",
  "/register",
  "/confirm",
  "/reset-password",
  "/reset-password/confirm",
  "/reset-password/new",
];
const pending = {
  register_data: JSON.stringify({ email: "pending@example.com" }),
  reset_email: "pending@example.com",
  reset_code: "ABCD2345",
};
let stage: AuthStage;
let person: Person;

beforeAll(async () => {
  stage = await setAuthStage();
  person = await newPerson(stage.palisade.consoleUrl, "known@example.com");
});

afterEach(async () => {
  await stage?.closePages();
});

afterAll(async () => {
  await stage?.end();
});

function alerts(page: Page): Locator {
  return page.getByRole("alert");
}

describe.each(locales)("in language %s", (locale) => {
  const texts = authTexts[locale];
  const { headings, links, refusals, failures } = texts;

  test("every field says what is wrong with it, and the first wrong one has the focus", async () => {
    const page = await stage.open("/register", { locale });
    const register = button(page, headings.register);
    await register.click();
    await expectText(page, refusals.required);
    await expectText(page, refusals.terms);
    await field(page, texts.email).and(page.locator(":focus")).waitFor();
    await page.getByRole("checkbox", { name: texts.terms }).check();
    await field(page, texts.email).fill("nobody@");
    await expectText(page, refusals.email);
    await field(page, texts.email).fill("weak@example.com");
    await field(page, texts.password).fill("12345678");
    await expectText(page, refusals.short);
    await field(page, texts.password).fill("password123");
    await field(page, texts.repeat).fill("password1234");
    await expectText(page, refusals.mismatch);
    await field(page, texts.repeat).fill("password123");
    await register.click();
    await expectText(page, refusals.common);
    await field(page, texts.password).and(page.locator(":focus")).waitFor();
    await expectSound(page, "refused registration");

    await page.goto("/confirm");
    await expectPath(page, "/register");
    await page.goto("/reset-password/confirm");
    await field(page, texts.code).fill("12345");
    await button(page, texts.continue).click();
    await expectText(page, refusals.codeShort);
    await field(page, texts.code).fill("123456789");
    await expectText(page, refusals.codeLong);
    await button(page, texts.resend).click();
    await expectText(page, refusals.emailFirst);
  });

  test("failures without a word of the server are told in the specification's", async () => {
    const page = await stage.open("/login", {
      locale,
      storage: pending,
      prepare: (opened) =>
        opened.route("**/api/v1/auth/**", (route) =>
          route.fulfill({ status: 502, contentType: "text/html", body: "Bad gateway" }),
        ),
    });
    await logIn(page, { email: person.email, password }, texts);
    await expectText(page, failures.login);

    await link(page, links.register).click();
    await field(page, texts.email).fill("new@example.com");
    await field(page, texts.password).fill(password);
    await field(page, texts.repeat).fill(password);
    await page.getByRole("checkbox", { name: texts.terms }).check();
    await button(page, headings.register).click();
    await expectText(page, failures.register);

    await page.goto("/confirm");
    await field(page, texts.code).fill("ABCD2345");
    await button(page, texts.confirm).click();
    await expectText(page, failures.confirm);
    await button(page, texts.resend).click();
    await expectText(page, failures.resend);
    await page.evaluate(() => localStorage.removeItem("register_data"));
    await button(page, texts.resend).click();
    await expectText(page, refusals.emailLost);

    await page.goto("/reset-password");
    await field(page, texts.email).fill("new@example.com");
    await button(page, texts.send).click();
    await expectText(page, failures.resetSend);
    await page.goto("/reset-password/confirm");
    await field(page, texts.code).fill("ABCD2345");
    await button(page, texts.continue).click();
    await expectText(page, failures.resetCode);
    await page.goto("/reset-password/new");
    await field(page, texts.newPassword).fill(password);
    await field(page, texts.repeat).fill(password);
    await button(page, texts.save).click();
    await expectText(page, failures.reset);
  });

  test("a reset whose code is lost or used up begins anew", async () => {
    const page = await stage.open("/reset-password/new", { locale });
    await expectPath(page, "/reset-password");
    await alerts(page).filter({ hasText: refusals.resetExpired }).waitFor();
    expect(new URL(page.url()).search).toBe("");

    const later = await stage.open("/reset-password/new", { locale, storage: pending });
    await field(later, texts.newPassword).fill(password);
    await field(later, texts.repeat).fill(password);
    await button(later, texts.save).click();
    await expectText(later, refusals.wrongCode);
    await expectPath(later, "/reset-password/confirm");
    expect(await field(later, texts.email).inputValue()).toBe("pending@example.com");
  });

  test("the pages lead to each other", async () => {
    const page = await stage.open("/login", { locale, storage: pending });
    await link(page, links.register).click();
    await heading(page, headings.register).waitFor();
    await link(page, links.login).click();
    await link(page, links.forgot).click();
    await heading(page, headings.reset).waitFor();
    for (const path of publicPaths.slice(2)) {
      await page.goto(path);
      await link(page, links.back).click();
      await heading(page, headings.login).waitFor();
      await expectPath(page, "/login");
    }
  });
});

describe("a code", () => {
  const texts = authTexts.en;

  test("can be sent again every 120 seconds, however often the page is loaded", async () => {
    const { consoleUrl } = stage.palisade;
    const page = await stage.open("/reset-password/confirm", {
      storage: pending,
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

    // The server's clock has not moved: its own figure counts.
    await button(page, texts.resend).click();
    await page.getByRole("button", { name: texts.countdown }).waitFor();
    await fetch(`${consoleUrl}/dev/clock`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advance_seconds: 120 }),
    });
    await page.clock.fastForward(120_000);
    await button(page, texts.resend).click();
    await until(async () => (await left()) > 110);
  });
});

describe("guards", () => {
  test("who is signed in is led from every page for strangers to the dashboard", async () => {
    const storage = { ...pending, access_token: person.token };
    const page = await stage.open("/dashboard", { storage });
    for (const path of publicPaths) {
      await page.goto(path);
      await expectPath(page, "/dashboard");
    }
  });

  test("a token that is no longer good ends at the login, once", async () => {
    const page = await stage.open("/dashboard/billing", {
      storage: { access_token: "pal_no_longer_good" },
    });
    await expectPath(page, "/login");
    expect(new URL(page.url()).searchParams.get("next")).toBe("/dashboard/billing");
    await heading(page, authTexts.en.headings.login).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("access_token"))).toBeNull();
  });

  test.each([
    ["/dashboard/profile?tab=security", "/dashboard/profile?tab=security"],
    ["//evil.example/dashboard", "/dashboard"],
    ["/\\evil.example/dashboard", "/dashboard"],
    ["https://evil.example/dashboard", "/dashboard"],
    ["javascript:alert(1)", "/dashboard"],
    ["/dashboard/../login", "/dashboard"],
    ["/dashboard\n/x", "/dashboard"],
  ])("next=%j leads to %s", async (next, end) => {
    const page = await stage.open(`/login?next=${encodeURIComponent(next)}`, {
      storage: { access_token: person.token },
    });
    const { origin } = new URL(stage.palisade.consoleUrl);
    await page.waitForURL(`${origin}${end}`);
    expect(new URL(page.url()).origin).toBe(origin);
  });
});

describe("an address", () => {
  test.each([
    ["/login?message=email_confirmed", "Email confirmed"],
    ["/register?message=password_reset", "Password reset successfully"],
    ["/reset-password?error=link_expired", "This link has expired or was used already."],
    [
      "/login?next=/dashboard&error=session_expired",
      "Your session has expired. Please log in again.",
    ],
    ["/nowhere?message=email_updated", "Email updated successfully"],
  ])("%s says its words once", async (path, words) => {
    const page = await stage.open(path);
    await alerts(page).filter({ hasText: words }).waitFor();
    await page.waitForURL((url) => !/message|error/.test(url.search));
    const { pathname, searchParams } = new URL(path, "http://console");
    const url = new URL(page.url());
    expect(url.pathname).toBe(pathname);
    expect(url.searchParams.get("next")).toBe(searchParams.get("next"));
    await page.reload();
    await settled(page);
    expect(await alerts(page).count()).toBe(0);
  });

  test.each([
    "message=Your%20account%20is%20blocked",
    "error=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
    "message=constructor&error=__proto__",
    "message=reset_expired",
    "message=%7B%22a%22%3A1%7D&error=%5B1%5D",
    "message=1&message=email_confirmed",
  ])("cannot make the page say anything by %s", async (search) => {
    const page = await stage.open(`/login?${search}`);
    const errors = watchForErrors(page);
    await page.waitForURL((url) => url.search === "");
    await heading(page, authTexts.en.headings.login).waitFor();
    expect(await alerts(page).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

describe("the first visit", () => {
  test("shows the full-screen loader for about a second", async () => {
    const page = await stage.open("/login", {
      unsettled: true,
      prepare: async (opened) => {
        await opened.clock.install({ time: 0 });
        await opened.clock.pauseAt(1_000);
      },
    });
    await page.getByRole("status", { name: "Loading" }).waitFor();
    await until(async () => {
      await page.clock.runFor(100);
      return (await heading(page, "Log in").count()) === 1;
    });
  });

  test("does not wait for the words of a language longer than five seconds", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await stage.open("/login", {
      locale: "ru",
      unsettled: true,
      prepare: async (opened) => {
        await opened.clock.install();
        await opened.route("**/assets/ru-*.js", async (route) => {
          await held;
          await route.continue();
        });
      },
    });
    await page.clock.runFor(5_000);
    await heading(page, authTexts.en.headings.login).waitFor();
    release();
    await heading(page, authTexts.ru.headings.login).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("ru");
  });
});
