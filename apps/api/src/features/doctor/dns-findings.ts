import type { DnsRecord } from "@palisade/contract/http/server-setup";
import type { DomainCheck, LabelState } from "#src/features/domains/domain-check.service.ts";
import type { Finding } from "./findings.ts";

const recordsSeenMax = 3;

export function domainFinding(domain: string, check: DomainCheck): Finding {
  const { expected, found, alternatives } = check;
  const txt = [expected, ...alternatives].find(({ type }) => type === "TXT") ?? expected;
  return {
    code: `dns.${check.code}`,
    name: domain,
    edge: null,
    values: {
      type: expected.type,
      record: expected.name,
      value: expected.value,
      txt_record: txt.name,
      txt_value: txt.value,
    },
    ...(found.length === 0 ? {} : { seen: { kind: "literal", text: listed(found) } }),
  };
}

export function labelFinding(label: string, state: LabelState): Finding {
  return { code: `dns.label_${state}`, name: label, edge: null };
}

function listed(records: readonly DnsRecord[]): string {
  const shown = records.slice(0, recordsSeenMax).map(({ type, value }) => `${type} ${value}`);
  return shown.join(", ") + (records.length > recordsSeenMax ? ", …" : "");
}
