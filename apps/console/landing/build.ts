import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type PluginOption } from "vite";
import type * as Prerenderer from "./prerender.tsx";

/** Vite plugins for the public pages: addresses, shared head and rendering ahead. */

const pages = [
  { name: "index", path: "/" },
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
] as const;
const locales = ["en", "ru"] as const;
const folder = import.meta.dirname;

export const landingFiles = pages.map(({ name }) => path.join(folder, `${name}.html`));

/** Serves the public pages in the development server at the addresses the api serves them at. */
export function landingPaths(): Plugin {
  return {
    name: "palisade-landing-paths",
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const asked = request.url?.split("?")[0];
        const page = pages.find((each) => each.path === asked);
        if (page) request.url = `/landing/${page.name}.html`;
        next();
      });
    },
  };
}

/** Adds the shared part of the head to every public page. */
export function landingHead(): Plugin {
  return {
    name: "palisade-landing-head",
    transformIndexHtml: {
      order: "pre",
      async handler(html, { filename }) {
        if (!landingFiles.includes(path.normalize(filename))) return html;
        const head = await readFile(path.join(folder, "head.html"), "utf8");
        return html.replace("<head>", () => `<head>\n${head}`);
      },
    },
  };
}

/**
 * Renders each public page in each language after the build, for the first paint, for browsers
 * without scripts and for search engines. The api serves the result in place of the page's file.
 */
export function renderedAhead(pluginsOfPages: () => PluginOption[]): Plugin {
  let root = "";
  let built = "";
  return {
    name: "palisade-landing-rendered",
    apply: "build",
    configResolved(config) {
      root = config.root;
      built = path.resolve(root, config.build.outDir, "landing");
    },
    async closeBundle() {
      // Inside the package, so that Node resolves the imports of the bundle.
      const modules = path.join(root, "node_modules");
      await mkdir(modules, { recursive: true });
      const bundle = await mkdtemp(path.join(modules, ".prerender-"));
      try {
        await bundlePages(root, bundle, pluginsOfPages());
        const bundled = pathToFileURL(path.join(bundle, "prerender.js")).href;
        const { prerender } = (await import(bundled)) as typeof Prerenderer;
        for (const page of pages) {
          const file = path.join(built, `${page.name}.html`);
          const empty = await readFile(file, "utf8");
          for (const locale of locales) {
            const html = filled(empty, page.path, locale, prerender(page.name, locale));
            await writeFile(path.join(built, `${page.name}.${locale}.html`), html);
          }
          await rm(file);
        }
      } finally {
        await rm(bundle, { recursive: true });
      }
    },
  };
}

async function bundlePages(root: string, outDir: string, plugins: PluginOption[]): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins,
    publicDir: false,
    build: { ssr: path.join(folder, "prerender.tsx"), outDir, target: "es2023" },
  });
}

function filled(
  empty: string,
  pagePath: string,
  locale: string,
  { title, description, body }: { title: string; description: string; body: string },
): string {
  const links = [...locales, "x-default"].map((language) => {
    const search = language === "x-default" ? "" : `?lang=${language}`;
    // The api fills in the address of this installation.
    return `<link rel="alternate" hreflang="${language}" href="__public_url__${pagePath}${search}" />`;
  });
  const head = [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}" />`,
    // Chats show these for a link to the page.
    `<meta property="og:site_name" content="Palisade" />`,
    `<meta property="og:title" content="${escaped(title)}" />`,
    `<meta property="og:description" content="${escaped(description)}" />`,
    ...links,
  ];
  return scriptsLast(empty)
    .replace('<html lang="en"', `<html lang="${locale}" data-rendered="${locale}"`)
    .replace("</head>", () => `${head.join("\n")}\n</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`);
}

/** Loads styles before scripts: the page is readable without the scripts. */
function scriptsLast(html: string): string {
  const styles = [...html.matchAll(/ *<link rel="stylesheet"[^>]*>\n/g)].map(([link]) => link);
  const bare = styles.reduce((rest, link) => rest.replace(link, ""), html);
  return bare
    .replace(/ *<script type="module"/, (script) => `${styles.join("")}${script}`)
    .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"');
}

function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
