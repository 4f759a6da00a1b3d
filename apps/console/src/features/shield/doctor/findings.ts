import type { DoctorFinding } from "@palisade/contract/http/server-setup";

type Subject = DoctorFinding["subject"];
type Outcome = DoctorFinding["outcome"];

/** In the order a player meets them on the way in. */
const subjects: readonly Subject[] = [
  "dns",
  "edge",
  "backend",
  "proxy",
  "version",
  "origin",
  "bedrock",
];
const bySeverity: readonly Outcome[] = ["failed", "warning", "unknown", "ok"];

/** The section of the shield that mends a finding, where one does. */
export function mendingSection(code: string): "backends" | "bedrock-geyser" | undefined {
  return mendingSections.get(code);
}

const mendingSections = new Map<string, "backends" | "bedrock-geyser">([
  ["proxy.required", "backends"],
  ["bedrock.no_ports", "bedrock-geyser"],
  ["bedrock.no_server", "backends"],
  ["bedrock.port_silent", "bedrock-geyser"],
  ["bedrock.refused", "backends"],
  ["bedrock.timeout", "bedrock-geyser"],
  ["bedrock.unresolved", "backends"],
  ["bedrock.forbidden", "backends"],
  ["bedrock.not_minecraft", "backends"],
  ["bedrock.proxy_required", "backends"],
  ["bedrock.proxy_unexpected", "backends"],
]);

export interface FindingGroup {
  readonly subject: Subject;
  /** One entry for each edge, sorted by name; findings without an edge come first. */
  readonly edges: readonly { readonly edge: string | null; readonly findings: DoctorFinding[] }[];
}

/** Grouped by subject, then by edge; an edge's most severe finding comes first. */
export function groupFindings(findings: readonly DoctorFinding[]): FindingGroup[] {
  return subjects.flatMap((subject) => {
    const own = findings.filter((finding) => finding.subject === subject);
    if (own.length === 0) return [];
    const names = [...new Set(own.map(({ edge }) => edge))].toSorted((a, b) =>
      (a ?? "").localeCompare(b ?? ""),
    );
    const edges = names.map((edge) => ({
      edge,
      findings: own
        .filter((finding) => finding.edge === edge)
        .toSorted((a, b) => bySeverity.indexOf(a.outcome) - bySeverity.indexOf(b.outcome)),
    }));
    return [{ subject, edges }];
  });
}

/** Number of findings for each outcome. */
export function countOutcomes(findings: readonly DoctorFinding[]): Record<Outcome, number> {
  const of = (wanted: Outcome) => findings.filter(({ outcome }) => outcome === wanted).length;
  return { failed: of("failed"), warning: of("warning"), unknown: of("unknown"), ok: of("ok") };
}
