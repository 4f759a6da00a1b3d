import { createApiCommand } from "./api-command.ts";
import { superviseChild, type ChildSpec, type SupervisedChild } from "./child.ts";
import { createChildrenRecord } from "./children-record.ts";
import type { SupervisorConfig } from "./config.ts";
import { runDatabase } from "./database.ts";
import { credentialComplaint } from "./credential-check.ts";
import { credentialFile, enrolmentToken } from "./enrol.ts";
import { lockHome } from "./home-lock.ts";
import { endLeftovers } from "./leftovers.ts";
import { openLogFile, type LogFile } from "./log-file.ts";
import { choosePort } from "./ports.ts";
import { compileCache, mainFiles, nodeArgs } from "./programs.ts";
import type { Progress } from "./progress.ts";
import {
  dialable,
  isHandOver,
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
  /** Where players connect, as dialled from this machine. */
  readonly java: string;
  /** Has the edge leave its players to a new one. @returns false where there is none to be asked */
  readonly handOverEdge: () => boolean;
}

/** Starts everything in order. What was started is on the stack, also when this throws. */
export async function startPalisade(
  config: SupervisorConfig,
  progress: Progress,
  stack: UndoStack,
): Promise<Palisade> {
  const { home } = config;
  const lock = await lockHome(home, { program: "another Palisade", endsSoon: false });
  await stack.add(lock.release);
  stack.signal.addEventListener("abort", lock.announceEnd);
  await endLeftovers(home, progress);
  const ports = {
    http: await choosePort(config.ports.http, progress),
    java: await choosePort(config.ports.java, progress),
    metrics: await choosePort(config.ports.metrics, progress),
    dns: await choosePort(config.ports.dns, progress),
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
    progress.say("DATABASE_MIGRATE_URL is not set, so migrations are left to you");
  } else {
    await commands(["migrate"]);
    progress.say("database is up to date");
  }

  const record = createChildrenRecord(home);
  const run = async <Facts>(
    program: string,
    parts: Pick<
      ChildSpec<Facts>,
      "args" | "environment" | "isHandOver" | "lifeline" | "parseReady" | "onReady"
    >,
  ): Promise<{ readonly facts: Facts } & Pick<SupervisedChild<Facts>, "tell" | "handOver">> => {
    const child = superviseChild({
      ...parts,
      program,
      progress,
      log: await openLog(program),
      onProcess: (pid, isAlive) => record.track(program, pid, isAlive),
    });
    await stack.add(child.stop);
    const facts = await child.ready;
    progress.say(`${program} ready`);
    return { facts, tell: child.tell, handOver: child.handOver };
  };

  // Zone DNS may take any free port, and starts after the api: which is told then, and at restarts.
  let zoneServer = config.environment["PALISADE_ZONE_SERVER"];
  const { facts: api, tell: tellApi } = await run<ApiReady>("api", {
    args: [mainFiles.api],
    parseReady: parseApiReady,
    environment: (last) => ({
      ...base,
      DATABASE_URL: database.commandEnvironment.DATABASE_URL,
      PALISADE_HTTP_PORT: String(last === undefined ? ports.http : portOf(last.url)),
      PALISADE_ZONE_SERVER: zoneServer,
    }),
  });
  await writeRunFile(home, "api", { url: api.url });

  const nodeEnvironment = async (kind: "edge" | "dns"): Promise<NodeJS.ProcessEnv> => {
    const token = await enrolmentToken(home, kind, commands);
    const complaint = await credentialComplaint(api.url, kind, credentialFile(home, kind));
    if (complaint !== undefined) progress.say(complaint);
    return { ...base, PALISADE_API_URL: api.url, PALISADE_EDGE_TOKEN: token };
  };
  const isZoneServerGiven = Boolean(zoneServer);
  const [{ facts: edge, handOver: handOverEdge }] = await Promise.all([
    run<EdgeReady>("edge", {
      args: [...nodeArgs.edge, mainFiles.edge],
      // Relay processes outlive an edge that crashes, and us they do not.
      lifeline: true,
      isHandOver,
      parseReady: parseEdgeReady,
      environment: async (last) => ({
        ...(await nodeEnvironment("edge")),
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
        tellApi({ kind: "zone-server", address: zoneServer });
      },
      environment: async (last) => ({
        ...(await nodeEnvironment("dns")),
        PALISADE_DNS_PORT: String(last === undefined ? ports.dns : portOf(last.dns)),
      }),
    }),
  ]);
  return { consoleUrl: api.url, java: dialable(edge.java), handOverEdge };
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

/** What every program inherits: nothing of the database but for whom it is meant. */
function baseEnvironment(config: SupervisorConfig): NodeJS.ProcessEnv {
  return {
    NODE_COMPILE_CACHE: compileCache,
    ...config.environment,
    PALISADE_HOME: config.home,
    DATABASE_URL: undefined,
    DATABASE_MIGRATE_URL: undefined,
  };
}
