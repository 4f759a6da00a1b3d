/** A Bedrock player between two edges. */
export interface HeldSession {
  /** Their socket to the backend. */
  readonly fd: number;
  /** The facts that the next edge needs, as text. */
  readonly record: string;
}

/**
 * The facts of a Bedrock player that an edge leaves to its successor, beside the socket to the backend. An edge of
 * another release may write something else, which is not understood: then the player comes again.
 */
export interface SessionRecord {
  /** The form of this record. */
  readonly form: 2;
  readonly shield: string;
  readonly backend: string;
  /** The edge's port. */
  readonly port: number;
  readonly client: { readonly ip: string; readonly port: number };
  /** The client's own number, as digits: by it a late request of this connection is told from a new one. */
  readonly guid: string;
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

const fieldsOfForm = 8;
/** 64 bits. */
const guidDigits = /^\d{1,20}$/;

/** Exactly these fields: what else a later release has written may mean anything. */
function isRecord(value: unknown): value is SessionRecord {
  if (!isObject(value) || !isObject(value["client"])) return false;
  const { form, shield, backend, port, client, guid, mtu, header } = value;
  const texts = [shield, backend, client["ip"], header];
  const numbers = [port, client["port"], mtu];
  return (
    form === 2 &&
    Object.keys(value).length === fieldsOfForm &&
    typeof guid === "string" &&
    guidDigits.test(guid) &&
    texts.every((each) => typeof each === "string") &&
    numbers.every((each) => typeof each === "number")
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The thread that has a shield's ports, of so many. */
export function threadOf(shieldId: string, threads: number): number {
  return Number.parseInt(shieldId.slice(-8), 16) % threads;
}

export function threadOfRecord(text: string, threads: number): number {
  return threadOf(decodeRecord(text)?.shield ?? "0", threads);
}
