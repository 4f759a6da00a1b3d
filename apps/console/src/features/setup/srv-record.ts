import type { DnsRecord } from "@palisade/contract/http/server-setup";

export interface RecordField {
  readonly name: "service" | "protocol" | "name" | "priority" | "weight" | "port" | "target";
  readonly value: string;
}

/**
 * Splits an SRV record into the fields that DNS providers ask for: `_minecraft._tcp.play.example.com`
 * and `0 5 25565 label.` Null for other records.
 */
export function parseSrvRecord({
  name,
  value,
}: Pick<DnsRecord, "name" | "value">): RecordField[] | null {
  const names = /^(_[^.]+)\.(_[^.]+)\.(.+)$/.exec(name);
  const values = /^(\d+)\s+(\d+)\s+(\d+)\s+(\S+)$/.exec(value);
  if (names === null || values === null) return null;
  const [, service = "", protocol = "", host = ""] = names;
  const [, priority = "", weight = "", port = "", target = ""] = values;
  return [
    { name: "service", value: service },
    { name: "protocol", value: protocol },
    { name: "name", value: host },
    { name: "priority", value: priority },
    { name: "weight", value: weight },
    { name: "port", value: port },
    { name: "target", value: target },
  ];
}
