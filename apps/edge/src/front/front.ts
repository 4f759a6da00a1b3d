import { randomInt } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { Dialler } from "#src/forwarding/dialler.ts";
import type { Admission } from "#src/listeners/admission.ts";
import { GroupPorts } from "#src/listeners/group-ports.ts";
import { Ingress } from "#src/listeners/ingress.ts";
import { JavaListener } from "#src/listeners/java-listener.ts";
import type { EdgeLimits } from "#src/listeners/limits.ts";
import { RawSession } from "#src/listeners/raw-session.ts";
import type { PortOpening } from "#src/listeners/port-opening.ts";
import type { RelayHost } from "#src/relay/relay-host.ts";
import { rangesOf } from "#src/routing/dial-policy.ts";
import type { SessionDeps } from "#src/session/session-deps.ts";
import { ShieldRegistry, type ShieldRegistryDeps } from "#src/shields/shield-registry.ts";
import { fetchStatus } from "#src/status/fetch-status.ts";
import { StatusService } from "#src/status/status-service.ts";
import type { BackendNews } from "./backend-news.ts";
import type { Outbound } from "./outbound.ts";

export interface FrontOptions {
  readonly limits: EdgeLimits;
  readonly monotonicMs: () => number;
  readonly log: Logger;
  /** Proxies in front of the edge, which name the player in a PROXY header. */
  readonly trustedProxies: readonly string[];
  /** Sources that may not connect at all for a while; see `BanTable`. */
  readonly isBanned?: ((sourceKey: string) => boolean) | undefined;
}

export interface FrontDeps
  extends
    Pick<SessionDeps, "attacks" | "logins" | "verification" | "mitigation" | "outcomes" | "log">,
    Pick<ShieldRegistryDeps, "counters" | "checks"> {
  readonly admission: Admission;
  readonly news: BackendNews;
  readonly relays: RelayHost;
  readonly opening: PortOpening;
  /** Where other attack rules than before count. */
  readonly board: ShieldRegistryDeps["attacks"];
}

/** From the accepted connection to the relay, for one thread. */
export function createFront(options: FrontOptions, outbound: Outbound, deps: FrontDeps) {
  const { limits, monotonicMs } = options;
  const { wheel, fds, ownPorts, resolver } = outbound;
  const { news, admission, outcomes, opening } = deps;
  const dialler = new Dialler({ ...outbound, health: news });
  const statuses = new StatusService({
    nowMs: monotonicMs,
    patienceMs: limits.statusMs,
    fetch: async (question) => {
      const result = await fetchStatus(question, dialler, wheel);
      if (result.kind === "answer") news.succeeded(question.backend);
      return result;
    },
  });
  const ingress = new Ingress(
    { admission, limits, outcomes, wheel },
    rangesOf(options.trustedProxies),
    options.isBanned,
  );
  const ports = new GroupPorts({
    ingress,
    wheel,
    log: options.log,
    fds,
    begin: (socket, sourceKey, connection, shield) =>
      void new RawSession(socket, sourceKey, connection, shield, sessions),
    ownPorts,
    opening,
  });
  const { counters, checks, board: attacks } = deps;
  const shields = new ShieldRegistry({ counters, resolver, ports, checks, statuses, attacks });
  const sessions: SessionDeps = {
    ...deps,
    limits,
    wheel,
    shields,
    statuses,
    dialler,
    health: news,
    bootSeed: randomInt(0x1_0000_0000),
  };
  const listener = new JavaListener(sessions, ingress, opening);
  return {
    shields,
    statuses,
    admission,
    ports,
    /** Takes players from now on. @throws where the address cannot be had */
    async listen(host: string, port: number): Promise<AddressInfo> {
      const address = await listener.listen(host, port);
      ownPorts.add(address.port);
      ports.listen(host);
      return address;
    },
    /** Takes no more players, and drops who is none. */
    stop(): void {
      listener.stop();
      ports.stop();
    },
  };
}

export type Front = ReturnType<typeof createFront>;
