import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { button, heading, textbox, wizardTexts } from "@palisade/system-tests/console/wizard";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectNoSidewaysScroll,
  expectSound,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import { renderText } from "@palisade/contract/texts/render";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { planIds } from "../stub-api/account-state.ts";
import { example } from "../stub-api/example-answer.ts";

/** Every step in both themes and languages, on a desktop and on phones, by axe. */

const widths = [1440, 390];
const narrowest = 320;
const fixture = useConsole();

async function expectSoundEverywhere(page: Page, what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectSound(page, `${what} at ${width} px`);
  }
  await page.setViewportSize({ width: narrowest, height: 900 });
  await expectNoSidewaysScroll(page, what);
}

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  const texts = wizardTexts[look.locale];

  test("every step and what it says is sound at every width", async () => {
    const { cname_record: label } = example(routes.servers.generateCname);
    fixture.api.change(routes.plans.listLocations, ({ locations }) => ({
      locations: locations.map((location) => ({
        ...location,
        name: "local",
        display_name: texts.place,
      })),
    }));
    fixture.api.change(routes.probes.probe, (usual) => ({
      ...usual,
      outcome: "refused" as const,
      status: null,
    }));
    fixture.api.change(routes.domains.checkCname, (usual) => ({
      ...usual,
      verified: false,
      found: [],
      expected: { ...usual.expected, value: label },
      alternatives: [
        {
          type: "SRV" as const,
          name: "_minecraft._tcp.sound.example.com",
          value: `0 5 25565 ${label}`,
        },
      ],
      diagnosis: { code: "missing" as const, message: renderText(look.locale, "dns.missing") },
    }));
    const draft = {
      pricing_plan_id: planIds.free,
      server_name: "Skyline Survival",
      real_ip: "203.0.113.10",
      real_port: "1",
      location: "local",
      domain: "sound.example.com",
      free_domain: "sound.example.com",
      cname_record: label,
      price_cents: 0,
      submit: { key: "unanswered", body: "{}" },
    };
    const page = await fixture.open("/dashboard/setup", {
      ...look,
      prepare: (opened) =>
        opened.addInitScript(
          `sessionStorage.setItem("setup_draft", ${JSON.stringify(JSON.stringify(draft))})`,
        ),
    });
    const errors = watchForErrors(page);
    const goTo = async (search: string, title: string) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`/dashboard/setup${search}`);
      await settled(page);
      await heading(page, title).waitFor();
      expect(await page.title()).toMatch(/Palisade$/);
    };

    await goTo("?step=1", texts.steps[0]);
    await expectSoundEverywhere(page, "plans");
    await page.getByRole("radio", { name: /^Plus/ }).check();
    await expectSoundEverywhere(page, "insufficient funds");

    await goTo("?step=2", texts.steps[1]);
    await textbox(page, texts.name).fill("");
    await button(page, texts.next).click();
    await expectSoundEverywhere(page, "name refused");

    await goTo("?step=3", texts.steps[2]);
    await page.locator("[data-state=other]").waitFor();
    await expectSoundEverywhere(page, "address that does not answer");

    await goTo("?step=4", texts.steps[3]);
    await page.getByRole("radio", { name: texts.place }).waitFor();
    await expectSoundEverywhere(page, "locations");

    await goTo("?step=5", texts.steps[4]);
    await page.locator("[data-free]").waitFor();
    await expectSoundEverywhere(page, "domain");

    await goTo("?step=5&part=records", texts.records);
    await button(page, texts.check).click();
    await page.getByRole("alert").filter({ hasText: label }).waitFor();
    await page.locator("summary").click();
    await page.getByText("_minecraft").waitFor();
    await expectSoundEverywhere(page, "records");

    await goTo("?step=6", texts.steps[5]);
    await expectSoundEverywhere(page, "confirmation after a lost answer");
    expect(errors).toEqual([]);
  });
});

test("Next is under the pointer still when the press is over, though both fields are wrong", async () => {
  const texts = wizardTexts.en;
  const page = await fixture.open("/dashboard/setup", { width: 390 });
  await button(page, texts.next).click();
  await textbox(page, texts.name).fill("Skyline");
  await button(page, texts.next).click();
  await textbox(page, texts.address).fill("256.1.1.1");
  await textbox(page, texts.port).fill("99999");
  await button(page, texts.next).click();
  await page.getByText(renderText("en", "real_port.range")).waitFor();
  await page.getByText("Please enter valid data").waitFor();
  await textbox(page, texts.address).and(page.locator(":focus")).waitFor();
  expect(await textbox(page, texts.port).inputValue()).toBe("99999");
});

describe("an address or port that the server refuses", () => {
  const draft = {
    pricing_plan_id: planIds.free,
    server_name: "Skyline Survival",
    real_ip: "203.0.113.10",
    real_port: "3306",
    location: "frankfurt",
    domain: "",
    free_domain: null,
    cname_record: null,
    price_cents: 0,
    submit: null,
  };

  test.each(sampledAppearances)(
    "is named at its field and stops the wizard until it is changed ($theme, $locale)",
    async (look) => {
      const texts = wizardTexts[look.locale];
      const refusal = renderText(look.locale, "real_port.refused");
      fixture.api.refuse(routes.probes.probe, "validation_failed", [
        { path: "real_port", code: "real_port.refused" },
      ]);
      const page = await fixture.open("/dashboard/setup?step=3", {
        ...look,
        width: narrowest,
        prepare: (opened) =>
          opened.addInitScript(
            `sessionStorage.getItem("setup_draft") ?? sessionStorage.setItem("setup_draft", ${JSON.stringify(JSON.stringify(draft))})`,
          ),
      });
      const port = textbox(page, texts.port);
      await page.getByRole("alert").filter({ hasText: refusal }).waitFor();
      expect(await port.getAttribute("aria-invalid")).toBe("true");
      await expectSound(page, "refused port");
      await button(page, texts.next).click();
      await port.and(page.locator(":focus")).waitFor();
      await heading(page, texts.steps[2]).waitFor();
      expect(await port.inputValue()).toBe("3306");
      fixture.api.restore(routes.probes.probe);
      await port.fill("25565");
      await page.locator("[data-state=online]").waitFor();
      expect(await page.getByText(refusal).count()).toBe(0);
      await button(page, texts.next).click();
      await heading(page, texts.steps[3]).waitFor();
    },
  );

  test("is named at its field in the dialog of a server, where both fields keep what was typed", async () => {
    fixture.api.refuse(routes.backends.addBackendServer, "validation_failed", [
      { path: "port", code: "real_port.refused" },
    ]);
    const path = `/dashboard/gameshield/${exampleIds.shield}/backends`;
    const page = await fixture.open(path, { width: narrowest });
    await page.getByRole("button", { name: /^Add server to/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("IP").fill("203.0.113.77");
    await dialog.locator("[name=port]").fill("3306");
    await dialog.getByRole("button", { name: "Add server" }).click();
    const refusal = dialog.getByText(renderText("en", "real_port.refused"));
    await refusal.waitFor();
    expect(await dialog.getByLabel("IP").inputValue()).toBe("203.0.113.77");
    expect(await dialog.locator("[name=port]").inputValue()).toBe("3306");
    // The text has the width of both fields: beside the port alone it would be a column of words.
    const [field, words] = [
      await dialog.locator("[name=port]").boundingBox(),
      await refusal.boundingBox(),
    ];
    expect(words?.width).toBeGreaterThan(field?.width ?? Infinity);
    await expectSound(page, "refused port of a server");
  });
});
