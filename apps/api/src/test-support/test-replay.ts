import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import type { MitigationReplay } from "@palisade/contract/http/replay";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { createLoginReports, loginEntry } from "./login-entry.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import { createShield, enrolEdge } from "./test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "./test-users.ts";

/** A login so many seconds ago; one second is the same for whole and for part numbers. */
export type ToldLogin = Omit<Partial<LoginEntry>, "at"> & { readonly ago: number };

export interface ReplayOfTest {
  readonly testApp: TestApp;
  readonly owner: TestUser;
  readonly shieldId: string;
  /** Logins as an edge tells them. */
  log(told: readonly ToldLogin[], of?: string): Promise<void>;
  save(body: object): Promise<unknown>;
  ask(body: object, user?: TestUser): ReturnType<typeof call>;
  replay(body: object, user?: TestUser): Promise<MitigationReplay>;
}

/** Gives a test file an app with an edge, and each of its tests an owner with a new shield of a paid plan. */
export function eachTestReplays(take: (current: ReplayOfTest) => void): void {
  let testApp: TestApp;
  let report: ReturnType<typeof createLoginReports>;
  beforeAll(async () => {
    testApp = await createTestApp();
    // A whole second, so that milliseconds after it are in one.
    testApp.clock.set(new Date(Math.floor(Date.now() / 1_000) * 1_000));
    const edge = await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
    report = createLoginReports(testApp, edge);
  });
  afterAll(() => testApp?.close());
  beforeEach(async () => {
    const owner = await createUser(testApp);
    const shieldId = (await createShield(testApp, owner)).id;
    await sql`
      update shields set pricing_plan_id = (select id from pricing_plans where slug = 'pro')
      where id = ${shieldId}
    `.execute(testApp.platform.db);
    const params = { id: shieldId };
    const ask = (body: object, user = owner) =>
      call(testApp, routes.replay.replayMitigation, { token: user.token, params, body });
    take({
      testApp,
      owner,
      shieldId,
      log: (told, of = shieldId) =>
        report(
          told.map(({ ago, ...entry }) => {
            const at = new Date(testApp.clock.nowMs() - ago * 1_000).toISOString();
            return loginEntry({ at, shield_id: of, attempt: {}, ...entry });
          }),
        ),
      save: (body) =>
        call(testApp, routes.mitigation.updateMitigation, { token: owner.token, params, body }),
      ask,
      async replay(body, user) {
        const answer = await ask(body, user);
        expect(answer.statusCode, answer.body).toBe(200);
        return routes.replay.replayMitigation.response.parse(answer.json());
      },
    });
  });
}

/** Each change as `player: from > to`, with the reason of a refusal, the oldest first. */
export function changesOf({ changes }: MitigationReplay): string[] {
  return changes
    .flatMap(({ rows }) => rows)
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map(({ player, saved, proposed }) => {
      const [from, to] = [saved, proposed].map(({ outcome, refusal }) => refusal ?? outcome);
      return `${player}: ${from} > ${to}`;
    });
}

/** No setting acts. */
export const noMitigation = {
  antibot_level: "disabled",
  mitigation_threshold_enabled: false,
} as const;

/** Networks of their own, so that no rate is met. */
export const networkOf = (n: number) => `198.51.${n}.1`;
