import { createApiCommand } from "./api-command.ts";
import { superviseChild, type ChildSpec, type SupervisedChild } from "./child.ts";
import type { SupervisorConfig } from "./config.ts";
import { runDatabase } from "./database.ts";
import { credentialProblem } from "./credential-check.ts";
import { credentialFile, enrolmentToken } from "./enrolment-token.ts";
import { lockHome } from "./home-lock.ts";
import { createChildRegistry, endOrphans } from "./child-registry.ts";
import { openLogFile, type LogFile } from "./log-file.ts";
import { choosePort } from "./ports.ts";
import { compileCache, mainFiles, nodeArgs } from "./programs.ts";
import type { Progress } from "./progress.ts";
import {
  dialable,
  isHotRestart,
  parseApiReady,
  parseDnsReady,
  parseEdgeReady,
  portOf,
  type ApiReady,
  type DnsReady,
  type EdgeReady,
} from "./ready-messages.ts";
import { writeRunFile } from "./run-files.ts";
import type { UndoStack } from "./undo-stack.ts";

export interface Palisade {
  readonly consoleUrl: string;
  /** The address that players on this machine connect to. */
  readonly java: string;
  /** Starts a hot restart of the edge. @returns false when no edge can do one now */
  readonly hotRestartEdge: () => boolean;
}

/** Starts everything in order. The stack holds all that was started, also when this throws. */
export async function startPalisade(
  config: SupervisorConfig,
  progress: Progress,
  stack: UndoStack,
): Promise<Palisade> {
  const { home } = config;
  const lock = await lockHome(home, { program: "another Palisade", endsSoon: false });
  await stack.add(lock.release);
  stack.signal.addEventListener("abort", lock.announceEnd);
  await endOrphans(home, progress);
  const ports = {
    http: await choosePort(config.ports.http, progress),
    apiMetrics: await choosePort(config.ports.apiMetrics, progress),
    java: await choosePort(config.ports.java, progress),
    metrics: await choosePort(config.ports.metrics, progress),
    dns: await choosePort(config.ports.dns, progress),
    dnsMetrics: await choosePort(config.ports.dnsMetrics, progress),
  };
  const openLog = async (program: string): Promise<LogFile> => {
    const log = openLogFile(home, program);
    await stack.add(async () => log.close());
    return log;
  };

  const database = await openDatabase(config, progress, stack, openLog);
  const base = baseEnvironment(config);
  const commands = createApiCommand(
    { ...base, ...database.commandEnvironment },
    await openLog("commands"),
    stack.signal,
  );
  if (database.commandEnvironment.DATABASE_MIGRATE_URL === undefined) {
    progress.say("DATABASE_MIGRATE_URL is not set: run the migrations yourself");
  } else {
    await commands(["migrate"]);
    progress.say("the database is up to date");
  }

  const registry = createChildRegistry(home);
  const run = async <Ready>(
    program: string,
    parts: Pick<
      ChildSpec<Ready>,
      "args" | "environment" | "isHotRestart" | "lifeline" | "parseReady" | "onReady"
    >,
  ): Promise<
    { readonly ready: Ready } & Pick<SupervisedChild<Ready>, "send" | "requestHotRestart">
  > => {
    const child = superviseChild({
      ...parts,
      program,
      progress,
      log: await openLog(program),
      onProcess: (pid, isAlive) => registry.track(program, pid, isAlive),
    });
    await stack.add(child.stop);
    const ready = await child.ready;
    progress.say(`${program} ready`);
    return { ready, send: child.send, requestHotRestart: child.requestHotRestart };
  };

  // Zone DNS may take any free port and starts after the api. The api learns the address when zone
  // DNS is ready, and from its environment when it is restarted.
  let zoneServer = config.environment["PALISADE_ZONE_SERVER"];
  // The edge may take any free port as well.
  let javaPort = ports.java;
  const { ready: api, send: sendToApi } = await run<ApiReady>("api", {
    args: [mainFiles.api],
    parseReady: parseApiReady,
    environment: (last) => ({
      ...base,
      DATABASE_URL: database.commandEnvironment.DATABASE_URL,
      PALISADE_HTTP_PORT: String(last === undefined ? ports.http : portOf(last.url)),
      PALISADE_API_METRICS_PORT: String(
        last === undefined ? ports.apiMetrics : portOf(last.metrics),
      ),
      PALISADE_ZONE_SERVER: zoneServer,
      PALISADE_JAVA_PORT: String(javaPort),
    }),
  });
  await writeRunFile(home, "api", { url: api.url });

  const agentEnvironment = async (kind: "edge" | "dns"): Promise<NodeJS.ProcessEnv> => {
    const token = await enrolmentToken(home, kind, commands);
    // Only for the operator to read: a start does not wait for it.
    void credentialProblem(api.url, kind, credentialFile(home, kind)).then((problem) => {
      if (problem !== undefined) progress.say(problem);
    });
    return { ...base, PALISADE_API_URL: api.url, PALISADE_EDGE_TOKEN: token };
  };
  const isZoneServerGiven = Boolean(zoneServer);
  const [{ ready: edge, requestHotRestart: hotRestartEdge }] = await Promise.all([
    run<EdgeReady>("edge", {
      args: [...nodeArgs.edge, mainFiles.edge],
      // Relay processes outlive an edge that crashes, but not the supervisor.
      lifeline: true,
      isHotRestart,
      parseReady: parseEdgeReady,
      onReady: ({ java }) => {
        javaPort = portOf(java);
        sendToApi({ kind: "java-port", port: javaPort });
      },
      environment: async (last) => ({
        ...(await agentEnvironment("edge")),
        PALISADE_JAVA_PORT: String(last === undefined ? ports.java : portOf(last.java)),
        PALISADE_EDGE_METRICS_PORT: String(
          last === undefined ? ports.metrics : portOf(last.metrics),
        ),
      }),
    }),
    run<DnsReady>("dns", {
      args: [mainFiles.dns],
      parseReady: parseDnsReady,
      onReady: ({ dns }) => {
        if (isZoneServerGiven) return;
        zoneServer = dialable(dns);
        sendToApi({ kind: "zone-server", address: zoneServer });
      },
      environment: async (last) => ({
        ...(await agentEnvironment("dns")),
        PALISADE_DNS_PORT: String(last === undefined ? ports.dns : portOf(last.dns)),
        PALISADE_DNS_METRICS_PORT: String(
          last === undefined ? ports.dnsMetrics : portOf(last.metrics),
        ),
      }),
    }),
  ]);
  return { consoleUrl: api.url, java: dialable(edge.java), hotRestartEdge };
}

