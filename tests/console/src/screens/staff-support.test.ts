import { routes } from "@palisade/contract/http/routes";
import { toPage } from "@palisade/contract/http/paging";
import { exampleIds } from "@palisade/contract/reference/example-story";
import type { StaffRole } from "@palisade/contract/http/staff-roles";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";

/** The staff area: targets and hours of support, and mails in quarantine. */

const fixture = useConsole();
const { staffMails, staffSupport } = routes;
const reason = "Agreed in ticket 1042";

function becomeStaff(...roles: StaffRole[]): void {
  fixture.state.user = { ...fixture.state.user, role: "staff", staff_roles: roles };
}

/** Rows of every kind, so that each state is on a picture. */
function fillLists(): void {
  fixture.api.change(staffSupport.readSupportTargets, ({ hours, plans: [plan] }) => {
    if (plan === undefined) throw new Error("There is no example of a support plan");
    const { targets } = plan;
    const quick = { minutes: 15, hours: "always" as const };
    const slow = { minutes: 1_620, hours: "business" as const };
    const free = { ...plan, slug: "free", name: { en: "Free", ru: "Бесплатный" }, holders: null };
    return {
      hours,
      plans: [
        { ...free, targets: { ...targets, low: slow } },
        plan,
        { ...plan, slug: "old", is_retired: true, targets: { ...targets, critical: quick } },
      ],
    };
  });
  const [mail] = example(staffMails.listQuarantinedMails).data;
  if (mail === undefined) throw new Error("There is no example of a mail");
  const unknown = { ...mail, from: null, subject: "", ticket: null, can_accept: false };
  const mails = [
    mail,
    { ...unknown, id: exampleIds.other, reason: "unreadable" as const },
    { ...mail, id: exampleIds.plan, reason: "too_many" as const, subject: "Re: ".repeat(60) },
  ];
  fixture.api.change(staffMails.listQuarantinedMails, () => toPage(mails, 1, 25, mails.length));
}

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("both pages and their dialogs are sound at each width", async () => {
    becomeStaff("admin");
    fillLists();
    const page = await fixture.page(look);
    const errors = watchForErrors(page);
    const isEnglish = look.locale === "en";
    const edit = isEnglish ? /^Edit / : /^Изменить /;
    const hours = isEnglish ? "Edit the hours of support" : "Изменить часы работы поддержки";
    const mail = isEnglish ? /^Look at / : /^Посмотреть письмо/;
    const dialogs: readonly (readonly [string, RegExp | string])[] = [
      ["support", edit],
      ["support", hours],
      ["mails", mail],
    ];
    for (const [index, [path, name]] of dialogs.entries()) {
      await page.goto(`/staff/${path}`);
      await page.getByRole("button", { name }).first().waitFor();
      await settled(page);
      if (index !== 1) await expectSoundEverywhere(page, `${path} ${look.theme} ${look.locale}`);
      await page.getByRole("button", { name }).first().click();
      await page.getByRole("dialog").waitFor();
      await settled(page);
      await expectSoundEverywhere(page, `dialog ${index} ${look.theme} ${look.locale}`);
    }
    expect(errors).toEqual([]);
  });
});

test("a failed list says so and loads again; an empty quarantine says so", async () => {
  becomeStaff("support");
  fixture.api.cut(staffMails.listQuarantinedMails);
  const page = await fixture.open("/staff/mails");
  await page.getByText("The mails could not be loaded").waitFor();
  fixture.api.reset();
  fixture.api.change(staffMails.listQuarantinedMails, () => toPage([], 1, 25, 0));
  await tryAgain(page);
  await page.getByText("Nothing in quarantine").waitFor();
  await expectSoundEverywhere(page, "empty mails");
});

test("support reads the targets and hours, without buttons to change them", async () => {
  becomeStaff("support");
  const page = await fixture.open("/staff/support");
  await page.getByText("Mon–Fri").waitFor();
  expect(await page.getByRole("button", { name: /^Edit/ }).count()).toBe(0);
});

test("targets are changed with a reason, and a wrong one is refused at its field", async () => {
  becomeStaff("admin");
  const page = await fixture.open("/staff/support");
  await page.getByRole("button", { name: "Edit Priority" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Critical: minutes").fill("soon");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter a whole number").waitFor();
  await dialog.getByLabel("Critical: minutes").fill("45");
  await dialog.getByLabel("Critical: when they count").selectOption("always");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(staffSupport.changeSupportTargets)[0]?.body).toMatchObject({
    low: { minutes: 240, hours: "business" },
    critical: { minutes: 45, hours: "always" },
    reason,
  });
});

test("the hours of support are changed, to the end of a day too", async () => {
  becomeStaff("admin");
  const page = await fixture.open("/staff/support");
  await page.getByRole("button", { name: "Edit the hours of support" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Saturday").check();
  await dialog.getByLabel("Closes").fill("00:00");
  await dialog.getByLabel("Time zone").selectOption("America/New_York");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(staffSupport.changeSupportHours)[0]?.body).toEqual({
    days: [1, 2, 3, 4, 5, 6],
    opens_at: "09:00",
    closes_at: "24:00",
    time_zone: "America/New_York",
    reason,
  });
});

test("a mail is shown as plain text, and then added to its ticket or discarded", async () => {
  becomeStaff("support");
  const markup = '<img src="https://track.example/1.gif"><b>bold</b>';
  fixture.api.change(staffMails.readQuarantinedMail, ({ mail }) => ({
    mail: { ...mail, text: markup },
  }));
  const page = await fixture.open("/staff/mails");
  const dialog = page.getByRole("dialog");
  for (const [button, route] of [
    ["Add to the ticket", staffMails.acceptQuarantinedMail],
    ["Discard", staffMails.discardQuarantinedMail],
  ] as const) {
    await page.getByRole("button", { name: /^Look at / }).click();
    await dialog.getByText(markup).waitFor();
    expect(await dialog.locator("img").count()).toBe(0);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect(fixture.api.callsOf(route)[0]?.body).toEqual({ reason });
  }
});
