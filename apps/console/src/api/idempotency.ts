/**
 * Makes one `Idempotency-Key` per submit. Sending the same body again after a lost answer reuses its
 * key, so that a shield is not created twice. Any other body gets a new key.
 */
export function createIdempotencyKeys(newKey: () => string = () => crypto.randomUUID()) {
  let unanswered: { body: string; key: string } | null = null;
  return {
    begin(body: unknown): string {
      const text = JSON.stringify(body);
      if (unanswered?.body !== text) unanswered = { body: text, key: newKey() };
      return unanswered.key;
    },
    /** The api answered, so a later submit gets a new key. */
    settle(): void {
      unanswered = null;
    },
  };
}
