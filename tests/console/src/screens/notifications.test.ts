import { routes } from "@palisade/contract/http/routes";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

const { webhooks, notifications } = routes;
const fixture = useConsole();
const path = `/dashboard/gameshield/${exampleIds.shield}/notifications`;

test("a webhook is added with the address of its format, and its secret is shown once", async () => {
  const page = await fixture.open(path, { width: 390 });
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.locator("dialog[open]");
  const add = dialog.getByRole("button", { name: "Add webhook" });
  await add.click();
  await dialog.getByText("Enter the URL of the webhook").waitFor();
  await dialog.getByText("Discord", { exact: true }).click();
  const url = dialog.getByRole("textbox", { name: "URL" });
  await url.fill("https://example.com/hook");
  await dialog.getByText("This is not a URL of the chosen format").waitFor();
  for (const box of await dialog.getByRole("checkbox").all()) await box.uncheck();
  await dialog.getByText("JSON", { exact: true }).click();
  await add.click();
  await dialog.getByText("Choose at least one event").waitFor();
  await expectSound(page, "refused webhook");
  await dialog.getByRole("checkbox", { name: "Attack started" }).check();
  const sent = fixture.api.delay(webhooks.addWebhook);
  await add.click();
  sent();
  await page.getByText("we do not show it again").waitFor();
  expect(await page.locator("dialog code").innerText()).toMatch(/^whsec_/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "I have stored it" }).click();
  await until(async () => (await page.getByText(/whsec_/).count()) === 0);
});

test("deliveries show what was sent and answered as text, and a failed one is sent again", async () => {
  fixture.api.change(webhooks.listWebhookDeliveries, ({ data, ...rest }) => ({
    ...rest,
    data: data.map((each) => ({
      ...each,
      state: "failed" as const,
      attempts: 10,
      status: 500,
      answer: "<img src=x onerror=document.title='hacked'>",
    })),
  }));
  const page = await fixture.open(path, { width: 390 });
  const title = await page.title();
  await page.getByRole("button", { name: "Deliveries" }).click();
  const drawer = page.locator("dialog[open]");
  await drawer.getByText("Not delivered").waitFor();
  await drawer.getByText("HTTP 500").waitFor();
  await drawer.locator("summary").first().click();
  await drawer.getByText("<img src=x onerror").waitFor();
  await expectSound(page, "deliveries");
  const again = page.waitForRequest((request) => request.url().endsWith("/redeliver"));
  await drawer.getByRole("button", { name: "Send again" }).first().click();
  expect((await again).method()).toBe("POST");
  expect(await page.title()).toBe(title);
});

test("a delivery about what the role hides says so instead of its text", async () => {
  fixture.api.change(webhooks.listWebhookDeliveries, ({ data, ...rest }) => ({
    ...rest,
    data: data.slice(0, 1).map((each) => ({ ...each, request: null, answer: "" })),
  }));
  const page = await fixture.open(path, { width: 390 });
  await page.getByRole("button", { name: "Deliveries" }).click();
  const drawer = page.locator("dialog[open]");
  await drawer.getByText("Your role does not allow you to see this message.").waitFor();
  expect(await drawer.locator("summary").count()).toBe(0);
  await expectSound(page, "hidden delivery");
});

test("a webhook that was switched off says why; quiet hours are saved with the device's time zone", async () => {
  fixture.api.change(webhooks.listWebhooks, ({ webhooks: all }) => ({
    webhooks: all.map((each) => ({
      ...each,
      enabled: false,
      disabled_reason: "failing" as const,
    })),
  }));
  fixture.api.change(notifications.getNotifications, (usual) => ({
    ...usual,
    quiet_hours: null,
    time_zone: "UTC",
  }));
  const page = await fixture.open(path);
  await page.getByText("Switched off after three days of failures").waitFor();
  await page.getByRole("switch", { name: "Quiet hours" }).click();
  await page.getByRole("textbox", { name: "Until" }).fill("08:30");
  const asked = page.waitForRequest((request) => request.method() === "PUT");
  await page.getByRole("button", { name: "Save" }).click();
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect((await asked).postDataJSON()).toEqual({
    quiet_hours: { from: "23:00", until: "08:30" },
    ...(zone === "UTC" ? {} : { time_zone: zone }),
  });
});
