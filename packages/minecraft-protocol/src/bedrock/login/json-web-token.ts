/** A JSON Web Token (RFC 7519) as it was sent; nothing says yet that its signature is right. */
export interface JsonWebToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Bytes that the signature is about. */
  readonly signed: Buffer;
  readonly signature: Buffer;
}

const charactersMax = 32_768;

/** @returns undefined where the text is no token */
export function readToken(text: string): JsonWebToken | undefined {
  if (text.length > charactersMax) return undefined;
  const [header = "", claims = "", signature = "", rest] = text.split(".", 4);
  if (rest !== undefined || signature === "") return undefined;
  const parts = [header, claims].map((part) =>
    readJsonObject(Buffer.from(part, "base64url").toString()),
  );
  if (parts[0] === undefined || parts[1] === undefined) return undefined;
  return {
    header: parts[0],
    claims: parts[1],
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, "base64url"),
  };
}

/** @returns undefined where the text is no object of JSON */
export function readJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @returns "" where the value is no text */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
