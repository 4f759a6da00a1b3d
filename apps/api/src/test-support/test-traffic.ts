import { randomUUID } from "node:crypto";
import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createTestApp, type TestApp } from "./test-app.ts";
import { createShield, enrolEdge, type TestEdge } from "./test-shields.ts";
import { call, createStaff, createUser, expectStatus, type TestUser } from "./test-users.ts";
import { emptyReport } from "./test-telemetry.ts";

export const minuteMs = 60_000;

interface TrafficApp {
  readonly testApp: TestApp;
  readonly staff: TestUser;
  /** Two edges of one location. */
  readonly edge: TestEdge;
  readonly other: TestEdge;
}

/** Reports of edges about a shield, and what its owner reads of it. */
export class TrafficOfTest implements TrafficApp {
  readonly testApp: TestApp;
  readonly staff: TestUser;
  readonly edge: TestEdge;
  readonly other: TestEdge;
  readonly owner: TestUser;
  readonly shieldId: string;
  readonly bootId = randomUUID();
  #seq = 0;

  constructor(app: TrafficApp, owner: TestUser, shieldId: string) {
    this.testApp = app.testApp;
    this.staff = app.staff;
    this.edge = app.edge;
    this.other = app.other;
    this.owner = owner;
    this.shieldId = shieldId;
  }

  /** The start of the clock's minute, or of one before it. */
  minute(ago = 0): string {
    const now = this.testApp.clock.nowMs();
    return new Date(now - (now % minuteMs) - ago * minuteMs).toISOString();
  }

  counters(changes: Partial<MinuteCounters> = {}): MinuteCounters {
    return {
      shield_id: this.shieldId,
      minute: this.minute(),
      joins: 1,
      pings: 2,
      refused: { blacklist: 3, offline: 1 },
      bytes_up: 1_000,
      bytes_down: 9_000,
      player_seconds: 120,
      players_max: 3,
      status_hits: 1,
      shadowed: {},
      challenged: 0,
      verified: 0,
      ...changes,
    };
  }

  /** The next report of an edge that has started once. */
  report(changes: Partial<TelemetryReport> = {}): TelemetryReport {
    this.#seq += 1;
    return {
      boot_id: this.bootId,
      seq: this.#seq,
      ...emptyReport,
      ...changes,
    };
  }

  /** @returns whether the report counts now and did not before */
  async send(body: TelemetryReport, from = this.edge): Promise<boolean> {
    const sent = call(this.testApp, routes.edge.telemetry, { token: from.credential, body });
    const answer = await expectStatus(sent, 200);
    return routes.edge.telemetry.response.parse(answer.json()).accepted;
  }

  async overview(id = this.shieldId, user = this.owner) {
    const answer = await call(this.testApp, routes.servers.getOverview, {
      token: user.token,
      params: { id },
    });
    return routes.servers.getOverview.response.parse(answer.json());
  }
}

/** Gives a test file an app with two edges, and each of its tests an owner with a new shield. */
export function eachTestHasTraffic(take: (current: TrafficOfTest) => void): void {
  let app: TrafficApp;
  beforeAll(async () => {
    const testApp = await createTestApp();
    // Edges count in real minutes; the product's clock has to agree with them here.
    testApp.clock.set(withinTheHour());
    const staff = await createStaff(testApp);
    const edge = await enrolEdge(testApp, staff, { name: "one" });
    app = { testApp, staff, edge, other: await enrolEdge(testApp, staff, { name: "two" }) };
  });
  afterAll(() => app?.testApp.close());
  beforeEach(async () => {
    const owner = await createUser(app.testApp);
    take(new TrafficOfTest(app, owner, (await createShield(app.testApp, owner)).id));
  });
}

/** Now, or a minute ago if the hour has just begun: the tests' two minutes belong to one hour. */
function withinTheHour(): Date {
  const now = new Date();
  return now.getUTCMinutes() === 0 ? new Date(now.getTime() - minuteMs) : now;
}
