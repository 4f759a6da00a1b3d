import { randomInt } from "node:crypto";
import type { ExportTarget } from "#src/config.ts";
import { createUpdateConnection } from "#src/export/update-connection.ts";
import { outcomeOf, type UpdateOutcome } from "#src/export/update-outcome.ts";
import { signMessage, type TsigKey } from "#src/wire/tsig.ts";
import { encodeUpdate, type NameChange } from "#src/wire/update-message.ts";

export interface UpdateClient {
  /** Sets the records of the names. Never throws; one call at a time. */
  update(zone: string, changes: readonly NameChange[]): Promise<UpdateOutcome>;
  /** Closes the connection until the next update; an update under way is `unreachable`. */
  close(): void;
}

/** @param updateMs deadline of an update, connecting included */
export function createUpdateClient(
  target: ExportTarget,
  updateMs: number,
  nowMs: () => number,
): UpdateClient {
  const key: TsigKey = {
    name: target.key.name,
    secret: Buffer.from(target.key.secret, "base64"),
  };
  const connection = createUpdateConnection(target.server);
  const nowSeconds = (): number => Math.floor(nowMs() / 1_000);

  return {
    async update(zone, changes) {
      const id = randomInt(0x10000);
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), updateMs);
      try {
        const signed = signMessage(encodeUpdate(id, zone, changes), key, nowSeconds());
        const answer = await connection.exchange(signed.message, deadline.signal);
        const outcome = outcomeOf(answer, { id, mac: signed.mac }, key, nowSeconds());
        if (outcome.kind === "untrusted") connection.close();
        return outcome;
      } catch (error) {
        return { kind: "unreachable", reason: reasonOf(error) };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => connection.close(),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // When several addresses were tried, the failure of the last one is reported.
  const last = error instanceof AggregateError ? (error.errors.at(-1) as unknown) : error;
  return last instanceof Error ? last.message : error.message;
}
