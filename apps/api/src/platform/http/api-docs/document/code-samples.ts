import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import type { Parameter } from "./openapi-types.ts";

export interface SampleContext {
  readonly route: RouteDefinition;
  readonly origin: string;
  readonly parameters: readonly Parameter[];
  readonly body: unknown;
}

interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * The call as a command and as a program, ready to run with a key in the environment. Values of the
 * contract's examples stand where the caller's own go.
 */
export function codeSamples(context: SampleContext): readonly CodeSample[] {
  return [
    { lang: "shell", label: "curl", source: curlSample(context) },
    { lang: "typescript", label: "TypeScript", source: typeScriptSample(context) },
  ];
}

/** Query parameters a sample shows: what pages through a list, and what the call cannot do without. */
const shownParameters = new Set(["page", "per_page"]);

function urlOf({ route, origin, parameters }: SampleContext): string {
  const values = new Map(parameters.map(({ name, example }) => [name, String(example)]));
  const path = mountedPath(route).replace(/:(\w+)/g, (_, name: string) => values.get(name) ?? "");
  const query = parameters
    .filter((each) => each.in === "query" && (each.required || shownParameters.has(each.name)))
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return origin + path + (query.length === 0 ? "" : `?${query.join("&")}`);
}

/** Environment variable with the credential; undefined where none is looked at. */
function credentialOf({ access, apiKey }: RouteDefinition): string | undefined {
  if (access === "anonymous") return undefined;
  return apiKey === "none" ? "PALISADE_ACCESS_TOKEN" : "PALISADE_API_KEY";
}

function curlSample(context: SampleContext): string {
  const { route, body } = context;
  const credential = credentialOf(route);
  const method = route.method === "GET" ? "" : ` --request ${route.method}`;
  return [
    `curl --fail-with-body${method} ${quoted(urlOf(context))}`,
    ...(credential === undefined ? [] : [`--header "Authorization: Bearer $${credential}"`]),
    ...(route.idempotent === true ? [`--header 'Idempotency-Key: ${route.id}-0001'`] : []),
    ...(body === undefined
      ? []
      : [`--header 'Content-Type: application/json'`, `--data ${quoted(json(body))}`]),
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typeScriptSample(context: SampleContext): string {
  const { route, body } = context;
  const credential = credentialOf(route);
  const headers = [
    ...(credential === undefined
      ? []
      : [`Authorization: \`Bearer \${process.env.${credential}}\`,`]),
    ...(route.idempotent === true ? [`"Idempotency-Key": crypto.randomUUID(),`] : []),
    ...(body === undefined ? [] : [`"Content-Type": "application/json",`]),
  ];
  const options = [
    ...(route.method === "GET" ? [] : [`method: "${route.method}",`]),
    ...(headers.length === 0 ? [] : ["headers: {", ...headers.map(indented), "},"]),
    ...(body === undefined ? [] : `body: JSON.stringify(${literal(body)}),`.split("\n")),
  ];
  const url = JSON.stringify(urlOf(context));
  const isText = route.response.type === "string";
  return [
    ...(options.length === 0
      ? [`const response = await fetch(${url});`]
      : [`const response = await fetch(${url}, {`, ...options.map(indented), "});"]),
    "if (!response.ok) {",
    "  const problem = (await response.json()) as { code: string; message: string };",
    "  throw new Error(`${problem.code}: ${problem.message}`);",
    "}",
    `console.log(await response.${isText ? "text" : "json"}());`,
  ].join("\n");
}

function indented(line: string): string {
  return `  ${line}`;
}

function literal(value: unknown): string {
  return json(value).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
