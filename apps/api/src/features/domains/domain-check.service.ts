import type { DnsRecord } from "@palisade/contract/http/server-setup";
import type { Keys } from "#src/platform/security/derived-key.ts";
import type { DnsLookup } from "./dns-lookup.ts";
import type { DnsLookupCaller } from "./dns-lookup-limiter.ts";
import {
  judgeAll,
  proofOf,
  provingRecords,
  viewDomain,
  type Diagnosis,
  type DomainView,
} from "./domain-proof.ts";

export interface DomainCheckDeps {
  readonly lookup: DnsLookup;
  readonly zone: string;
  /** The keys of the TXT values: `deriveKeys(config, "domain proof")`. */
  readonly proofKeys: Keys;
  /** The port players connect to at the edges. */
  readonly javaPort: () => number;
}

export interface DomainCheck {
  readonly verified: boolean;
  readonly code: Diagnosis;
  /** What DNS answers now, at most 10 records. */
  readonly found: readonly DnsRecord[];
  readonly expected: DnsRecord;
  readonly alternatives: readonly DnsRecord[];
  /** The answers of each resolver, so that they can be judged for another label as well. */
  readonly views: readonly DomainView[];
}

/**
 * Looks at the DNS of a claimed domain (normalised; `*.` of a wildcard included) for the records
 * that prove it to belong to the holder of the label. Takes seconds where resolvers are silent, so
 * never call it inside a transaction. Never throws: what cannot be asked is `unknown`.
 */
export async function checkDomain(
  deps: DomainCheckDeps,
  claim: { readonly domain: string; readonly cname: string },
  by: DnsLookupCaller,
): Promise<DomainCheck> {
  const views = await deps.lookup.each(by, (ask) => viewDomain(ask, claim.domain, deps.zone));
  const proof = proofOf(deps.proofKeys, claim.domain, claim.cname);
  const { code, found } = judgeAll(views, proof);
  const [expected, ...alternatives] = provingRecords(claim.domain, proof, deps.javaPort());
  return { verified: code === "verified", code, found, expected, alternatives, views };
}

/** Whether an earlier look also proves, or may prove, the domain to the holder of another label. */
export function judgeFor(
  deps: DomainCheckDeps,
  views: readonly DomainView[],
  claim: { readonly domain: string; readonly cname: string },
): Diagnosis {
  return judgeAll(views, proofOf(deps.proofKeys, claim.domain, claim.cname)).code;
}

export type LabelState = "served" | "missing" | "unknown";

/** Whether DNS gives a label of the zone any address: asked of the zone's server where it is known. */
export async function checkLabel(
  deps: DomainCheckDeps,
  cname: string,
  by: DnsLookupCaller,
): Promise<LabelState> {
  const states = await deps.lookup.each(by, async (ask): Promise<LabelState> => {
    const answers = await Promise.all([ask(cname, "A"), ask(cname, "AAAA")]);
    if (answers.some(({ kind }) => kind === "records")) return "served";
    return answers.some(({ kind }) => kind === "failed") ? "unknown" : "missing";
  });
  return (["served", "missing"] as const).find((state) => states.includes(state)) ?? "unknown";
}
