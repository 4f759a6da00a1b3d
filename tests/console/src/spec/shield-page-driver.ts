import { exampleIds } from "@palisade/contract/reference/example-story";
import type { Locale } from "@palisade/contract/texts/render";
import { dismissToasts } from "@palisade/system-tests/auth/auth-pages";
import { allShieldMessages } from "@palisade/system-tests/spec/all-shield-messages";
import type { FieldRule, Texts } from "@palisade/system-tests/spec/rules";
import { sectionForms, type SectionForm } from "@palisade/system-tests/spec/section-rules";
import type { Section, ShieldMessage } from "@palisade/system-tests/spec/shield-message";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import type { StubApi } from "../stub-api/stub-api.ts";
import { sectionTexts } from "./section-texts.ts";

/** Uses a section of a shield and notes which rows of the tables it has shown. */
export type ShieldPageDriver = ReturnType<typeof createShieldPageDriver>;

/**
 * An answer without a message of its own: the page must show its own text. Its status is not one
 * after which a page asks again by itself.
 */
const wordless = { status: 409, contentType: "text/html", body: "Conflict" };

export function createShieldPageDriver(api: StubApi, page: Page, locale: Locale) {
  const seen = new Set<unknown>();
  const base = `/dashboard/gameshield/${exampleIds.shield}`;

  async function shown(texts: Texts, within: Page | Locator = page): Promise<void> {
    await within.getByText(saying(texts[locale])).first().waitFor();
    seen.add(texts);
  }

  async function told(message: ShieldMessage): Promise<void> {
    await shown(message);
    await dismissToasts(page);
  }

  /** The receipt of an earlier change may say the same as the answer that comes. */
  async function dismissReceipt(message: ShieldMessage): Promise<void> {
    const receipt = page
      .locator("[role=status]:has(button[aria-label])")
      .filter({ has: page.getByText(saying(message[locale])) });
    if ((await receipt.count()) === 0) return;
    await receipt.locator("button[aria-label]").click();
    await receipt.waitFor({ state: "detached" });
  }

  return {
    page,
    locale,
    told,
    shown,
    open: (section: string) => page.goto(`${base}/${section}`),
    /** The page shows the message when the answer of its call says so. */
    async toldByApi(message: ShieldMessage, act: () => Promise<unknown>): Promise<void> {
      const { answer } = message;
      if (answer === undefined) throw new Error(`No route answers "${message.en}"`);
      api.say(answer.route, message, answer);
      await dismissReceipt(message);
      await act();
      await told(message);
      api.restore(answer.route);
    },
    /** The page shows the message when the answer of its call has no text. */
    async toldOfFailure(message: ShieldMessage, act: () => Promise<unknown>): Promise<void> {
      const route = message.wordless;
      if (route === undefined) throw new Error(`No call stands behind "${message.en}"`);
      api.answerRaw(route, wordless);
      await act();
      await told(message);
      api.restore(route);
    },
    /** Every rule of the form that can be met by typing, beside its field; it ends up empty of errors. */
    async checkRules(form: SectionForm, place: Locator): Promise<void> {
      const submit = place.locator("[type=submit]");
      for (const rule of typedRules(form)) {
        const input = place.locator(`[name="${rule.field}"]`);
        await input.fill(rule.typed);
        if (rule.typed.trim() === "" && (await submit.isDisabled())) {
          // Nothing to send: the page prevents it.
          seen.add(rule);
          continue;
        }
        // A disabled button sends nothing; the field explains itself when it is left.
        if (await submit.isDisabled()) await input.blur();
        else await submit.click();
        await until(async () => (await describedBy(input)).includes(rule[locale]), {
          what: `"${rule[locale]}" beside ${rule.field} with "${rule.typed}"`,
        });
        seen.add(rule);
        await input.fill(`${form.right[rule.field] ?? ""}`);
      }
    },
    /** Rows of the tables that belong in the section and were not seen there. */
    unseen(section: Section): string[] {
      const isHere = (row: { readonly section: Section }): boolean => row.section === section;
      const rows: readonly Texts[] = [
        ...allShieldMessages.filter(isHere),
        ...Object.values(sectionTexts).filter(isHere),
        ...Object.values(sectionForms).filter(isHere).flatMap(typedRules),
      ];
      return rows.filter((row) => !seen.has(row)).map(describeRow);
    },
    /** Rows that another test looks at. */
    leave(...rows: readonly Texts[]): void {
      for (const row of rows) seen.add(row);
    },
  };
}

/** These words and no others, but for what a receipt adds behind a colon, and a way back. */
function saying(words: string): RegExp {
  return new RegExp(`^${words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(:.*)?(Undo|Отменить)?$`);
}

function describeRow(row: Texts & { readonly when?: string }): string {
  return row.when === undefined ? row.en : `${row.en}: ${row.when}`;
}

type TypedRule = FieldRule & { readonly typed: string };

/** A field in which nothing was typed is left out of the call. */
function typedRules({ rules }: SectionForm): TypedRule[] {
  return rules.filter(
    (rule): rule is TypedRule => typeof rule.typed === "string" && typeof rule.value !== "symbol",
  );
}

/** The texts that describe the field, on the screen and to a screen reader. */
function describedBy(field: Locator): Promise<(string | null | undefined)[]> {
  return field.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map(
        (id: string): string | null | undefined =>
          element.ownerDocument.getElementById(id)?.textContent,
      ),
  );
}
