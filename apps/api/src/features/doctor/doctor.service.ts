import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import type { ProbeRequest } from "@palisade/contract/edge/probe";
import type { DoctorReport } from "@palisade/contract/http/server-setup";
import type { Locale } from "@palisade/contract/texts/render";
import type { Db } from "#src/platform/database/db.ts";
import {
  checkDomain,
  checkLabel,
  type DomainCheckDeps,
} from "#src/features/domains/domain-check.service.ts";
import { isProven } from "#src/features/configuration/backend-proof.service.ts";
import { hasAntiVpn } from "#src/features/configuration/mitigation-settings.service.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import type { Probes, ProbeSeen } from "#src/features/probes/probes.service.ts";
import { presentReport } from "./doctor.presenter.ts";
import { backendFindings, type DoctorBackend } from "./backend-findings.ts";
import { bedrockFindings } from "./bedrock-findings.ts";
import { domainFinding, labelFinding } from "./dns-findings.ts";
import {
  selectBedrockPorts,
  selectDomainNames,
  selectEdgeStates,
  selectExaminedShield,
  selectGroupedBackends,
  selectPlaceRules,
} from "./doctor.repository.ts";
import { edgeFindings } from "./edge-findings.ts";
import type { Finding, FindingCode } from "./findings.ts";

/** Beyond these limits a finding says that not everything was checked. */
export const domainsMax = 10;
export const edgesMax = 6;
/** Backends checked from each edge; all probes are sent at once. */
export const backendsMax = 6;

/** An edge runs a few probes of one user at a time: the others wait for those to end. */
const takenWithinMs = 4_000;
const deadlineMs = 3_000;

export interface DoctorDeps {
  readonly db: Db;
  readonly probes: Pick<Probes, "ask">;
  readonly dns: DomainCheckDeps;
}

/** The user who runs the doctor, and whether they are still there. */
export interface Examiner {
  readonly userId: string;
  readonly signal: AbortSignal;
}

interface Asked extends Examiner {
  readonly backend: DoctorBackend;
  readonly hostname: string;
  /** Undefined while there is nothing for players of Bedrock to look at. */
  readonly bedrock: ProbeRequest["bedrock"];
}

interface AskedEdge {
  readonly id: string;
  readonly name: string;
}

/** A backend as an edge sees it; null where it was not asked. */
interface View {
  readonly edge: string;
  readonly seen: ProbeSeen | null;
}

/** The report as its reader sees it, in their language. */
export async function reportOn(
  deps: DoctorDeps,
  shieldId: string,
  reader: Examiner & { readonly now: Date; readonly locale: Locale },
): Promise<DoctorReport> {
  return presentReport(await examine(deps, shieldId, reader), reader);
}

/**
 * Checks DNS, edges and backends of a shield, all at once. A check that cannot be made becomes a
 * finding, never an error.
 */
async function examine(
  deps: DoctorDeps,
  shieldId: string,
  { now, ...examiner }: Examiner & { readonly now: Date },
): Promise<Finding[]> {
  const { db } = deps;
  const shield = await selectExaminedShield(db, shieldId);
  const domains = await selectDomainNames(db, shieldId);
  const edges = await selectEdgeStates(db, shieldId, shield.location);
  const groups = await selectGroupedBackends(db, shieldId);
  const rules = await selectPlaceRules(db, shieldId, now);
  const backends = groups.flatMap(toBackend);
  const online = edges.filter(({ isOnline }) => isOnline).slice(0, edgesMax);
  const hostname = domains.find((name) => !name.startsWith("*")) ?? shield.cname_record;
  const hasBedrock = shield.bedrock_enabled === true && entitlements(shield).bedrock;
  const ports = hasBedrock ? await selectBedrockPorts(db, shieldId) : [];

  const [dns, looks] = await Promise.all([
    lookAtDns(deps, domains, { cname: shield.cname_record, userId: examiner.userId }),
    Promise.all(
      backends.slice(0, backendsMax).map(async (backend, index) => {
        // With the first backend, so that an edge gets no probe more.
        const own_ports = index === 0 ? ports : [];
        const bedrock = hasBedrock ? { port: backend.bedrockPort, own_ports } : undefined;
        return {
          backend,
          views: await lookFrom(deps, online, { backend, hostname, bedrock, ...examiner }),
        };
      }),
    ),
  ]);
  const isEmpty = !groups.some(({ is_default, host }) => is_default && host !== null);
  return [
    ...dns,
    ...capped("dns.capped", shield.cname_record, domains.length, domainsMax),
    ...edgeFindings(edges.slice(0, edgesMax), {
      ...shield,
      needs: { vpnLists: hasAntiVpn(shield), ...rules },
    }),
    ...capped("edge.capped", shield.location, edges.length, edgesMax),
    ...(isEmpty
      ? [{ code: "backend.none", name: groups[0]?.group ?? "", edge: null } as const]
      : []),
    ...looks.flatMap(({ backend, views }) =>
      backendFindings(
        backend,
        views.map(({ edge, seen }) => ({ edge, attempts: seen?.attempts ?? null })),
      ),
    ),
    ...capped("backend.capped", shield.cname_record, backends.length, backendsMax),
    ...(hasBedrock ? bedrockFindings(shield.cname_record, { ports, backends, looks }) : []),
  ];
}

async function lookAtDns(
  { dns }: DoctorDeps,
  domains: readonly string[],
  { cname, userId }: { readonly cname: string; readonly userId: string },
): Promise<Finding[]> {
  const by = { kind: "doctor", userId } as const;
  return Promise.all([
    ...domains
      .slice(0, domainsMax)
      .map(async (domain) => domainFinding(domain, await checkDomain(dns, { domain, cname }, by))),
    checkLabel(dns, cname, by).then((state) => labelFinding(cname, state)),
  ]);
}

async function lookFrom(
  { probes }: DoctorDeps,
  edges: readonly AskedEdge[],
  { backend, hostname, bedrock, userId, signal }: Asked,
): Promise<View[]> {
  const views = edges.map(async (edge) => {
    const question = {
      host: backend.host,
      port: backend.port,
      hostname,
      protocol: currentProtocol,
      proxy: "both",
      ...(bedrock !== undefined ? { bedrock } : {}),
      deadline_ms: deadlineMs,
      takenWithinMs,
      asker: userId,
      purpose: "doctor",
    } as const;
    return { edge: edge.name, seen: await probes.ask(edge.id, question, signal) };
  });
  return Promise.all(views);
}

function toBackend(
  row: Awaited<ReturnType<typeof selectGroupedBackends>>[number],
): DoctorBackend[] {
  const { host, port, group, game, proxy_protocol: proxyProtocol } = row;
  if (host === null || port === null) return [];
  const bedrockPort = game === "minecraft" ? row.bedrock_port : null;
  const bedrockProxy = row.bedrock_proxy ?? "off";
  const own = { host, port, group, game, proxyProtocol, bedrockPort, bedrockProxy };
  return [{ ...own, isProven: isProven(row, game) }];
}

function capped(code: FindingCode, name: string, total: number, shown: number): Finding[] {
  return total > shown ? [{ code, name, edge: null, values: { total, shown } }] : [];
}
