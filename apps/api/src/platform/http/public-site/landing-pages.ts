import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { pickLocale, type Locale } from "@palisade/contract/texts/locale";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { landingFolder } from "./console-files.ts";

const pages = { "/": "index", "/terms": "terms", "/privacy": "privacy" } as const;

export interface LandingOptions {
  readonly consoleFolder: string;
  readonly operator: { readonly name: string; readonly address: string; readonly email: string };
  readonly discordInviteUrl: string | undefined;
  readonly sourceUrl: string | undefined;
  readonly publicUrl: string | undefined;
}

interface Page {
  /** As the build wrote it. */
  readonly template: string;
  readonly html: string;
  readonly zipped: Buffer;
}

/** The public pages, in the language of `?lang=` or else of the browser. */
export async function serveLanding(app: FastifyInstance, facts: LandingOptions): Promise<void> {
  const folder = path.join(facts.consoleFolder, landingFolder);
  if (!existsSync(folder)) return;
  const ready = new Map<string, Page>();

  async function pageOf(file: string): Promise<Page> {
    // Read again each time: a new build names other scripts.
    const template = await readFile(path.join(folder, file), "utf8");
    const known = ready.get(file);
    if (known?.template === template) return known;
    const html = fillIn(template, facts);
    const page = { template, html, zipped: await promisify(gzip)(html) };
    ready.set(file, page);
    return page;
  }

  for (const [url, name] of Object.entries(pages)) {
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      const locale = localeOf(request);
      const { html, zipped } = await pageOf(`${name}.${locale}.html`);
      void reply
        .type("text/html; charset=utf-8")
        .header("cache-control", "no-cache")
        .header("content-language", locale)
        .header("vary", "accept-language, accept-encoding");
      if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return reply.send(html);
      return reply.header("content-encoding", "gzip").send(zipped);
    });
    if (url === "/") continue;
    // People type a slash at the end; the console has no such page.
    app.get(`${url}/`, { schema: { hide: true } }, (request, reply) => {
      const [, search] = request.url.split("?");
      return reply.redirect(search === undefined ? url : `${url}?${search}`, 308);
    });
  }
}

const languageQuery = z.object({ lang: z.enum(["en", "ru"]) });

function localeOf(request: FastifyRequest): Locale {
  const asked = languageQuery.safeParse(request.query);
  return asked.success ? asked.data.lang : pickLocale(request.headers["accept-language"]);
}

/**
 * Fills in the facts of this installation, so that no script has to ask for them. A link without a
 * target is removed; the page's script leaves it out as well.
 */
function fillIn(template: string, facts: LandingOptions): string {
  const operator = {
    ...facts.operator,
    discord: facts.discordInviteUrl ?? "",
    source: facts.sourceUrl ?? "",
  };
  const values = new Map<string, string>(
    Object.entries(operator).map(([key, value]) => [`__operator_${key}__`, value]),
  );
  values.set("__public_url__", facts.publicUrl?.replace(/\/$/, "") ?? "");
  const tooMuch = [...values].flatMap(([placeholder, value]) =>
    value === "" ? [linkTo(placeholder)] : [],
  );
  return tooMuch
    .reduce((html, link) => html.replaceAll(link, ""), template)
    .replaceAll(/__\w+?__/g, (found) => escaped(values.get(found) ?? found))
    .replace(
      'name="operator" content=""',
      () => `name="operator" content="${escaped(JSON.stringify(operator))}"`,
    );
}

function linkTo(placeholder: string): RegExp {
  return new RegExp(
    `<a [^>]*href="${placeholder}"[^>]*>.*?</a>|<link [^>]*"${placeholder}.*?>`,
    "g",
  );
}

function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
