import { createHmac } from "node:crypto";
import type { DnsCheck, DnsRecord } from "@palisade/contract/http/server-setup";
import type { Keys } from "#src/platform/security/derived-key.ts";
import { isWithin, plainName, type DnsQuery, type DnsAnswer } from "./dns-lookup.ts";

export type Diagnosis = DnsCheck["diagnosis"]["code"];

/** Aliases of aliases followed; who needs more has a loop. */
const chainMax = 8;
const foundMax = 10;
const valueCharactersMax = 255;

/** Which records prove a domain for a label. */
export interface Proof {
  /** Label of the shield or reservation. */
  readonly cname: string;
  /** Value of the TXT record; only the holder of the label is shown it. */
  readonly txt: string;
  /** Values of records from before the secret of the installation was rotated. */
  readonly formerTxts: readonly string[];
}

/** The records of a domain as one resolver sees them. */
export interface DomainView {
  readonly name: string;
  /** Targets of the CNAME at the domain, of the CNAME there, and so on. */
  readonly chain: readonly string[];
  readonly chainFailed: boolean;
  readonly srv: DnsAnswer;
  readonly txt: DnsAnswer;
  readonly a: DnsAnswer;
  readonly aaaa: DnsAnswer;
}

export interface ProofVerdict {
  readonly code: Diagnosis;
  readonly found: readonly DnsRecord[];
}

/** The name whose records prove a domain: a wildcard is proven by its parent. */
export function provenName(domain: string): string {
  return domain.startsWith("*.") ? domain.slice(2) : domain;
}

/** Bound to label and name, so that the record of one shield proves nothing for another. */
export function proofOf([key, ...formerKeys]: Keys, domain: string, cname: string): Proof {
  const valueBy = (each: Buffer): string => {
    const bytes = createHmac("sha256", each)
      .update(`${provenName(domain)}\n${cname}`)
      .digest("hex");
    return `palisade-verification=${bytes.slice(0, 32)}`;
  };
  return { cname, txt: valueBy(key), formerTxts: formerKeys.map(valueBy) };
}

/**
 * The records that prove the domain, the usual one first.
 *
 * @param javaPort the port players connect to at the edges, which the SRV record names
 */
export function provingRecords(
  domain: string,
  proof: Proof,
  javaPort: number,
): [DnsRecord, DnsRecord, DnsRecord] {
  const name = provenName(domain);
  const cname: DnsRecord = { type: "CNAME", name, value: proof.cname };
  const srv: DnsRecord = {
    type: "SRV",
    name: srvName(name),
    value: `0 5 ${javaPort} ${proof.cname}`,
  };
  const txt: DnsRecord = { type: "TXT", name: txtName(name), value: proof.txt };
  return name === domain ? [cname, srv, txt] : [txt, cname, srv];
}

/** Everything that could matter, asked at once. */
export async function viewDomain(ask: DnsQuery, domain: string, zone: string): Promise<DomainView> {
  const name = provenName(domain);
  const [aliases, srv, txt, a, aaaa] = await Promise.all([
    followAliases(ask, name, zone),
    ask(srvName(name), "SRV"),
    ask(txtName(name), "TXT"),
    ask(name, "A"),
    ask(name, "AAAA"),
  ]);
  return { name, ...aliases, srv, txt, a, aaaa };
}

/** Ends at a name of our zone: whose label that is, is what we came to see. */
async function followAliases(
  ask: DnsQuery,
  name: string,
  zone: string,
): Promise<Pick<DomainView, "chain" | "chainFailed">> {
  const chain: string[] = [];
  let at = name;
  while (chain.length < chainMax) {
    const answer = await ask(at, "CNAME");
    if (answer.kind === "failed") return { chain, chainFailed: true };
    const target = answer.kind === "records" ? answer.values[0] : undefined;
    if (target === undefined || target === name || chain.includes(target)) break;
    chain.push(target);
    if (isWithin(target, zone)) break;
    at = target;
  }
  return { chain, chainFailed: false };
}

/** Pure. Address records prove nothing: every shield of a location has the same. */
export function judge(view: DomainView, proof: Proof): ProofVerdict {
  const found = foundRecords(view);
  const srvTargets = valuesOf(view.srv).map((value) => plainName(value.split(" ").at(-1) ?? ""));
  const isProven =
    view.chain.includes(proof.cname) ||
    srvTargets.includes(proof.cname) ||
    valuesOf(view.txt).some((txt) => txt === proof.txt || proof.formerTxts.includes(txt));
  if (isProven) return { code: "verified", found };
  // A record that could not be read might be the proof.
  if (view.chainFailed || view.srv.kind === "failed" || view.txt.kind === "failed") {
    return { code: "unknown", found };
  }
  if (view.chain.length > 0 || srvTargets.length > 0) return { code: "points_elsewhere", found };
  if (view.a.kind === "records" || view.aaaa.kind === "records") {
    return { code: "addresses_only", found };
  }
  const isAsked = view.a.kind !== "failed" && view.aaaa.kind !== "failed";
  return { code: isAsked ? "missing" : "unknown", found };
}

/** Best first: of two resolvers one may have an older answer, or none. */
const order: readonly Diagnosis[] = [
  "verified",
  "points_elsewhere",
  "addresses_only",
  "missing",
  "unknown",
];

/** One good answer is enough; none at all is `unknown`. */
export function judgeAll(views: readonly DomainView[], proof: Proof): ProofVerdict {
  const judgements = views.map((view) => judge(view, proof));
  const [best] = judgements.sort(
    (one, other) => order.indexOf(one.code) - order.indexOf(other.code),
  );
  return best ?? { code: "unknown", found: [] };
}

function foundRecords(view: DomainView): DnsRecord[] {
  const aliases = view.chain.map((value, at): DnsRecord => {
    return { type: "CNAME", name: view.chain[at - 1] ?? view.name, value };
  });
  const addresses =
    aliases.length > 0
      ? []
      : [...recordsOf("A", view.name, view.a), ...recordsOf("AAAA", view.name, view.aaaa)];
  return [
    ...aliases,
    ...recordsOf("SRV", srvName(view.name), view.srv),
    ...recordsOf("TXT", txtName(view.name), view.txt),
    ...addresses,
  ].slice(0, foundMax);
}

function recordsOf(type: DnsRecord["type"], name: string, answer: DnsAnswer): DnsRecord[] {
  return valuesOf(answer).map((value) => ({ type, name, value: shown(value) }));
}

function valuesOf(answer: DnsAnswer): readonly string[] {
  return answer.kind === "records" ? answer.values : [];
}

/** Anybody's bytes, shown to a customer: cut, and without control characters. */
function shown(value: string): string {
  return value.replaceAll(/\p{C}/gu, "�").slice(0, valueCharactersMax);
}

function srvName(name: string): string {
  return `_minecraft._tcp.${name}`;
}

function txtName(name: string): string {
  return `_palisade.${name}`;
}
