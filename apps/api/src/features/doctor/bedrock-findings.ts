import type { ProbeSeen } from "#src/features/probes/probes.service.ts";
import { gameVersions, judgeGameVersion } from "@palisade/minecraft-protocol/bedrock/game-versions";
import { stripCodes } from "@palisade/minecraft-protocol/java/chat";
import {
  addressOf,
  isOnline,
  seenOf,
  type DoctorBackend,
  type OnlineAttempt,
} from "./backend-findings.ts";
import type { Finding } from "./findings.ts";

/** A backend as an edge sees it; null where it was not asked. */
interface View {
  readonly edge: string;
  readonly seen: Pick<ProbeSeen, "bedrock"> | null;
}

interface BedrockState {
  readonly ports: readonly number[];
  readonly backends: readonly DoctorBackend[];
  /** At some of the backends. The first of these probes have pinged the shield's own ports, too. */
  readonly looks: readonly { readonly backend: DoctorBackend; readonly views: readonly View[] }[];
}

/** A backend that takes players of Bedrock. */
type BedrockBackend = DoctorBackend & { readonly bedrockPort: number };

/** All findings about a shield that has Bedrock on. */
export function bedrockFindings(
  label: string,
  { ports, backends, looks }: BedrockState,
): Finding[] {
  return [
    ...setUpFindings(label, { hasPorts: ports.length > 0, hasServer: backends.some(takesBedrock) }),
    ...(looks[0]?.views ?? []).flatMap((view) => ownPortFindings(label, ports, view)),
    ...looks.flatMap(({ backend, views }) =>
      takesBedrock(backend) ? backendFindings(backend, views) : [],
    ),
  ];
}

function takesBedrock(backend: DoctorBackend): backend is BedrockBackend {
  return backend.bedrockPort !== null;
}

/** Whether there is anything that players of Bedrock can join, and be sent to. */
function setUpFindings(
  name: string,
  { hasPorts, hasServer }: { readonly hasPorts: boolean; readonly hasServer: boolean },
): Finding[] {
  return [
    ...(hasPorts ? [] : [{ code: "bedrock.no_ports", name, edge: null } as const]),
    ...(hasServer ? [] : [{ code: "bedrock.no_server", name, edge: null } as const]),
  ];
}

/** Whether the shield's own ports answer on an edge. */
function ownPortFindings(label: string, ports: readonly number[], { edge, seen }: View): Finding[] {
  return ports.map((port) => {
    const about = { name: `${label}:${port}`, edge, values: { port } };
    const outcome = seen?.bedrock?.own_ports.find((own) => own.port === port)?.outcome ?? "skipped";
    if (outcome === "skipped") return { code: "bedrock.port_not_asked", ...about };
    return {
      code: outcome === "online" ? "bedrock.port_answers" : "bedrock.port_silent",
      ...about,
    };
  });
}

function backendFindings(backend: BedrockBackend, views: readonly View[]): Finding[] {
  const findings = views.flatMap((view) => viewFindings(backend, view));
  const online = views.flatMap(({ seen }) => seen?.bedrock?.attempts ?? []).find(isOnline);
  return online === undefined ? findings : [...findings, versionFinding(backend, online)];
}

function viewFindings(backend: BedrockBackend, { edge, seen }: View): Finding[] {
  const isProxied = backend.bedrockProxy !== "off";
  const as = (proxy: boolean) => seen?.bedrock?.attempts.find((attempt) => attempt.proxy === proxy);
  const wanted = as(isProxied);
  const online = [wanted, as(!isProxied)].find(isOnline);
  const about = aboutOf(backend, edge);
  if (online === undefined) {
    const outcome = wanted?.outcome ?? "skipped";
    const code = outcome === "skipped" || outcome === "online" ? "not_asked" : outcome;
    return [{ code: `bedrock.${code}`, ...about }];
  }
  const mismatch = isProxied ? "bedrock.proxy_unexpected" : "bedrock.proxy_required";
  return [
    { code: "bedrock.online", ...about, seen: seenOf(online) },
    { code: online === wanted ? "bedrock.proxy_matches" : mismatch, ...about },
  ];
}

const versionCodes = {
  known: "bedrock.version",
  old: "bedrock.version_old",
  newer: "bedrock.version_newer",
} as const;

/** The version of the pong: Geyser names the newest one that it takes. */
function versionFinding(backend: BedrockBackend, { status }: OnlineAttempt): Finding {
  const about = aboutOf(backend, null);
  const version = stripCodes(status.version);
  if (version === "") return { code: "bedrock.version_unknown", ...about };
  const { oldest, newest } = gameVersions;
  const values = { ...about.values, version, oldest: oldest.name, newest: newest.name };
  const seen = { kind: "literal", text: `${version} (${status.protocol})` } as const;
  return { code: versionCodes[judgeGameVersion(status.protocol)], ...about, values, seen };
}

function aboutOf({ host, bedrockPort: port, group }: BedrockBackend, edge: string | null) {
  return { name: addressOf({ host, port }), edge, values: { host, port, group } };
}
