import { routes } from "@palisade/contract/http/routes";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { icon } from "@palisade/system-tests/routing/icon";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import { expectSound, settled, watchForErrors } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { sampleFavicon } from "@palisade/testing/sample-favicon";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

/** Screens while they wait, when they fail and when they may not be changed. */

const {
  servers,
  plans,
  profile,
  account,
  audit,
  firewall,
  history,
  invoices,
  logs,
  serverMessages,
  notifications,
  tickets,
  webhooks,
} = routes;
const fixture = useConsole();

function ownersPage(): Promise<Page> {
  return fixture.page({ width: 390 });
}

/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;

const shield = (section = "") => `/dashboard/gameshield/${exampleIds.shield}${section}`;

const screens = [
  {
    name: "dashboard",
    path: "/dashboard",
    calls: [profile.getDashboard, servers.listServers],
    errors: ["Error fetching dashboard info", "Error fetching servers"],
  },
  {
    name: "setup",
    path: "/dashboard/setup",
    calls: [plans.listPricingPlans],
    errors: ["Failed to fetch plans"],
  },
  {
    name: "profile",
    path: "/dashboard/profile",
    calls: [account.getProfile],
    errors: ["Error fetching profile"],
  },
  {
    name: "security",
    path: "/dashboard/profile?tab=security",
    calls: [account.listSessions, account.listApiKeys],
    errors: ["Error fetching sessions", "Error fetching API keys"],
  },
  {
    name: "invoices",
    path: "/dashboard/billing?tab=invoices",
    calls: [invoices.listInvoices],
    errors: ["Error fetching invoices"],
  },
  {
    name: "support",
    path: "/dashboard/support",
    calls: [tickets.listTickets],
    errors: ["Error fetching tickets"],
  },
  {
    name: "a ticket",
    path: `/dashboard/support/ticket/${exampleIds.shield}`,
    calls: [tickets.getTicket],
    errors: ["Error fetching ticket"],
  },
  {
    name: "audit logs",
    path: "/dashboard/audit-logs",
    calls: [audit.listAuditLog],
    errors: ["Error fetching audit logs"],
  },
  {
    name: "logs",
    path: shield("/logs"),
    calls: [logs.listLogEntries],
    errors: ["Error fetching the log"],
  },
  {
    name: "history",
    path: shield("/history"),
    calls: [history.listHistory],
    errors: ["Error fetching the history"],
  },
  {
    name: "overview",
    path: shield(),
    calls: [servers.getOverview],
    errors: ["Failed to fetch server info"],
  },
  {
    name: "firewall",
    path: shield("/firewall"),
    calls: [firewall.getFirewall],
    errors: ["Error fetching firewall data"],
  },
  {
    name: "customization",
    path: shield("/customization"),
    calls: [serverMessages.getServerMessages],
    errors: ["Error fetching server messages. Please try again later."],
  },
  {
    name: "notifications",
    path: shield("/notifications"),
    calls: [notifications.getNotifications, webhooks.listWebhooks],
    errors: ["Failed to fetch notifications", "Failed to fetch webhooks"],
  },
  {
    name: "a shield",
    path: shield(),
    calls: [servers.getServer],
    errors: ["Failed to load server"],
  },
];

describe.each(screens)("$name", ({ path, calls, errors }) => {
  test("shows skeletons, not emptiness, while it waits", async () => {
    const page = await ownersPage();
    const releases = calls.map((route) => fixture.api.delay(route));
    await page.goto(path);
    await page.locator("[aria-busy=true] .mantine-Skeleton-root").first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await expectSound(page, "loading");
    for (const release of releases) release();
    await settled(page);
    // Choosing a plan asks for its locations: that may follow the first answer.
    await until(async () => (await page.locator(".mantine-Skeleton-root").count()) === 0, {
      what: "no skeletons",
    });
  });

  test("says what failed and loads once the way is free again", async () => {
    const page = await ownersPage();
    for (const route of calls) fixture.api.cut(route);
    await page.goto(path);
    for (const error of errors) await page.getByText(error, { exact: true }).waitFor();
    await expectSound(page, "failed");
    for (const route of calls) fixture.api.restore(route);
    for (const error of errors) {
      const alert = page.getByRole("alert").filter({ hasText: error });
      await tryAgain(alert);
      await alert.waitFor({ state: "detached" });
    }
    await settled(page);
  });
});

/** Pixels of the picture that the browser has drawn; 0 before. */
function drawnWidth(picture: Locator): Promise<number> {
  return picture.evaluate((shown) => Number(Reflect.get(shown, "naturalWidth")));
}

