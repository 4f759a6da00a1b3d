import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { shieldConfig, type ShieldConfig } from "@palisade/contract/edge/shield-config";
import { createConfigClient, createNodeClient } from "@palisade/control-client/config-client";
import { parseRecord } from "@palisade/control-client/config-sink";
import { ensureCredential } from "@palisade/control-client/enrol";
import { createFailpoint } from "@palisade/control-client/failpoint";
import {
  createTelemetrySender,
  type TelemetrySender,
} from "@palisade/control-client/telemetry-sender";
import type { Control, ControlDeps } from "#src/ports.ts";

/** How long leftover counters may hold up the end of the program. */
const lastReportMs = 2_000;

/**
 * The control side of an edge: configuration in, acknowledgements and telemetry out. Nothing
 * here is waited for by the packet path, and nothing that fails here ends the program.
 */
export function createControl(deps: ControlDeps): Control {
  const { apiUrl, log, sink } = deps;
  const folder = join(deps.home, "edge");
  const ending = new AbortController();
  const config = createConfigClient<ShieldConfig, never>({
    apiUrl,
    folder: join(folder, "config"),
    failpoint: createFailpoint(deps.failpoints),
    log,
    sink: {
      parse: (record) => parseRecord(shieldConfig, record),
      apply: (checked) => {
        const result = sink.apply(checked);
        if (!result.ok) throw new Error(result.reason);
      },
      remove: (shieldId) => sink.remove(shieldId),
    },
  });
  const synchronised = Promise.withResolvers<void>();
  // Whoever waits for it gets the error; nobody has to.
  synchronised.promise.catch(() => undefined);
  void config.synchronised.then(synchronised.resolve);
  let telemetry: TelemetrySender | null = null;

  async function enrolAndFollow(): Promise<void> {
    const credential = await ensureCredential({
      path: join(folder, "credential.json"),
      apiUrl,
      token: deps.edgeToken,
      kind: "edge",
      addresses: deps.addresses,
      log,
      signal: ending.signal,
    });
    if (ending.signal.aborted) return;
    config.start(credential);
    telemetry = createTelemetrySender({
      call: createNodeClient(apiUrl, credential),
      bootId: randomUUID(),
      source: deps.counters,
      log,
    });
    telemetry.start();
  }

  return {
    async loadLastGood() {
      const { shields } = await config.load();
      return { found: shields > 0, shields };
    },
    start() {
      enrolAndFollow().catch((error: unknown) => {
        if (ending.signal.aborted) return;
        log.error({ err: error }, error instanceof Error ? error.message : "enrolment failed");
        synchronised.reject(error);
      });
    },
    firstSnapshot: synchronised.promise,
    async stop() {
      ending.abort();
      await telemetry?.stop(lastReportMs);
      await config.stop();
    },
  };
}
