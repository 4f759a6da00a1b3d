import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addPromoCode,
  beginTopUp,
  confirm,
  press,
  type TopUp,
} from "#src/test-support/test-payments.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let user: TestUser;
let topUp: TopUp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
  const promoCode = await addPromoCode(testApp, { percentage: 10 });
  topUp = await beginTopUp(testApp, user, { amount: 1_000, promoCode });
});

const open = (headers: Readonly<Record<string, string>> = {}, url = topUp.url) =>
  testApp.app.inject({ url, headers });

async function post(
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  return testApp.app.inject({
    method: "POST",
    url: topUp.url,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(form).toString(),
  });
}

const tokenOf = (html: string): string => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? "";

describe("the sandbox's checkout page", () => {
  test("says that it is a test, and shows the amount to pay without the bonus", async () => {
    const page = await open({ "accept-language": "en-GB" });
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.body).toContain('<html lang="en">');
    expect(page.body).toContain("No money moves");
    expect(page.body).toContain("Pay €1,000.00");
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(String(page.headers["content-security-policy"])).not.toContain("unsafe");
  });

  test("is in Russian for a browser that asks for Russian", async () => {
    const page = await open({ "accept-language": "ru-RU,ru;q=0.9,en;q=0.5" });
    expect(page.body).toContain('<html lang="ru">');
    expect(page.body).toContain("Деньги не списываются");
    expect(page.body).toMatch(/Оплатить 1.000,00.€/u);
  });

  test.each(["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "%00", "..%2f..", "'", "%D0%B0"])(
    "answers 404 for the unknown reference %s",
    async (reference) => {
      const page = await open({}, `/sandbox/checkout/${reference}`);
      expect(page.statusCode).toBe(404);
      expect(page.body).toContain("No such checkout");
    },
  );

  test.each([
    ["without the page's token", () => ({ action: "pay" }), {}],
    ["with another token", () => ({ action: "pay", token: "AAAA" }), {}],
    [
      "from another site",
      (token: string) => ({ action: "pay", token }),
      { "sec-fetch-site": "cross-site" },
    ],
    [
      "from another subdomain",
      (token: string) => ({ action: "pay", token }),
      { "sec-fetch-site": "same-site" },
    ],
    [
      "from another origin",
      (token: string) => ({ action: "pay", token }),
      { origin: "https://evil.example" },
    ],
    ["from an opaque origin", (token: string) => ({ action: "pay", token }), { origin: "null" }],
    ["with another action", (token: string) => ({ action: "steal", token }), {}],
  ])("refuses a form %s, and nothing was paid", async (_, form, headers) => {
    const answer = await post(form(tokenOf((await open()).body)), headers);
    expect(answer.statusCode).toBe(403);
    expect((await confirm(testApp, user, topUp)).status).toBe("pending");
  });

  test("accepts its own form with the headers that a browser sends", async () => {
    const token = tokenOf((await open()).body);
    const answer = await post(
      { action: "pay", token },
      { "sec-fetch-site": "same-origin", origin: "http://localhost:8080", host: "localhost:8080" },
    );
    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      `/dashboard/billing?intent=${topUp.intent.id}`,
    ]);
  });

  test("takes one payment: after it neither button changes anything", async () => {
    const success = `/dashboard/billing?intent=${topUp.intent.id}`;
    const token = tokenOf((await open()).body);
    expect(await press(testApp, topUp, "pay")).toBe(success);
    for (const action of ["cancel", "pay"]) {
      expect((await post({ action, token })).headers.location).toBe(success);
    }
    expect((await confirm(testApp, user, topUp)).status).toBe("completed");
    const page = await open();
    expect(page.body).toContain("has been paid");
    expect(page.body).toContain(`href="${success}"`);
  });
});
