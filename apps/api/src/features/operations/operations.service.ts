import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import type { Operations } from "@palisade/contract/http/staff-operations";
import { purchaseFreeze } from "#src/features/ledger/purchase-freeze.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import apiPackage from "../../../package.json" with { type: "json" };
import {
  countEdges,
  countShields,
  countWebhooks,
  selectLastComparison,
  selectMoney,
  selectQueues,
  selectTraffic,
  selectVersions,
  type QueueRow,
} from "./operations.repository.ts";

/** Queues whose jobs are mails. */
const mailQueue = /^mail\b/;

/** The state of the installation: each figure comes from the tables that the work itself uses. */
export async function readOperations(db: Db, now: Date): Promise<Operations> {
  const [traffic, shields, edges, queues, webhooks, money, comparison, versions, freeze] =
    await Promise.all([
      selectTraffic(db),
      countShields(db),
      countEdges(db),
      selectQueues(db),
      countWebhooks(db, now),
      selectMoney(db),
      selectLastComparison(db),
      selectVersions(db),
      purchaseFreeze(db),
    ]);
  const mails = queues.filter(({ name }) => mailQueue.test(name));
  return {
    at: now.toISOString(),
    traffic: numbers(traffic),
    shields: numbers(shields),
    edges: numbers(edges),
    jobs: queues.map((row) => ({
      name: row.name,
      ...countsOf(row),
      active: Number(row.active),
      oldest_at: row.oldest_at?.toISOString() ?? null,
    })),
    mails: {
      waiting: sum(mails.map(({ waiting, active }) => Number(waiting) + Number(active))),
      failed: sum(mails.map(({ failed }) => Number(failed))),
    },
    webhooks: numbers(webhooks),
    money: {
      frozen_since: freeze?.since.toISOString() ?? null,
      ...numbers(money),
      last_comparison:
        comparison === undefined
          ? null
          : {
              day: comparison.day,
              provider: comparison.provider,
              differences: comparison.differences.length,
            },
    },
    versions: {
      api: apiPackage.version,
      node: process.versions.node,
      database: versions.database,
      config: Number(versions.config),
      config_schema: configSchemaVersion,
    },
  };
}

function countsOf(row: QueueRow) {
  return { waiting: Number(row.waiting), failed: Number(row.failed) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The driver reads counts as text. */
function numbers<Name extends string>(row: Readonly<Record<Name, string>>): Record<Name, number> {
  // The keys are those of the row.
  return Object.fromEntries(
    Object.entries<string>(row).map(([name, value]) => [name, Number(value)]),
  ) as Record<Name, number>;
}
