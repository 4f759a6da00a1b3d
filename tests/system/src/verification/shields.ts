import type { MitigationConfig, ShieldConfig } from "@palisade/contract/edge/shield-config";
import {
  sampleBackend,
  sampleDomain,
  sampleGroup,
  sampleShield,
} from "@palisade/testing/sample-shield";
import type { HostedServer } from "../minecraft/peer-host.ts";

export const texts = {
  rejoin: "Verified, please rejoin",
  bot_check: "You look like a bot",
  secure_profiles: "Players with an account only",
} as const;

export interface ShieldOptions {
  /** Number of the shield on the edge; its other values follow from it. */
  readonly n: number;
  readonly mitigation: Partial<MitigationConfig>;
  /** A server for each name that players come by; the first is the default. */
  readonly servers: ReadonlyMap<string, Pick<HostedServer, "port">>;
}

/** A shield as the api compiles it, with a group and a domain for each of its servers. */
export function shieldOf({ n, mitigation, servers }: ShieldOptions): ShieldConfig {
  const id = (kind: number, of = 0): string =>
    `0190a000-0000-7000-8${kind}${String(of).padStart(2, "0")}-${String(n).padStart(12, "0")}`;
  const plain = sampleShield();
  const ports = [...servers.values()].map(({ port }) => port);
  const groups = ports.map((port, at) => ({
    ...sampleGroup({ ...sampleBackend(port), id: id(2, at) }),
    id: id(1, at),
    default: at === 0,
    proxy_protocol: true,
  }));
  const domains = [...servers.keys()].map((name, at) => ({
    ...sampleDomain(name),
    group_id: id(1, at),
  }));
  return {
    ...plain,
    shield_id: id(0),
    label: `shield${n}.gs.localhost`,
    domains,
    groups,
    mitigation: { ...plain.mitigation, ...mitigation },
    messages: { ...plain.messages, ...withTraces(texts) },
  };
}

/** As the api compiles them: a kick is found in the log by its trace code. */
function withTraces<T extends Record<string, string>>(plain: T): Record<keyof T, string> {
  const entries = Object.entries(plain).map(([key, text]) => [key, `${text}\n§8{trace}`]);
  // Same keys as before.
  return Object.fromEntries(entries) as Record<keyof T, string>;
}
