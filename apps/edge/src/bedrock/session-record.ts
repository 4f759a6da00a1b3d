import { z } from "zod";

/**
 * What an edge tells its successor of a Bedrock player, beside the socket to the backend. Strict: an
 * edge of another release that writes something else is not understood, and the player comes again.
 */
const sessionRecord = z.strictObject({
  /** Of this record's form. */
  form: z.literal(1),
  shield: z.uuid(),
  backend: z.uuid(),
  /** The edge's port. */
  port: z.int().min(1).max(65_535),
  client: z.strictObject({ ip: z.string().max(45), port: z.int().min(1).max(65_535) }),
  mtu: z.int().min(1).max(65_535),
  /** PROXY header of every datagram to the backend, as base64; mostly empty. */
  header: z.string().max(128),
});
export type SessionRecord = z.infer<typeof sessionRecord>;

export function encodeRecord(record: SessionRecord): string {
  return JSON.stringify(record);
}

/** @returns undefined for the record of a release that this one does not understand */
export function decodeRecord(text: string): SessionRecord | undefined {
  try {
    return sessionRecord.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The thread that has a shield's ports, of so many. */
export function threadOf(shieldId: string, threads: number): number {
  return Number.parseInt(shieldId.slice(-8), 16) % threads;
}

export function threadOfRecord(text: string, threads: number): number {
  return threadOf(decodeRecord(text)?.shield ?? "0", threads);
}
