import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { mailedCode } from "../product/account.ts";
import type { ConsolePages } from "../console/pages.ts";
import { expectSound, settled, watchForErrors } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { startScreensFixture, type ScreensFixture } from "../screens/fixture.ts";

/** Owner and sub-users side by side: invited, let in, seen, and out again. A test begins without any. */

let fixture: ScreensFixture;
let owner: Page;
let ownerErrors: string[];
let pages: ConsolePages;
const mailbox = z.array(z.object({ to: z.string(), text: z.string() }));
const password = "correct horse battery";

beforeAll(async () => {
  fixture = await startScreensFixture();
  ({ pages } = fixture);
});

beforeEach(async () => {
  owner = await pages.page({ token: fixture.owner.token });
  ownerErrors = watchForErrors(owner, /status of 4\d\d/);
  await owner.goto(`/dashboard/gameshield/${fixture.shieldId}/subusers`);
  await settled(owner);
});

afterEach(async () => {
  await pages.end();
  const { owner: account, shieldId: id } = fixture;
  const { data } = await account.call(routes.subUsers.listSubUsers, { params: { id } });
  for (const { id: subUserId } of data.sub_users) {
    await account.call(routes.subUsers.removeSubUser, { params: { id, subUserId } });
  }
});

afterAll(() => fixture?.end());

