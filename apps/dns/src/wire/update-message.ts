import { encode, type Answer } from "dns-packet";

/** RFC 2136 section 1.3. */
export const opcodeUpdate = 5;

/** The desired addresses of a name; an empty family removes its records of that family. */
export interface NameChange {
  readonly name: string;
  readonly ttlSeconds: number;
  readonly v4: readonly string[];
  readonly v6: readonly string[];
}

/**
 * An UPDATE that sets the records of each name, whatever it has now. The server carries it out
 * completely or not at all (RFC 2136 section 3.4), so resolvers never see a state in between.
 */
export function encodeUpdate(id: number, zone: string, changes: readonly NameChange[]): Buffer {
  return encode({
    type: "query",
    id,
    flags: opcodeUpdate << 11,
    // In an UPDATE the four sections are zone, prerequisites, updates and additional data.
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
 * 'Delete an RRset', RFC 2136 section 2.5.2: class ANY and no data, only for A and AAAA, because other
 * records of the name are not ours. Types are given by number: by name the library needs an address.
 */
function removalOf(name: string, type: "UNKNOWN_1" | "UNKNOWN_28"): Answer {
  // The library accepts unknown types by number, which its type declarations do not show.
  return { type: type as "NULL", name, class: "ANY", ttl: 0, data: Buffer.alloc(0) };
}
