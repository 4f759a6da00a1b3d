import { createClient } from "@palisade/contract/http/client";
import { serverMessages } from "@palisade/contract/http/server-messages";
import { tidyLine } from "@palisade/contract/http/tidy-line";
import { allRoutes, routes } from "@palisade/contract/http/routes";
import { hostileTexts } from "@palisade/testing/hostile-texts";
import type { Page, Response } from "playwright-core";
import { z } from "zod";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createShield, mailedCode, password } from "../product/account.ts";
import { expectNoSidewaysScroll, settled, watchForErrors } from "../screens/inspect.ts";
import { attack, attemptOn, startForeignSite, type Attempt } from "./foreign-site.ts";
import { freeTexts, seenAt } from "./free-texts.ts";
import { startProfileFixture, type ProfileFixture } from "./fixture.ts";

/** Attacks on users of the console: by another site's page, and by the texts of a customer. */

let fixture: ProfileFixture;
let foreign: Awaited<ReturnType<typeof startForeignSite>>;

beforeAll(async () => {
  [fixture, foreign] = await Promise.all([startProfileFixture(), startForeignSite()]);
});

afterEach(async () => {
  await fixture?.closePages();
});

afterAll(async () => {
  await fixture?.end();
  await foreign?.end();
});

const mailbox = z.array(z.object({ to: z.string(), html: z.string() }));

async function mails(to: string): Promise<string[]> {
  const all: unknown = await (await fetch(`${fixture.palisade.consoleUrl}/dev/mail.json`)).json();
  return mailbox.parse(all).flatMap((mail) => (mail.to.includes(to) ? [mail.html] : []));
}

test("another site's page can change nothing, read nothing and log no account in", async () => {
  const { consoleUrl } = fixture.palisade;
  const { hostname, port } = new URL(consoleUrl);
  const otherHost = hostname === "localhost" ? "127.0.0.1" : "localhost";
  const victim = await fixture.customer();
  const attacker = await fixture.customer();
  const { data: topUp } = await victim.call(routes.billing.createStripeIntent, {
    body: { amount: 5, payment_method: "stripe" },
  });
  const product = await fixture.open(victim, { path: "/dashboard/profile" });
  // All state that browsers send by themselves: the cookies of a registration under way and of a
  // known device.
  const [pending, wanted] = ["pending@example.com", "forged@example.com"];
  const registration = { password, password_confirmation: password, accept_privacy_policy: true };
  for (const [call, fields] of [
    ["register", { ...registration, email: pending }],
    ["login", { email: victim.email, password: victim.password }],
  ] as const) {
    await product.evaluate(
      ([url, body]) =>
        fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body }),
      [`/api/v1/auth/${call}`, JSON.stringify(fields)] as const,
    );
  }
  const code = await mailedCode(consoleUrl, pending);
  const facts = async () => ({
    cookies: (await product.context().cookies()).map(({ name, value }) => [name, value]),
    storage: await product.evaluate(() => ({ ...localStorage })),
    profile: (await victim.call(routes.account.getProfile, {})).data,
    sessions: (await victim.call(routes.account.listSessions, {})).data.sessions.length,
    record: (await victim.call(routes.audit.listAuditLog, { query: {} })).data.total,
    payment: (await victim.call(routes.billing.getIntent, { params: { id: topUp.intent.id } })).data
      .intent.status,
    mails: [await mails(pending), await mails(wanted)].map(({ length }) => length),
  });
  const before = await facts();
  expect(new Set(before.cookies.map(([name]) => name))).toEqual(
    new Set(["XSRF-TOKEN", "palisade_pending", "palisade_device"]),
  );

  const empty = {};
  const bodies: Readonly<Record<string, unknown>> = {
    "auth.register": { ...registration, email: wanted },
    "auth.verifyEmailCode": { code },
    "auth.resendVerificationCode": { email: pending },
    "auth.login": { email: attacker.email, password: attacker.password },
    "auth.forgotPassword": { email: victim.email },
  };
  const tryAll = allRoutes
    .filter(({ method, family }) => method !== "GET" && family === "api")
    .map((route) => attemptOn(route, consoleUrl, bodies[route.id] ?? empty));
  const checkout = new URL(topUp.checkout_url, consoleUrl).href;
  const withoutToken: Attempt[] = [
    ...tryAll.filter(({ body }) => body !== empty),
    { method: "POST", url: checkout, body: { action: "pay" } },
  ];
  // A page of the same host's, whose requests carry cookies of every kind, and one of another's.
  const sites = { [hostname]: [...tryAll, ...withoutToken.slice(-1)], [otherHost]: withoutToken };
  for (const [host, attempts] of Object.entries(sites)) {
    const page = await product.context().newPage();
    const answers: Response[] = [];
    page.on("response", (answer) => {
      if (new URL(answer.url()).port === port) answers.push(answer);
    });
    await page.goto(`http://${host}:${foreign.port}/`);
    expect(await attack(page, attempts), host).toEqual([]);
    const done = answers.filter((answer) => answer.status() < 400).map((answer) => answer.url());
    expect(done, host).toEqual([]);
    expect(answers.length).toBeGreaterThan(attempts.length);
    await Promise.all([
      page.waitForEvent("framenavigated"),
      page.evaluate(`document.body.innerHTML = '<iframe src="${consoleUrl}/login"></iframe>'`),
    ]);
    expect(page.frames().map((frame) => frame.url())).not.toContain(`${consoleUrl}/login`);
    await page.close();
  }

  expect(await facts()).toEqual(before);
  const anonymous = createClient({ baseUrl: consoleUrl });
  await expect(
    anonymous(routes.auth.login, { body: { email: pending, password } }),
  ).rejects.toMatchObject({ status: 403 });
});