/** The link of the newest invitation to the address. */
function linkTo(email: string): Promise<string> {
  return until(
    async () => {
      const answer = await fetch(`${fixture.palisade.consoleUrl}/dev/mail.json`);
      const mails = mailbox.parse(await answer.json()).filter(({ to }) => to.includes(email));
      return mails.map(({ text }) => /\/invitation#token=\S+/.exec(text)?.[0]).find(Boolean);
    },
    { what: `an invitation for ${email}` },
  );
}

/** A new account that is a sub-user, by the API. */
async function createSubUser(email: string): Promise<TestAccount> {
  const account = await createAccount(fixture.palisade.consoleUrl, email);
  const params = { id: fixture.shieldId };
  await fixture.owner.call(routes.subUsers.addSubUser, { params, body: { email } });
  const token = (await linkTo(email)).replace(/^.*#token=/, "");
  await account.call(routes.subUsers.acceptInvitation, { body: { token } });
  return account;
}

async function invite(typed: string): Promise<void> {
  await owner.getByRole("button", { name: "Add sub user" }).click();
  const dialog = owner.getByRole("dialog", { name: "Add sub user" });
  await dialog.getByRole("textbox", { name: "E-mail or username" }).fill(typed);
  await owner.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await owner.getByText("Invitation sent").first().waitFor();
}

const rowOf = (email: string) => owner.getByRole("row").filter({ hasText: email });

/** The owner sees this without touching the page, which asks again by itself. */
async function untilRowSays(email: string, text: string): Promise<void> {
  await until(
    async () => {
      if (await rowOf(email).filter({ hasText: text }).isVisible()) return true;
      await owner.getByRole("link", { name: "Overview", exact: true }).click();
      await owner.getByRole("link", { name: "Subusers", exact: true }).click();
      await settled(owner);
      return rowOf(email).filter({ hasText: text }).isVisible();
    },
    { what: `${text} beside ${email}` },
  );
}

describe("inviting", () => {
  test("an invalid address is explained beside the field and cannot be sent", async () => {
    await owner.getByText("No sub users found").waitFor();
    await owner.getByRole("button", { name: "Add sub user" }).press("Enter");
    const dialog = owner.getByRole("dialog", { name: "Add sub user" });
    const field = dialog.getByRole("textbox", { name: "E-mail or username" });
    await dialog.locator("input:focus").waitFor();
    await owner.keyboard.type("not an address");
    await owner.keyboard.press("Enter");
    await dialog.getByText("Enter a valid e-mail or username").waitFor();
    const send = dialog.getByRole("button", { name: "Send invitation" });
    expect(await send.getAttribute("aria-disabled")).toBe("true");
    await expectSound(owner, "add sub user");
    await field.fill(fixture.owner.email);
    expect(await send.getAttribute("aria-disabled")).toBe("false");
    await owner.keyboard.press("Enter");
    await dialog.getByText("You own this shield").waitFor();
    await owner.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(ownerErrors).toEqual([]);
  });

  test("a person without an account: from the mail through registration to the shield", async () => {
    const email = "guest@example.com";
    await invite(email);
    await rowOf(email).getByText("pending").waitFor();
    await expectSound(owner, "sub users");

    const guest = await pages.page({ theme: "light" });
    const errors = watchForErrors(guest, /status of 4\d\d/);
    await guest.goto(await linkTo(email));
    await guest.getByRole("heading", { name: "You are invited" }).waitFor();
    expect(new URL(guest.url()).hash).toBe("");
    await guest.getByText("g***@example.com").first().waitFor();
    await guest.getByText(fixture.owner.email).waitFor();
    await expectSound(guest, "invitation");

    await guest.getByRole("link", { name: "Create an account" }).click();
    await guest.getByRole("heading", { name: "Register" }).waitFor();
    await guest.getByLabel("Email", { exact: true }).fill(email);
    await guest.getByLabel("Password", { exact: true }).fill(password);
    await guest.getByLabel("Repeat password").fill(password);
    await guest.getByLabel("I accept the terms and the privacy policy").check();
    await guest.getByRole("button", { name: "Register" }).click();
    await guest.waitForURL("**/confirm**");
    const code = await mailedCode(fixture.palisade.consoleUrl, email);
    await guest.getByRole("textbox", { name: "Code" }).fill(code);
    await guest.getByRole("button", { name: "Confirm" }).click();
    await guest.waitForURL("**/login**");
    await guest.getByLabel("Email", { exact: true }).fill(email);
    await guest.getByLabel("Password", { exact: true }).fill(password);
    await guest.getByRole("button", { name: "Log in" }).click();
    await guest.waitForURL("**/invitation");
    await guest.getByRole("button", { name: "Accept the invitation" }).click();
    await guest.waitForURL(`**/dashboard/gameshield/${fixture.shieldId}`);
    await guest.getByText("You now have access to Skyline").first().waitFor();
    expect(errors).toEqual([]);

    await untilRowSays(email, "active");
    await until(() =>
      rowOf(email)
        .getByText(/second|minute|now/)
        .first()
        .isVisible(),
    );
    expect(ownerErrors).toEqual([]);
  });
});

describe("a sub-user", () => {
  test("sees the shield, without what is the owner's, and the owner in their list of shields", async () => {
    const { newcomer } = fixture;
    await invite(newcomer.email);
    const member = await pages.page({ token: newcomer.token });
    await member.goto(await linkTo(newcomer.email));
    await member.getByRole("button", { name: "Accept the invitation" }).press("Enter");
    await member.waitForURL(`**/dashboard/gameshield/${fixture.shieldId}`);
    await settled(member);
    for (const name of ["Automatic renewal", "Include account balance"]) {
      expect(await member.getByRole("switch", { name }).isDisabled(), name).toBe(true);
    }
    await member.getByRole("link", { name: "Subusers", exact: true }).click();
    await member.getByText("Only the owner manages sub-users").waitFor();
    await expectSound(member, "subusers of a sub-user");
    await member.getByRole("link", { name: "Overview", exact: true }).click();
    const listed = await newcomer.call(routes.servers.listServers, { query: {} });
    expect(listed.data.data).toMatchObject([{ id: fixture.shieldId, role: "member" }]);
    expect(ownerErrors).toEqual([]);
  });

  test("is out at once: their page says so by itself, their calls are refused", async () => {
    const { shieldId } = fixture;
    const subUser = await createSubUser("subuser@example.com");
    const member = await pages.open(`/dashboard/gameshield/${shieldId}`, { token: subUser.token });
    await untilRowSays(subUser.email, "active");
    await owner.getByRole("button", { name: `Remove ${subUser.email}` }).click();
    const question = owner.getByRole("dialog", { name: "Remove sub user" });
    await question.getByText("loses access at once").waitFor();
    await question.getByRole("button", { name: "Remove" }).click();
    await owner.getByText("Sub user removed successfully").first().waitFor();
    await rowOf(subUser.email).waitFor({ state: "detached" });
    await expect(
      subUser.call(routes.servers.getServer, { params: { id: shieldId } }),
    ).rejects.toMatchObject({ status: 404 });
    await member.getByText("Server not found. Redirecting to dashboard...").first().waitFor();
    await member.waitForURL((url) => url.pathname === "/dashboard");
    expect(ownerErrors).toEqual([]);
  });
});

test("another signed-in account reads for which address the invitation is, in Russian on a small screen", async () => {
  const email = "other@example.com";
  await invite(email);
  const phone = await pages.page({
    token: fixture.newcomer.token,
    width: 320,
    locale: "ru",
    theme: "light",
  });
  await phone.goto(await linkTo(email));
  await phone.getByText("o***@example.com").first().waitFor();
  await phone.getByRole("button", { name: "Войти в другой аккаунт" }).waitFor();
  await expectSound(phone, "invitation at 320 px");

  const small = await pages.page({ token: fixture.owner.token, width: 320, locale: "ru" });
  await small.goto(`/dashboard/gameshield/${fixture.shieldId}/subusers`);
  await small.getByText("ожидает").first().waitFor();
  await expectSound(small, "sub users at 320 px");
  expect(ownerErrors).toEqual([]);
});
