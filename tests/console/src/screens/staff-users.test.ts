import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import type { StaffRole } from "@palisade/contract/http/staff-roles";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { accessToken } from "../stub-api/stub-api.ts";

/** The staff area: its frame, its search, and accounts. */

const { staffUsers } = routes;
const fixture = useConsole();
const list = "/staff/users";
const account = `${list}/${exampleIds.user}`;
const reason = "The owner asked for it in ticket 1042";

function becomeStaff(...roles: StaffRole[]): void {
  fixture.state.user = { ...fixture.state.user, role: "staff", staff_roles: roles };
}

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("list, tabs of an account and every dialog are sound at each width", async () => {
    becomeStaff("admin");
    const page = await fixture.page(look);
    const errors = watchForErrors(page);
    const named = (what: string) => `${what} ${look.theme} ${look.locale}`;
    await page.goto(list);
    await settled(page);
    await expectSoundEverywhere(page, named("users"));
    for (const tab of ["", "?tab=money", "?tab=audit", "?tab=record"]) {
      await page.goto(account + tab);
      await settled(page);
      await expectSoundEverywhere(page, named(`account ${tab.slice(5)}`));
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const opener = page.getByRole("button", { name: /^(Actions|Действия)$/ });
    const items = page.getByRole("menuitem");
    const actions = 4;
    await opener.click();
    await items.nth(actions - 1).waitFor();
    expect(await items.count()).toBe(actions);
    await page.keyboard.press("Escape");
    for (let index = 0; index < actions; index += 1) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await opener.click();
      await items.nth(index).click();
      await page.getByRole("dialog").waitFor();
      await expectSoundEverywhere(page, named(`dialog ${index}`));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    expect(errors).toEqual([]);
  });
});

test("for a customer, and for staff without the role, there is no such page", async () => {
  const customer = await fixture.open(list);
  await customer.getByRole("heading", { name: "Page not found" }).waitFor();
  await customer.goto("/dashboard");
  await settled(customer);
  await customer.getByRole("button", { name: /Account menu/ }).click();
  expect(await customer.getByRole("menuitem", { name: "Staff" }).count()).toBe(0);
  becomeStaff("operations");
  const operator = await fixture.open(list);
  await operator.getByRole("heading", { name: "Page not found" }).waitFor();
  expect(await operator.getByRole("link", { name: "Users" }).count()).toBe(0);
});

test("staff without two-factor are led to its set-up", async () => {
  becomeStaff("admin");
  fixture.state.user = { ...fixture.state.user, two_factor_required: true };
  const page = await fixture.open(list);
  await page.waitForURL("**/dashboard/profile?tab=security");
  await page.getByText("Set up two-factor authentication first").waitFor();
  expect(fixture.api.callsOf(staffUsers.listUsers)).toEqual([]);
});

