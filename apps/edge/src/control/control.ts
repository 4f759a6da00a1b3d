import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { edgeRoutes } from "@palisade/contract/edge/edge-routes";
import type { ProbeResult } from "@palisade/contract/edge/probe";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { anyShieldConfig } from "@palisade/contract/edge/earlier-shield-config";
import type { Client } from "@palisade/contract/http/client";
import { createConfigClient, createControlClient } from "@palisade/control-client/config-client";
import { httpFetch } from "@palisade/control-client/http-fetch";
import { parseRecord } from "@palisade/control-client/config-consumer";
import { ensureCredential } from "@palisade/control-client/enrol";
import { keepCredential, reloadCredential } from "@palisade/control-client/credential-renewal";
import { readCredential } from "@palisade/control-client/credential";
import { createFailpoint } from "@palisade/control-client/failpoint";
import {
  createTelemetrySender,
  type TelemetrySender,
} from "@palisade/control-client/telemetry-sender";
import type { Control, ControlDeps } from "#src/ports.ts";
import edgePackage from "../../package.json" with { type: "json" };

/** How long the last report may delay the end of the program. */
const lastReportMs = 2_000;
/** After this time no caller waits for the answer any more. */
const probeAnswerMs = 2_000;

/**
 * The control side of an edge: configuration in, acknowledgements and telemetry out. The packet
 * path waits for nothing here, and no failure here ends the program.
 */
export function createControl(deps: ControlDeps): Control {
  const { apiUrl, log, sink } = deps;
  const folder = join(deps.home, "edge");
  const credentialPath = join(folder, "credential.json");
  const ending = new AbortController();
  const config = createConfigClient<ShieldConfig, never>({
    apiUrl,
    programVersion: edgePackage.version,
    folder: join(folder, "config"),
    failpoint: createFailpoint(deps.failpoints),
    fetch: httpFetch,
    onRefused: (credential) => reloadCredential(credentialPath, credential),
    log,
    consumer: {
      parse: (record) => parseRecord(anyShieldConfig, record),
      apply: (checked) => {
        const result = sink.apply(checked);
        if (!result.ok) throw new Error(result.reason);
      },
      remove: (shieldId) => sink.remove(shieldId),
      ...(deps.served && { served: deps.served }),
    },
    onFleet: (addresses) => deps.fleet.replace(addresses),
    onProbe: (request) => deps.probes.take(request, answerProbe),
  });
  const synchronised = Promise.withResolvers<void>();
  // A rejection without a waiting caller must not end the program.
  synchronised.promise.catch(() => undefined);
  void config.synchronised.then(synchronised.resolve);
  let isReporting = deps.isSuccessor !== true;
  let telemetry: TelemetrySender | null = null;
  let call: Client | null = null;

  function answerProbe(result: ProbeResult): void {
    if (call === null) return;
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(probeAnswerMs)]);
    call(edgeRoutes.probes, { body: result, signal }).catch((error: unknown) => {
      log.debug({ err: error }, "a probe's answer was not delivered");
    });
  }

  async function enrolAndFollow(): Promise<void> {
    const credential = await ensureCredential({
      path: credentialPath,
      apiUrl,
      token: deps.edgeToken,
      kind: "edge",
      addresses: deps.addresses,
      log,
      signal: ending.signal,
      fetch: httpFetch,
    });
    if (ending.signal.aborted) return;
    deps.location.setLocation(credential.location);
    call = createControlClient(apiUrl, credential, httpFetch);
    config.start(credential);
    void keepCredential({ path: credentialPath, credential, call, log, signal: ending.signal });
    telemetry = createTelemetrySender({
      call,
      bootId: randomUUID(),
      source: deps.counters,
      health: deps.health,
      favicons: deps.health.favicons,
      attacks: deps.attacks,
      logins: deps.logins,
      ...(deps.hasVpnLists && { hasVpnLists: deps.hasVpnLists }),
      ...(deps.places && { places: deps.places }),
      log,
    });
    if (isReporting) telemetry.start();
  }

  return {
    async loadLastGood() {
      // An unreadable credential is reported when the stream is opened.
      const credential = await readCredential(credentialPath).catch(() => null);
      if (credential !== null) deps.location.setLocation(credential.location);
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
    takeOver() {
      if (isReporting) return;
      isReporting = true;
      telemetry?.start();
    },
    firstSnapshot: synchronised.promise,
    unfollow: () => config.stop(),
    async stop() {
      ending.abort();
      await telemetry?.stop(lastReportMs);
      await config.stop();
    },
  };
}
