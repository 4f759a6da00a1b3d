import { rcode } from "#src/wire/rcode.ts";

/** Types that resolvers ask for; every other one counts as `other`, so that no client invents labels. */
const types = "A AAAA ANY AXFR CAA CNAME DNSKEY DS HTTPS IXFR MX NAPTR NS PTR SOA SRV SVCB TXT";
const countedTypes = new Set(types.split(" "));

/** Names as `dig` prints them. */
const rcodeNames: Record<number, string> = {
  [rcode.noError]: "NOERROR",
  [rcode.formatError]: "FORMERR",
  [rcode.serverFailure]: "SERVFAIL",
  [rcode.noSuchName]: "NXDOMAIN",
  [rcode.notImplemented]: "NOTIMP",
  [rcode.refused]: "REFUSED",
  [rcode.badVersion]: "BADVERS",
};

export interface AnswerCount {
  readonly type: string;
  readonly rcode: string;
  readonly count: number;
}

/** Answers since the start of the program, by type of the question and code of the answer. */
export class AnswerCounts {
  readonly #counts = new Map<string, number>();
  #ignored = 0;

  /** @param type undefined where no question could be read */
  countAnswer(type: string | undefined, code: number): void {
    const label = type === undefined ? "unreadable" : countedTypes.has(type) ? type : "other";
    const key = `${label} ${rcodeNames[code] ?? "other"}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  countIgnored(): void {
    this.#ignored += 1;
  }

  /** Messages without an answer: answers themselves, too short for an id, or unreadable above the limit. */
  get ignored(): number {
    return this.#ignored;
  }

  *entries(): Generator<AnswerCount> {
    for (const [key, count] of this.#counts) {
      const [type = "", name = ""] = key.split(" ");
      yield { type, rcode: name, count };
    }
  }
}
