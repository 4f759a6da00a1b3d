import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, type Registry } from "prom-client";
import { z } from "zod";
import { addressBucket } from "./pipeline/limits.ts";
import { redactUrl } from "./pipeline/redact-url.ts";
import { createWindowCounter } from "./pipeline/window-counter.ts";

/** Browsers send here what the content security policy kept from loading. */
export const cspReportsPath = "/csp-reports";

const bodyBytesMax = 16 * 1024;
/** Reports of a source that are counted; the log gets one line in each window of all sources. */
const reportsMax = 20;
const windowSeconds = 60;

const text = z.string().max(2_000).catch("");
const legacyReport = z.object({
  "csp-report": z.object({
    "effective-directive": text,
    "violated-directive": text,
    "blocked-uri": text,
    "document-uri": text,
  }),
});
const reportingApi = z
  .array(
    z.object({
      type: z.literal("csp-violation"),
      body: z.object({ effectiveDirective: text, blockedURL: text, documentURL: text }),
    }),
  )
  .min(1)
  .max(20);

interface Violation {
  readonly directive: string;
  readonly blocked: string;
  readonly page: string;
}

/**
 * Counts violations by directive and logs a sample. Reports come from anyone, so that they are only
 * hints: everything in them is shortened to what cannot be a secret.
 */
export async function mountCspReports(app: FastifyInstance, registry: Registry): Promise<void> {
  const counter = new Counter({
    name: "palisade_csp_violations_total",
    help: "Reports of browsers that the content security policy kept something from loading",
    labelNames: ["directive"],
    registers: [registry],
  });
  const windows = createWindowCounter();
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ["application/csp-report", "application/reports+json"],
      { parseAs: "string", bodyLimit: bodyBytesMax },
      (_request, body, done) => done(null, parseJson(String(body))),
    );
    scope.post(cspReportsPath, { schema: { hide: true } }, async (request, reply) => {
      void reply.code(204);
      const now = Date.now();
      const isWithin = (subject: string, max: number): boolean =>
        windows.hit(subject, windowSeconds, now).hits <= max;
      if (!isWithin(addressBucket(request.ip), reportsMax)) return;
      for (const violation of violationsOf(request.body)) {
        counter.labels(violation.directive).inc();
        if (isWithin("log", 1)) logViolation(request, violation);
      }
    });
  });
}

function logViolation(request: FastifyRequest, violation: Violation): void {
  request.log.warn({ violation }, "A browser reports what the content security policy kept out");
}

function violationsOf(body: unknown): readonly Violation[] {
  const legacy = legacyReport.safeParse(body).data?.["csp-report"];
  if (legacy !== undefined) {
    const directive = legacy["effective-directive"] || legacy["violated-directive"];
    return [presented(directive, legacy["blocked-uri"], legacy["document-uri"])];
  }
  return (reportingApi.safeParse(body).data ?? []).map(({ body: report }) =>
    presented(report.effectiveDirective, report.blockedURL, report.documentURL),
  );
}

/** Labels and log lines must not grow by what a stranger sends. */
const directives =
  /^(default|script|style|img|font|connect|manifest|worker|frame|media|object)-src(-elem|-attr)?$|^(base-uri|form-action|frame-ancestors)$/;

function presented(directive: string, blocked: string, page: string): Violation {
  const [first = ""] = directive.split(" ");
  return {
    directive: directives.test(first) ? first : "other",
    blocked: originOf(blocked),
    page: URL.canParse(page) ? redactUrl(new URL(page).pathname, []).slice(0, 200) : "",
  };
}

function originOf(blocked: string): string {
  if (/^(inline|eval|wasm-eval|self|data|blob)$/.test(blocked)) return blocked;
  if (!URL.canParse(blocked)) return "";
  const { protocol, host } = new URL(blocked);
  return `${protocol}//${host}`.slice(0, 200);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
