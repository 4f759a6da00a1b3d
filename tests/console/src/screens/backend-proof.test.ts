import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { expectSound, isInWindow } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { leaveUnproven } from "./unproven-backends.ts";

/** The proof of a backend: what the owner sees until players are sent to it. */

const path = `/dashboard/gameshield/${exampleIds.shield}/backends`;
const fixture = useConsole();
const { backends, servers } = routes;
const notProven = "Not proven: no players are sent here yet";
const answer = example(backends.checkBackendProof);

test("a server that is not proven says so, and its dialog finds the proof by keyboard", async () => {
  leaveUnproven(fixture.state);
  const page = await fixture.open(path, { width: 320 });
  await page.getByText(notProven).first().waitFor();
  await expectSound(page, "unproven server");
  await page
    .getByRole("button", { name: /^How to prove/ })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Copy the token" }).waitFor();
  await dialog.getByText(/^In the MOTD/).waitFor();
  await dialog.getByText("After a check, the record is shown here.").waitFor();
  await expectSound(page, "proof of a server");
  const unproven = { proven: false, by: null, proven_at: null };
  fixture.api.change(backends.checkBackendProof, (usual) => ({
    ...usual,
    message: "No proof was found yet",
    revision: null,
    entry: { ...usual.entry, proof: unproven },
  }));
  const check = dialog.getByRole("button", { name: "Check again" });
  await check.focus();
  await page.keyboard.press("Enter");
  const found = dialog.getByRole("status").filter({ hasText: "No proof was found yet" });
  await found.waitFor();
  await until(() => isInWindow(found), { what: "the answer, in sight" });
  const [record] = answer.records;
  await dialog.getByText(record?.name ?? "", { exact: true }).waitFor();
  await expectSound(page, "no proof yet");
  fixture.state.backends = example(backends.getBackends);
  await check.press("Enter");
  await dialog.getByText("The server is proven: players are sent to it.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Proven: it answers as Minecraft").first().waitFor();
  expect(await page.getByText(notProven).count()).toBe(0);
});

test("a check that fails says why and can be repeated; for other games the reason is another", async () => {
  leaveUnproven(fixture.state, "other");
  fixture.api.refuse(backends.checkBackendProof, "server_not_active");
  const page = await fixture.open(path, { locale: "ru", width: 390 });
  await page
    .getByRole("button", { name: /^Как подтвердить/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("На сервер не для Minecraft").waitFor();
  // Any customer of a shared proxy can show a MOTD.
  expect(await dialog.getByText("MOTD").count()).toBe(0);
  await dialog.getByRole("button", { name: "Проверить ещё раз" }).click();
  await dialog.getByRole("alert").waitFor();
  await expectSound(page, "failed check of a proof");
});

test("a viewer reads how a server is proven, and cannot look for the proof", async () => {
  leaveUnproven(fixture.state);
  fixture.api.change(servers.getServer, (usual) => ({
    server: {
      ...usual.server,
      role: "member" as const,
      member_role: "viewer" as const,
      rights: roleRights.viewer,
    },
  }));
  const page = await fixture.open(path);
  await page.getByText(notProven).first().waitFor();
  await page
    .getByRole("button", { name: /^How to prove/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Copy the token" }).waitFor();
  expect(await dialog.getByRole("button", { name: "Check again" }).count()).toBe(0);
});
