import type { DnsRecord } from "@palisade/contract/http/server-setup";

export interface RecordPart {
  readonly part: "service" | "protocol" | "name" | "priority" | "weight" | "port" | "target";
  readonly value: string;
}

/**
 * An SRV record in the parts providers ask for: `_minecraft._tcp.play.example.com` and
 * `0 5 25565 label.` Null where it is none.
 */
export function srvParts({ name, value }: Pick<DnsRecord, "name" | "value">): RecordPart[] | null {
  const names = /^(_[^.]+)\.(_[^.]+)\.(.+)$/.exec(name);
  const values = /^(\d+)\s+(\d+)\s+(\d+)\s+(\S+)$/.exec(value);
  if (names === null || values === null) return null;
  const [, service = "", protocol = "", host = ""] = names;
  const [, priority = "", weight = "", port = "", target = ""] = values;
  return [
    { part: "service", value: service },
    { part: "protocol", value: protocol },
    { part: "name", value: host },
    { part: "priority", value: priority },
    { part: "weight", value: weight },
    { part: "port", value: port },
    { part: "target", value: target },
  ];
}
