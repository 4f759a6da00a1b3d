import { routes } from "@palisade/contract/http/routes";
import type { CallerVat, VatIdCheck } from "@palisade/contract/http/vat";
import { openRecharge } from "@palisade/system-tests/billing/recharge-modal";
import { oppositeAppearances } from "@palisade/system-tests/screens/accounts";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { planIds } from "../stub-api/account-state.ts";

/** The words of screens about VAT: before a purchase, and about the VAT id of the profile. */

const { billing } = routes;
const fixture = useConsole();

const notes: readonly { vat: CallerVat; en: string; ru: string }[] = [
  {
    vat: { treatment: "none", rate: "0.00", country: null },
    en: "Plan prices are net. No VAT comes on top.",
    ru: "Цены тарифов указаны без НДС. НДС к ним не добавляется.",
  },
  {
    vat: { treatment: "destination", rate: "25.50", country: "FI" },
    en: "Plan prices are net. When you buy a plan, 25.5% VAT comes on top (Finland). A top-up itself has no tax.",
    ru: "Цены тарифов указаны без НДС. При покупке тарифа добавляется НДС 25,5 % (Финляндия). Само пополнение налогом не облагается.",
  },
  {
    vat: { treatment: "domestic", rate: "19.00", country: "DE" },
    en: "Plan prices are net. When you buy a plan, 19% VAT comes on top (Germany). A top-up itself has no tax.",
    ru: "Цены тарифов указаны без НДС. При покупке тарифа добавляется НДС 19 % (Германия). Само пополнение налогом не облагается.",
  },
  {
    vat: { treatment: "reverse_charge", rate: "0.00", country: null },
    en: "Plan prices are net. VIES confirmed your VAT ID, so no VAT comes on top: you owe it in your country (reverse charge).",
    ru: "Цены тарифов указаны без НДС. VIES подтвердил ваш номер: НДС вы платите в своей стране (обратное начисление).",
  },
  {
    vat: { treatment: "outside", rate: "0.00", country: null },
    en: "Plan prices are net. You buy from outside the EU, so no VAT comes on top.",
    ru: "Цены тарифов указаны без НДС. Вы покупаете из-за пределов ЕС, поэтому НДС не добавляется.",
  },
];

const plain = (text: string): string => text.replaceAll(/\s+/g, " ");

describe.each(oppositeAppearances)("in the $theme theme, language $locale", (look) => {
  test("the recharge modal says which VAT a purchase has, for every kind of buyer", async () => {
    for (const { vat, ...texts } of notes) {
      fixture.api.change(billing.getPaymentOptions, (usual) => ({ ...usual, vat }));
      const page = await fixture.open("/dashboard/billing", { ...look, width: 320 });
      const modal = await openRecharge(page);
      const note = modal.getByText(/^(Plan prices are net|Цены тарифов указаны без НДС)/);
      expect(plain(await note.innerText())).toBe(texts[look.locale]);
      await expectSound(page, vat.treatment);
      await page.close();
    }
  });

  test("plan cards and the order say what the plan costs with VAT, and what is missing", async () => {
    fixture.state.plans = fixture.state.plans.map((plan) =>
      plan.id === planIds.unaffordable
        ? { ...plan, vat_rate: "19.00", total_cents: 5_949, total: "59.49" }
        : plan,
    );
    const page = await fixture.open("/dashboard/setup", { ...look, width: 320 });
    await page.getByText(/^(€59\.49 with 19% VAT|59,49\s€ с НДС 19\s%)$/).waitFor();
    await page.getByRole("radio", { name: /^Plus/ }).check();
    // The balance is 25 euros.
    await page.getByText(/€34\.49|34,49\s€/).waitFor();
    await expectSound(page, "plans with VAT");
  });

  test.each([
    ["waiting", null, "VIES has not answered yet", "VIES ещё не ответил"],
    [
      "confirmed",
      "2026-11-05T12:00:00.000Z",
      "Confirmed by VIES on 5 Nov 2026",
      "Подтверждён VIES",
    ],
    [
      "refused",
      "2026-11-05T12:00:00.000Z",
      "Not confirmed by VIES on 5 Nov 2026",
      "Не подтверждён",
    ],
  ] as const)("the profile says of a VAT id that it is %s", async (state, answeredAt, en, ru) => {
    const check: VatIdCheck = { state, answered_at: answeredAt };
    const { profile } = fixture.state;
    fixture.state.profile = { ...profile, vat_id: "ATU12345678", vat_id_check: check };
    const page = await fixture.open("/dashboard/profile", { ...look, width: 320 });
    const shown = page.getByText(look.locale === "en" ? en : ru);
    await shown.waitFor();
    await expectSound(page, state);
    // The answer is about the stored number, not about the one being typed.
    await page.locator("input[name=vat_id]").fill("ATU87654321");
    await shown.waitFor({ state: "detached" });
  });
});

test("a profile whose VAT id is not checked says nothing about VIES", async () => {
  const page = await fixture.open("/dashboard/profile");
  expect(await page.getByText("VIES").count()).toBe(0);
});
