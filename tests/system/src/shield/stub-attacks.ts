import type { Attack } from "@palisade/contract/http/attacks";
import type { Page } from "playwright-core";

/** An attack that is over, in which AntiBot was relaxed. */
export const pastAttack: Attack = {
  id: "0199f000-0000-7000-8000-000000000001",
  started_at: "2026-11-20T10:00:00.000Z",
  ended_at: "2026-11-20T10:02:14.000Z",
  peak_per_second: 812,
  datagrams_peak: 0,
  sources: 96,
  refused: { bot_check: 4_100, rate: 900 },
  edges: 2,
  relaxed_to: "medium",
};

/** The page gets these attacks, the newest under an empty cursor; `asked` collects its cursors. */
export async function stubAttacks(
  page: Page,
  pages: Readonly<Record<string, readonly Attack[]>>,
  asked: string[],
): Promise<void> {
  await page.route(/\/attacks(\?|$)/, (call) => {
    const cursor = new URL(call.request().url()).searchParams.get("cursor") ?? "";
    asked.push(cursor);
    const next_cursor = cursor === "" && "older" in pages ? "older" : null;
    return call.fulfill({ json: { data: pages[cursor] ?? [], next_cursor } });
  });
}
