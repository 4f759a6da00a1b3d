/**
 * Keys for `Idempotency-Key`: one per submit. The same body sent again after an answer that never
 * came keeps its key, so that a shield is not created twice; anything else gets a new one.
 */
export function createIdempotencyKeys(newKey: () => string = () => crypto.randomUUID()) {
  let unanswered: { body: string; key: string } | null = null;
  return {
    begin(body: unknown): string {
      const text = JSON.stringify(body);
      if (unanswered?.body !== text) unanswered = { body: text, key: newKey() };
      return unanswered.key;
    },
    /** The server answered: a later submit is a new one. */
    settle(): void {
      unanswered = null;
    },
  };
}
