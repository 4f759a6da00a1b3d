import { descriptions } from "@palisade/contract/reference/descriptions";
import type { RouteDefinition } from "@palisade/contract/http/route";
import type { RouteId } from "@palisade/contract/http/routes";
import { callerText, keyText, limitsText } from "./access-texts.ts";
import { codeSamples } from "./code-samples.ts";
import { formContent, uploadContent } from "./form-content.ts";
import { problemResponses } from "./problem-responses.ts";
import type { Examples } from "./examples.ts";
import type { GeneratedOperation, Parameter } from "./openapi-types.ts";
import { carriesEtag, headerParameters, successHeaders } from "./headers.ts";

export interface OperationContext {
  readonly route: RouteDefinition;
  readonly chapter: string;
  readonly origin: string;
  readonly examples: Examples;
}

/** The operation as it is served: its own schemas, and what the contract says of the route. */
export function describeOperation(generated: GeneratedOperation, context: OperationContext) {
  const { route, chapter, examples } = context;
  const parameters = (generated.parameters ?? []).map((parameter) => ({
    ...parameter,
    example: examples.of(parameter.schema, route.id, parameter.name),
  }));
  const bodySchema = generated.requestBody?.content["application/json"]?.schema;
  const body = bodySchema && {
    schema: bodySchema,
    example: examples.of(bodySchema, route.id, "body"),
  };
  return {
    operationId: route.id,
    summary: route.summary,
    description: describe(route),
    tags: [chapter],
    security: securityOf(route),
    "x-access": route.access,
    "x-api-key-scope": route.apiKey,
    "x-rate-limits": route.limits,
    parameters: [...parameters.map(shownParameter), ...headerParameters(route)],
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": body,
          ...(route.multipart && { "multipart/form-data": formContent(body.schema, examples) }),
          ...(route.uploads && {
            "multipart/form-data": uploadContent(body.schema, route.uploads, examples),
          }),
        },
      },
    }),
    responses: {
      [route.success]: successResponse(generated, context),
      ...(route.conditional === true && {
        304: { description: "Not modified since the `ETag` in `If-None-Match`" },
      }),
      ...problemResponses(route, refusedField(generated, context)),
    },
    "x-codeSamples": codeSamples({ ...context, parameters, body: body?.example }),
  };
}

function describe(route: RouteDefinition): string {
  const facts = [
    `**Who may call it:** ${callerText[route.access]}`,
    `**API key:** ${keyText(route)}`,
    `**Rate limit:** ${limitsText(route)}`,
    ...(route.idempotent === true ? ["**Repeating it:** safe with an `Idempotency-Key`"] : []),
    ...(carriesEtag(route) ? ["**Version:** the answer carries an `ETag`"] : []),
  ];
  const note = descriptions[route.id as RouteId];
  return [...(note === undefined ? [] : [note]), facts.map((fact) => `- ${fact}`).join("\n")].join(
    "\n\n",
  );
}

/** An optional filter is shown but not filled in: a call tried out from the page would be filtered. */
function shownParameter({ example, ...parameter }: Parameter) {
  const isFilledIn = parameter.required === true || parameter.schema.default !== undefined;
  return { ...parameter, examples: { example: { value: example, "x-disabled": !isFilledIn } } };
}

function successResponse(generated: GeneratedOperation, { route, examples }: OperationContext) {
  const schema = generated.responses?.[route.success]?.content?.["application/json"]?.schema ?? {};
  const textType = schema.contentMediaType ?? "text/csv";
  const type = schema.type === "string" ? textType : "application/json";
  return {
    description: route.success === 201 ? "Created" : "Success",
    headers: successHeaders(route),
    content: { [type]: { schema, example: examples.of(schema, route.id, "answer") } },
  };
}

/** A field the validation may refuse, for the example of a refusal. */
function refusedField(
  { requestBody, parameters }: GeneratedOperation,
  { route }: OperationContext,
): string | undefined {
  const fields = Object.keys(requestBody?.content["application/json"]?.schema.properties ?? {});
  const header = route.idempotent === true ? "Idempotency-Key" : undefined;
  return fields[0] ?? parameters?.[0]?.name ?? header;
}

function securityOf(route: RouteDefinition): Record<string, string[]>[] {
  if (route.access === "anonymous") return [];
  return route.apiKey === "none" ? [{ accessToken: [] }] : [{ apiKey: [] }, { accessToken: [] }];
}
