import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { landingFolder } from "./console-files.ts";

const pages = { "/": "index.html", "/terms": "terms.html", "/privacy": "privacy.html" } as const;
/** As the page's file has it; what it holds is put in here, so that no script has to ask for it. */
const placeholder = 'name="operator" content=""';

export interface LandingFacts {
  readonly consoleFolder: string;
  readonly operator: { readonly name: string; readonly address: string; readonly email: string };
  readonly discordInviteUrl: string | undefined;
  readonly sourceUrl: string | undefined;
}

/** The public pages: everything else that is a page belongs to the console's router. */
export async function serveLanding(app: FastifyInstance, facts: LandingFacts): Promise<void> {
  const folder = path.join(facts.consoleFolder, landingFolder);
  if (!existsSync(folder)) return;
  const content = escapeAttribute(
    JSON.stringify({
      ...facts.operator,
      discord: facts.discordInviteUrl ?? "",
      source: facts.sourceUrl ?? "",
    }),
  );
  for (const [url, file] of Object.entries(pages)) {
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      // Read anew each time: a build that was swapped in names other scripts.
      const page = await readFile(path.join(folder, file), "utf8");
      return reply
        .type("text/html; charset=utf-8")
        .header("cache-control", "no-cache")
        .send(page.replace(placeholder, () => `name="operator" content="${content}"`));
    });
  }
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
