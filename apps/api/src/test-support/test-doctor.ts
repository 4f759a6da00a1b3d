import type { ProbeAttempt, ProbeRequest, ProbeResult } from "@palisade/contract/edge/probe";
import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import type { DoctorFinding, DoctorReport } from "@palisade/contract/http/server-setup";
import type { Server } from "@palisade/contract/http/servers";
import { startFakeZone, type FakeRecord, type FakeZone } from "@palisade/testing/fake-zone";
import { createTestApp, type TestApp } from "./test-app.ts";
import { createShield, enrolEdge, type TestEdge } from "./test-shields.ts";
import { openTestStream, type TestStream } from "./test-stream.ts";
import { call, createStaff, createUser, type TestUser } from "./test-users.ts";

export const alias = (name: string, value: string): FakeRecord => ({ type: "CNAME", name, value });
export const address = (name: string): FakeRecord => ({ type: "A", name, value: "198.51.100.7" });
export const domainOf = (of: Server): string => of.domain ?? "";

export function status(change: Partial<NonNullable<ProbeAttempt["status"]>> = {}) {
  return {
    motd: ["Hi"],
    version: "§6Paper 1.21.4",
    protocol: 769,
    players_online: 12,
    players_max: 100,
    favicon: null,
    ...change,
  };
}

export const online = (proxy: boolean, of = status()): ProbeAttempt => ({
  proxy,
  outcome: "online",
  latency_ms: 8,
  status: of,
});
export const unseen = (proxy: boolean, outcome: ProbeAttempt["outcome"]): ProbeAttempt => ({
  proxy,
  outcome,
  latency_ms: null,
  status: null,
});
export const healthy = [online(false), unseen(true, "not_minecraft")];

export const codesOf = ({ findings }: DoctorReport): string[] => findings.map(({ code }) => code);

/** The report's finding of that code, of which there is exactly one. */
export function theOne(report: DoctorReport, code: string): DoctorFinding {
  const [finding, ...others] = report.findings.filter((each) => each.code === code);
  if (finding !== undefined && others.length === 0) return finding;
  throw new Error(`Not one ${code} among ${codesOf(report).join(" ")}`);
}

type Reply = (request: ProbeRequest) => ProbeAttempt[] | undefined;

/** The place where the edge has found the token of the request. */
type Proves = (request: ProbeRequest) => ProbeResult["proven"];

/** The edge's pings for Bedrock. */
type SeesBedrock = (request: ProbeRequest) => ProbeResult["bedrock"];

interface Answers {
  readonly reply: Reply;
  readonly proves: Proves;
  readonly bedrock: SeesBedrock;
  /** Newest schema of configurations that it reads. */
  readonly schema: number;
}

/** A shield whose domain points at it, no edge yet, and edges that answer as told. */
export interface DoctorFixture {
  readonly testApp: TestApp;
  readonly staff: TestUser;
  readonly zone: FakeZone;
  /** Those of the running test. */
  readonly owner: TestUser;
  readonly shield: Server;
  /** For each test anew. */
  begin(): Promise<void>;
  /** Another shield of the owner; every edge is revoked afterwards. */
  createShield(): Promise<Server>;
  /** An edge that runs the newest settings and answers every probe so; without a reply, none. */
  startEdge(
    name: string,
    reply?: Reply,
    others?: Partial<Omit<Answers, "reply">>,
  ): Promise<TestEdge>;
  acknowledge(
    edge: TestEdge,
    revision: number,
    outcome: "applied" | "rejected",
    reason?: string,
  ): Promise<void>;
  revokeEdges(): Promise<void>;
  closeStreams(): void;
  close(): Promise<void>;
}

export async function createDoctorFixture(): Promise<DoctorFixture> {
  const zone = await startFakeZone();
  const config = { dnsResolvers: [zone.address] };
  const testApp = await createTestApp({ config });
  // It holds the edges' streams, so that what is asked here is answered there.
  const streaming = await createTestApp({ config, sharing: testApp });
  const staff = await createStaff(testApp);
  const streams: TestStream[] = [];
  let current: { readonly owner: TestUser; readonly shield: Server } | undefined;
  let serial = 0;

  const now = () => {
    if (current === undefined) throw new Error("No test has begun");
    return current;
  };

  async function revokeEdges(): Promise<void> {
    await testApp.platform.db
      .updateTable("edges")
      .set({ revoked_at: new Date(), credential_hash: null })
      .where("revoked_at", "is", null)
      .execute();
  }

  async function createShieldOf(owner: TestUser): Promise<Server> {
    serial += 1;
    // A location can be chosen while it has an edge.
    await enrolEdge(testApp, staff, { name: `first-${serial}` });
    const shield = await createShield(testApp, owner, { domain: `play${serial}.example.test` });
    await revokeEdges();
    return shield;
  }

  const fixture: DoctorFixture = {
    testApp,
    staff,
    zone,
    get owner() {
      return now().owner;
    },
    get shield() {
      return now().shield;
    },
    async begin() {
      const owner = await createUser(testApp);
      // Enrolments of one address are limited.
      testApp.clock.advance(600_000);
      const shield = await createShieldOf(owner);
      current = { owner, shield };
      zone.faults = {};
      zone.records = [alias(domainOf(shield), shield.cname_record), address(shield.cname_record)];
    },
    createShield: () => createShieldOf(now().owner),
    async startEdge(
      name,
      reply = () => healthy,
      { proves = () => null, bedrock = () => null, schema = configSchemaVersion } = {},
    ) {
      const edge = await enrolEdge(testApp, staff, { name });
      const stream = await openTestStream(streaming, edge, { schema });
      streams.push(stream);
      await stream.next("snapshot_end");
      await fixture.acknowledge(edge, 1, "applied");
      // Ends with its stream.
      void answerProbes(streaming, edge, stream, { reply, proves, bedrock }).catch(() => undefined);
      return edge;
    },
    async acknowledge(edge, revision, outcome, reason) {
      const ack = { shield_id: now().shield.id, revision, outcome, ...(reason ? { reason } : {}) };
      await call(testApp, routes.edge.acks, {
        token: edge.credential,
        body: { version: 0, acks: [ack] },
      });
    },
    revokeEdges,
    closeStreams() {
      for (const stream of streams.splice(0)) stream.close();
    },
    async close() {
      await streaming.close();
      await testApp.close();
      await zone.close();
    },
  };
  return fixture;
}

async function answerProbes(
  replica: TestApp,
  edge: TestEdge,
  stream: TestStream,
  { reply, proves, bedrock }: Omit<Answers, "schema">,
): Promise<void> {
  for (;;) {
    const { probe } = await stream.next("probe");
    const attempts = reply(probe);
    if (attempts === undefined) continue;
    const body = { id: probe.id, attempts, proven: proves(probe), bedrock: bedrock(probe) };
    await call(replica, routes.edge.probes, { token: edge.credential, body });
  }
}
