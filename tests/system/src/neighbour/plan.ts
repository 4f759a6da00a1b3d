import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import {
  sampleBackend,
  sampleDomain,
  sampleGroup,
  sampleShield,
} from "@palisade/testing/sample-shield";

/** Names of the quiet shield, and of the noisy one's backends. */
export const hosts = {
  quiet: "quiet.example.org",
  bulk: "bulk.example.org",
  silent: "silent.example.org",
} as const;

/**
 * The noisy shield's share of the edge; the edge's own default is the quiet one's. It is small enough
 * for one process to ask for a hundred times of it.
 */
export const share = {
  players: 10,
  half_open_logins: 16,
  bytes_per_second: 1_000_000,
} as const satisfies ShieldConfig["shares"];

/** The noise asks for so many times the share. */
export const times = 100;

/** Sent by each player of the quiet shield. */
export const packetsPerSecond = 20;

export interface NeighbourPlan {
  readonly rounds: number;
  /** Each round is quiet for so long, and noisy for so long. */
  readonly seconds: number;
  readonly players: number;
  readonly joinsPerSecond: number;
}

export interface NoisePorts {
  readonly bulk: number;
  readonly silent: number;
  /** The edge's own, for the noisy shield's game that is not parsed; its backend is silent. */
  readonly raw: number;
}

export function neighbourShields(quietPort: number, noise: NoisePorts): ShieldConfig[] {
  const quiet = sampleShield({ domains: [sampleDomain(hosts.quiet)] });
  const bulk = groupOf(1, noise.bulk);
  const silent = { ...groupOf(2, noise.silent), default: false };
  const raw = {
    ...groupOf(4, noise.silent),
    default: false,
    game: "other" as const,
    port: noise.raw,
  };
  const domainOf = (name: string, { id }: { readonly id: string }) => ({
    ...sampleDomain(name),
    group_id: id,
  });
  return [
    { ...quiet, groups: [groupOf(3, quietPort)] },
    {
      ...quiet,
      shield_id: numbered(quiet.shield_id, 9),
      label: "abcdefghijk9.gs.localhost",
      domains: [domainOf(hosts.bulk, bulk), domainOf(hosts.silent, silent)],
      groups: [bulk, silent, raw],
      shares: share,
    },
  ];
}

function groupOf(n: number, port: number) {
  const group = sampleGroup(sampleBackend(port, n));
  return { ...group, id: numbered(group.id, n) };
}

function numbered(id: string, n: number): string {
  return `${id.slice(0, -1)}${n}`;
}

/** An address of this machine for one of many clients; their limits are those of an address. */
export function sourceAddress(network: number, n: number): string {
  return `127.${network}.${(n >> 8) & 255}.${n & 255}`;
}