test("the account menu leads to the first section, and a row to the account", async () => {
  becomeStaff("support");
  const page = await fixture.open("/dashboard");
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Staff" }).click();
  await page.waitForURL("**/staff/tickets");
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.waitForURL(`**${list}`);
  await page.getByRole("list", { name: "Users" }).getByRole("link").first().click();
  await page.waitForURL(`**${account}`);
  await page.getByRole("heading", { name: "anna@example.com" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(account);
});

test("each role sees the actions that it may take", async () => {
  const seen = async (role: StaffRole) => {
    becomeStaff(role);
    const page = await fixture.open(account);
    await page.getByRole("button", { name: "Actions" }).click();
    return page.getByRole("menuitem").allTextContents();
  };
  expect(await seen("billing")).toEqual(["Adjust the balance"]);
  expect(await seen("support")).toEqual(["Log out everywhere", "Remove two-factor", "Block"]);
});

test("filters are in the address, and an empty list offers to clear them", async () => {
  becomeStaff("admin");
  const page = await fixture.open(list);
  fixture.api.change(staffUsers.listUsers, (usual) => ({ ...usual, data: [], total: 0 }));
  await page.getByRole("searchbox", { name: "E-mail, id, name or label" }).fill("100%");
  await page.keyboard.press("Enter");
  await page.getByText("No account matches.").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("100%");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL(`**${list}`);
});

test("a list that fails says so and can be tried again", async () => {
  becomeStaff("admin");
  fixture.api.refuse(staffUsers.listUsers, "not_found");
  const page = await fixture.open(list);
  await page.getByText("Error fetching users").waitFor();
  fixture.api.restore(staffUsers.listUsers);
  await page.getByRole("button", { name: /again/i }).click();
  await page.getByRole("list", { name: "Users" }).waitFor();
  expect(await page.getByText("Error fetching users").count()).toBe(0);
});

test("an action asks for its reason, and says what came of it", async () => {
  becomeStaff("support");
  const page = await fixture.open(account);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  const dialog = page.getByRole("dialog", { name: "Block the account" });
  await dialog.getByRole("button", { name: "Block" }).click();
  await dialog.getByText("Give a reason of at least 3 characters").waitFor();
  expect(fixture.api.callsOf(staffUsers.blockUser)).toEqual([]);
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await dialog.getByRole("checkbox", { name: "Block its shields too" }).check();
  await dialog.getByRole("button", { name: "Block" }).click();
  await dialog.waitFor({ state: "detached" });
  const [sent] = fixture.api.callsOf(staffUsers.blockUser);
  expect(sent?.body).toEqual({ reason, block_shields: true });
});

test("an amount is checked before it is sent, once for each order", async () => {
  becomeStaff("billing");
  const page = await fixture.open(account);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Adjust the balance" }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust the balance" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await dialog.getByRole("textbox", { name: "Amount in euros" }).fill("1e3");
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByText("Enter an amount between 0.01 and 10,000.00").waitFor();
  await dialog.getByRole("textbox", { name: "Amount in euros" }).fill("20,50");
  await dialog.getByRole("combobox", { name: "Change" }).selectOption("take");
  await dialog.getByRole("button", { name: "Take" }).click();
  await dialog.waitFor({ state: "detached" });
  const [sent] = fixture.api.callsOf(staffUsers.adjustBalance);
  expect(sent?.body).toEqual({ reason, cents: -2_050 });
  expect(sent?.headers["idempotency-key"]).toMatch(/^.{36}:-2050$/);
});

test("an order of a colleague is confirmed; one's own can only be rejected", async () => {
  becomeStaff("support");
  const page = await fixture.open(account);
  const waiting = page.getByRole("list", { name: "Waiting for a second person" });
  await waiting.getByRole("button", { name: "Confirm" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(staffUsers.confirmTwoFactorOff)).toHaveLength(1);

  fixture.api.change(staffUsers.getUser, ({ user }) => ({
    user: { ...user, orders: user.orders.map((order) => ({ ...order, is_own: true })) },
  }));
  await page.reload();
  await waiting.getByRole("button", { name: "Reject" }).waitFor();
  expect(await waiting.getByRole("button", { name: "Confirm" }).count()).toBe(0);
});

test("the search opens by `/` and by Ctrl+K, and leads to what it found", async () => {
  becomeStaff("admin");
  const page = await fixture.open(list);
  await page.keyboard.press("/");
  const search = page.getByRole("combobox", { name: "Search everything" });
  await search.waitFor();
  await page.keyboard.press("Escape");
  await search.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await search.fill("anna");
  await page.getByRole("option", { name: /anna@example\.com/ }).waitFor();
  await expectSoundEverywhere(page, "search");
  await search.press("Enter");
  await page.waitForURL(`**${account}`);
  const [sent] = fixture.api.callsOf(staffUsers.searchAll);
  expect(sent?.query).toEqual({ q: "anna" });
});

describe("viewing as a customer", () => {
  const customer = { ...example(routes.auth.user).user, email: "anna@example.com" };

  async function view(page: Page): Promise<void> {
    fixture.api.change(staffUsers.viewAs, (usual) => ({ ...usual, token: accessToken }));
    await page.getByRole("button", { name: "View as customer" }).click();
    const dialog = page.getByRole("dialog", { name: "View as customer" });
    await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
    // From here on, the customer's own answers come.
    await dialog.getByRole("button", { name: "View", exact: true }).click();
    fixture.api.change(routes.auth.user, () => ({ user: customer }));
    await page.waitForURL("**/dashboard");
    await settled(page);
  }

  const bannerOf = (page: Page) => page.getByRole("complementary", { name: "View as customer" });

  test("says so on every page until it is ended, which leads back to the account", async () => {
    becomeStaff("support");
    const page = await fixture.open(account);
    await view(page);
    await bannerOf(page).getByText("You are viewing as anna@example.com (read only).").waitFor();
    await page.goto("/dashboard/billing");
    await settled(page);
    await bannerOf(page).waitFor();
    await expectSoundEverywhere(page, "view as customer");
    fixture.api.restore(routes.auth.user);
    await page.setViewportSize({ width: 1440, height: 900 });
    await bannerOf(page).getByRole("button", { name: "End" }).click();
    await page.waitForURL(`**${account}`);
    await page.getByText("The view has ended").waitFor();
    expect(fixture.api.callsOf(staffUsers.endView)).toHaveLength(1);
    expect(await bannerOf(page).count()).toBe(0);
  });

  test("that has run out leads back too, and the staff member stays signed in", async () => {
    becomeStaff("support");
    const page = await fixture.open(account);
    await view(page);
    fixture.api.restore(routes.auth.user);
    fixture.api.refuse(routes.billing.listTransactions, "unauthenticated");
    await page.goto("/dashboard/billing");
    await page.waitForURL(`**${account}`);
    await until(() => page.evaluate(() => localStorage.getItem("access_token") !== null));
  });

  test("is ended by logging out as well", async () => {
    becomeStaff("support");
    const page = await fixture.open(account);
    await view(page);
    await page.getByRole("button", { name: /Account menu/ }).click();
    fixture.api.restore(routes.auth.user);
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.waitForURL(`**${account}`);
    expect(fixture.api.callsOf(routes.auth.logout)).toEqual([]);
  });
});
