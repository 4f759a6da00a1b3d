import type { FastifyInstance } from "fastify";

/** The address at which the api reaches itself, once it listens. */
export function listeningOrigin(): {
  readonly plugin: (app: FastifyInstance) => Promise<void>;
  readonly origin: () => string | undefined;
} {
  let origin: string | undefined;
  return {
    async plugin(app) {
      app.addHook("onListen", async () => {
        const address = app.server.address();
        if (address === null || typeof address === "string") return;
        const isAny = address.address === "0.0.0.0" || address.address === "::";
        const host = isAny ? "127.0.0.1" : address.address;
        origin = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
      });
    },
    origin: () => origin,
  };
}

interface PublicOriginConfig {
  readonly publicUrl: string | undefined;
  readonly httpHost: string;
  readonly httpPort: number;
}

export interface PublicOrigin {
  readonly plugin: (app: FastifyInstance) => Promise<void>;
  /** Without a slash at the end. */
  readonly origin: () => string;
}

/** The address that people open: PALISADE_PUBLIC_URL, or the one the api listens on. */
export function publicOrigin(config: PublicOriginConfig): PublicOrigin {
  const { plugin, origin } = listeningOrigin();
  return {
    plugin,
    origin: () =>
      config.publicUrl?.replace(/\/$/, "") ??
      origin() ??
      `http://${config.httpHost}:${config.httpPort}`,
  };
}
