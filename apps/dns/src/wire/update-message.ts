import { encode, type Answer } from "dns-packet";

/** RFC 2136 section 1.3. */
export const opcodeUpdate = 5;

/** What a name is to have; nothing of a family removes its records of that family. */
export interface NameChange {
  readonly name: string;
  readonly ttlSeconds: number;
  readonly v4: readonly string[];
  readonly v6: readonly string[];
}

/**
 * An UPDATE that brings each name to what it is to have, whatever it has now. The server does all
 * of it or nothing (RFC 2136 section 3.4), so that nobody sees a name between.
 */
export function encodeUpdate(id: number, zone: string, changes: readonly NameChange[]): Buffer {
  return encode({
    type: "query",
    id,
    flags: opcodeUpdate << 11,
    // The four sections of a query are zone, prerequisites, updates and additional data here.
    questions: [{ name: zone, type: "SOA", class: "IN" }],
    answers: [],
    authorities: changes.flatMap(recordsOf),
    additionals: [],
  });
}

/** Bytes that this change takes in a message. */
export function updateBytesOf(change: NameChange): number {
  const recordBytes = change.name.length + 2 + 10;
  const records = 2 + change.v4.length + change.v6.length;
  return records * recordBytes + 4 * change.v4.length + 16 * change.v6.length;
}

function recordsOf({ name, ttlSeconds, v4, v6 }: NameChange): Answer[] {
  return [
    removalOf(name, "UNKNOWN_1"),
    removalOf(name, "UNKNOWN_28"),
    ...v4.map((data): Answer => ({ type: "A", name, ttl: ttlSeconds, data })),
    ...v6.map((data): Answer => ({ type: "AAAA", name, ttl: ttlSeconds, data })),
  ];
}

/**
 * 'Delete an RRset', RFC 2136 section 2.5.2: class ANY and no data. Only of A and of AAAA, by
 * number: by name the library wants an address. Other records of the name are not ours.
 */
function removalOf(name: string, type: "UNKNOWN_1" | "UNKNOWN_28"): Answer {
  // The library takes unknown types by number; its type declarations do not say so.
  return { type: type as "NULL", name, class: "ANY", ttl: 0, data: Buffer.alloc(0) };
}
