import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";

/** Waits for something that the page's own polling brings, without its pauses; its clock is installed. */
export async function hastenPolling(
  page: Page,
  isSeen: () => Promise<boolean>,
  what: string,
): Promise<void> {
  const look = async () => {
    await page.clock.fastForward(15_000);
    return isSeen();
  };
  await until(look, { what, everyMs: 400, capMs: 60_000 });
}
