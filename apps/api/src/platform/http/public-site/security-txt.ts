import type { FastifyInstance } from "fastify";
import type { Clock } from "#src/platform/clock/clock.ts";

export interface SecurityTxtOptions {
  readonly email: string;
  readonly origin: () => string;
  readonly clock: Clock;
}

const validMs = 180 * 86_400_000;

/** Tells finders of a weakness how to report it (RFC 9116). */
export async function serveSecurityTxt(
  app: FastifyInstance,
  { email, origin, clock }: SecurityTxtOptions,
): Promise<void> {
  const path = "/.well-known/security.txt";
  app.get(path, { schema: { hide: true } }, async (_request, reply) => {
    const expires = new Date(clock.now().getTime() + validMs);
    expires.setUTCHours(0, 0, 0, 0);
    const lines = [
      `Contact: mailto:${email}`,
      `Expires: ${expires.toISOString()}`,
      "Preferred-Languages: en, ru",
      `Canonical: ${origin()}${path}`,
    ];
    void reply.header("cache-control", "max-age=86400");
    return reply.type("text/plain; charset=utf-8").send(`${lines.join("\n")}\n`);
  });
}
