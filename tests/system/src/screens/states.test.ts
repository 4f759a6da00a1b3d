import { overview, propagation, server } from "@palisade/contract/http/servers";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createConsolePages, type ConsolePages } from "../console/pages.ts";
import { expectSound, settled, watchForErrors } from "./inspect.ts";
import type { Appearance } from "./accounts.ts";
import { startScreensFixture, storageOf, type ScreensFixture } from "./fixture.ts";

/**
 * What a screen shows while it waits, when it fails and when it may not be changed. Only the
 * browser's side is bent: answers are held back, cut off or altered on their way into the page.
 */

let fixture: ScreensFixture;
let pages: ConsolePages;

beforeAll(async () => {
  fixture = await startScreensFixture();
  pages = createConsolePages(fixture.browser, fixture.palisade.consoleUrl);
});

afterEach(async () => {
  await pages?.end();
});

afterAll(async () => {
  await fixture?.end();
});

function ownersPage(look?: Appearance): Promise<Page> {
  return pages.page({ ...look, width: 390, storage: storageOf(fixture, "owner") });
}

/** What the browser itself logs about an answer that is no success. */
const failedToLoad = /Failed to load resource/;

const shield = (section = "") => `/dashboard/gameshield/${fixture.shieldId}${section}`;

const screens = [
  {
    name: "dashboard",
    path: () => "/dashboard",
    calls: ["**/api/v1/profile/dashboard", "**/api/v1/servers?*"],
    errors: ["Error fetching dashboard info", "Error fetching servers"],
  },
  {
    name: "setup",
    path: () => "/dashboard/setup",
    calls: ["**/api/v1/servers/pricing-plans"],
    errors: ["Failed to fetch plans"],
  },
  {
    name: "profile",
    path: () => "/dashboard/profile",
    calls: ["**/api/v1/profile"],
    errors: ["Error fetching profile"],
  },
  {
    name: "security",
    path: () => "/dashboard/profile?tab=security",
    calls: ["**/api/v1/profile/sessions", "**/api/v1/profile/api-keys"],
    errors: ["Error fetching sessions", "Error fetching API keys"],
  },
  {
    name: "audit logs",
    path: () => "/dashboard/audit-logs",
    calls: ["**/api/v1/audit-logs?*"],
    errors: ["Error fetching audit logs"],
  },
  {
    name: "overview",
    path: () => shield(),
    calls: ["**/api/v1/servers/*/overview"],
    errors: ["Failed to fetch server info"],
  },
  {
    name: "firewall",
    path: () => shield("/firewall"),
    calls: ["**/api/v1/servers/*/firewall"],
    errors: ["Error fetching firewall data"],
  },
  {
    name: "customization",
    path: () => shield("/customization"),
    calls: ["**/api/v1/servers/*/messages"],
    errors: ["Error fetching server messages. Please try again later."],
  },
  {
    name: "a shield",
    path: () => shield(),
    calls: [/\/api\/v1\/servers\/[0-9a-f-]{36}$/],
    errors: ["Failed to load server"],
  },
];

describe.each(screens)("$name", ({ path, calls, errors }) => {
  test("shows skeletons, not emptiness, while it waits", async () => {
    const page = await ownersPage();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const call of calls) {
      await page.route(call, async (route) => {
        await held;
        await route.continue();
      });
    }
    await page.goto(path());
    await page.locator("[aria-busy=true] .mantine-Skeleton-root").first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await expectSound(page, "loading");
    release();
    await settled(page);
    // Choosing a plan asks for its locations: that may follow the first answer.
    await until(async () => (await page.locator(".mantine-Skeleton-root").count()) === 0, {
      what: "no skeletons",
    });
  });

  test("says what failed and loads once the way is free again", async () => {
    const page = await ownersPage();
    for (const call of calls) await page.route(call, (route) => route.abort());
    await page.goto(path());
    for (const error of errors) await page.getByText(error, { exact: true }).waitFor();
    await expectSound(page, "failed");
    for (const call of calls) await page.unroute(call);
    for (const error of errors) {
      const alert = page.getByRole("alert").filter({ hasText: error });
      // Live figures try again by themselves, and may be quicker than the click.
      const retry = alert.getByRole("button", { name: "Try again" });
      await Promise.race([
        retry.click().catch(() => undefined),
        alert.waitFor({ state: "detached" }),
      ]);
      await alert.waitFor({ state: "detached" });
    }
    await settled(page);
  });
});

