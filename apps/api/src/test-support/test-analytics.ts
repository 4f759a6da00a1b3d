import { randomUUID } from "node:crypto";
import type { MinuteCounters, MinuteDetails } from "@palisade/contract/edge/plain-values";
import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import type { Analytics } from "@palisade/contract/http/analytics";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { rollUp } from "#src/features/telemetry/rollups.repository.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import { createShield, enrolEdge, type TestEdge } from "./test-shields.ts";
import { call, createStaff, createUser, expectStatus, type TestUser } from "./test-users.ts";
import { emptyReport } from "./test-telemetry.ts";

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

export interface AskedAnalytics {
  readonly range?: string;
  readonly from?: string;
  readonly to?: string;
  readonly compare?: string;
}

/** Two edges that report about one shield, and what the api answers of it. */
export class AnalyticsOfTest {
  /** The whole minute that the test began in; the product's clock stands there. */
  readonly now: number;
  readonly testApp: TestApp;
  readonly edges: readonly TestEdge[];
  readonly owner: TestUser;
  readonly shieldId: string;
  #boots: readonly string[] = [];
  #seq = 0;

  constructor(
    testApp: TestApp,
    { edges, owner, shieldId }: Pick<AnalyticsOfTest, "edges" | "owner" | "shieldId">,
  ) {
    this.testApp = testApp;
    this.edges = edges;
    this.owner = owner;
    this.shieldId = shieldId;
    this.now = Math.floor(testApp.clock.nowMs() / minuteMs) * minuteMs;
    this.restartEdges();
  }

  restartEdges(): void {
    this.#boots = this.edges.map(() => randomUUID());
  }

  counters(
    agoMinutes: number,
    changes: Partial<MinuteCounters> = {},
    details: Partial<MinuteDetails> = {},
  ): MinuteCounters {
    return {
      shield_id: this.shieldId,
      minute: new Date(this.now - agoMinutes * minuteMs).toISOString(),
      joins: 0,
      pings: 0,
      refused: {},
      shadowed: {},
      bytes_up: 0,
      bytes_down: 0,
      player_seconds: 0,
      players_max: 0,
      status_hits: 0,
      challenged: 0,
      verified: 0,
      details: { ...noDetails, ...details },
      ...changes,
    };
  }

  /** Counters of a minute with numbers that are drawn. */
  drawn(agoMinutes: number, draw: (max: number) => number): MinuteCounters {
    const counts = {
      joins: draw(9),
      pings: draw(50),
      refused: { rate: draw(5), bot_check: draw(3) },
      bytes_up: draw(1_000_000),
      bytes_down: draw(9_000_000),
      player_seconds: draw(600),
      players_max: draw(20),
      challenged: draw(4),
      verified: draw(3),
    };
    const checks_up = draw(7);
    const tops: MinuteDetails["tops"] = [[`p:${765 + draw(5)}`, counts.joins]];
    const sketch = Array.from({ length: counts.joins }, () => draw(65_536));
    const details = {
      attack_bytes: draw(9_000),
      checks: 7,
      checks_up,
      latency_ms: draw(99),
      tops,
      sketch,
    };
    return this.counters(agoMinutes, counts, details);
  }

  /** The next report of an edge. */
  report(minutes: MinuteCounters[], changes: Partial<TelemetryReport> = {}): TelemetryReport {
    this.#seq += 1;
    return {
      boot_id: this.#boots[0] ?? "",
      seq: this.#seq,
      ...emptyReport,
      minutes,
      ...changes,
    };
  }

  async send(body: TelemetryReport, edge = 0): Promise<void> {
    const answer = call(this.testApp, routes.edge.telemetry, {
      token: this.edges[edge]?.credential ?? "",
      body: { ...body, boot_id: this.#boots[edge] ?? "" },
    });
    await expectStatus(answer, 200);
  }

  ask(query: AskedAnalytics, user = this.owner) {
    return call(this.testApp, routes.analytics.getAnalytics, {
      token: user.token,
      params: { id: this.shieldId },
      query: { ...query },
    });
  }

  async analytics(query: AskedAnalytics = {}, user = this.owner): Promise<Analytics> {
    const answer = await expectStatus(this.ask(query, user), 200);
    return routes.analytics.getAnalytics.response.parse(answer.json());
  }

  /** Until the minute that runs, which is cut to the present. */
  since(ms: number): AskedAnalytics {
    const [from, to] = [new Date(this.now - ms), new Date(this.now + minuteMs)];
    return { range: "custom", from: from.toISOString(), to: to.toISOString() };
  }

  roll(): Promise<boolean> {
    return rollUp(this.testApp.platform.db);
  }
}

const noDetails: MinuteDetails = {
  attack_bytes: 0,
  connections_max: 0,
  checks: 0,
  checks_up: 0,
  latency_ms: 0,
  tops: [],
  sketch: [],
};

/** Gives a test file an app, and each of its tests a shield of two years. */
export function eachTestReports(take: (current: AnalyticsOfTest) => void): void {
  let testApp: TestApp;
  let edges: TestEdge[];
  beforeAll(async () => {
    testApp = await createTestApp();
    const staff = await createStaff(testApp);
    await sql`update pricing_plans set limits = limits - 'analytics_days'`.execute(
      testApp.platform.db,
    );
    edges = [
      await enrolEdge(testApp, staff, { name: "one" }),
      await enrolEdge(testApp, staff, { name: "two" }),
    ];
  });
  afterAll(() => testApp?.close());
  beforeEach(async () => {
    testApp.clock.set(new Date());
    const owner = await createUser(testApp);
    const shieldId = (await createShield(testApp, owner)).id;
    await sql`update shields set created_at = created_at - interval '2 years' where id = ${shieldId}`.execute(
      testApp.platform.db,
    );
    take(new AnalyticsOfTest(testApp, { edges, owner, shieldId }));
  });
}
