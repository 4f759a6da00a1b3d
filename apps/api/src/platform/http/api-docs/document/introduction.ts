import { commonErrors, errorStatus, type ErrorCode } from "@palisade/contract/errors/codes";
import { stepUpMinutes } from "@palisade/contract/http/two-factor";
import { basePaths, mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { limitsText, auditedCallsText } from "./access-texts.ts";
import { exampleProblem } from "./problem-responses.ts";

/** The reference's first chapter; what can be derived from the routes is. */
export function introduction(origin: string, routes: readonly RouteDefinition[]) {
  return {
    title: "Palisade API",
    version: "1",
    description: [
      `Palisade shields game servers from denial-of-service attacks. Everything the console does, it does through this API.

[Open the console](/dashboard)

# First call

Create an API key in the console under [Profile → Security](/dashboard/profile?tab=security), then:

\`\`\`shell
export PALISADE_API_KEY=psk_...
curl --header "Authorization: Bearer $PALISADE_API_KEY" ${origin}${basePaths.api}/auth/user
\`\`\`

Calls go to \`${origin}${basePaths.api}\`; bodies and answers are JSON in UTF-8. \`Test Request\` beside each call makes it from this page: paste a key into *Authentication* first. The page forgets it when you close it.

# Authentication

Every call that needs a credential carries \`Authorization: Bearer ...\` with one of two:

- An **API key** (\`psk_...\`) for programs. The profile's own key may read and write, can be shown again after you prove who you are, and stops working the moment you regenerate it. Further keys have a name, a scope and, if you want, an expiry date; each is shown once and deleted separately.
- An **access token** (\`pst_...\`) of a session, from \`POST ${basePaths.api}/auth/login\`. Only an access token can change the profile and sessions and start payments.

Calls that a thief of a session must not make (a new key, another e-mail, a sub-user, a deletion, the end of a session, the export) answer 403 \`step_up_required\` once the last login is older than ${stepUpMinutes} minutes: prove who you are with \`POST ${basePaths.api}/profile/step-up\` and repeat the call with the new access token of its answer, since the old one stops working.

# Scopes

A key of scope \`read\` can make the calls marked \`read\`; a key of scope \`write\` can make all calls in this table. A key that may not make a call gets 403 \`forbidden\`; a missing, expired or revoked one 401 \`unauthenticated\`.`,
      keyTable(routes),
      `# Rate limits

Limits are counted per call, or over several calls where the table says so. They hold for the whole installation, except for those at each api process, and a window begins with its first call. Refused calls count too; limits by e-mail count them once the fields are valid. Each call's own limits are listed with it. In addition, all changes of an account are counted together, and so are all its calls by API key: ${auditedCallsText()} of either kind. Over a limit the answer is 429 \`rate_limited\`: the header \`Retry-After\` and \`retry_after\` in the body say in how many seconds the window ends. An earlier try is refused again and does not prolong the wait. Under overload, calls below their limits can be refused too, with 503 \`unavailable\` and \`Retry-After\`.

# Errors

Every error is \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). Let your program decide by \`code\`, which is stable, and show \`message\` to people: it is in the language of the request. \`issues\` names the refused fields. Quote \`request_id\` to support.

\`\`\`json
${JSON.stringify(exampleProblem("validation_failed"), null, 2)}
\`\`\``,
      errorTable(routes),
      `# Idempotency

Calls that create or cost something take an \`Idempotency-Key\`: any text of your choice, a new one for each thing you want done. If you repeat a call with the same key and body, for example after a time-out, it is done once and you get the first answer again. The same key with another body is 422 \`idempotency_mismatch\`; while the first call is still under way, 409 \`idempotency_in_progress\`. Keys are kept for a day.

# Paging

Lists take \`page\` (from 1) and \`per_page\` (at most 100). The answer has the rows in \`data\`, and \`current_page\`, \`per_page\`, \`last_page\` and \`total\` beside it and again under \`meta\`.

# Versions of settings

Settings that several people may change carry an \`ETag\`. Send it back as \`If-Match\` with your change: when another person was faster, the answer is 412 \`precondition_failed\` and nothing is overwritten. Without \`If-Match\` the last one wins.

# Language

\`Accept-Language: ru\` or \`en\` chooses the language of \`message\` and of names in answers; English is the default.

# Times and money

Times are RFC 3339 in UTC, for example \`2026-11-01T12:00:00.000Z\`. Money is euros: \`..._cents\` is the exact integer, the string beside it has two digits for display.`,
    ].join("\n\n"),
  };
}

/** The calls that an API key can make, and how often. */
function keyTable(routes: readonly RouteDefinition[]): string {
  const rows = routes
    .filter(({ apiKey }) => apiKey !== "none")
    .map(
      (route) =>
        `| ${route.method} ${mountedPath(route).replace(/:(\w+)/g, "{$1}")} | ${route.apiKey} | ${limitsText(route)} |`,
    );
  return ["| Call | Scope | Rate limit |", "| --- | --- | --- |", ...rows].join("\n");
}

function errorTable(routes: readonly RouteDefinition[]): string {
  const codes = new Set<ErrorCode>([...commonErrors, ...routes.flatMap(({ errors }) => errors)]);
  const rows = [...codes]
    .toSorted((a, b) => errorStatus[a] - errorStatus[b])
    .map((code) => `| ${errorStatus[code]} | \`${code}\` | ${exampleProblem(code).message} |`);
  return ["| Status | Code | Message, for example |", "| --- | --- | --- |", ...rows].join("\n");
}