/** Nothing of a text became part of the page, and nothing of it ran. */
async function expectInert(page: Page, what: string): Promise<void> {
  for (const frame of page.frames()) {
    // A frame without scripts is no place to ask in.
    const ran = frame.parentFrame() === null ? await frame.evaluate("typeof ran") : "undefined";
    expect(ran, `${what}: a script ran`).toBe("undefined");
  }
  const injected = page.locator(
    `script:not([src]), iframe:not([sandbox]), base, #injected, meta[http-equiv=refresh], img[src=x],
     svg[onload], [onerror], [onload], [onfocus], [onbegin], [href^="javascript:" i]`,
  );
  expect(await injected.evaluateAll((found) => found.map((e) => e.outerHTML)), what).toEqual([]);
}

/** Every message of a shield, with its share of the texts. */
function hostileMessages(texts: readonly string[]) {
  const { offline_image: _image, ...offline } = serverMessages.shape.offline.shape;
  const { general, mitigation, firewall } = serverMessages.shape;
  const groups = {
    general: general.shape,
    mitigation: mitigation.shape,
    offline,
    firewall: firewall.shape,
  };
  const all = Object.values(groups).flatMap((shape) => Object.keys(shape));
  const share = (name: string) => {
    const [index, count] = [all.indexOf(name), all.length];
    return texts
      .filter((_, each) => each % count === index % count)
      .join(" \n")
      .slice(0, 512);
  };
  return Object.fromEntries(
    Object.entries(groups).map(([group, shape]) => [
      group,
      Object.fromEntries(Object.keys(shape).map((name) => [name, share(name)])),
    ]),
  );
}

