import { until } from "@palisade/testing/until";
import type { Page, Route } from "playwright-core";

/** Calls of this method are answered now; their answers arrive once they are released. */
export async function delayResponses(page: Page, calls: string, method: "GET" | "PUT") {
  const held: (() => Promise<void>)[] = [];
  const hold = async (call: Route) => {
    if (call.request().method() !== method) return call.fallback();
    const response = await call.fetch();
    held.push(() => call.fulfill({ response }));
  };
  await page.route(calls, hold);
  return {
    isPending: () => until(() => held.length > 0, { what: `the answer of a ${method}` }),
    async release() {
      await page.unroute(calls, hold);
      // The page may not wait for it any more.
      for (const answer of held) await answer().catch(() => undefined);
    },
  };
}

/** Acts as if the user came back to the page after a while: its data is read again. */
export const returnToPageLater = `(() => {
  const now = Date.now;
  Date.now = () => now() + 60_000;
  window.dispatchEvent(new Event("visibilitychange"));
})()`;
