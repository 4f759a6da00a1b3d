import { routes } from "@palisade/contract/http/routes";
import type { DoctorReport } from "@palisade/contract/http/server-setup";
import type { Updateable } from "kysely";
import { expect } from "vitest";
import type { Database } from "#src/schema/database.ts";
import type { DoctorStage } from "./test-doctor.ts";
import { call } from "./test-users.ts";

/** The doctor's report on the stage's shield, which holds what every report has to. */
export async function runDoctor(
  stage: DoctorStage,
  user = stage.owner,
  locale = "en",
): Promise<DoctorReport> {
  const answer = await call(stage.testApp, routes.doctor.runDoctor, {
    token: user.token,
    params: { id: stage.shield.id },
    headers: { "accept-language": locale },
  });
  expect(answer.statusCode).toBe(200);
  const report = routes.doctor.runDoctor.response.parse(answer.json());
  for (const finding of report.findings) {
    expect(finding.code.startsWith(`${finding.subject}.`)).toBe(true);
    // Whatever is not well comes with what to do about it, and nothing is left to fill in.
    expect(finding.fix === null).toBe(finding.outcome === "ok");
    expect(`${finding.title} ${finding.fix} ${finding.seen}`).not.toMatch(/[{}]|undefined|§/);
  }
  return report;
}

/** Changes every group of the stage's shield. */
export const setGroup = (stage: DoctorStage, change: Updateable<Database["backend_groups"]>) =>
  stage.testApp.platform.db
    .updateTable("backend_groups")
    .set(change)
    .where("shield_id", "=", stage.shield.id)
    .execute();