test("a customer's words stay plain text in the console, in mails and in exports", async () => {
  expect(freeTexts()).toEqual(new Set(Object.keys(seenAt)));
  const author = await fixture.customer();
  const { call } = author;
  const texts = Object.values(hostileTexts).map((text) => text.slice(0, 50));
  const names = texts.map(tidyLine).filter((name) => /[<>"'{$=@&:]|W{9}/.test(name));
  const breakouts = names.filter((name) => /["']>|<script/.test(name));
  await call(routes.account.updateProfile, {
    body: {
      first_name: "Anna",
      last_name: "Smith",
      zip_code: "10115",
      country: "DE",
      address_line_1: breakouts[0] ?? "",
      address_line_2: breakouts[1] ?? "",
      company_name: breakouts[2] ?? "",
      city: (hostileTexts["event handler"] ?? "").slice(0, 30),
    },
  });
  const keyed = names.slice(0, 20);
  for (const [index, name] of keyed.entries()) {
    const { data } = await call(routes.account.createApiKey, { body: { name, scope: "read" } });
    if (index >= 9) continue;
    const headers = { authorization: `Bearer ${data.api_key}` };
    const used = createClient({ baseUrl: fixture.palisade.consoleUrl, headers: () => headers });
    await used(routes.audit.listAuditLog, { query: { endpoint: name } });
  }
  const backend = { host: "127.0.0.1", port: 25_565 };
  const { id } = await createShield(call, backend, "hostile.example.com");
  await call(routes.serverMessages.updateServerMessages, {
    params: { id },
    body: hostileMessages(texts),
  });
  const group = (await call(routes.backends.getBackends, { params: { id } })).data.backends[0];
  const groupName = breakouts[3] ?? "";
  await call(routes.backends.updateBackendGroup, {
    params: { id, backendId: group?.id ?? "" },
    body: { name: groupName },
  });

  const page = await fixture.open(author, { width: 390 });
  const errors = watchForErrors(page);
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const go = async (path: string) => {
    await page.goto(path);
    await settled(page);
  };
  const expectHarmless = async (what: string) => {
    await expectInert(page, what);
    await expectNoSidewaysScroll(page, what);
  };
  await page.reload();
  await settled(page);
  expect(await page.getByLabel("Company name").inputValue()).toBe(breakouts[2]);
  await expectHarmless("profile");

  await page.route("**/api/v1/profile/passkeys", (route) =>
    route.fulfill({ json: { passkeys: breakouts.map(passkeyOf) } }),
  );
  await go("/dashboard/profile?tab=security");
  const keys = page.getByRole("list", { name: "Further API keys" });
  const listed = await keys.innerText();
  for (const name of keyed) expect(listed).toContain(name);
  const passkeys = page.getByRole("list", { name: "Passkeys" });
  for (const name of breakouts) expect(await passkeys.innerText()).toContain(name);
  await expectHarmless("security");
  await passkeys.getByRole("button").first().click();
  const renamed = page.getByRole("dialog").getByLabel("Name");
  expect(await renamed.inputValue()).toBe(breakouts[0]);
  await expectHarmless("rename a passkey");
  await page.keyboard.press("Escape");
  await keys.getByRole("button").first().click();
  await page.getByRole("dialog").waitFor();
  await expectHarmless("delete a key");

  const filter = encodeURIComponent(JSON.stringify(breakouts[0]));
  await go(`/dashboard/audit-logs?endpoint=${filter}`);
  expect(await page.getByRole("searchbox").inputValue()).toBe(breakouts[0]);
  await expectHarmless("audit log, filtered");
  await go("/dashboard/audit-logs?method=GET");
  await page.locator("details").evaluateAll((rows) => {
    for (const row of rows) row.setAttribute("open", "");
  });
  await page
    .getByText(keyed[0] ?? "", { exact: false })
    .first()
    .waitFor();
  await expectHarmless("audit log");

  const number = (breakouts[0] ?? "").slice(0, 32);
  await go(`/dashboard/billing?tab=invoices&number=${encodeURIComponent(JSON.stringify(number))}`);
  expect(await page.getByRole("searchbox").inputValue()).toBe(number);
  await expectHarmless("invoices, filtered");

  const searched = (breakouts[0] ?? "").slice(0, 64);
  await go(`/dashboard/gameshield/${id}/logs?q=${encodeURIComponent(JSON.stringify(searched))}`);
  expect(await page.getByRole("searchbox").inputValue()).toBe(searched);
  await expectHarmless("log, filtered");

  for (const tab of Object.keys(serverMessages.shape)) {
    await go(`/dashboard/gameshield/${id}/customization?tab=${tab}`);
    await expectHarmless(`messages, ${tab}`);
  }
  await go(`/dashboard/gameshield/${id}/backends`);
  await page.getByText(groupName).first().waitFor();
  await expectHarmless("backends");
  await page.getByRole("button", { name: `Edit group ${groupName}` }).click();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe(groupName);
  await expectHarmless("edit a group");
  await go(`/dashboard/gameshield/${id}/firewall`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page
    .getByRole("dialog")
    .locator("textarea")
    .fill(["203.0.113.1", ...texts].join("\n"));
  await page.getByText(/^Line 2:/).waitFor();
  await expectHarmless("import, what cannot be read");
  expect(errors).toEqual([]);
  await page.goto("/dev/mail");
  await expectInert(page, "mailbox");

  // As a mail program without any policy of ours would show them.
  const reader = await page.context().newPage();
  const written = await mails(author.email);
  expect(written.length).toBeGreaterThan(keyed.length);
  await reader.setContent(written.join("\n"));
  await expectInert(reader, "mails");

  const csv = (await call(routes.audit.exportAuditLog, { query: {} })).data;
  expect(csv.split("\n").length).toBeGreaterThan(keyed.length);
  expect(csv).not.toMatch(/(^|,)"?[=+\-@\t]/m);
});

/** As the api lists one. */
function passkeyOf(name: string, index: number) {
  const id = `0199a3f2-7c10-7000-8000-${String(index).padStart(12, "0")}`;
  const at = "2026-11-01T12:00:00.000Z";
  return { id, name, is_synced: false, created_at: at, last_used_at: null };
}