interface DatabaseAccess {
  readonly commandEnvironment: {
    readonly DATABASE_URL: string;
    readonly DATABASE_MIGRATE_URL: string | undefined;
  };
}

async function openDatabase(
  config: SupervisorConfig,
  progress: Progress,
  stack: UndoStack,
  openLog: (program: string) => Promise<LogFile>,
): Promise<DatabaseAccess> {
  if (config.database !== undefined) {
    const { url, migrateUrl } = config.database;
    return { commandEnvironment: { DATABASE_URL: url, DATABASE_MIGRATE_URL: migrateUrl } };
  }
  const database = await runDatabase(config.home, await openLog("postgres"), progress);
  await stack.add(database.stop);
  progress.say("PostgreSQL started");
  return {
    commandEnvironment: {
      DATABASE_URL: database.runtimeUrl,
      DATABASE_MIGRATE_URL: database.ownerUrl,
    },
  };
}

/** The environment that every program inherits; only the programs that need the database get its URL. */
function baseEnvironment(config: SupervisorConfig): NodeJS.ProcessEnv {
  return {
    NODE_COMPILE_CACHE: compileCache,
    ...config.environment,
    PALISADE_HOME: config.home,
    DATABASE_URL: undefined,
    DATABASE_MIGRATE_URL: undefined,
  };
}
