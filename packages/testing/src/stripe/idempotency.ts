import { StripeRefusal } from "./objects.ts";

export interface StoredAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * Stripe's idempotency keys: a repeated call gets the first answer, errors included. The key with
 * other parameters is refused, and so is one whose first call is still under way.
 */
export function createIdempotency() {
  const stored = new Map<string, { readonly print: string; answer: StoredAnswer | undefined }>();
  return async (
    key: string | undefined,
    print: string,
    work: () => Promise<StoredAnswer>,
  ): Promise<StoredAnswer & { readonly isReplayed: boolean }> => {
    if (key === undefined) return { ...(await work()), isReplayed: false };
    const before = stored.get(key);
    if (before === undefined) {
      const entry = { print, answer: undefined as StoredAnswer | undefined };
      stored.set(key, entry);
      entry.answer = await work();
      return { ...entry.answer, isReplayed: false };
    }
    if (before.print !== print) {
      throw new StripeRefusal(400, {
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (before.answer === undefined) {
      throw new StripeRefusal(409, {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}`,
      });
    }
    return { ...before.answer, isReplayed: true };
  };
}
