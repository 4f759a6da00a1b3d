import { isIPv6 } from "node:net";
import type { Answer } from "dns-packet";
import type { ZoneTable } from "#src/zone/zone-table.ts";
import { rcode } from "#src/wire/rcode.ts";
import type { Resolution } from "#src/wire/reply.ts";

/** Addresses of one family in an answer; if there are more, each answer has the next ones. */
const addressesPerAnswerMax = 16;

export interface AskedQuestion {
  readonly name: string;
  readonly type: string;
  readonly class: string;
}

export interface ResolveContext {
  readonly table: ZoneTable;
  /** Addresses of this server, for `ns1`. */
  readonly ownAddresses: readonly string[];
  /** Counts the questions; rotates the order of addresses. */
  readonly turn: number;
}

/** Answers one question from the zone. Pure. */
export function resolve(asked: AskedQuestion, context: ResolveContext): Resolution {
  const { table } = context;
  const found = table.lookup(asked.name === "." ? "" : asked.name);
  if (found.kind === "outside" || asked.class !== "IN" || isTransfer(asked.type)) {
    return { rcode: rcode.refused, authoritative: false, answers: [], authorities: [] };
  }
  if (found.kind === "not_loaded") {
    // 'No such name' would be cached although it may be wrong; after a failure resolvers ask again.
    return { rcode: rcode.serverFailure, authoritative: false, answers: [], authorities: [] };
  }
  if (found.kind === "nothing") return negative(rcode.noSuchName, table);
  if (asked.type === "ANY") {
    // RFC 8482: a small answer, so that forged questions gain nothing.
    const answer: Answer = {
      type: "HINFO",
      name: asked.name,
      ttl: table.ttlSeconds,
      data: { cpu: "RFC8482", os: "" },
    };
    return positive([answer], table);
  }
  if (found.kind === "apex") return positive(apexRecords(asked, table), table);
  const v6 = asked.type === "AAAA";
  if (asked.type !== "A" && !v6) return negative(rcode.noError, table);
  const addresses =
    found.kind === "label"
      ? found.addresses[v6 ? "v6" : "v4"]
      : context.ownAddresses.filter((address) => isIPv6(address) === v6);
  return positive(
    rotated(addresses, context.turn).map((data) => ({
      type: v6 ? "AAAA" : "A",
      name: asked.name,
      ttl: table.ttlSeconds,
      data,
    })),
    table,
  );
}

function apexRecords(asked: AskedQuestion, table: ZoneTable): Answer[] {
  if (asked.type === "SOA") return [soa(asked.name, table)];
  if (asked.type !== "NS") return [];
  return [{ type: "NS", name: asked.name, ttl: 3600, data: `ns1.${table.zone}` }];
}

function positive(answers: Answer[], table: ZoneTable): Resolution {
  if (answers.length === 0) return negative(rcode.noError, table);
  return { rcode: rcode.noError, authoritative: true, answers, authorities: [] };
}

/** RFC 2308: the SOA says how long the absence may be cached. */
function negative(code: number, table: ZoneTable): Resolution {
  return {
    rcode: code,
    authoritative: true,
    answers: [],
    authorities: [soa(table.zone, table)],
  };
}

function soa(name: string, table: ZoneTable): Answer {
  return {
    type: "SOA",
    name,
    ttl: table.ttlSeconds,
    data: {
      mname: `ns1.${table.zone}`,
      rname: `hostmaster.${table.zone}`,
      serial: table.serial >>> 0,
      refresh: 300,
      retry: 60,
      expire: 604_800,
      minimum: table.ttlSeconds,
    },
  };
}

function isTransfer(type: string): boolean {
  return type === "AXFR" || type === "IXFR";
}

function rotated(addresses: readonly string[], turn: number): string[] {
  const start = addresses.length === 0 ? 0 : turn % addresses.length;
  return [...addresses.slice(start), ...addresses.slice(0, start)].slice(0, addressesPerAnswerMax);
}
