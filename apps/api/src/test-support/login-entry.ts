import { randomUUID } from "node:crypto";
import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import { expect } from "vitest";
import type { TestApp } from "./test-app.ts";
import type { TestEdge } from "./test-shields.ts";
import { call } from "./test-users.ts";
import { emptyReport } from "./test-telemetry.ts";

/** A login as an edge reports it: Notch has joined. */
export function loginEntry(
  of: Pick<LoginEntry, "at" | "shield_id"> & Partial<LoginEntry>,
): LoginEntry {
  return {
    trace: "7K3M9QXW",
    verdict: "joined",
    shadow: false,
    ip: "203.0.113.7",
    player: "Notch",
    protocol: 765,
    host: "",
    facts: {},
    ...of,
  };
}

/** Reports logins, and nothing else, as one start of this edge does. */
export function createLoginReports(testApp: TestApp, edge: TestEdge) {
  const bootId = randomUUID();
  let seq = 0;
  return async (logins: readonly LoginEntry[]): Promise<void> => {
    seq += 1;
    const answer = await call(testApp, routes.edge.telemetry, {
      token: edge.credential,
      body: { boot_id: bootId, seq, ...emptyReport, logins: [...logins] },
    });
    expect([answer.statusCode, answer.json().accepted]).toEqual([200, true]);
  };
}
