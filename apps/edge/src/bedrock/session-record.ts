/**
 * What an edge tells its successor of a Bedrock player, beside the socket to the backend. An edge of
 * another release may write something else, which is not understood: then the player comes again.
 */
export interface SessionRecord {
  /** Of this record's form. */
  readonly form: 1;
  readonly shield: string;
  readonly backend: string;
  /** The edge's port. */
  readonly port: number;
  readonly client: { readonly ip: string; readonly port: number };
  readonly mtu: number;
  /** PROXY header of every datagram to the backend, as base64; mostly empty. */
  readonly header: string;
}

export function encodeRecord(record: SessionRecord): string {
  return JSON.stringify(record);
}

/** @returns undefined for the record of a release that this one does not understand */
export function decodeRecord(text: string): SessionRecord | undefined {
  try {
    const record: unknown = JSON.parse(text);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

const fields = {
  form: "number",
  shield: "string",
  backend: "string",
  port: "number",
  client: "object",
  mtu: "number",
  header: "string",
} as const satisfies Record<keyof SessionRecord, string>;

/** Exactly these fields: what else a later release has written may mean anything. */
function isRecord(value: unknown): value is SessionRecord {
  if (typeof value !== "object" || value === null) return false;
  const record = new Map<string, unknown>(Object.entries(value));
  const hasAll = Object.entries(fields).every(([name, type]) => typeof record.get(name) === type);
  if (!hasAll || record.size !== Object.keys(fields).length || record.get("form") !== 1)
    return false;
  const client = record.get("client");
  if (typeof client !== "object" || client === null) return false;
  const { ip, port } = Object.fromEntries(Object.entries(client));
  return typeof ip === "string" && typeof port === "number";
}

/** The thread that has a shield's ports, of so many. */
export function threadOf(shieldId: string, threads: number): number {
  return Number.parseInt(shieldId.slice(-8), 16) % threads;
}

export function threadOfRecord(text: string, threads: number): number {
  return threadOf(decodeRecord(text)?.shield ?? "0", threads);
}
