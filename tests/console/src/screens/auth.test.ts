import { routes } from "@palisade/contract/http/routes";
import {
  dismissToasts,
  expectPath,
  expectText,
  follow,
  heading,
  toasts,
} from "@palisade/system-tests/auth/auth-pages";
import { authTexts } from "@palisade/system-tests/auth/texts";
import { password } from "@palisade/system-tests/product/account";
import { settled, watchForErrors } from "@palisade/system-tests/screens/inspect";
import { messages } from "@palisade/system-tests/spec/account-messages";
import type { Texts } from "@palisade/system-tests/spec/rules";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

/** Which accounts the auth pages let in, where they lead, and what an address makes them say. */

const publicPaths = [
  "/login",
  "/register",
  "/confirm",
  "/reset-password",
  "/reset-password/confirm",
  "/reset-password/new",
];
/** Notes when the page last showed and removed its loader. */
const noteLoader = `
  globalThis.loader = { node: null };
  new MutationObserver(() => {
    const node = document.querySelector("output");
    if (node === loader.node) return;
    loader[node ? "from" : "until"] = Date.now();
    loader.node = node;
  }).observe(document, { childList: true, subtree: true });
`;
const pending = {
  register_data: JSON.stringify({ email: "pending@example.com" }),
  reset_email: "pending@example.com",
};
const fixture = useConsole();

test("the login begins with the e-mail that was just confirmed, and asks for the password", async () => {
  const page = await fixture.open("/confirm", { isStranger: true, storage: pending });
  await page.getByRole("textbox", { name: "Code" }).fill("K7WM2Q4X");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expectPath(page, "/login");
  const email = page.getByLabel("Email", { exact: true });
  await until(async () => (await email.inputValue()) === "pending@example.com", {
    what: "the confirmed e-mail",
  });
  await page.getByLabel("Password", { exact: true }).and(page.locator(":focus")).waitFor();
});

describe("guards", () => {
  test("a signed-in account is led from every page for strangers to the dashboard", async () => {
    const page = await fixture.open("/login", { storage: pending });
    await expectPath(page, "/dashboard");
    for (const path of publicPaths) {
      await follow(page, path);
      await expectPath(page, "/dashboard");
    }
  });

  test("a stranger is led to the first step of what the page continues, or to the login", async () => {
    const page = await fixture.open("/confirm", { isStranger: true });
    await expectPath(page, "/register");
    await follow(page, "/dashboard/billing");
    await expectPath(page, "/login");
    expect(new URL(page.url()).searchParams.get("next")).toBe("/dashboard/billing");
  });

  test("a token that is no longer good leads to the login, and one toast says why", async () => {
    const page = await fixture.open("/dashboard/billing", { token: "pst_no_longer_good" });
    await expectPath(page, "/login");
    expect(new URL(page.url()).searchParams.get("next")).toBe("/dashboard/billing");
    await heading(page, authTexts.en.headings.login).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("access_token"))).toBeNull();
    await expectText(page, "Your session has expired. Please log in again.");
    await page.waitForURL((url) => !url.searchParams.has("error"));
    expect(await toasts(page).count()).toBe(1);
  });

  test("after the login `next` leads to a page of the console, and anything else to the dashboard", async () => {
    const wanted = "/dashboard/profile?tab=security";
    const page = await fixture.open(`/login?next=${encodeURIComponent(wanted)}`);
    const { origin } = new URL(page.url());
    await page.waitForURL(`${origin}${wanted}`);
    for (const next of [
      "//evil.example/dashboard",
      "/\\evil.example/dashboard",
      "https://evil.example/dashboard",
      "javascript:alert(1)",
      "/dashboard/../login",
      "/dashboard\n/x",
    ]) {
      await follow(page, `/login?next=${encodeURIComponent(next)}`);
      await page.waitForURL(`${origin}/dashboard`);
    }
    expect(new URL(page.url()).origin).toBe(origin);
  });
});

