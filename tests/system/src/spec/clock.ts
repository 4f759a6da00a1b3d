/** The product's clock goes on: for whoever is told to wait. */
export async function advanceClock(consoleUrl: string, seconds: number): Promise<void> {
  const { ok, status } = await fetch(`${consoleUrl}/dev/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance_seconds: seconds }),
  });
  if (!ok) throw new Error(`The clock did not move: ${status}`);
}
