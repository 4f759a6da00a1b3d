import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights, type Rights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";

const fixture = useConsole();
const shield = `/dashboard/gameshield/${exampleIds.shield}`;

function becomeMember(role: "viewer" | "custom", rights: Rights): void {
  fixture.state.shield = { ...fixture.state.shield, role: "member", member_role: role, rights };
}

/** Controls that change nothing: a member with the right to view a section uses all of them. */
const reading =
  /^(Copy|Export|Search|Download|How to|Deliveries|DNS records|nftables|iptables|ufw|Lobby)/;

/** Each section with something that only reading needs. */
const sections = [
  { path: "/backends", reads: "Copy 203.0.113.10:25565" },
  { path: "/backends?tab=origin", reads: "Copy all addresses" },
  { path: "/domains", reads: "Copy the CNAME target" },
  { path: "/mitigation", reads: null },
  { path: "/caching", reads: null },
  { path: "/customization", reads: null },
  { path: "/notifications", reads: "Deliveries" },
  { path: "/firewall", reads: "Export CSV" },
] as const;

test.each(sections)(
  "a viewer reads, copies and exports all of $path, and changes nothing of it",
  async ({ path, reads }) => {
    becomeMember("viewer", roleRights.viewer);
    const page = await fixture.open(`${shield}${path}`, { width: 390 });
    await page.getByText("You may view this section.").waitFor();
    if (reads !== null) {
      const button = page.getByRole("button", { name: reads }).first();
      expect(await button.isEnabled()).toBe(true);
    }
    const able = page.locator("main :is(input, button, select, textarea):enabled");
    for (const control of await able.all()) {
      const name = (await control.getAttribute("aria-label")) ?? (await control.innerText());
      expect(name).toMatch(reading);
    }
    expect(await page.getByRole("link", { name: "History" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Options of the server" }).count()).toBe(0);
    await expectSound(page, `${path} of a viewer`);
  },
);

test("a viewer opens a group of servers and the records of a domain", async () => {
  becomeMember("viewer", roleRights.viewer);
  const page = await fixture.open(`${shield}/backends`, { width: 390 });
  const group = page.getByRole("button", { name: "Lobby" });
  await group.click();
  expect(await group.getAttribute("aria-expanded")).toBe("false");
  await page.goto(`${shield}/domains`);
  await page
    .getByRole("button", { name: /^(DNS records of|How to setup)/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Copy/ }).first().waitFor();
  expect(await dialog.getByRole("button", { name: "Check now" }).count()).toBe(0);
});

test("a section that failed to load can be loaded again by a viewer", async () => {
  becomeMember("viewer", roleRights.viewer);
  fixture.api.cut(routes.firewall.getFirewall);
  const page = await fixture.open(`${shield}/firewall`, { width: 390 });
  await page.getByText("Error fetching firewall data").waitFor();
  fixture.api.restore(routes.firewall.getFirewall);
  await tryAgain(page);
  await page.getByRole("table", { name: "Blacklist" }).waitFor();
  expect(await page.getByText("Error fetching firewall data").count()).toBe(0);
});

test("the history is closed to a viewer, and a member with own rights reads which they are", async () => {
  becomeMember("viewer", roleRights.viewer);
  const page = await fixture.open(`${shield}/history`, { width: 390 });
  await page.getByText("Your role does not include this section").waitFor();
  becomeMember("custom", { ...roleRights.viewer, backends: "change", domains: "none" });
  await page.goto(`${shield}/subusers`);
  await page.getByText("Your role: Custom.").waitFor();
  await page.getByText("View and change: Backends. View: Overview and name").waitFor();
  await expectSound(page, "own rights");
});

test("an owner gives a sub-user rights of their own, beginning with those of the role before", async () => {
  const page = await fixture.page({ width: 390 });
  const sent: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") sent.push(request.postDataJSON());
  });
  await page.goto(`${shield}/subusers`);
  await page
    .getByRole("button", { name: /Change the role of/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Role", { exact: true }).selectOption("Operator");
  await dialog.getByLabel("Role", { exact: true }).selectOption("Custom");
  await dialog.getByLabel("Firewall").selectOption("View");
  await expectSound(page, "rights of a sub-user");
  await dialog.getByRole("button", { name: "Save" }).click();
  await until(() => sent.length === 1);
  expect(sent[0]).toEqual({
    role: "custom",
    rights: { ...roleRights.operator, firewall: "view" },
  });
});

test("an invitation that waits says until when; sending it again asks who it is, and may be declined", async () => {
  const [one] = fixture.state.subUsers;
  if (one === undefined) throw new Error("The contract has no example of a sub-user");
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  fixture.state.subUsers = [
    { ...one, status: "pending", email: "new@example.com", expires_at: inDays(6) },
    {
      ...one,
      id: exampleIds.plan,
      status: "pending",
      email: "late@example.com",
      expires_at: inDays(-1),
    },
  ];
  fixture.api.refuse(routes.subUsers.addSubUser, "step_up_required");
  const page = await fixture.open(`${shield}/subusers`, { width: 320 });
  const rowOf = (hasText: string) => page.getByRole("row").filter({ hasText });
  await rowOf("new@example.com").getByText("Valid until").waitFor();
  await rowOf("late@example.com").getByText("Expired").waitFor();
  expect(await rowOf("late@example.com").getByText("Valid until").count()).toBe(0);
  await expectSound(page, "invitations that wait");
  const again = page.getByRole("button", { name: "Send the invitation to new@example.com again" });
  await again.click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await again.and(page.locator(":focus")).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  fixture.api.restore(routes.subUsers.addSubUser);
  await again.click();
  await page.getByText(example(routes.subUsers.addSubUser).message).waitFor();
});

test("the focus moves to the next row when a sub-user was removed, and then to the heading", async () => {
  const [one] = fixture.state.subUsers;
  if (one === undefined) throw new Error("The contract has no example of a sub-user");
  const active = { ...one, status: "active" as const, expires_at: null };
  fixture.state.subUsers = [
    { ...active, email: "first@example.com" },
    { ...active, id: exampleIds.plan, email: "second@example.com" },
  ];
  const page = await fixture.open(`${shield}/subusers`);
  const removeOf = (email: string) => page.getByRole("button", { name: `Remove ${email}` });
  for (const [email, next] of [
    ["first@example.com", removeOf("second@example.com")],
    ["second@example.com", page.getByRole("heading", { name: "Sub users" })],
  ] as const) {
    await removeOf(email).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
    await removeOf(email).waitFor({ state: "detached" });
    await next.and(page.locator(":focus")).waitFor();
  }
  expect(fixture.state.subUsers).toEqual([]);
});

test("a refused invitation keeps what was typed and says beside the field what is wrong", async () => {
  fixture.api.refuse(routes.subUsers.addSubUser, "entry_exists");
  const page = await fixture.open(`${shield}/subusers`, { width: 320 });
  await page.getByRole("button", { name: "Add sub user" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel("E-mail or username");
  await field.fill("bob@example.com");
  await dialog.getByLabel("Role", { exact: true }).selectOption("Custom");
  await dialog.getByLabel("Backends").selectOption("View");
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await until(async () => (await field.getAttribute("aria-invalid")) === "true");
  expect(await field.inputValue()).toBe("bob@example.com");
  expect(await dialog.getByLabel("Backends").inputValue()).toBe("view");
  await expectSound(page, "refused invitation");
});

test("an invitation names the role it gives, before anyone signs in", async () => {
  const token = "psi_8Zk1pQv4mT7xY2cW9bN3";
  const page = await fixture.open(`/invitation#token=${token}`, { isStranger: true, width: 320 });
  await page
    .getByText("Sees everything but the history and the addresses of players, and changes nothing.")
    .waitFor();
  await expectSound(page, "invitation with a role");
  fixture.api.change(routes.subUsers.getInvitation, ({ invitation }) => ({
    invitation: {
      ...invitation,
      role: "custom" as const,
      rights: { ...roleRights.viewer, firewall: "change" as const },
    },
  }));
  await page.reload();
  await page.getByText("View and change: Firewall. View: Overview and name").waitFor();
});