describe("the address of a page", () => {
  test("makes the page say a known message, once", async () => {
    const page = await fixture.open("/login?message=email_confirmed", { isStranger: true });
    const said = async (words: string) => {
      await toasts(page).filter({ hasText: words }).waitFor();
      await page.waitForURL((url) => !/message|error/.test(url.search));
    };
    await said("Email confirmed");
    await page.reload();
    await settled(page);
    expect(await toasts(page).count()).toBe(0);

    for (const [path, words] of [
      ["/register?message=password_reset", "Password reset successfully"],
      [
        "/reset-password?error=reset_expired",
        "Your password reset has expired. Please start again.",
      ],
      [
        "/login?next=/dashboard&error=session_expired",
        "Your session has expired. Please log in again.",
      ],
      ["/nowhere?message=email_updated", "Email updated successfully"],
    ] as const) {
      await follow(page, path);
      await said(words);
      const { pathname, searchParams } = new URL(path, "http://console");
      const url = new URL(page.url());
      expect(url.pathname).toBe(pathname);
      expect(url.searchParams.get("next")).toBe(searchParams.get("next"));
      await dismissToasts(page);
    }
  });

  test("a language that cannot be loaded leaves the page in its own, with a message", async () => {
    const page = await fixture.open("/login", { isStranger: true });
    await page.route("**/assets/ru-*.js", (route) => route.abort());
    await page.getByRole("button", { name: /^EN,/ }).click();
    await expectText(page, "This language could not be loaded. Reload the page to try again.");
    await page.getByRole("button", { name: /^EN,/ }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  test("cannot make the page say anything but the known messages", async () => {
    const page = await fixture.open("/login?message=Your%20account%20is%20blocked", {
      isStranger: true,
    });
    const errors = watchForErrors(page);
    for (const search of [
      "error=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
      "message=constructor&error=__proto__",
      "message=reset_expired",
      "message=%7B%22a%22%3A1%7D&error=%5B1%5D",
      "message=1&message=email_confirmed",
    ]) {
      await page.waitForURL((url) => url.search === "");
      await heading(page, authTexts.en.headings.login).waitFor();
      expect(await toasts(page).count()).toBe(0);
      await follow(page, `/login?${search}`);
    }
    await page.waitForURL((url) => url.search === "");
    expect(await toasts(page).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

test("the next step opens after about a second, a success disappears after three, an error with its page, and a guard leads away after 50 ms", async () => {
  const page = await fixture.open("/register", {
    isStranger: true,
    prepare: (opened) => opened.clock.install({ time: 0 }),
  });
  await page.clock.pauseAt(3_600_000);
  // Only what is due at once runs: between the steps below time stands still.
  const until0 = (condition: () => Promise<boolean>, what: string) =>
    until(
      async () => {
        await page.clock.runFor(0);
        return condition();
      },
      { what },
    );
  const isSaid = async ({ en }: Texts) =>
    (await toasts(page).filter({ hasText: en }).count()) === 1;
  const pathname = () => new URL(page.url()).pathname;
  const { failures, successes } = messages;

  const fields = { email: "in-time@example.com", password, password_confirmation: password };
  for (const [name, value] of Object.entries(fields)) {
    await page.locator(`[name=${name}]`).fill(value);
  }
  await page.locator("[name=accept_privacy_policy]").check();
  fixture.api.cut(routes.auth.register);
  const send = page.locator("form button[type=submit]");
  await send.click();
  await until0(() => isSaid(failures.register), "the error");
  await until0(() => send.isEnabled(), "a form that can be sent again");
  await page.clock.runFor(60_000);
  expect(await isSaid(failures.register)).toBe(true);
  fixture.api.change(routes.auth.register, (usual) => ({
    ...usual,
    message: successes.registered.en,
  }));
  await send.click();
  await until0(() => isSaid(successes.registered), "the success");

  await page.clock.runFor(799);
  expect(pathname()).toBe("/register");
  await page.clock.runFor(401);
  await until0(async () => pathname() === "/confirm", "the next step");
  await page.clock.runFor(1_799);
  expect(await isSaid(successes.registered)).toBe(true);
  // Going takes a moment of its own.
  await page.clock.runFor(301);
  await until0(async () => !(await isSaid(successes.registered)), "no success any more");
  expect(await isSaid(failures.register)).toBe(false);

  await follow(page, "/dashboard/billing");
  await until0(() => page.getByRole("status", { name: "Loading" }).isVisible(), "the guard");
  await page.clock.runFor(49);
  expect(pathname()).toBe("/dashboard/billing");
  await page.clock.runFor(1);
  await until0(async () => pathname() === "/login", "the login");
});

describe("the first visit", () => {
  test("shows the full-screen loader for about a second", async () => {
    const page = await fixture.open("/login", {
      isStranger: true,
      unsettled: true,
      isFirst: true,
      prepare: async (opened) => {
        await opened.clock.install({ time: 0 });
        await opened.clock.pauseAt(1_000);
        await opened.addInitScript({ content: noteLoader });
      },
    });
    await until(async () => {
      await page.clock.runFor(20);
      return (await heading(page, "Log in").count()) === 1;
    });
    // By the browser's clock, which stands still between the steps.
    const shownMs = await page.evaluate("loader.until - loader.from");
    expect(shownMs).toBeGreaterThanOrEqual(900);
    expect(shownMs).toBeLessThanOrEqual(1_100);
  });

  test("does not wait for the words of a language longer than five seconds", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await fixture.open("/login", {
      isStranger: true,
      locale: "ru",
      unsettled: true,
      isFirst: true,
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
