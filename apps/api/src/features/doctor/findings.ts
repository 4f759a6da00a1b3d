import type { DoctorFinding } from "@palisade/contract/http/server-setup";

export type FindingOutcome = DoctorFinding["outcome"];

/** Every finding with its outcome. Its texts are `doctor.<code>` and, with what to do, `doctor.<code>.fix`. */
export const findingOutcomes = {
  "dns.verified": "ok",
  "dns.missing": "failed",
  "dns.points_elsewhere": "failed",
  "dns.addresses_only": "warning",
  "dns.unknown": "unknown",
  "dns.label_served": "ok",
  "dns.label_missing": "failed",
  "dns.label_unknown": "unknown",
  "dns.capped": "unknown",
  "edge.current": "ok",
  "edge.lagging": "warning",
  "edge.rejected": "failed",
  "edge.offline": "warning",
  "edge.none": "failed",
  "edge.no_vpn_lists": "warning",
  "edge.no_countries": "warning",
  "edge.no_networks": "warning",
  "edge.expired": "failed",
  "edge.blocked": "failed",
  "edge.capped": "unknown",
  "backend.online": "ok",
  "backend.open": "ok",
  "backend.refused": "failed",
  "backend.timeout": "failed",
  "backend.unresolved": "failed",
  "backend.forbidden": "failed",
  "backend.not_minecraft": "failed",
  "backend.not_asked": "unknown",
  "backend.none": "failed",
  "backend.unproven": "failed",
  "backend.capped": "unknown",
  "proxy.matches": "ok",
  "proxy.required": "failed",
  "proxy.unexpected": "failed",
  "origin.closed": "ok",
  "origin.open": "warning",
  "origin.unproven": "warning",
  "origin.private": "ok",
  "version.known": "ok",
  "version.old": "warning",
  "version.newer": "warning",
  "version.unknown": "unknown",
  "bedrock.no_ports": "warning",
  "bedrock.no_server": "failed",
  "bedrock.port_answers": "ok",
  "bedrock.port_silent": "failed",
  "bedrock.port_not_asked": "unknown",
  "bedrock.online": "ok",
  "bedrock.refused": "failed",
  "bedrock.timeout": "failed",
  "bedrock.unresolved": "failed",
  "bedrock.forbidden": "failed",
  "bedrock.not_minecraft": "failed",
  "bedrock.not_asked": "unknown",
  "bedrock.proxy_matches": "ok",
  "bedrock.proxy_required": "failed",
  "bedrock.proxy_unexpected": "failed",
  "bedrock.version": "ok",
  "bedrock.version_old": "warning",
  "bedrock.version_newer": "warning",
  "bedrock.version_unknown": "unknown",
} as const satisfies Readonly<Record<string, FindingOutcome>>;

export type FindingCode = keyof typeof findingOutcomes;

/** A finding before its texts are rendered. */
export interface Finding {
  readonly code: FindingCode;
  readonly name: string;
  /** Name of the edge that looked; null where none did. */
  readonly edge: string | null;
  /** For the texts, beside `name`. */
  readonly values?: Readonly<Record<string, string | number>>;
  readonly seen?: Seen;
}

export type Seen =
  /** Not translated: records, a reason. */
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "status";
      readonly values: {
        readonly version: string;
        readonly online: number;
        readonly max: number;
        readonly latency: number;
      };
    }
  | {
      readonly kind: "revision";
      readonly values: { readonly applied: number; readonly newest: number };
    };

const gravest: readonly FindingOutcome[] = ["failed", "warning", "unknown", "ok"];

export function worstOf(outcomes: readonly FindingOutcome[]): FindingOutcome {
  return gravest.find((outcome) => outcomes.includes(outcome)) ?? "unknown";
}
