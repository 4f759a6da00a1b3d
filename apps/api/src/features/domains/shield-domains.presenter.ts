import type { DomainSetup, ShieldDomain } from "@palisade/contract/http/domains";
import type { DnsCheck } from "@palisade/contract/http/server-setup";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { DomainCheck } from "./domain-check.service.ts";
import { provenName, provingRecords, type Proof } from "./domain-proof.ts";
import { claimLifeMs } from "./domains.service.ts";
import type { selectDomains } from "./shield-domains.repository.ts";

export type DomainRow = Awaited<ReturnType<typeof selectDomains>>[number];

export function presentDomain(row: DomainRow): ShieldDomain {
  const isSeen = row.verified_at !== null && row.unseen_since === null;
  return {
    id: row.id,
    domain: row.name,
    status: isSeen ? "setup_finished" : "setup_pending",
    group_id: row.group_id,
    verified_at: row.verified_at?.toISOString() ?? null,
    ends_at: row.verified_at === null ? endOf(row).toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}

function endOf({ expired_at, unproven_since, created_at }: DomainRow): Date {
  return expired_at ?? new Date((unproven_since ?? created_at).getTime() + claimLifeMs);
}

/** The records in the parts providers ask for; those of a wildcard lead all names below its parent. */
export function presentRecords(
  domain: string,
  proof: Proof,
  javaPort: number,
): DomainSetup["setup_info"] {
  const name = provenName(domain);
  const records = provingRecords(name, proof, javaPort);
  const [cname, srv, txt] = records.map(({ name: at, value }) => ({ name: at, value }));
  if (cname === undefined || srv === undefined || txt === undefined) {
    throw new Error("A domain has three records that prove it");
  }
  const isWildcard = name !== domain;
  return {
    cname_record: { name: domain, value: cname.value },
    srv_record: isWildcard ? null : { ...srv, parts: srvParts(srv) },
    txt_record: txt,
  };
}

function srvParts({ name, value }: { readonly name: string; readonly value: string }) {
  const [service = "", protocol = "", ...labels] = name.split(".");
  const [priority, weight, port, target = ""] = value.split(" ");
  return {
    service,
    protocol,
    name: labels.join("."),
    priority: Number(priority),
    weight: Number(weight),
    port: Number(port),
    target,
  };
}

export function presentCheck(ctx: Pick<RequestContext, "text">, check: DomainCheck): DnsCheck {
  return {
    verified: check.verified,
    found: [...check.found],
    expected: check.expected,
    alternatives: [...check.alternatives],
    diagnosis: { code: check.code, message: ctx.text(`dns.${check.code}`) },
  };
}
