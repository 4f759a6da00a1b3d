import { routes } from "@palisade/contract/http/routes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { button, heading, textbox, wizardTexts } from "../console/wizard.ts";
import {
  expectNoSidewaysScroll,
  expectSound,
  settled,
  watchForErrors,
} from "../screens/inspect.ts";
import { oppositeAppearances } from "../screens/accounts.ts";
import { startWizardFixture, type WizardFixture } from "./fixture.ts";

/** Every step in both themes and languages, on a desktop and on phones, by axe. */

const widths = [1440, 390];
const narrowest = 320;
let fixture: WizardFixture;

beforeAll(async () => {
  fixture = await startWizardFixture();
});

afterEach(async () => {
  await fixture?.closePages();
});

afterAll(async () => {
  await fixture?.end();
});

async function expectSoundEverywhere(page: Page, what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectSound(page, `${what} at ${width} px`);
  }
  await page.setViewportSize({ width: narrowest, height: 900 });
  await expectNoSidewaysScroll(page, what);
}

describe.each(oppositeAppearances)("in the $theme theme, language $locale", (look) => {
  const texts = wizardTexts[look.locale];

  test("every step and what it says is sound at every width", async () => {
    const buyer = await fixture.buyer();
    const { plans } = (await buyer.call(routes.plans.listPricingPlans, {})).data;
    const id = (cents: number) => plans.find((plan) => plan.price_cents === cents)?.id ?? "";
    const { cname_record: label } = (await buyer.call(routes.servers.generateCname, {})).data;
    const draft = {
      pricing_plan_id: id(0),
      server_name: "Skyline Survival",
      real_ip: "127.0.0.1",
      real_port: "1",
      location: "local",
      domain: "sound.example.com",
      free_domain: "sound.example.com",
      cname_record: label,
      price_cents: 0,
      submit: { key: "unanswered", body: "{}" },
    };
    const page = await fixture.open(buyer, "/dashboard/setup", {
      ...look,
      prepare: (opened) =>
        opened.addInitScript(
          `sessionStorage.setItem("setup_draft", ${JSON.stringify(JSON.stringify(draft))})`,
        ),
    });
    const errors = watchForErrors(page);
    const visit = async (search: string, title: string) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`/dashboard/setup${search}`);
      await settled(page);
      await heading(page, title).waitFor();
      expect(await page.title()).toMatch(/Palisade$/);
    };

    await visit("?step=1", texts.steps[0]);
    await expectSoundEverywhere(page, "plans");
    await page.getByRole("radio", { name: /^Plus/ }).check();
    await expectSoundEverywhere(page, "insufficient funds");

    await visit("?step=2", texts.steps[1]);
    await textbox(page, texts.name).fill("");
    await button(page, texts.next).click();
    await expectSoundEverywhere(page, "name refused");

    await visit("?step=3", texts.steps[2]);
    await page.locator("[data-state=other]").waitFor();
    await expectSoundEverywhere(page, "address that does not answer");

    await visit("?step=4", texts.steps[3]);
    await page.getByRole("radio", { name: texts.place }).waitFor();
    await expectSoundEverywhere(page, "locations");

    await visit("?step=5", texts.steps[4]);
    await page.locator("[data-free]").waitFor();
    await expectSoundEverywhere(page, "domain");

    await visit("?step=5&part=records", texts.records);
    await button(page, texts.check).click();
    await page.getByRole("alert").filter({ hasText: label }).waitFor();
    await page.locator("summary").click();
    await page.getByText("_minecraft").waitFor();
    await expectSoundEverywhere(page, "records");

    await visit("?step=6", texts.steps[5]);
    await expectSoundEverywhere(page, "confirmation after a lost answer");
    expect(errors).toEqual([]);
  });
});