describe("what may not be changed", () => {
  test("an expired shield shows its overview only, and says why", async () => {
    const page = await ownersPage();
    await page.route(/\/api\/v1\/servers\/[0-9a-f-]{36}(\/overview)?$/, async (route) => {
      const answer = await route.fetch();
      const body = z.union([z.object({ server }), overview]).parse(await answer.json());
      const json =
        "server" in body
          ? { server: { ...body.server, status: "expired" } }
          : { ...body, status: "expired" };
      await route.fulfill({ response: answer, json });
    });
    await page.goto(shield("/firewall"));
    await page.getByText("Access denied. Server must be active to access this section").waitFor();
    await page.waitForURL((url) => url.pathname === shield());
    await settled(page);
    await page.getByRole("button", { name: "Customization" }).press("Enter");
    await page.getByText("Server must be active to access this section", { exact: true }).waitFor();
    await expectSound(page, "expired");
  });

  test("messages a plan forbids are read-only, without an error", async () => {
    const page = await ownersPage();
    await page.route("**/api/v1/servers/*/messages", (route) =>
      route.fulfill({
        status: 403,
        contentType: "application/problem+json",
        json: {
          type: "about:blank",
          title: "Forbidden",
          status: 403,
          code: "plan_required",
          message: "Your plan does not include this",
          issues: [],
        },
      }),
    );
    await page.goto(shield("/customization"));
    await page.getByText("They are shown read-only.").waitFor();
    for (const field of await page.getByRole("textbox").all()) {
      expect(await field.isDisabled()).toBe(true);
    }
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await expectSound(page, "read-only");
  });
});

describe("the receipt of a change", () => {
  test.each([
    ["pending", "added successfully: applied on 0/1 edges, waiting for the others"],
    [
      "rejected",
      "added successfully: an edge refused the change and keeps the last good settings. too large",
    ],
  ] as const)("tells that an edge has it %s", async (outcome, text) => {
    const page = await ownersPage();
    await page.route("**/api/v1/servers/*/propagation*", async (route) => {
      const answer = await route.fetch();
      const json = propagation.parse(await answer.json());
      const rejected = outcome === "rejected";
      await route.fulfill({
        response: answer,
        json: {
          ...json,
          edges_applied: 0,
          edges_rejected: rejected ? 1 : 0,
          applied_in_ms: null,
          edges: json.edges.map((edge) => ({
            ...edge,
            outcome,
            applied_in_ms: null,
            reason: rejected ? "too large" : null,
          })),
        },
      });
    });
    await page.goto(shield("/firewall"));
    await page
      .getByRole("textbox", { name: "Address to block" })
      .fill(outcome === "pending" ? "192.0.2.1" : "192.0.2.2");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const receipt = page.getByRole(outcome === "rejected" ? "alert" : "status");
    await receipt.filter({ hasText: text }).waitFor();
    await expectSound(page, outcome);
  });
});

describe("shields that cannot be shown", () => {
  test("an unknown shield says so and leads back to the dashboard", async () => {
    const page = await ownersPage();
    const errors = watchForErrors(page, failedToLoad);
    await page.goto("/dashboard/gameshield/00000000-0000-7000-8000-000000000000");
    await page.getByText("Server not found. Redirecting to dashboard...").first().waitFor();
    await page.waitForURL("**/dashboard");
    expect(errors).toEqual([]);
  });

  test.each([
    [403, "Access denied to this server. Redirecting to dashboard..."],
    [410, "Server has been deleted. Redirecting to dashboard..."],
    [418, "Failed to load server. Redirecting to dashboard..."],
  ])("an answer %i leads back to the dashboard with its reason", async (status, text) => {
    const page = await ownersPage();
    await page.route(/\/api\/v1\/servers\/[0-9a-f-]{36}$/, (route) =>
      route.fulfill({ status, json: {} }),
    );
    await page.goto(shield());
    await page.getByText(text).first().waitFor();
    await page.waitForURL("**/dashboard");
    expect(await page.getByRole("alert").filter({ hasText: text }).count()).toBe(1);
  });
});
