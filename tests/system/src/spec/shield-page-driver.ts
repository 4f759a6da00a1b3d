import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import type { Locale } from "@palisade/contract/texts/render";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { dismissToasts } from "../auth/auth-pages.ts";
import type { FieldRule, Texts } from "./rules.ts";
import { sectionTexts } from "./section-texts.ts";
import type { ShieldMessage } from "./shield-message.ts";
import { allShieldMessages } from "./all-shield-messages.ts";
import { sectionForms, type SectionForm } from "./section-rules.ts";

/** Uses the sections of a shield and notes which rows of the tables the pages have shown. */
export type ShieldPageDriver = ReturnType<typeof createShieldPageDriver>;

/**
 * An answer without a message of its own: the page must show its own text. Its status is not one
 * after which a page asks again by itself.
 */
const wordless = { status: 409, contentType: "text/html", body: "Conflict" };

interface Given {
  readonly status: number;
  readonly body: unknown;
}

export function createShieldPageDriver(page: Page, locale: Locale, shieldId: string) {
  const seen = new Set<unknown>();
  const base = `/dashboard/gameshield/${shieldId}`;

  async function shown(texts: Texts, within: Page | Locator = page): Promise<void> {
    await within.getByText(saying(texts[locale])).first().waitFor();
    seen.add(texts);
  }

  async function told(message: ShieldMessage): Promise<void> {
    await shown(message);
    await dismissToasts(page);
  }

  /** While `act` runs, these calls are answered so. */
  async function answering(
    route: RouteDefinition,
    { status, body }: Given,
    act: () => Promise<unknown>,
  ): Promise<void> {
    const json = { status, contentType: "application/json", body: JSON.stringify(body) };
    await intercept(route, status === wordless.status ? wordless : json, act);
  }

  async function intercept(route: RouteDefinition, answer: object, act: () => Promise<unknown>) {
    const pattern = new RegExp(
      `${mountedPath(route).replace(/:\w+/g, "[^/]+")}(\\?.*)?$`.replaceAll("/", "\\/"),
    );
    await page.route(pattern, (call) =>
      call.request().method() === route.method ? call.fulfill(answer) : call.fallback(),
    );
    await act();
    await page.unroute(pattern);
  }

  return {
    page,
    locale,
    told,
    shown,
    answering,
    path: (section: string) => `${base}/${section}`,
    open: (section: string) => page.goto(`${base}/${section}`),
    /** The page shows the message when the answer of its call has no text. */
    async toldOfFailure(message: ShieldMessage, act: () => Promise<unknown>): Promise<void> {
      const route = message.wordless;
      if (route === undefined) throw new Error(`no call stands behind "${message.en}"`);
      await intercept(route, wordless, async () => {
        await act();
        await told(message);
      });
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
    /** Rows of the tables that belong on pages and were not seen there. */
    unseen(): string[] {
      const rules = Object.values(sectionForms).flatMap(typedRules);
      return [...allShieldMessages, ...Object.values(sectionTexts), ...rules]
        .filter((row) => !seen.has(row))
        .map((row) => ("when" in row ? `${row.en}: ${row.when}` : row.en));
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
