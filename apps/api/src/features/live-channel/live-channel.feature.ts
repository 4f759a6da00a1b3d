import { heartbeatSeconds, liveTokenSeconds } from "@palisade/contract/http/live-channel";
import { routes } from "@palisade/contract/http/routes";
import type { FastifyInstance } from "fastify";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { createLiveHub } from "./live-hub.ts";
import { createLiveMetrics } from "./live-metrics.ts";
import { serveLiveChannel } from "./live-socket.plugin.ts";
import { insertLiveToken } from "./live-tokens.repository.ts";
import { createLiveViewers } from "./live-viewers.service.ts";
import { createPresence } from "./presence.ts";
import { createTicketTopics } from "./ticket-topics.ts";

export interface LiveChannelFeature extends Feature {
  readonly plugins: readonly ((app: FastifyInstance) => Promise<void>)[];
}

/** Tells browsers at once about changes of the tickets that they show. */
export function createLiveChannelFeature(
  { db, bus, clock, metrics, log }: Platform,
  publicOrigin: () => string,
): LiveChannelFeature {
  const topics = createTicketTopics({ db, bus, log });
  const presence = createPresence({ db, bus, topics, log });
  const hub = createLiveHub({
    db,
    bus,
    viewers: createLiveViewers({ db, clock }),
    topics,
    presence,
    metrics: createLiveMetrics(metrics),
    log,
  });
  let beating: NodeJS.Timeout | undefined;

  async function createToken({ actor, now }: CustomerContext) {
    if (actor.credential.kind !== "session") throw new DomainError("forbidden");
    const token = newToken(tokenPrefixes.liveChannel);
    const expiresAt = new Date(now.getTime() + liveTokenSeconds * 1_000);
    await insertLiveToken(db, { token, sessionId: actor.credential.id, now, expiresAt });
    return { body: { token, expires_at: expiresAt.toISOString() } };
  }

  return {
    mountRoutes(mount) {
      mount(routes.liveChannel.createLiveToken, createToken);
      mount(routes.liveChannel.readLiveToken, createToken);
    },
    async start() {
      await topics.start();
      await presence.start();
      await hub.start();
      beating = setInterval(() => {
        hub.beat().catch((error: unknown) => log.warn({ err: error }, "A heartbeat has failed"));
      }, heartbeatSeconds * 1_000);
    },
    async stop() {
      clearInterval(beating);
      hub.stop();
      await presence.stop();
      await topics.stop();
    },
    plugins: [(app) => serveLiveChannel(app, { hub, publicOrigin })],
  };
}
