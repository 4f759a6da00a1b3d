import { startLocale } from "./locale.ts";

/** Account specification, section 9. */
const limitMs = 5000;

/**
 * Waits until what the browser kept is restored. The stores are, as soon as they are imported; the
 * words of the kept language have to come first. Past the limit the console starts without them
 * and shows itself once they are there.
 */
export async function restored(): Promise<void> {
  const limit = new Promise<void>((resolve) => {
    setTimeout(resolve, limitMs);
  });
  await Promise.race([startLocale(), limit]);
}
