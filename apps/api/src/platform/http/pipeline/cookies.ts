import type { FastifyReply } from "fastify";
import type { AnswerCookie } from "./mount-types.ts";

/**
 * Over https every cookie of ours is named so that browsers take it from this very host alone, for
 * all of its paths and only over https: a neighbouring subdomain cannot plant one.
 */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

export function setCookies(
  reply: FastifyReply,
  cookies: readonly AnswerCookie[],
  secure: boolean,
): void {
  for (const { name, value, httpOnly, maxAgeSeconds } of cookies) {
    void reply.setCookie(cookieName(name, secure), value, {
      path: "/",
      httpOnly,
      sameSite: "strict",
      secure,
      maxAge: maxAgeSeconds,
    });
  }
}
