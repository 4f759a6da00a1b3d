import { exampleIds } from "@palisade/contract/reference/example-values";
import { roleRights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { expectSound, settled } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

const fixture = useConsole();
const shield = `/dashboard/gameshield/${exampleIds.shield}`;

test("a viewer reads sections that no control changes, and does not see the history", async () => {
  fixture.api.change(routes.servers.getServer, (usual) => ({
    server: {
      ...usual.server,
      role: "member" as const,
      member_role: "viewer" as const,
      rights: roleRights.viewer,
    },
  }));
  const page = await fixture.page({ width: 390 });
  await page.goto(`${shield}/firewall`);
  await page.getByText("You may view this section.").waitFor();
  await settled(page);
  const controls = await page.locator("fieldset :is(input, button, select, textarea)").all();
  expect(controls.length).toBeGreaterThan(3);
  for (const control of controls) expect(await control.isDisabled()).toBe(true);
  expect(await page.getByRole("link", { name: "History" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Options of the server" }).count()).toBe(0);
  await expectSound(page, "firewall of a viewer");
  await page.goto(`${shield}/history`);
  await page.getByText("Your role does not include this section").waitFor();
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