describe("the picture of a shield", () => {
  const img = `/api/v1/servers/${exampleIds.shield}/image?version=1`;

  /** The dashboard before the picture has come. */
  async function waitingCard(options: Parameters<typeof fixture.page>[0] = {}) {
    fixture.state.shields = fixture.state.shields.map((shown) => ({ ...shown, img }));
    const release = fixture.api.delay(serverMessages.getServerImage);
    const page = await fixture.page(options);
    await page.addInitScript(
      `addEventListener("error", ({ target }) => { globalThis.isBroken = target.localName === "img"; }, true);`,
    );
    await page.goto("/dashboard");
    const card = page.getByRole("listitem").filter({ hasText: "Skyline" });
    const tile = card.locator("[data-tile]");
    await tile.waitFor();
    return { page, card, tile, release };
  }

  test.each(sampledAppearances)(
    "takes the place of the tile without moving anything ($theme, $locale)",
    async (look) => {
      fixture.api.change(serverMessages.getServerImage, () => ({ image: icon() }));
      const { page, card, tile, release } = await waitingCard({ ...look, width: 390 });
      const before = [await tile.boundingBox(), await card.boundingBox()];
      release();
      const picture = card.locator("img");
      await until(async () => (await drawnWidth(picture)) === 64, { what: "the picture" });
      expect([await picture.boundingBox(), await card.boundingBox()]).toEqual(before);
      expect(await tile.count()).toBe(0);
      await expectSound(page, "a card with a picture");
    },
  );

  test("gives way to the tile when it is gone by the time it is loaded", async () => {
    fixture.api.refuse(serverMessages.getServerImage, "not_found");
    const { page, card, tile, release } = await waitingCard();
    release();
    await settled(page);
    expect([await tile.count(), await card.locator("img").count()]).toEqual([1, 0]);
  });

  test("gives way to the tile when the browser cannot draw it", async () => {
    const image = sampleFavicon();
    fixture.api.change(serverMessages.getServerImage, () => ({ image }));
    const { page, card, tile, release } = await waitingCard();
    release();
    // `waitForFunction` evaluates again and again in the page, which its security policy forbids.
    await until(async () => (await page.evaluate("globalThis.isBroken")) === true, {
      what: "the broken picture",
    });
    await tile.waitFor();
    expect(await card.locator("img").count()).toBe(0);
    await expectSound(page, "a card whose picture is broken");
  });
});

describe("disabled controls", () => {
  test("an expired shield shows its overview only, and says why", async () => {
    fixture.state.shield = { ...fixture.state.shield, status: "expired" };
    const page = await ownersPage();
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
    fixture.api.refuse(serverMessages.getServerMessages, "plan_required");
    await page.goto(shield("/customization"));
    await page.getByText("They are read-only.").waitFor();
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
      "added successfully: an edge refused the change and keeps the previous settings. too large",
    ],
  ] as const)("tells that an edge has it %s", async (outcome, text) => {
    const page = await ownersPage();
    const isRejected = outcome === "rejected";
    fixture.api.change(servers.getPropagation, (usual) => ({
      ...usual,
      edges_applied: 0,
      edges_rejected: isRejected ? 1 : 0,
      applied_in_ms: null,
      edges: usual.edges.map((edge) => ({
        ...edge,
        outcome,
        applied_in_ms: null,
        reason: isRejected ? "too large" : null,
      })),
    }));
    await page.goto(shield("/firewall"));
    await page.getByRole("textbox", { name: "Address or name to block" }).fill("192.0.2.1");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const receipt = page.getByRole(isRejected ? "alert" : "status");
    await receipt.filter({ hasText: text }).waitFor();
    await expectSound(page, outcome);
  });
});

describe("shields that cannot be shown", () => {
  test("a shield that could not be loaded is there by itself once the api is back", async () => {
    const page = await ownersPage();
    await page.clock.install();
    fixture.api.answerRaw(servers.getServer, { status: 503, contentType: "text/plain", body: "" });
    await page.goto(shield("/firewall"));
    const retry = page.getByRole("button", { name: "Try again" });
    await retry.focus();
    await page.clock.runFor(5_000);
    expect(await page.locator("button:focus").innerText()).toBe("Try again");
    fixture.api.restore(servers.getServer);
    await page.clock.runFor(10_000);
    await page.getByRole("table", { name: "Blacklist" }).waitFor();
  });

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
    fixture.api.answerRaw(servers.getServer, {
      status,
      contentType: "application/json",
      body: "{}",
    });
    await page.goto(shield());
    await page.getByText(text).first().waitFor();
    await page.waitForURL("**/dashboard");
    expect(await page.getByRole("alert").filter({ hasText: text }).count()).toBe(1);
  });
});
