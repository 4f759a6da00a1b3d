import { createHash } from "node:crypto";

const names = new Map<string, string>();

/** From now on PostgreSQL keeps the text on each connection that runs it. */
export function keepStatement(text: string): void {
  const hash = createHash("sha256").update(text).digest("base64url");
  names.set(text, `palisade_${hash.slice(0, 22)}`);
}

/** The name PostgreSQL knows the text by on each connection that ran it; undefined: it is not kept. */
export function statementName(text: string): string | undefined {
  return names.get(text);
}
