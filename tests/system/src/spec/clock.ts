/** Advances the product's clock, in place of waiting. */
export async function advanceClock(consoleUrl: string, seconds: number): Promise<void> {
  const { ok, status } = await fetch(`${consoleUrl}/dev/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance_seconds: seconds }),
  });
  if (!ok) throw new Error(`The clock did not move: ${status}`);
}
