import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { StatusDocument } from "@palisade/contract/http/status-page";
import { pickLocale, type Locale } from "@palisade/contract/texts/locale";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Clock } from "#src/platform/clock/clock.ts";
import { renderCard, type PageView } from "./page/page-frame.ts";
import { renderAtom } from "./page/atom-document.ts";
import { renderStatus } from "./page/status-page.ts";
import { statusStyle, type StatusStyle } from "./page/status-style.ts";
import { statusTexts } from "./page/status-texts.ts";
import { freshMsMax, shownStatus } from "./status-document.service.ts";
import { statusPaths } from "./status-paths.ts";
import { dayOf } from "./uptime.service.ts";

export interface StatusSiteDeps {
  /** Undefined: there is none yet. */
  readonly current: () => StatusDocument | undefined;
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly origin: () => string;
  /** The built console, whose font the page uses; undefined where it is not served. */
  readonly consoleFolder: string | undefined;
  /** Whether the page offers subscriptions. */
  readonly canSubscribe: boolean;
}

/** Browsers and proxies may keep it so long. */
const maxAgeSeconds = 20;
const query = z.object({
  lang: z.enum(["en", "ru"]).optional().catch(undefined),
  theme: z.enum(["dark", "light"]).optional().catch(undefined),
});

/** The pages for everyone. They are rendered from memory, so they need no database. */
export async function mountStatusSite(app: FastifyInstance, deps: StatusSiteDeps): Promise<void> {
  const style = statusStyle(deps.consoleFolder);
  const cached = createCache();
  const hidden = { schema: { hide: true } };

  app.get(statusPaths.page, hidden, async (request, reply) => {
    const view = viewOf(request, style);
    const document = deps.current();
    if (document === undefined) return sendNoneYet(reply, view);
    const now = deps.clock.now();
    const key = `page ${view.locale} ${view.theme ?? ""}`;
    const page = await cached(key, document, now, () =>
      renderStatus(document, { ...view, now, canSubscribe: deps.canSubscribe }),
    );
    void reply.type("text/html; charset=utf-8").header("content-security-policy", style.policy);
    void reply.header("content-language", view.locale);
    return sendCached(request, reply, page);
  });
  app.get(`${statusPaths.page}/`, hidden, (_request, reply) =>
    reply.redirect(statusPaths.page, 308),
  );

  app.get(statusPaths.feed, hidden, async (request, reply) => {
    const view = viewOf(request, style);
    const document = deps.current();
    if (document === undefined) return sendNoneYet(reply, view);
    const feed = await cached(`feed ${view.locale}`, document, deps.clock.now(), () =>
      renderAtom(document, deps.origin(), view.locale),
    );
    return sendCached(request, reply.type("application/atom+xml; charset=utf-8"), feed);
  });

  app.get(statusPaths.json, hidden, async (request, reply) => {
    const document = deps.current();
    if (document === undefined) return sendNoneYet(reply, viewOf(request, style));
    const now = deps.clock.now();
    const body = await cached("json", document, now, () => {
      const shown = shownStatus(document, now);
      return JSON.stringify({ ...shown.document, is_stale: shown.isStale });
    });
    // Other sites and programs may show it.
    void reply.header("access-control-allow-origin", "*");
    void reply.header("cross-origin-resource-policy", "cross-origin");
    return sendCached(request, reply.type("application/json; charset=utf-8"), body);
  });
}

export function viewOf(request: FastifyRequest, style: StatusStyle): PageView {
  const { lang, theme } = query.parse(request.query);
  return { locale: lang ?? localeOf(request), theme, style };
}

export function localeOf({ headers }: FastifyRequest): Locale {
  return pickLocale(headers["accept-language"]);
}

/** A page that no cache keeps. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  html: string,
  { policy }: StatusStyle,
): FastifyReply {
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .header("content-security-policy", policy)
    .send(html);
}

function sendNoneYet(reply: FastifyReply, view: PageView): FastifyReply {
  const { noneYetTitle: title, noneYet: lead } = statusTexts[view.locale];
  void reply.header("retry-after", "5");
  return sendPage(reply, 503, renderCard(view, { title, lead }), view.style);
}

interface CachedAnswer {
  readonly text: string;
  readonly zipped: Buffer;
  readonly etag: string;
}

interface Kept {
  readonly document: StatusDocument;
  readonly isOld: boolean;
  readonly day: string;
  readonly answer: Promise<CachedAnswer>;
}

/** Renders once for each document; again where time alone has made it old, or it is another day. */
function createCache() {
  const kept = new Map<string, Kept>();
  return (key: string, document: StatusDocument, now: Date, render: () => string) => {
    const isOld = now.getTime() - new Date(document.generated_at).getTime() > freshMsMax;
    const day = dayOf(now);
    const known = kept.get(key);
    if (known?.document === document && known.isOld === isOld && known.day === day)
      return known.answer;
    const answer = answerOf(render);
    kept.set(key, { document, isOld, day, answer });
    return answer;
  };
}

async function answerOf(render: () => string): Promise<CachedAnswer> {
  const text = render();
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  return { text, zipped: await promisify(gzip)(text), etag: `"${hash}"` };
}

function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, zipped, etag }: CachedAnswer,
): FastifyReply {
  const takesGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  // A weak one: the same content comes compressed and plain.
  const weak = `W/${etag}`;
  void reply
    .header("cache-control", `public, max-age=${maxAgeSeconds}`)
    .header("vary", "accept-language, accept-encoding")
    .header("etag", weak);
  if (request.headers["if-none-match"]?.includes(weak) === true) return reply.code(304).send();
  if (!takesGzip) return reply.send(text);
  return reply.header("content-encoding", "gzip").send(zipped);
}
